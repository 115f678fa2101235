# Tries to limit, slow down, signal and stop the first process of its own sandbox.
import os, resource, signal

def attempt(what, call):
    try:
        call()
        print(what)
    except (OSError, ValueError):
        pass

attempt("cpu", lambda: resource.prlimit(1, resource.RLIMIT_CPU, (0, 0)))
attempt("files", lambda: resource.prlimit(1, resource.RLIMIT_NOFILE, (0, 0)))
attempt("idle", lambda: os.sched_setscheduler(1, os.SCHED_IDLE, os.sched_param(0)))
attempt("batch", lambda: os.sched_setscheduler(1, os.SCHED_BATCH, os.sched_param(0)))
attempt("affinity", lambda: os.sched_setaffinity(1, [0]))
attempt("nice", lambda: os.setpriority(os.PRIO_PROCESS, 1, 19))
attempt("nice of the user", lambda: os.setpriority(os.PRIO_USER, 0, 19))
attempt("nice of a group", lambda: os.setpriority(os.PRIO_PGRP, 1, 19))
# A process can join every group of its session.
for group in (1, os.getpgid(1)):
    attempt("a group of another session", lambda: os.setpgid(0, group))
if os.getsid(0) == os.getsid(1):
    print("the session of the first process")
os.setpriority(os.PRIO_PGRP, 0, 19)
if os.getpriority(os.PRIO_PROCESS, 1) == 19:
    print("the first process was slowed down")
for number in range(1, 65):
    for _ in range(1000):
        try:
            os.kill(1, number)
        except OSError:
            pass
