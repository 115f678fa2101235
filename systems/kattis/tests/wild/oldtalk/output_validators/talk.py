import sys

secret = int(open(sys.argv[1]).read())
asked = 0
while True:
    line = sys.stdin.readline().split()
    if len(line) != 2 or line[0] not in ("ask", "answer"):
        sys.exit(43)
    number = int(line[1])
    if line[0] == "answer":
        with open(sys.argv[3] + "judgemessage.txt", "w") as message:
            message.write(f"{asked} questions\n")
        sys.exit(42 if number == secret else 43)
    asked += 1
    if asked > 20:
        sys.exit(43)
    print("below" if secret < number else "not below", flush=True)
