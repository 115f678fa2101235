import sys

answer, output = open(sys.argv[2]).read().split(), sys.stdin.read().split()
if len(output) != 1 or not output[0].lstrip("-").isdigit():
    sys.exit(43)
distance = abs(int(output[0]) - int(answer[0]))
if distance and "exact" not in sys.argv[4:]:
    with open(sys.argv[3] + "score.txt", "w") as score:
        score.write(f"{max(0, 10 - distance)}\n")
sys.exit(42 if distance < 10 and not (distance and "exact" in sys.argv[4:]) else 43)
