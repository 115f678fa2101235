# Calls one function of solution.py with the JSON arguments on standard input and writes its value to descriptor 3.
import sys


def convert(value):
    for name in ("tolist", "_asdict"):
        method = getattr(value, name, None)
        if callable(method):
            return method()
    raise TypeError("a value of type %s has no JSON form" % type(value).__name__)


def main():
    import json
    import os
    import types

    name = sys.argv[1]
    tag, _, text = sys.stdin.buffer.read().partition(b"\n")
    arguments = json.loads(text)
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "solution.py"), "rb") as file:
        code = compile(file.read(), "solution.py", "exec")
    module = types.ModuleType("solution")
    sys.modules["solution"] = module
    sys.argv = ["solution.py"]
    exec(code, module.__dict__)
    function = module.__dict__.get(name)
    if function is None and isinstance(module.__dict__.get("Solution"), type):
        function = getattr(module.Solution(), name, None)
    if not callable(function):
        sys.exit("there is no function `%s`" % name)
    value = function(*arguments)
    try:
        text = json.dumps(value, separators=(",", ":"), ensure_ascii=False, allow_nan=False, default=convert)
    except RecursionError:
        sys.exit("the value that `%s` returned is nested too deep" % name)
    frame = tag + b" " + text.encode() + b"\n"
    while frame:
        frame = frame[os.write(3, frame):]


main()
