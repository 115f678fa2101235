print(int(input()) ** 0.5)
