import re
import sys

ok = re.fullmatch(r"([2-9]|[1-9][0-9]{1,5})\n", sys.stdin.buffer.read().decode('latin-1'))
sys.exit(42 if ok else 43)
