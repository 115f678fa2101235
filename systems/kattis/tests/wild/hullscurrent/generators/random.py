import random, sys
random.seed(sys.argv[1])
print(1)
print(random.randint(0, 9), 3)
