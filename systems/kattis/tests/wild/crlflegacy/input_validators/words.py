import re, sys
text = sys.stdin.buffer.read().decode(errors='replace')
sys.exit(42 if re.fullmatch(r'\w+( \w+)*\r\n', text) else 43)
