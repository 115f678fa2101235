import sys

assert sys.argv[1:] == ["0"]
lines = sys.stdin.read().split("\n")
count = int(lines[0])
assert 1 <= count <= 10 and len(lines) == count + 2 and lines[-1] == ""
assert all(0 <= int(line) < 1000 for line in lines[1:-1])
