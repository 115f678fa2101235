import sys


def play(numbers):
    for number in numbers:
        print(number, flush=True)
        line = sys.stdin.readline()
        if line.strip() != str(2 * number):
            return f"expected {2 * number}, got {line!r}"
    print(0, flush=True)
    if sys.stdin.read().strip():
        return "more after the end"
    return None
