import os
import sys

language, entry, folder = sys.argv[1:4]
length = os.path.getsize(entry)
with open(folder + "score.txt", "w") as score:
    score.write("10" if length <= 40 else "0")
sys.exit(42)
