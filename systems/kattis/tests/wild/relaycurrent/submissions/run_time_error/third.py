word, what = input().split()
if word == 'receive':
    raise SystemExit(7)
print('a')
