def bits(n):
    return 1
