import sys

n = int(open(sys.argv[1]).read())
try:
    value = int(sys.stdin.read())
except ValueError:
    sys.exit(43)
with open(sys.argv[3] + "score.txt", "w") as score:
    score.write(str(max(0, 10 - abs(n - value))))
sys.exit(42)
