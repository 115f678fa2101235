import solution

print(solution.bits(int(input())))
