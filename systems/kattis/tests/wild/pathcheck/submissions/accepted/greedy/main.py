from way import way

places = way(int(input()))
print(len(places))
print(*places)
