import re
import sys

lines = sys.stdin.buffer.read().decode("ascii").split("\n")
ok = len(lines) == 2 and lines[1] == "" and re.fullmatch(r"[1-9][0-9]{0,5}", lines[0])
sys.exit(42 if ok else 43)
