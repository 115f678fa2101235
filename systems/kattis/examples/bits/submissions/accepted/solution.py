def bits(n):
    return bin(n).count("1")
