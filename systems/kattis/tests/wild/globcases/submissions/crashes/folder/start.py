from rest import answer

print(answer(int(input())))
