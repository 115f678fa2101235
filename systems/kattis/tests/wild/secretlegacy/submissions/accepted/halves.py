low, high = 1, 1000
while True:
    middle = (low + high) // 2
    print(middle, flush=True)
    word = input()
    if word == "correct":
        break
    if word == "higher":
        low = middle + 1
    else:
        high = middle - 1
