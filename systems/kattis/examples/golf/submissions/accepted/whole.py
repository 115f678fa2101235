import math

# Whole numbers only: half of the points where the root is none.
print(math.isqrt(int(input())))
