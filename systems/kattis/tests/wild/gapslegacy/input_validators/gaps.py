import re
import sys

text = sys.stdin.read()
valid = re.fullmatch(r"((0|[1-9]\d{0,15}) (0|[1-9]\d{0,15})\n){1,100}", text)
sys.exit(42 if valid else 43)
