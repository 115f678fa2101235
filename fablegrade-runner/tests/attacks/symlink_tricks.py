import os, sys
canary = sys.stdin.read().strip()
os.symlink("/etc/passwd", "/tmp/passwd")
os.symlink(canary, "/tmp/out")
os.symlink("/", "/tmp/root")
os.mkfifo("/tmp/pipe")
os.mkdir("/tmp/closed")
open("/tmp/closed/file", "w").close()
os.chmod("/tmp/closed", 0)
for name in ["\n", "a\nb", "-rf", "..x", "\xff" * 80, " "]:
    open("/tmp/" + name, "w").close()
os.chdir("/tmp")
for _ in range(200):
    os.mkdir("d")
    os.chdir("d")
print("done")
