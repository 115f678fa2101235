def f(n):
    return f(n + 1)


print(f(int(input())))
