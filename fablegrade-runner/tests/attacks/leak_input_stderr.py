import sys
text = sys.stdin.read()
sys.stderr.write("the input is " + text)
print(text)
raise ValueError(text)
