# @EXPECTED_RESULTS@: WRONG-ANSWER
import sys

for line in sys.stdin:
    a, b = map(int, line.split())
    print(a - b)
