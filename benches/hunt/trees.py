"""Random formulas as trees: their texts, their values, and pairs of similar formulas."""
import itertools

FUNCTIONS = {
    "sin": r"\sin", "cos": r"\cos", "tan": r"\tan", "atan": r"\arctan", "asin": r"\arcsin", "acos": r"\arccos", "sinh": r"\sinh",
    "cosh": r"\cosh", "tanh": r"\tanh", "log": r"\ln",
}


def number(value):
    return ("num", value)


def latex(tree):
    kind, *parts = tree
    if kind == "var":
        return parts[0]
    if kind == "num":
        top, bottom = parts[0]
        text = str(abs(top)) if bottom == 1 else rf"\frac{{{abs(top)}}}{{{bottom}}}"
        return f"(-{text})" if top < 0 else text
    if kind == "pi":
        return r"\pi "
    inner = [latex(part) for part in parts if isinstance(part, tuple)]
    if kind == "add":
        return f"({inner[0]}+{inner[1]})"
    if kind == "sub":
        return f"({inner[0]}-{inner[1]})"
    if kind == "mul":
        return rf"{inner[0]}\cdot {inner[1]}"
    if kind == "div":
        return rf"\frac{{{inner[0]}}}{{{inner[1]}}}"
    if kind == "pow":
        return rf"({inner[0]})^{{{parts[1]}}}"
    if kind == "sqrt":
        return rf"\sqrt{{{inner[0]}}}"
    if kind == "cbrt":
        return rf"\sqrt[3]{{{inner[0]}}}"
    if kind == "exp":
        return rf"e^{{{inner[0]}}}"
    if kind == "abs":
        return rf"\left|{inner[0]}\right|"
    if kind == "floor":
        return rf"\left\lfloor {inner[0]}\right\rfloor "
    if kind == "sgn":
        return rf"\operatorname{{sgn}}\left({inner[0]}\right)"
    if kind == "mod":
        return rf"\left({inner[0]}\bmod {inner[1]}\right)"
    if kind in ("max", "min"):
        return rf"\{kind}\left({inner[0]},{inner[1]}\right)"
    return rf"{FUNCTIONS[kind]}\left({inner[0]}\right)"


class NoValue(Exception):
    pass


def value(tree, at, real, m):
    """Returns the value; every part must be real. `real` creates numbers, `m` has the functions."""
    kind, *parts = tree
    if kind == "var":
        return at[parts[0]]
    if kind == "num":
        return real(parts[0][0]) / parts[0][1]
    if kind == "pi":
        return +m.pi
    values = [value(part, at, real, m) for part in parts if isinstance(part, tuple)]
    a, b = values[0], values[-1]
    if kind == "add":
        return a + b
    if kind == "sub":
        return a - b
    if kind == "mul":
        return a * b
    if kind == "div":
        if b == 0:
            raise NoValue
        return a / b
    if kind == "pow":
        if a == 0 and parts[1] < 0:
            raise NoValue
        return a ** parts[1]
    if kind == "abs":
        return abs(a)
    if kind == "cbrt":
        if a == 0:
            raise NoValue
        return (1 if a > 0 else -1) * abs(a) ** (real(1) / 3)
    if kind == "sgn":
        return real((a > 0) - (a < 0))
    if kind == "floor":
        return m.floor(a)
    if kind == "mod":
        if b == 0:
            raise NoValue
        return a - b * m.floor(a / b)
    if kind in ("max", "min"):
        return max(a, b) if kind == "max" else min(a, b)
    if kind in ("sqrt",) and a < 0 or kind == "log" and a <= 0 or kind in ("asin", "acos") and abs(a) > 1:
        raise NoValue
    return getattr(m, kind)(a)


def constant(chance):
    return number((chance.choice([1, 1, 2, 3, 5, 7, -1, -2, 10, 30, 1000]), chance.choice([1, 1, 1, 2, 3, 10, 100])))


def polynomial(chance, names="xy"):
    terms = []
    for name in names:
        terms += [("var", name), ("pow", ("var", name), 2), ("pow", ("var", name), 4)]
    for one, other in itertools.combinations(names, 2):
        u, v = ("var", one), ("var", other)
        terms += [("mul", u, v), ("sub", u, v), ("pow", ("sub", u, v), 2)]
    tree = constant(chance)
    for _ in range(chance.randint(1, 4)):
        term = chance.choice(terms)
        term = ("mul", constant(chance), term) if chance.random() < 0.4 else term
        tree = (chance.choice(["add", "add", "sub"]), tree, term)
    return tree


def argument(chance, depth=2, names="xy"):
    kind = chance.random()
    if depth == 0 or kind < 0.35:
        u, v = ("var", chance.choice(names)), ("var", chance.choice(names))
        return chance.choice([u, v, ("add", u, v), ("mul", u, v), ("div", u, number((chance.choice([2, 10, 100, 1000]), 1)))])
    if kind < 0.6:
        return polynomial(chance, names)
    if kind < 0.75:
        return ("div", argument(chance, depth - 1, names), polynomial(chance, names))
    if kind < 0.9:
        return (chance.choice(["sin", "cos", "atan", "tanh", "exp"]), argument(chance, depth - 1, names))
    return (chance.choice(["add", "mul", "sub"]), argument(chance, depth - 1, names), argument(chance, depth - 1, names))


def pair(chance):
    u, v = argument(chance), argument(chance)
    one, two = number((1, 1)), number((2, 1))
    small = number((1, 10 ** chance.randint(1, 12)))
    kind = chance.randrange(16)
    if kind == 0:
        return ("sqrt", ("pow", u, 2)), u
    if kind == 1:
        return ("abs", u), u
    if kind == 2:
        return ("add", ("atan", u), ("atan", v)), ("atan", ("div", ("add", u, v), ("sub", one, ("mul", u, v))))
    if kind == 3:
        return ("mul", two, ("atan", u)), ("atan", ("div", ("mul", two, u), ("sub", one, ("pow", u, 2))))
    if kind == 4:
        return ("atan", ("add", u, v)), ("add", ("atan", u), ("atan", ("div", v, ("add", one, ("mul", u, ("add", u, v))))))
    if kind == 5:
        return ("log", ("pow", u, 2)), ("mul", two, ("log", u))
    if kind == 6:
        return ("asin", ("sin", u)), u
    if kind == 7:
        return ("acos", ("cos", u)), u
    if kind == 8:
        return (chance.choice(["max", "min"]), u, v), chance.choice([u, v])
    if kind == 9:
        return ("sgn", u), chance.choice([one, number((-1, 1)), ("div", u, ("abs", u))])
    if kind == 10:
        return ("floor", ("add", u, small)), ("floor", u)
    if kind == 11:
        return ("sqrt", ("mul", u, v)), ("mul", ("sqrt", u), ("sqrt", v))
    if kind == 12:
        return ("add", u, small), u
    if kind == 13:
        return ("add", ("abs", u), ("abs", v)), ("abs", ("add", u, v))
    if kind == 14:
        return ("atan", u), ("sub", ("asin", one), ("atan", ("div", one, u)))
    return ("sqrt", ("pow", ("sub", u, v), 2)), ("sub", u, v)
