#!/usr/bin/env python3
# Whole numbers only, and 31 bits of them.
a, b = input().split()
print((int(a) + int(b)) % 2**31)
