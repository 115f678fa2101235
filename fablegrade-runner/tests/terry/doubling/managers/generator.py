import random
import sys

seed, part = sys.argv[1:]
assert part == "0"
random.seed(int(seed))
print(5)
for _ in range(5):
    print(random.randrange(1000))
