import re
import sys

text = sys.stdin.read()
valid = re.fullmatch(r"[a-z]+( [a-z]+)*\n", text)
sys.exit(42 if valid else 43)
