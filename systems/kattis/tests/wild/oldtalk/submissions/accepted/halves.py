low, high = 0, 1000000
while high - low > 1:
    middle = (low + high) // 2
    print("ask", middle, flush=True)
    if input() == "below":
        high = middle
    else:
        low = middle
print("answer", low, flush=True)
