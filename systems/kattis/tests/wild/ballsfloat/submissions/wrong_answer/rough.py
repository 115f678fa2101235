print(4 / 3 * 3.14 * int(input()) ** 3)
