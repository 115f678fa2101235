# Prints the visible files of the host that are not the interpreter, its libraries or its data.
import os

allowed = {"usr", "lib", "lib64", "bin", "proc", "dev", "box", "tmp", "var", "etc", "sbin", "lib32", "libx32"}
print(*sorted(set(os.listdir("/")) - allowed), end="")
for name in os.listdir("/usr/bin"):
    if not name.startswith("python"):
        print(name)
if os.path.isdir("/etc"):
    print(*sorted(set(os.listdir("/etc")) - {"ld.so.cache", "python3", "python3.11", "python3.12", "python3.13"}), end="")
for secret in ("/usr/share/doc", "/usr/include", "/usr/sbin", "/usr/lib/chromium", "/etc/passwd", "/home", "/root"):
    if os.path.exists(secret):
        print(secret)
