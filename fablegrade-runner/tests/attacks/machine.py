# Prints the information about the machine and the host's folders that the kernel reveals.
import os

for name in ("cmdline cpuinfo loadavg stat vmstat meminfo uptime locks cgroups interrupts softirqs diskstats zoneinfo "
             "buddyinfo key-users swaps partitions pressure/cpu sys/kernel/random/boot_id sys/fs/file-nr "
             "sys/kernel/hostname fs irq/default_smp_affinity").split():
    try:
        path = "/proc/" + name
        if os.path.isdir(path):
            if os.listdir(path):
                print(path)
        elif open(path).read():
            print(path)
    except OSError:
        pass
# With kernels from 5.8 on, /proc shows only processes.
if tuple(int(part) for part in os.uname().release.split("-")[0].split(".")[:2]) >= (5, 8):
    print("".join(name + "\n" for name in os.listdir("/proc") if not name.isdigit() and name not in ("self", "thread-self")), end="")
for line in open("/proc/self/mountinfo"):
    root, place = line.split()[3:5]
    if "fablegrade" in root.replace("/fablegrade-languages-", "") or "/box" in place or root.startswith(("/home", "/root", "/tmp", "/var")):
        print(line.strip())
