import sys

from talk.rounds import play

input_file, _answer, feedback = sys.argv[1:4]
with open(input_file) as source:
    numbers = [int(word) for word in source.read().split()][1:]
complaint = play(numbers)
if complaint:
    with open(f"{feedback}/judgemessage.txt", "w") as message:
        message.write(complaint + "\n")
    sys.exit(43)
sys.exit(42)
