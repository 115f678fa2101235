n = int(input())
print(sum(i * i for i in range(1, min(n, 100) + 1)) % 1000)
