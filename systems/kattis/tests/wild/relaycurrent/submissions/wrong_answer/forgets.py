word, what = input().split()
print('a' if word != 'receive' else 1)
