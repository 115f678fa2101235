import re
import sys

text = sys.stdin.read()
valid = re.fullmatch(r"[1-9]\n", text)
sys.exit(42 if valid else 43)
