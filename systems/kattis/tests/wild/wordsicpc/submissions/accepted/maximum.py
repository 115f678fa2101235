#!/usr/bin/env python3
# @EXPECTED_RESULTS@: CORRECT
print(max(input().split(), key=len))
