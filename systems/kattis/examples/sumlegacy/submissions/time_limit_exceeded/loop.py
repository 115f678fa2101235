a, b = map(int, input().split())
while b > 4:
    pass
print(a + b)
