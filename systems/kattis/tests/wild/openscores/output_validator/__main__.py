import sys

n, output = int(open(sys.argv[1]).read()), sys.stdin.read().split()
if len(output) != 1 or not output[0].isdigit() or int(output[0]) < 1 or n % int(output[0]):
    sys.exit(43)
with open(sys.argv[3] + "score.txt", "w") as score:
    score.write(output[0] + ".5e0\n")
sys.exit(42)
