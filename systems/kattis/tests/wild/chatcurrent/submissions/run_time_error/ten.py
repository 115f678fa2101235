while (n := int(input())):
    assert n < 10
    print(2 * n, flush=True)
