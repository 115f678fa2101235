"""Values of formulas, with NumPy in bulk and with FLINT's balls: a second evaluator, about fifty times as fast as mpmath.

Balls have radii, so a difference is certain: two values differ if their balls do not overlap. Points without a value, or without a
certain one, are ignored.
"""
import random

import flint
import numpy

from trees import NoValue

FIRST, MOST = 256, 1400


def columns(names, count=900, seed=5):
    """Returns points of many scales, near 0, near integers and at integers."""
    dice = numpy.random.default_rng(seed)
    third = count // 3
    return {
        name: numpy.concatenate([
            dice.choice([-1, 1], third) * 10 ** dice.uniform(-5, 5, third),
            dice.uniform(-4, 4, third),
            dice.integers(-4, 5, third) + dice.choice([-1, 1], third) * 10 ** dice.uniform(-8, -1, third),
        ])
        for name in names
    }


COLUMNS = {names: columns(names) for names in ("x", "xy", "xyz", "")}
PLAIN = {
    "sin": numpy.sin, "cos": numpy.cos, "tan": numpy.tan, "atan": numpy.arctan, "asin": numpy.arcsin, "acos": numpy.arccos,
    "sinh": numpy.sinh, "cosh": numpy.cosh, "tanh": numpy.tanh, "exp": numpy.exp, "sqrt": numpy.sqrt, "abs": numpy.abs,
    "sgn": numpy.sign, "floor": numpy.floor, "cbrt": numpy.cbrt, "max": numpy.maximum, "min": numpy.minimum, "add": numpy.add,
    "sub": numpy.subtract, "mul": numpy.multiply,
}


def in_bulk(tree, at):
    """Returns the values at all points; NaN if there is no value."""
    kind, *parts = tree
    if kind == "var":
        return at[parts[0]]
    if kind == "num":
        return numpy.float64(parts[0][0]) / parts[0][1]
    if kind == "pi":
        return numpy.pi
    values = [in_bulk(part, at) for part in parts if isinstance(part, tuple)]
    if kind == "div":
        return numpy.where(values[1] == 0, numpy.nan, values[0] / values[1])
    if kind == "pow":
        return numpy.where((values[0] == 0) & (parts[1] < 0), numpy.nan, numpy.float_power(values[0], parts[1]))
    if kind == "log":
        return numpy.where(values[0] <= 0, numpy.nan, numpy.log(values[0]))
    if kind == "mod":
        return numpy.where(values[1] == 0, numpy.nan, values[0] - values[1] * numpy.floor(values[0] / values[1]))
    return PLAIN[kind](*values)


def certain(ball):
    if not ball.is_finite():
        raise NoValue
    return ball


def in_balls(tree, at):
    """Returns the value as a ball; raises if there is no value, or no certain one."""
    kind, *parts = tree
    if kind == "var":
        return at[parts[0]]
    if kind == "num":
        return flint.arb(parts[0][0]) / parts[0][1]
    if kind == "pi":
        return flint.arb.pi()
    values = [in_balls(part, at) for part in parts if isinstance(part, tuple)]
    a, b = values[0], values[-1]
    if kind == "add":
        return a + b
    if kind == "sub":
        return a - b
    if kind == "mul":
        return a * b
    if kind == "div":
        return certain(a / b)
    if kind == "pow":
        return certain(a ** parts[1])
    if kind == "abs":
        return abs(a)
    if kind == "sgn":
        return a.sgn()
    if kind == "floor":
        return a.floor()
    if kind == "mod":
        return certain(a - b * (a / b).floor())
    if kind in ("max", "min"):
        return getattr(a, kind)(b)
    if kind == "cbrt":
        if a > 0:
            return a.root(3)
        if a < 0:
            return -((-a).root(3))
        raise NoValue
    if kind == "sqrt" and not a >= 0 or kind == "log" and not a > 0:
        raise NoValue
    return certain(getattr(a, kind)())


def differ_at(a, b, exact):
    """Returns whether the values certainly differ at a point; `None` if this is not certain."""
    for bits in (FIRST, MOST):
        flint.ctx.prec = bits
        try:
            at = {name: flint.arb(value) for name, value in exact.items()}
            left, right = in_balls(a, at), in_balls(b, at)
        except (NoValue, ZeroDivisionError, ValueError, OverflowError):
            continue
        if not left.overlaps(right):
            return left, right
        if (left - right).rad() * flint.arb(2) ** 60 < abs(left).upper() + abs(right).upper():
            return None
    return None


def differing(a, b, names, ball_points=8):
    """Searches for a point at which both sides have values that certainly differ."""

    def search(chance):
        table = COLUMNS[names]
        with numpy.errstate(all="ignore"):
            left, right = in_bulk(a, table), in_bulk(b, table)
            size = numpy.maximum(numpy.abs(left), numpy.abs(right))
            apart = numpy.where(numpy.isfinite(size), numpy.abs(left - right) / numpy.maximum(size, 1e-300), 0)
        apart = numpy.broadcast_to(apart, (len(next(iter(table.values()))),)) if names else numpy.array([apart])
        seen = [int(at) for at in numpy.argsort(-apart)[:8] if apart[at] > 1e-11]
        some = chance.sample(range(len(apart)), min(ball_points, len(apart)))
        for at in seen + some:
            exact = {name: float(table[name][at]) for name in names}
            found = differ_at(a, b, exact)
            if found:
                return exact, found[0].str(12), found[1].str(12)
        return None

    return search


if __name__ == "__main__":
    x = ("var", "x")
    assert differing(("sqrt", ("pow", x, 2)), x, "x")(random.Random(1))
    assert differing(("sqrt", ("pow", x, 2)), ("abs", x), "x")(random.Random(1)) is None
