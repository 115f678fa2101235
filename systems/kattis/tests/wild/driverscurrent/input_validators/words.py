import re
import sys

assert sys.argv[1:] in ([], ["--upper"])
sys.exit(42 if re.fullmatch(r"[a-z]+( [a-z]+)*\n", sys.stdin.buffer.read().decode(errors="replace")) else 43)
