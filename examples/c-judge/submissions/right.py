#!/usr/bin/env python3
from decimal import Decimal

a, b = input().split()
print(Decimal(a) + Decimal(b))
