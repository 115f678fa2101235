import os, sys, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        time.sleep(600)
        print("late", flush=True)
    os._exit(0)
print("ok", flush=True)
