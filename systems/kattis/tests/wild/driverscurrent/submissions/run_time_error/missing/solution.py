def translate(word):
    return open('other.txt').read()
