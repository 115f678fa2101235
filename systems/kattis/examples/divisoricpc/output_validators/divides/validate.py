import sys

n = int(open(sys.argv[1]).read())
words = sys.stdin.buffer.read().split()
if len(words) != 1 or not words[0].isdigit() or not 1 < int(words[0][:9]) <= n or n % int(words[0][:9]) != 0:
    with open(sys.argv[3] + "judgemessage.txt", "w") as message:
        message.write("not a divisor\n")
    sys.exit(43)
sys.exit(42)
