n = int(input())
print('\n'.join(' ' * (n - i) + 'A' * (2 * i - 1) for i in range(1, n + 1)), end='')
