from collections import Counter
input()
print(sum(n * (n - 1) // 2 for n in Counter(input().split()).values()))
