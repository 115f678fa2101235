import sys

from solution import translate

upper = sys.argv[1:] == ["--upper"]
for word in sys.stdin.read().split():
    out = translate(word)
    print(out.upper() if upper else out)
