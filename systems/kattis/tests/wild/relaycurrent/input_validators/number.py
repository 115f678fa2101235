import re
import sys

text = sys.stdin.read()
valid = re.fullmatch(r"send (0|[1-9]\d?)\n", text) and int(text.split()[1]) <= 26
sys.exit(42 if valid else 43)
