import os, sys

number, feedback = int(open(sys.argv[1]).read()), sys.argv[3]
count = feedback + "count"
passes = int(open(count).read()) if os.path.exists(count) else 0
with open(count, "w") as file:
    file.write(str(passes + 1))
print(number, flush=True)
answer = sys.stdin.readline().strip()
if answer != str(number + 1):
    sys.exit(43)
if passes < 2:
    with open(feedback + "nextpass.in", "w") as file:
        file.write(f"{number + 1}\n")
sys.exit(42)
