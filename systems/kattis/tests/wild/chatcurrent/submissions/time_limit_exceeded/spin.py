while (n := int(input())):
    while n > 40:
        pass
    print(2 * n, flush=True)
