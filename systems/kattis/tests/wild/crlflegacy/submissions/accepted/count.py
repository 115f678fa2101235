print(len(input().split()))
