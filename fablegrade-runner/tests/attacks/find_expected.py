import os, sys
marker = sys.stdin.read().strip().encode()[::-1]
seen = [" ".join(sys.argv).encode(), repr(os.environ).encode()]
for top in ["/box", "/tmp", "/dev/shm", "/etc", "/var"]:
    for folder, _, files in os.walk(top):
        for name in files:
            try:
                with open(os.path.join(folder, name), "rb") as file:
                    seen.append(file.read(100000))
            except OSError:
                pass
print("FOUND" if any(marker in one for one in seen) else "none")
