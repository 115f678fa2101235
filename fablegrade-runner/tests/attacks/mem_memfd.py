import os
held = 0
try:
    file = os.memfd_create("hidden")
    while held < 1000:
        os.write(file, b"x" * (1 << 20))
        held += 1
except OSError:
    pass
print(held)
