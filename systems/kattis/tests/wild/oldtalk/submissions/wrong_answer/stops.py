print("ask 5", flush=True)
input()
