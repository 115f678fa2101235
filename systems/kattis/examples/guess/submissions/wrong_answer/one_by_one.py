for guess in range(1, 1001):
    print(guess, flush=True)
    try:
        if input() == "correct":
            break
    except EOFError:
        break
