import re
import sys

most = dict(word.split("=") for word in sys.argv[1:])
text = sys.stdin.read()
if not re.fullmatch(r"[1-9]\d*\n[1-9]\d*( [1-9]\d*)*\n", text):
    sys.exit(43)
n, *heights = map(int, text.split())
fits = n == len(heights) and n <= int(most.get("max_n", 5000)) and max(heights) <= int(most.get("max_h", 10**6))
sys.exit(42 if fits else 43)
