import os
import sys

folder = sys.argv[3]
state = folder + "state.txt"
words = sys.stdin.read().split()
number = open(sys.argv[2]).read().strip()
if not os.path.exists(state):
    if len(words) != 1 or set(words[0]) - {"a", "b"}:
        sys.exit(43)
    open(state, "w").write("encoded")
    open(folder + "nextpass.in", "w").write("decode " + words[0] + "\n")
    sys.exit(42)
sys.exit(42 if words == [number] else 43)
