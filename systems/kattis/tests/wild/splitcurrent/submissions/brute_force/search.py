n = int(input())
for a in range(1, n):
    if abs(n - 2 * a) <= 1:
        print(a, n - a)
        break
