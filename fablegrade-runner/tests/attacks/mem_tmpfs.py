total = 0
try:
    for number in range(1000):
        with open("/tmp/%d" % number, "wb", buffering=0) as file:
            total += file.write(b"x" * (1 << 20))
except OSError:
    pass
print(total >> 20)
