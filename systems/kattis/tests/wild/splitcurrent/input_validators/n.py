import re
import sys

text = sys.stdin.read()
valid = re.fullmatch(r"[1-9][0-9]{0,9}\n", text) and 2 <= int(text) <= 10**9
sys.exit(42 if valid else 43)
