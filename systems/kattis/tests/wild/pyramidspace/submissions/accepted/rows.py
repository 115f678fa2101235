n = int(input())
for i in range(1, n + 1):
    print(' ' * (n - i) + 'A' * (2 * i - 1))
