import os
paths = ["/tmp/state", "/dev/shm/state", "/var/tmp/state"]
print("stale" if any(os.path.exists(path) for path in paths) else "fresh")
for path in paths:
    open(path, "w").close()
