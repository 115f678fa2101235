n = 0
while True:
    n += 1
    print(n, flush=True)
    if input() == 'correct':
        break
