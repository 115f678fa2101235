# @EXPECTED_RESULTS@: WRONG-ANSWER
print(int(input()) + 2)
