count = 0
try:
    for number in range(200000):
        open("/tmp/%d" % number, "w").close()
        count += 1
except OSError:
    pass
print(count)
