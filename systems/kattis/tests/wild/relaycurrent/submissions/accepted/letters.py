word, what = input().split()
print('x' + what if word == 'send' else what if word == 'again' else what[1:])
