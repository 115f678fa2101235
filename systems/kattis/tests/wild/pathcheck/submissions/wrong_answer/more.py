n = int(input())
w = list(range(1, n, 3)) + [n]
print(len(w))
print(*w)
print('done')
