import os, sys
canary = sys.stdin.read().strip()
for path in ["/etc/shadow", "/etc/passwd", "/etc/hostname", "/root/.bashrc", "/home", "/var/log", "/boot", "/sys/class",
             "/proc/1/environ", "/proc/1/mem", "/proc/1/root/etc/shadow", "/proc/1/cwd/etc/passwd", "/proc/self/root/etc/shadow",
             "/proc/kcore", "/proc/kmsg", "/dev/mem", "/dev/sda", "/dev/vda", canary, "/tmp/../../.." + canary]:
    try:
        if os.path.isdir(path):
            found = os.listdir(path)
        else:
            with open(path, "rb") as file:
                found = file.read(100)
        if found:
            print("LEAK", path, found)
    except OSError:
        pass
with open("/proc/1/cmdline", "rb") as file:
    words = file.read().split(b"\0")
for word in words:
    if word.startswith((b"/tmp", b"/var", b"/root", b"/home", b"/work")):
        print("LEAK", word)
for pid in os.listdir("/proc"):
    if pid.isdigit() and int(pid) > 40:
        print("LEAK foreign process", pid)
