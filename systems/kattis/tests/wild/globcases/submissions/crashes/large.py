import offset

n = int(input())
assert n < offset.MOST - 1
print(n + offset.offset())
