n = int(input())
print(n if n < 100 else 7)
