for case in range(int(input())):
    length = int(input())
    numbers = [int(word) for word in input().split()]
    print(f"Case #{case + 1}: {max(numbers[:3])}")
