import sys

n = int(open(sys.argv[1]).read())
best = int(open(sys.argv[2]).read())
words = sys.stdin.buffer.read().split()
if len(words) != 1 or not words[0].isdigit() or len(words[0]) > 6:
    sys.exit(43)
said = int(words[0])
if said < 1 or said >= n or n % said or ("partial" not in sys.argv[4:] and said != best):
    sys.exit(43)
if "partial" in sys.argv[4:]:
    with open(sys.argv[3] + "score_multiplier.txt", "w") as score:
        score.write("1" if said == best else "0.25")
sys.exit(42)
