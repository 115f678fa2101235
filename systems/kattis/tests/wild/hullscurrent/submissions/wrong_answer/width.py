n = int(input())
p = [tuple(map(int, input().split())) for _ in range(n)]
x = [q[0] for q in p]
y = [q[1] for q in p]
print(max(x) - min(x))
