# Tries to raise limits and the priority.
import os, resource
for name in ("CPU", "FSIZE", "NPROC", "NOFILE", "STACK", "CORE", "MEMLOCK", "MSGQUEUE", "RTPRIO", "NICE", "SIGPENDING"):
    kind = getattr(resource, "RLIMIT_" + name)
    soft, hard = resource.getrlimit(kind)
    if hard == resource.RLIM_INFINITY:
        # A resource can be without this limit only if the kernel bounds it in another way.
        if name in ("CPU", "FSIZE", "NPROC", "NOFILE", "STACK", "CORE", "MEMLOCK", "MSGQUEUE"):
            print(name, "has no limit")
        continue
    try:
        resource.setrlimit(kind, (hard + 1, hard + 1))
    except (ValueError, OSError):
        pass
    if resource.getrlimit(kind) != (soft, hard):
        print(name, "was raised")
try:
    os.nice(-1)
    print("the priority was raised")
except OSError:
    pass
for policy in (os.SCHED_FIFO, os.SCHED_RR):
    try:
        os.sched_setscheduler(0, policy, os.sched_param(1))
        print("a real-time policy")
    except OSError:
        pass
