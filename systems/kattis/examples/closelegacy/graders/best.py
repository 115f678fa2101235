import sys

# Twice the best score, and the number of cases that are accepted.
results = [line.split() for line in sys.stdin if line.strip()]
accepted = [float(score) for verdict, score in results if verdict == "AC"]
if "sum" in sys.argv[1:]:
    print("AC", sum(accepted))
elif accepted:
    print("AC", 2 * max(accepted) + len(accepted))
else:
    print("WA 0")
