import sys, time
words = sys.stdin.read().split()
if words[0] == "spin":
    while True: pass
if words[0] == "sleep": time.sleep(600)
held = []
while words[0] == "eat": held.append(bytearray(b"x" * 1000000))
while words[0] == "flood": print("x" * 1000)
if words[0] == "crash": sys.exit(3)
print(*[2 * int(word) for word in words])
