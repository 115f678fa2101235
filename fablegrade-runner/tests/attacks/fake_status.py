import os, signal, sys
word = sys.stdin.read().strip()
if word.isdigit():
    os._exit(int(word))
os.kill(os.getpid(), getattr(signal, word))
