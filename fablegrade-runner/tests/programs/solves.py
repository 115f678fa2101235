import time
def solve(how):
    while how == "spin": pass
    if how == "sleep": time.sleep(600)
    held = []
    while how == "eat": held.append(bytearray(b"x" * 1000000))
    while how == "flood": print("x" * 1000)
    if how == "crash": raise ValueError("as asked")
    return how + "!"
