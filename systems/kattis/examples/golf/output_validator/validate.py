import math
import sys

n = int(open(sys.argv[1]).read())
try:
    error = abs(float(sys.stdin.read()) ** 2 - n)
except (ValueError, OverflowError):
    sys.exit(43)
if not error <= n:
    sys.exit(43)
if "score" in sys.argv[4:]:
    with open(sys.argv[3] + "score_multiplier.txt", "w") as score:
        score.write("1" if error < 1e-6 * n else "0.5")
sys.exit(42)
