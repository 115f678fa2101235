for case in range(int(input())):
    word = input()
    print(f"Case #{case + 1}: {'yes' if word == word[::-1] else 'no'}")
