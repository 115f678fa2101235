numbers = [int(input()) for _ in range(int(input()))]
for case in (2, 1):
    print(f"Case #{case}: {2 * numbers[case - 1]}")
