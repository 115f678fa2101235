n = int(input())
h = input().split()
assert n <= 4
print(sum(h[i] == h[j] for i in range(n) for j in range(i)))
