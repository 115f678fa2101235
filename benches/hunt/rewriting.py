"""Kinds of pairs for `wrong_equal.py` that are made by rewriting. A formula is drawn, then changed at random places by rules. Most
rules keep the value, some keep it only in a part of the plane, and some are textbook errors. Sometimes a part is changed.
"""
from trees import constant, latex, number

ONE, TWO, MINUS, HALF = number((1, 1)), number((2, 1)), number((-1, 1)), number((1, 2))
PI = ("pi",)


def add(u, v):
    return ("add", u, v)


def sub(u, v):
    return ("sub", u, v)


def mul(u, v):
    return ("mul", u, v)


def div(u, v):
    return ("div", u, v)


def power(u, n):
    return ("pow", u, n)


def half(u):
    return div(u, TWO)


def drawn(chance, names, depth=3):
    """A formula whose values mostly stay small."""
    if depth == 0 or chance.random() < 0.12:
        return ("var", chance.choice(names)) if chance.random() < 0.75 else constant(chance)
    inner = lambda: drawn(chance, names, depth - 1)
    kind = chance.choice([
        "add", "add", "sub", "sub", "mul", "mul", "mul", "div", "pow", "pow", "sqrt", "cbrt", "abs", "exp", "log", "sin", "cos", "tan", "atan",
        "asin", "acos", "sinh", "cosh", "tanh", "max", "min", "floor", "sgn",
    ])
    if kind in ("add", "sub", "mul", "div", "max", "min"):
        return (kind, inner(), inner())
    if kind == "pow":
        return power(inner(), chance.choice([2, 2, 3, -1, -2]))
    return (kind, inner())


# name of the outermost node -> rules; each takes the parts and a random generator, and returns the new node or None
LAWS = {
    "add": [
        lambda u, v, c: add(v, u),
        lambda u, v, c: sub(u, mul(MINUS, v)),
        lambda u, v, c: PI if (u[0], v[0]) == ("asin", "acos") and u[1] == v[1] else None,
        lambda u, v, c: ("log", mul(u[1], v[1])) if u[0] == v[0] == "log" else None,
        lambda u, v, c: ("atan", div(add(u[1], v[1]), sub(ONE, mul(u[1], v[1])))) if u[0] == v[0] == "atan" else None,
        lambda u, v, c: mul(TWO, mul(("sin", half(add(u[1], v[1]))), ("cos", half(sub(u[1], v[1]))))) if u[0] == v[0] == "sin" else None,
        lambda u, v, c: add(("max", u, v), ("min", u, v)),
    ],
    "sub": [
        lambda u, v, c: mul(MINUS, sub(v, u)),
        lambda u, v, c: add(u, mul(MINUS, v)),
        lambda u, v, c: mul(sub(u[1], v[1]), add(u[1], v[1])) if u[0] == v[0] == "pow" and u[2] == v[2] == 2 else None,
        lambda u, v, c: ("log", div(u[1], v[1])) if u[0] == v[0] == "log" else None,
    ],
    "mul": [
        lambda u, v, c: mul(v, u),
        lambda u, v, c: div(u, power(v, -1)),
        lambda u, v, c: add(mul(u, v[1]), mul(u, v[2])) if v[0] == "add" else None,
        lambda u, v, c: ("exp", add(u[1], v[1])) if u[0] == v[0] == "exp" else None,
        lambda u, v, c: ("sqrt", mul(u[1], v[1])) if u[0] == v[0] == "sqrt" else None,
        lambda u, v, c: ("abs", mul(u[1], v[1])) if u[0] == v[0] == "abs" else None,
        lambda u, v, c: sub(power(half(add(u, v)), 2), power(half(sub(u, v)), 2)),
        lambda u, v, c: mul(("max", u, v), ("min", u, v)),
    ],
    "div": [
        lambda u, v, c: mul(u, power(v, -1)),
        lambda u, v, c: div(ONE, div(v, u)),
        lambda u, v, c: div(mul(u, v), power(v, 2)),
        lambda u, v, c: add(div(u[1], v), div(u[2], v)) if u[0] == "add" else None,
        lambda u, v, c: mul(u, ("exp", mul(MINUS, v[1]))) if v[0] == "exp" else None,
    ],
    "pow": [
        lambda u, n, c: mul(u, power(u, n - 1)) if n in (2, 3) else None,
        lambda u, n, c: add(add(power(u[1], 2), mul(TWO, mul(u[1], u[2]))), power(u[2], 2)) if u[0] == "add" and n == 2 else None,
        lambda u, n, c: mul(power(u[1], n), power(u[2], n)) if u[0] == "mul" else None,
        lambda u, n, c: sub(ONE, power(("cos" if u[0] == "sin" else "sin", u[1]), 2)) if u[0] in ("sin", "cos") and n == 2 else None,
        lambda u, n, c: half(sub(ONE, ("cos", mul(TWO, u[1])))) if u[0] == "sin" and n == 2 else None,
        lambda u, n, c: u[1] if u[0] == "sqrt" and n == 2 or u[0] == "cbrt" and n == 3 else None,
        lambda u, n, c: ("exp", mul(number((n, 1)), u[1])) if u[0] == "exp" else None,
        lambda u, n, c: power(("abs", u), n),
        lambda u, n, c: div(ONE, power(u, -n)) if n < 0 else None,
    ],
    "sqrt": [
        lambda u, c: ("abs", u[1]) if u[0] == "pow" and u[2] == 2 else None,
        lambda u, c: u[1] if u[0] == "pow" and u[2] == 2 else None,
        lambda u, c: mul(("sqrt", u[1]), ("sqrt", u[2])) if u[0] == "mul" else None,
        lambda u, c: div(("sqrt", u[1]), ("sqrt", u[2])) if u[0] == "div" else None,
        lambda u, c: ("exp", half(("log", u))),
        lambda u, c: mul(u, power(("sqrt", u), -1)),
        lambda u, c: add(("sqrt", u[1]), ("sqrt", u[2])) if u[0] == "add" else None,
    ],
    "cbrt": [
        lambda u, c: mul(MINUS, ("cbrt", mul(MINUS, u))),
        lambda u, c: u[1] if u[0] == "pow" and u[2] == 3 else None,
        lambda u, c: mul(("cbrt", u[1]), ("cbrt", u[2])) if u[0] == "mul" else None,
        lambda u, c: ("exp", div(("log", u), number((3, 1)))),
    ],
    "abs": [
        lambda u, c: ("sqrt", power(u, 2)),
        lambda u, c: ("max", u, mul(MINUS, u)),
        lambda u, c: mul(("sgn", u), u),
        lambda u, c: mul(("abs", u[1]), ("abs", u[2])) if u[0] == "mul" else None,
        lambda u, c: ("abs", sub(u[2], u[1])) if u[0] == "sub" else None,
        lambda u, c: add(("abs", u[1]), ("abs", u[2])) if u[0] == "add" else None,
        lambda u, c: u,
    ],
    "exp": [
        lambda u, c: u[1] if u[0] == "log" else None,
        lambda u, c: mul(("exp", u[1]), ("exp", u[2])) if u[0] == "add" else None,
        lambda u, c: add(("sinh", u), ("cosh", u)),
        lambda u, c: div(ONE, ("exp", mul(MINUS, u))),
        lambda u, c: power(("exp", half(u)), 2),
    ],
    "log": [
        lambda u, c: u[1] if u[0] == "exp" else None,
        lambda u, c: add(("log", u[1]), ("log", u[2])) if u[0] == "mul" else None,
        lambda u, c: sub(("log", u[1]), ("log", u[2])) if u[0] == "div" else None,
        lambda u, c: mul(number((u[2], 1)), ("log", u[1])) if u[0] == "pow" else None,
        lambda u, c: mul(HALF, ("log", power(u, 2))),
        lambda u, c: mul(MINUS, ("log", div(ONE, u))),
        lambda u, c: add(("log", u[1]), ("log", u[2])) if u[0] == "add" else None,
    ],
    "sin": [
        lambda u, c: add(mul(("sin", u[1]), ("cos", u[2])), mul(("cos", u[1]), ("sin", u[2]))) if u[0] == "add" else None,
        lambda u, c: mul(TWO, mul(("sin", half(u)), ("cos", half(u)))),
        lambda u, c: ("cos", sub(half(PI), u)),
        lambda u, c: mul(MINUS, ("sin", add(u, PI))),
        lambda u, c: u[1] if u[0] == "asin" else None,
        lambda u, c: ("sqrt", sub(ONE, power(u[1], 2))) if u[0] == "acos" else None,
        lambda u, c: div(u[1], ("sqrt", add(ONE, power(u[1], 2)))) if u[0] == "atan" else None,
        lambda u, c: ("sqrt", sub(ONE, power(("cos", u), 2))),
    ],
    "cos": [
        lambda u, c: sub(mul(("cos", u[1]), ("cos", u[2])), mul(("sin", u[1]), ("sin", u[2]))) if u[0] == "add" else None,
        lambda u, c: sub(mul(TWO, power(("cos", half(u)), 2)), ONE),
        lambda u, c: ("cos", mul(MINUS, u)),
        lambda u, c: ("cos", ("abs", u)),
        lambda u, c: div(ONE, ("sqrt", add(ONE, power(u[1], 2)))) if u[0] == "atan" else None,
        lambda u, c: ("sin", add(half(PI), u)),
    ],
    "tan": [
        lambda u, c: div(("sin", u), ("cos", u)),
        lambda u, c: ("tan", add(u, PI)),
        lambda u, c: u[1] if u[0] == "atan" else None,
        lambda u, c: div(mul(TWO, ("tan", half(u))), sub(ONE, power(("tan", half(u)), 2))),
    ],
    "atan": [
        lambda u, c: mul(MINUS, ("atan", mul(MINUS, u))),
        lambda u, c: sub(half(PI), ("atan", div(ONE, u))),
        lambda u, c: mul(TWO, ("atan", div(u, add(ONE, ("sqrt", add(ONE, power(u, 2))))))),
        lambda u, c: ("asin", div(u, ("sqrt", add(ONE, power(u, 2))))),
        lambda u, c: u[1] if u[0] == "tan" else None,
        lambda u, c: ("acos", div(ONE, ("sqrt", add(ONE, power(u, 2))))),
    ],
    "asin": [
        lambda u, c: sub(half(PI), ("acos", u)),
        lambda u, c: ("atan", div(u, ("sqrt", sub(ONE, power(u, 2))))),
        lambda u, c: u[1] if u[0] == "sin" else None,
        lambda u, c: ("acos", ("sqrt", sub(ONE, power(u, 2)))),
    ],
    "acos": [
        lambda u, c: sub(half(PI), ("asin", u)),
        lambda u, c: sub(PI, ("acos", mul(MINUS, u))),
        lambda u, c: u[1] if u[0] == "cos" else None,
        lambda u, c: mul(TWO, ("asin", ("sqrt", half(sub(ONE, u))))),
    ],
    "sinh": [
        lambda u, c: half(sub(("exp", u), ("exp", mul(MINUS, u)))),
        lambda u, c: mul(TWO, mul(("sinh", half(u)), ("cosh", half(u)))),
        lambda u, c: ("sqrt", sub(power(("cosh", u), 2), ONE)),
    ],
    "cosh": [lambda u, c: half(add(("exp", u), ("exp", mul(MINUS, u)))), lambda u, c: ("sqrt", add(power(("sinh", u), 2), ONE))],
    "tanh": [lambda u, c: div(("sinh", u), ("cosh", u)), lambda u, c: sub(ONE, div(TWO, add(("exp", mul(TWO, u)), ONE)))],
    "max": [
        lambda u, v, c: half(add(add(u, v), ("abs", sub(u, v)))),
        lambda u, v, c: mul(MINUS, ("min", mul(MINUS, u), mul(MINUS, v))),
        lambda u, v, c: add(("max", sub(u, v), number((0, 1))), v),
        lambda u, v, c: u,
    ],
    "min": [
        lambda u, v, c: half(sub(add(u, v), ("abs", sub(u, v)))),
        lambda u, v, c: sub(add(u, v), ("max", u, v)),
        lambda u, v, c: v,
    ],
    "floor": [
        lambda u, c: sub(("floor", add(u, ONE)), ONE),
        lambda u, c: sub(u, ("mod", u, ONE)),
        lambda u, c: add(("floor", half(u)), ("floor", half(add(u, ONE)))),
        lambda u, c: mul(MINUS, ("floor", mul(MINUS, u))),
    ],
    "sgn": [
        lambda u, c: div(u, ("abs", u)),
        lambda u, c: mul(("sgn", u[1]), ("sgn", u[2])) if u[0] in ("mul", "div") else None,
        lambda u, c: ("sgn", power(u, 3)),
        lambda u, c: ("sgn", u[1]) if u[0] in ("cbrt", "sinh", "atan", "tanh") else None,
    ],
    "var": [
        lambda name, c: sub(add(("var", name), k := constant(c)), k),
        lambda name, c: div(mul(("var", name), k := constant(c)), k),
        lambda name, c: ("cbrt", power(("var", name), 3)),
        lambda name, c: ("exp", ("log", ("var", name))),
        lambda name, c: ("log", ("exp", ("var", name))),
        lambda name, c: ("tan", ("atan", ("var", name))),
        lambda name, c: ("sinh", ("log", add(("var", name), ("sqrt", add(power(("var", name), 2), ONE))))),
    ],
}


def nodes(tree, at=()):
    yield at, tree
    for place, part in enumerate(tree[1:], 1):
        if isinstance(part, tuple) and tree[0] != "num":
            yield from nodes(part, (*at, place))


def put(tree, at, new):
    if not at:
        return new
    return (*tree[: at[0]], put(tree[at[0]], at[1:], new), *tree[at[0] + 1 :])


def rewritten(tree, chance, steps):
    for _ in range(steps):
        for _ in range(12):
            at, part = chance.choice(list(nodes(tree)))
            laws = LAWS.get(part[0])
            new = chance.choice(laws)(*part[1:], chance) if laws else None
            if new is not None:
                tree = put(tree, at, new)
                break
    return tree


def changed(tree, chance):
    """Returns the formula with one part changed: a number or an operation, or a new operation on the part."""
    at, part = chance.choice(list(nodes(tree)))
    kind = chance.randrange(4)
    if part[0] == "num":
        top, bottom = part[1]
        new = number((top * 10**kind + chance.choice([1, -1]), bottom * 10**kind))
    elif part[0] in ("add", "sub", "max", "min"):
        new = ({"add": "sub", "sub": "add", "max": "min", "min": "max"}[part[0]], *part[1:])
    elif kind == 0:
        new = add(part, number((1, 10 ** chance.randint(1, 12))))
    elif kind == 1:
        new = ("abs", part)
    elif kind == 2:
        new = (chance.choice(["max", "min"]), part, number((chance.choice([1, -1]) * 10 ** chance.randint(1, 5), 1)))
    else:
        new = mul(part, number((10**9 + 1, 10**9)))
    return put(tree, at, new)


def rewriting(chance, names, depth, search):
    tree = drawn(chance, names, depth)
    for _ in range(20):
        if len(list(nodes(tree))) > 3:
            break
        tree = drawn(chance, names, depth)
    a, b = rewritten(tree, chance, chance.randint(0, 2)), rewritten(tree, chance, chance.randint(1, 4))
    if chance.random() < 0.2:
        b = changed(b, chance)
    used = "".join(sorted({part[1] for side in (a, b) for _, part in nodes(side) if part[0] == "var"}))
    return latex(a), latex(b), search(a, b, names if used else "")


def numbers(chance, search):
    """Closed numbers: radicals, sines, logarithms of small numbers."""
    leaves = [number((n, d)) for n in (1, 2, 3, 5, 6, 7, 8, 10, 12) for d in (1, 1, 2, 3)] + [PI, half(PI), div(PI, number((6, 1)))]

    def build(depth):
        if depth == 0:
            return chance.choice(leaves)
        kind = chance.choice(["add", "sub", "mul", "div", "pow", "sqrt", "sqrt", "sqrt", "cbrt", "sin", "cos", "tan", "atan", "log", "exp", "abs"])
        inner = lambda: build(depth - 1)
        if kind in ("add", "sub", "mul", "div"):
            return (kind, inner(), inner())
        return power(inner(), 2) if kind == "pow" else (kind, inner())

    tree = build(3)
    a, b = rewritten(tree, chance, chance.randint(0, 2)), rewritten(tree, chance, chance.randint(1, 4))
    if chance.random() < 0.3:
        b = add(b, number((1, 10 ** chance.choice([3, 9, 20, 40]))))
    return latex(a), latex(b), search(a, b, "")
