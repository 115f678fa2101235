def way(n):
    places = [1]
    while places[-1] < n:
        places.append(min(n, places[-1] + 3))
    return places
