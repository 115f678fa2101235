print(len(input()))
