while (n := int(input())):
    print(n * n, flush=True)
