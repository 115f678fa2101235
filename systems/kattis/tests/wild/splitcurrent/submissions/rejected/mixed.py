n = int(input())
if n > 10**6:
    raise ValueError
print(1, n - 1)
