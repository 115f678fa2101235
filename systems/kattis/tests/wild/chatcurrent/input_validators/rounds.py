import re
import sys

text = sys.stdin.read()
lines = text.split("\n")
valid = re.fullmatch(r"(0|[1-9]\d?)\n([1-9]\d*\n)*", text) and int(lines[0]) == len(lines) - 2
sys.exit(42 if valid else 43)
