print(sorted(input().split(), key=len)[-1])
