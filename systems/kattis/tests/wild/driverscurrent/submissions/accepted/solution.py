def translate(word):
    with open('words.txt') as words:
        return dict(line.split() for line in words)[word]
