# Zählt Wörter
print(len(input().split()))
