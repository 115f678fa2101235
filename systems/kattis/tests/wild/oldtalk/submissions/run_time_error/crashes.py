print("ask 5", flush=True)
input()
raise SystemExit(1)
