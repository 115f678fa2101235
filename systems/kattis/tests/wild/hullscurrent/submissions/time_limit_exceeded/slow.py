n = int(input())
p = [tuple(map(int, input().split())) for _ in range(n)]
x = [q[0] for q in p]
y = [q[1] for q in p]
while n > 500:
    pass
print(2 * (max(x) - min(x) + max(y) - min(y)))
