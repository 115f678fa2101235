n = int(input())
assert n != 9
print(n + 1)
