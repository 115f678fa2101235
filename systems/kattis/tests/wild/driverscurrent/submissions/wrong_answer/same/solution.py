def translate(word):
    return word
