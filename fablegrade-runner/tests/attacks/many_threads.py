# Harmless: fifty threads with stacks of the usual size.
import threading
started = threading.Barrier(51)
all = [threading.Thread(target=started.wait) for _ in range(50)]
for one in all:
    one.start()
started.wait()
for one in all:
    one.join()
print("ok")
