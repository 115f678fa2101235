# Looks up missing names in visible folders: half of them once untimed, then all of them timed. If a repeated look-up is much
# faster, failed look-ups could carry bits to a later program.
import os, sys, time

def ask(path):
    begun = time.perf_counter_ns()
    try:
        os.stat(path)
    except OSError:
        pass
    return time.perf_counter_ns() - begun

def folders():
    found = {os.path.dirname(os.path.realpath(sys.executable)), os.path.dirname(os.__file__)}
    for line in open("/proc/self/mountinfo"):
        place = line.split()[4]
        if os.path.isdir(place) and not place.startswith(("/proc", "/dev")):
            found.update([place] + [os.path.join(place, name) for name in os.listdir(place)[:3]])
    return sorted(folder for folder in found if os.path.isdir(folder))

tag = os.urandom(8).hex()
for folder in folders():
    new, known = [], []
    for round in range(40):
        names = ["%s/%s-%d-%d" % (folder, tag, round, at) for at in range(20)]
        for name in names[::2]:
            ask(name)
        for at, name in enumerate(names):
            (new if at % 2 else known).append(ask(name))
    new.sort(), known.sort()
    if known[200] < .7 * new[200]:
        print(folder, known[200], new[200])
