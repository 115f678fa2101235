import sys

secret = int(open(sys.argv[1]).read())


def end(code, text):
    with open(sys.argv[3] + "judgemessage.txt", "a") as message:
        message.write(text + "\n")
    sys.exit(code)


for questions in range(1, 11):
    line = sys.stdin.readline()
    if not line.strip().isdigit():
        end(43, "not a number")
    guess = int(line[:9])
    if guess == secret:
        print("correct", flush=True)
        if sys.stdin.read().strip():
            end(43, "went on after the end")
        end(42, f"{questions} questions")
    print("lower" if secret < guess else "higher", flush=True)
end(43, "too many questions")
