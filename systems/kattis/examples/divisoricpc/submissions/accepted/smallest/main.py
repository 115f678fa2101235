import search

print(search.smallest(int(input())))
