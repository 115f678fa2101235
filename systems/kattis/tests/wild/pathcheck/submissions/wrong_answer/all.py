n = int(input())
print(n)
print(*range(1, n + 1))
