import os, sys
canary = sys.stdin.read().strip()
for path in ["/fablegrade_escape", "/usr/fablegrade_escape", "/etc/fablegrade_escape", "/box/fablegrade_escape", "/dev/fablegrade_escape",
             "/proc/fablegrade_escape", "/var/fablegrade_escape", "/bin/true", "/usr/bin/true", "/etc/ld.so.cache", "/box/solution.py",
             "/proc/sys/kernel/core_pattern", "/proc/sysrq-trigger", canary]:
    try:
        with open(path, "r+b" if os.path.exists(path) else "wb") as file:
            file.write(b"x")
        print("WROTE", path)
    except OSError:
        pass
with open("/tmp/fablegrade_escape", "w") as file:
    file.write("inside")
