import offset

print(int(input()) + offset.offset())
