import pathlib
import sys

answer = int(pathlib.Path(sys.argv[2]).read_text())
feedback = pathlib.Path(sys.argv[3])
words = sys.stdin.buffer.read().split()
if len(words) != 1 or not words[0].isdigit() or len(words[0]) > 9:
    (feedback / "judgemessage.txt").write_text("expected one number\n")
    sys.exit(43)
distance = abs(int(words[0]) - answer)
if distance > 5:
    (feedback / "judgemessage.txt").write_text(f"{distance} away\n")
    (feedback / "teammessage.txt").write_text("too far\n")
    sys.exit(43)
(feedback / "score.txt").write_text(f"{20 - 2 * distance}\n")
sys.exit(42)
