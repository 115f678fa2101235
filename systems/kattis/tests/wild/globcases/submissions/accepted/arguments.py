import sys
import offset

n = int(input())
assert sys.argv[1:] in ([], ["fast"], ["slow", "a b"]), sys.argv
print(n + offset.offset())
