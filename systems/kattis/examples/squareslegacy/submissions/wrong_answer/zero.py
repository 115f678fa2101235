input()
print(-1)
