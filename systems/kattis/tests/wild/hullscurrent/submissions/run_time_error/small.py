n = int(input())
p = [tuple(map(int, input().split())) for _ in range(n)]
x = [q[0] for q in p]
y = [q[1] for q in p]
assert n <= 2
print(2 * (max(x) - min(x) + max(y) - min(y)))
