import pathlib
import sys

secret = pathlib.Path(sys.argv[2]).read_text().strip()
folder = pathlib.Path(sys.argv[3])
said = sys.stdin.buffer.read().decode(errors="replace").split()
count = folder / "passes.txt"
number = int(count.read_text()) + 1 if count.exists() else 1
count.write_text(str(number))


def wrong(why):
    (folder / "judgemessage.txt").write_text(f"pass {number}: {why}\n")
    sys.exit(43)


if number == 3:
    if said != [secret]:
        wrong(f"{said} is not {secret}")
    sys.exit(42)
if len(said) != 1 or len(said[0]) > 9:
    wrong("expected one word")
(folder / "nextpass.in").write_text(f"{'again' if number == 1 else 'receive'} {said[0]}\n")
sys.exit(42)
