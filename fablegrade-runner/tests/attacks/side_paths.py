# Looks for information about the host, about other runs, or about their number, in files and other objects.
import os, re, socket, stat

def tell(*words):
    print(*words)

# The name of the control group must not count the runs, so it ends with an unpredictable number.
for line in open("/proc/self/cgroup"):
    count = re.search(r"-(\d+)$", line.strip())
    if "/.." in line or (count and int(count[1]) < 1 << 32):
        tell("group", line.strip())
for path in ("/sys", "/sys/fs/cgroup", "/dev/shm/..", "/run", "/var/lib", "/proc/1/root", "/proc/1/cwd", "/proc/1/environ",
             "/proc/1/maps", "/proc/1/fd", "/proc/1/mem", "/proc/1/auxv", "/proc/self/pagemap"):
    try:
        if os.path.isdir(path):
            names = os.listdir(path)
            if path != "/dev/shm/.." and names:
                tell(path, names[:5])
        elif path.endswith("pagemap"):
            # Frame numbers reveal where in the machine's memory a page is.
            with open(path, "rb") as file:
                file.seek((id(path) >> 12) * 8)
                frame = int.from_bytes(file.read(8), "little") & ((1 << 55) - 1)
                if frame:
                    tell("frame", frame)
        else:
            content = open(path, "rb").read(64)
            if content:
                tell(path, content)
    except OSError:
        pass
# Sockets to the kernel, to virtual machines, or to services of the host.
for family in (16, 38, 40, 17, 29, 30, 31, 44):
    for kind in (1, 2, 3, 5):
        try:
            socket.socket(family, kind, 0)
            tell("family", family, kind)
        except OSError:
            pass
for name in ("\0/tmp/.X11-unix/X0", "\0fablegrade-user-1900000001", "/run/dbus/system_bus_socket", "\0dbus"):
    try:
        socket.socket(socket.AF_UNIX, socket.SOCK_STREAM).connect(name)
        tell("reaches", name)
    except OSError:
        pass
# Shared files cannot be changed, linked or truncated.
for path in ("/usr/bin/python3", "/lib", "/etc/ld.so.cache", "/dev/null"):
    for change in (lambda: os.setxattr(path, "user.x", b"1"), lambda: os.utime(path), lambda: os.chmod(path, 0o777),
                   lambda: os.link(path, "/tmp/link"), lambda: os.truncate(path, 0)):
        try:
            change()
            if path != "/dev/null":
                tell("changed", path)
        except OSError:
            pass
# The only devices are the five that store no data.
known = {(1, 3), (1, 5), (1, 7), (1, 8), (1, 9)}
for folder, _, names in os.walk("/dev"):
    for name in names:
        about = os.lstat(os.path.join(folder, name))
        if stat.S_ISBLK(about.st_mode) or stat.S_ISCHR(about.st_mode):
            number = (os.major(about.st_rdev), os.minor(about.st_rdev))
            if number not in known:
                tell("device", name, number)
for kind, number in ((stat.S_IFBLK, (8, 0)), (stat.S_IFCHR, (1, 1)), (stat.S_IFCHR, (10, 232))):
    try:
        os.mknod("/tmp/device", 0o600 | kind, os.makedev(*number))
        tell("made a device", number)
    except OSError:
        pass
