from math import pi
print(4 / 3 * pi * int(input()) ** 3)
