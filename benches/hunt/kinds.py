"""Kinds of pairs for `wrong_equal.py`: each draws two similar texts and a search for a difference.

A kind is a function of a random generator that returns (a, b, search). `search(chance)` returns a point with the value of each side,
or None. It must never find a difference between texts that are equal by the documentation: points at which a part has no value are
ignored, and so are values too close to a border to decide.
"""
import math
from fractions import Fraction

import mpmath

import rewriting
from trees import NoValue, argument, constant, latex, number, pair, polynomial, value

ONE, TWO = number((1, 1)), number((2, 1))


try:
    import balls
except ImportError:
    balls = None


def points(chance, names):
    """Returns points of many scales, near 0 and near integers."""
    for _ in range(60):
        yield {name: chance.choice([-1, 1]) * 10 ** chance.uniform(-5, 5) for name in names}
    for _ in range(60):
        yield {name: chance.uniform(-4, 4) for name in names}
    for _ in range(60):
        yield {name: chance.randint(-4, 4) + chance.choice([-1, 1]) * 10 ** chance.uniform(-8, -1) for name in names}


def differing(a, b, names):
    """Searches for a point at which both sides have real values that differ, with FLINT's balls or 500 digits."""
    if balls is not None:
        return balls.differing(a, b, names)

    def search(chance):
        for at in points(chance, names):
            try:
                left, right = (value(side, at, float, math) for side in (a, b))
                if abs(left - right) <= 1e-9 * max(abs(left), abs(right), 1e-300):
                    continue
            except (NoValue, ValueError, OverflowError):
                # values beyond the range of doubles would take minutes with more digits
                continue
            exact = {name: mpmath.mpf(coordinate) for name, coordinate in at.items()}
            try:
                left, right = (value(side, exact, mpmath.mpf, mpmath) for side in (a, b))
            except (NoValue, ValueError, OverflowError, ZeroDivisionError):
                continue
            if not mpmath.isfinite(left) or not mpmath.isfinite(right):
                continue
            size = max(abs(left), abs(right))
            if abs(left - right) <= mpmath.mpf(10) ** -40 * size:
                continue
            # a value that changes with more digits has lost all of its digits: arcs of cosines, roots of 0
            try:
                with mpmath.workdps(800):
                    more = [value(side, exact, mpmath.mpf, mpmath) for side in (a, b)]
            except (NoValue, ValueError, OverflowError, ZeroDivisionError):
                continue
            if all(abs(one - other) <= mpmath.mpf(10) ** -60 * size for one, other in zip((left, right), more)):
                return at, mpmath.nstr(left, 12), mpmath.nstr(right, 12)
        return None

    return search


def plane(chance):
    """Two unknowns: roots of squares, sums of arcs, logarithms of products, steps, minima, small changes."""
    a, b = pair(chance)
    return latex(a), latex(b), differing(a, b, "xy")


def several(chance):
    """Three unknowns in nested minima, steps, remainders and absolute values."""
    names = "xyz"
    u, v, w = (argument(chance, 1, names) for _ in range(3))
    kind = chance.randrange(9)
    extreme = chance.choice(["max", "min"])
    if kind == 0:
        a, b = (extreme, u, (extreme, v, w)), (extreme, u, chance.choice([v, w]))
    elif kind == 1:
        a, b = (extreme, ("add", u, w), ("add", v, w)), ("add", (extreme, u, v), chance.choice([w, ("abs", w)]))
    elif kind == 2:
        a, b = ("floor", ("add", u, v)), ("add", ("floor", u), ("floor", v))
    elif kind == 3:
        a, b = ("abs", ("mul", u, v)), ("mul", ("abs", u), chance.choice([v, ("abs", v)]))
    elif kind == 4:
        a, b = (extreme, ("abs", u), v), (extreme, u, v)
    elif kind == 5:
        a, b = ("mod", u, polynomial(chance, names)), u
    elif kind == 6:
        a, b = (extreme, u, ("sub", ("mul", v, w), constant(chance))), u
    elif kind == 7:
        a, b = ("sqrt", ("pow", ("add", u, ("pow", v, 2)), 2)), ("add", u, ("pow", v, 2))
    else:
        a, b = ("abs", ("add", ("abs", u), ("sub", v, w))), ("add", ("abs", u), ("sub", v, w))
    return latex(a), latex(b), differing(a, b, names)


def interpolated(values):
    """Returns the coefficients of the polynomial with these values at 0, 1, 2, ..."""
    total = [Fraction(0)] * len(values)
    for at, y in enumerate(values):
        basis = [Fraction(1)]
        for other in range(len(values)):
            if other != at:
                shifted = [Fraction(0), *basis]
                basis = [s - other * c for s, c in zip(shifted, [*basis, Fraction(0)])]
                basis = [c / (at - other) for c in basis]
        total = [t + y * c for t, c in zip(total, basis)]
    return total


def fraction(number):
    text = str(abs(number.numerator)) if number.denominator == 1 else rf"\frac{{{abs(number.numerator)}}}{{{number.denominator}}}"
    return f"(-{text})" if number < 0 else text


def written(coefficients, name):
    return "+".join(rf"{fraction(c)} {name}^{{{power}}}" for power, c in enumerate(coefficients) if c) or "0"


def sums(chance):
    """Sums and products to a symbolic limit, with closed forms, renamed and shifted ones, and parts that vanish for small n."""
    first = chance.randint(-1, 2)
    body = [Fraction(chance.randint(-5, 5), chance.choice([1, 1, 2, 3])) for _ in range(chance.randint(1, 4))]
    body[-1] = body[-1] or Fraction(1)
    at = lambda coefficients, k: sum(c * k**power for power, c in enumerate(coefficients))
    kind = chance.randrange(5)
    if kind == 0:
        shift = chance.choice([0, 0, 1])
        closed = interpolated([
            sum((at(body, k) for k in range(first, n + 1)), Fraction(0)) - (at(body, n + 1) if n < first - 1 else 0)
            for n in range(max(first, 0), max(first, 0) + len(body) + 2)
        ])
        base = max(first, 0)
        # as a polynomial in n - base
        a = rf"\sum_{{k={first}}}^{{n}}\left({written(body, 'k')}\right)"
        b = written(closed, f"(n-{base})")
        left = lambda n: sum((at(body, k) for k in range(first, n + 1)), Fraction(0))
        right = lambda n: at(closed, n - base + shift)
        if shift:
            b = written(closed, f"(n-{base}+1)")
    elif kind == 1:
        t = chance.choice([1, 2, 3, -2])
        other = chance.choice([t + 1, t + 1, t])
        a = rf"\sum_{{k=0}}^{{n}}\binom{{n}}{{k}}{t if t > 0 else f'({t})'}^{{k}}"
        b = rf"({other})^{{n}}"
        left = lambda n: sum(math.comb(n, k) * Fraction(t) ** k for k in range(n + 1))
        right = lambda n: Fraction(other) ** n
    elif kind == 2:
        move = chance.choice([1, 1, 2])
        off = chance.choice([0, 0, 0, 1])
        a = rf"\sum_{{k={first}}}^{{n}}\left({written(body, 'k')}\right)"
        b = rf"\sum_{{j={first - move}}}^{{n-{move}}}\left({written(body, f'(j+{move + off})')}\right)"
        left = lambda n: sum((at(body, k) for k in range(first, n + 1)), Fraction(0))
        right = lambda n: sum((at(body, j + move + off) for j in range(first - move, n - move + 1)), Fraction(0))
        if first - move > first:
            raise AssertionError
    elif kind == 3:
        step = chance.choice([1, 1, 2])
        a = rf"\prod_{{k=1}}^{{n}}\left(1+\frac{{1}}{{k}}\right)^{{{step}}}"
        b = chance.choice([rf"(n+1)^{{{step}}}", rf"(n+{step})", rf"\frac{{(n+1)^{{{step + 1}}}}}{{n+1}}"])
        power = {rf"(n+{step})": None}.get(b, step)
        left = lambda n: Fraction(n + 1) ** step
        right = (lambda n: Fraction(n + step)) if power is None else (lambda n: Fraction(n + 1) ** power)
        first = 1
    else:
        a = rf"\sum_{{k={first}}}^{{n}}\frac{{1}}{{(k+3)(k+4)}}"
        c = chance.choice([first + 3, first + 3, first + 4])
        b = rf"\frac{{1}}{{{c}}}-\frac{{1}}{{n+4}}"
        left = lambda n: sum((Fraction(1, (k + 3) * (k + 4)) for k in range(first, n + 1)), Fraction(0))
        right = lambda n: Fraction(1, c) - Fraction(1, n + 4)
    if chance.random() < 0.5:
        # vanishes for the first values of n, or is tiny
        extra, of = chance.choice([
            (r"\frac{1}{1000000}n(n-1)(n-2)(n-3)(n-4)(n-5)(n-6)(n-7)", lambda n: Fraction(math.prod(range(n - 7, n + 1)), 10**6)),
            (r"\max(n-30,0)", lambda n: Fraction(max(n - 30, 0))),
            (r"\left\lfloor\frac{n}{50}\right\rfloor", lambda n: Fraction(n // 50)),
            (r"\frac{n}{10^{15}}", lambda n: Fraction(n, 10**15)),
            (r"\binom{n}{12}", lambda n: Fraction(math.comb(n, 12) if n >= 0 else math.comb(11 - n, 12))),
            (r"\frac{(1+(-1)^n)}{10^{9}}", lambda n: Fraction(2 if n % 2 == 0 else 0, 10**9)),
        ])
        b, plain = f"{b}+{extra}", right
        right = lambda n: plain(n) + of(n)

    def search(_chance):
        for n in [*range(max(first, 0), 70), 100, 151, 200]:
            try:
                one, other = left(n), right(n)
            except (ZeroDivisionError, ValueError):
                continue
            if one != other:
                return {"n": n}, str(one)[:40], str(other)[:40]
        return None

    return a, b, search


COMPLEX = {"sqrt": mpmath.sqrt, "log": mpmath.log, "exp": mpmath.exp, "sin": mpmath.sin, "cos": mpmath.cos}


def complex_text(tree):
    kind, *parts = tree
    if kind == "i":
        return "i"
    if kind in ("var", "num"):
        return latex(tree)
    inner = [complex_text(part) for part in parts if isinstance(part, tuple)]
    if kind == "conj":
        return rf"\overline{{{inner[0]}}}"
    if kind in ("re", "im"):
        return rf"\operatorname{{{kind.capitalize()}}}\left({inner[0]}\right)"
    if kind == "arg":
        return rf"\arg\left({inner[0]}\right)"
    if kind == "power":
        return rf"\left({inner[0]}\right)^{{{inner[1]}}}"
    return latex((kind, *(("var", text) if isinstance(part, tuple) else part for part, text in zip(parts, inner + parts))))


def complex_value(tree, at):
    kind, *parts = tree
    if kind == "i":
        return mpmath.mpc(0, 1)
    if kind == "var":
        return mpmath.mpc(at[parts[0]])
    if kind == "num":
        return mpmath.mpc(parts[0][0]) / parts[0][1]
    values = [complex_value(part, at) for part in parts if isinstance(part, tuple)]
    a, b = values[0], values[-1]
    # close to a branch cut, rounding alone can put the sides on either side of it
    if kind in ("sqrt", "log", "arg", "power"):
        if abs(a) < mpmath.mpf(10) ** -30 or (a.real <= 0 and abs(a.imag) < mpmath.mpf(10) ** -25 * abs(a)):
            raise NoValue
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
        return a ** parts[1]
    if kind == "power":
        return mpmath.exp(b * mpmath.log(a))
    if kind == "conj":
        return mpmath.conj(a)
    if kind == "re":
        return mpmath.mpc(a.real)
    if kind == "im":
        return mpmath.mpc(a.imag)
    if kind == "abs":
        return mpmath.mpc(abs(a))
    if kind == "arg":
        return mpmath.mpc(mpmath.arg(a))
    return COMPLEX[kind](a)


def complex_numbers(chance):
    """Principal branches: roots, logarithms, powers and angles of products, with i in the text and real unknowns."""
    names = chance.choice(["x", "xy"])
    i = ("i",)
    real = lambda: argument(chance, 0, names)
    point = lambda: ("add", real(), ("mul", i, chance.choice([real(), constant(chance)])))
    u, v = point(), chance.choice([point, real])()
    half = number((1, 2))
    third = number((1, 3))
    kind = chance.randrange(12)
    if kind == 0:
        a, b = ("sqrt", ("pow", u, 2)), u
    elif kind == 1:
        a, b = ("log", ("mul", u, v)), ("add", ("log", u), ("log", v))
    elif kind == 2:
        a, b = ("sqrt", ("mul", u, v)), ("mul", ("sqrt", u), ("sqrt", v))
    elif kind == 3:
        a, b = ("arg", ("mul", u, v)), ("add", ("arg", u), ("arg", v))
    elif kind == 4:
        a, b = ("log", ("pow", u, chance.choice([2, 3]))), ("mul", TWO, ("log", u))
    elif kind == 5:
        a, b = ("log", ("exp", u)), u
    elif kind == 6:
        a, b = ("conj", ("log", u)), ("log", ("conj", u))
    elif kind == 7:
        a, b = ("power", ("power", u, third), number((3, 1))), chance.choice([u, ("conj", u)])
    elif kind == 8:
        a, b = ("power", ("mul", u, v), half), ("mul", ("power", u, half), ("power", v, half))
    elif kind == 9:
        a, b = ("abs", ("add", u, v)), ("add", ("abs", u), ("abs", v))
    elif kind == 10:
        a, b = ("sqrt", ("div", u, v)), ("div", ("sqrt", u), ("sqrt", v))
    else:
        a, b = ("log", ("div", ONE, u)), ("sub", number((0, 1)), ("log", u))
    if chance.random() < 0.3:
        b = ("add", b, number((1, 10 ** chance.randint(3, 12))))

    def search(chance):
        with mpmath.workdps(60):
            for at in points(chance, names):
                try:
                    left, right = (complex_value(side, at) for side in (a, b))
                except (NoValue, ValueError, OverflowError, ZeroDivisionError):
                    continue
                size = max(abs(left), abs(right))
                if size > mpmath.mpf(10) ** -40 and abs(left - right) > mpmath.mpf(10) ** -20 * size:
                    return at, mpmath.nstr(left, 12), mpmath.nstr(right, 12)
        return None

    return complex_text(a), complex_text(b), search


SIGNS = {"=": "=", "<": "<", "<=": r"\le ", ">": ">", ">=": r"\ge ", "!=": r"\ne "}
TURNED = {"=": "=", "<": ">", "<=": ">=", ">": "<", ">=": "<=", "!=": "!="}
MARGIN = mpmath.mpf(10) ** -25


def holds(relation, at):
    """Returns True, False, or None if it is too close to decide. Without a value, the relation does not hold."""
    left, sign, right = relation
    try:
        one, other = (value(side, at, mpmath.mpf, mpmath) for side in (left, right))
    except (NoValue, ZeroDivisionError):
        return False
    except (ValueError, OverflowError):
        return None
    if not mpmath.isfinite(one) or not mpmath.isfinite(other):
        return None
    difference = one - other
    size = max(abs(one), abs(other), mpmath.mpf(1))
    if 0 < max(abs(one), abs(other)) < MARGIN:
        # such as e^{-349} and e^{-212000}: both are close to 0, which does not tell how they compare
        return None
    if abs(difference) <= MARGIN * size:
        return {"=": True, "!=": False}.get(sign) if abs(difference) <= MARGIN**1.5 * size else None
    return {"=": False, "!=": True, "<": difference < 0, "<=": difference < 0, ">": difference > 0, ">=": difference > 0}[sign]


def solved(relation, chance, names):
    """Returns points at which the sides of a relation are equal, by bisection along the last unknown."""
    left, _sign, right = relation
    last = names[-1]

    def difference(at):
        try:
            found = value(left, at, mpmath.mpf, mpmath) - value(right, at, mpmath.mpf, mpmath)
            return found if mpmath.isfinite(found) else None
        except (NoValue, ValueError, OverflowError, ZeroDivisionError):
            return None

    grid = [-1000, -90, -11, -5, -3, -2, -1.3, -0.7, -0.2, -0.01, 0.013, 0.3, 0.8, 1.4, 2.2, 3.1, 6, 13, 100, 1100]
    for _ in range(4 if len(names) > 1 else 1):
        at = {name: mpmath.mpf(chance.choice([1, -1]) * round(10 ** chance.uniform(-1, 2), 3)) for name in names}
        before = None
        for place in grid:
            at[last] = mpmath.mpf(place)
            here = difference(at)
            if here is not None and before is not None and (here < 0) != (before[1] < 0):
                low, high, sign = before[0], at[last], before[1] < 0
                for _ in range(220):
                    middle = (low + high) / 2
                    at[last] = middle
                    found = difference(at)
                    if found is None:
                        break
                    low, high = (middle, high) if (found < 0) == sign else (low, middle)
                if abs(at[last]) > MARGIN:  # the bisected point is not a zero
                    yield dict(at)
                at[last] = mpmath.mpf(place)
            before = None if here is None else (at[last], here)


def relation_text(relation):
    left, sign, right = relation
    return f"{latex(left)}{SIGNS[sign]}{latex(right)}"


def relations(chance):
    """Equations and inequalities in one or two unknowns, rewritten by steps that only sometimes keep the solutions."""
    names = chance.choice(["x", "xy", "xy"])
    depth = 1 if names == "x" else 0
    side = lambda: chance.choice([
        lambda: polynomial(chance, names), lambda: argument(chance, depth, names), lambda: ("abs", argument(chance, 0, names)),
        lambda: ("sqrt", polynomial(chance, names)), lambda: constant(chance),
    ])()
    u = v = side()
    while u == v:  # relations that hold everywhere are compared side by side
        v = side()
    sign = chance.choice(["=", "=", "=", "<", "<=", ">", ">=", "!="])
    first = (u, sign, v)
    w = chance.choice([polynomial(chance, names), argument(chance, 0, names), ("add", ("pow", ("var", "x"), 2), ONE)])
    kind = chance.randrange(11)
    if kind == 0:
        second = (("mul", u, w), sign, ("mul", v, w))
    elif kind == 1:
        second = (("pow", u, 2), sign, ("pow", v, 2))
    elif kind == 2:
        second = (("pow", u, 3), sign, ("pow", v, 3))
    elif kind == 3:
        second = (("div", u, w), sign, ("div", v, w))
    elif kind == 4:
        second = (("add", u, w), sign, ("add", v, w))
    elif kind == 5:
        second = (("sub", u, v), sign, number((0, 1)))
    elif kind == 6:
        second = (("div", u, v), sign, ONE)
    elif kind == 7:
        second = (("exp", u), sign, ("exp", v))
    elif kind == 8:
        second = (("abs", u), sign, ("abs", v))
    elif kind == 9:
        second = (v, TURNED[sign], ("add", u, number((1, 10 ** chance.randint(2, 9)))))
    else:
        second = (("div", ONE, v), sign, ("div", ONE, u))

    def search(chance):
        with mpmath.workdps(60):
            places = [*solved(first, chance, names), *solved(second, chance, names)]
            beside = [
                {**at, names[-1]: at[names[-1]] + side * mpmath.mpf(10) ** -power}
                for at in places for power in (1, 6, 12) for side in (-1, 1)
            ]
            drawn = [{name: mpmath.mpf(c) for name, c in at.items()} for at in points(chance, names)][::3]
            corners = [{name: mpmath.mpf(chance.randint(-3, 3)) for name in names} for _ in range(20)]
            for at in [*places, *beside, *drawn, *corners]:
                one, other = holds(first, at), holds(second, at)
                if one is not None and other is not None and one != other:
                    shown = {name: mpmath.nstr(c, 20) for name, c in at.items()}
                    return shown, str(one), str(other)
        return None

    return relation_text(first), relation_text(second), search


def sets(chance):
    """Unions and differences of intervals and points, and conditions: borders, gaps of one point, orders."""
    ends = sorted(chance.sample(range(-8, 9), 4))
    scale = chance.choice([1, 1, 2, 3, 10])
    ends = [Fraction(end, scale) for end in ends]
    pieces = []
    for low, high in ((ends[0], ends[1]), (ends[chance.choice([1, 2])], ends[3])):
        pieces.append((low, high, chance.random() < 0.5, chance.random() < 0.5))
    gone = [chance.choice([*ends, (ends[0] + ends[1]) / 2])] if chance.random() < 0.4 else []
    other_pieces, other_gone = list(pieces), list(gone)
    change = chance.randrange(5)
    if change == 0:
        at = chance.randrange(2)
        low, high, closed, shut = other_pieces[at]
        other_pieces[at] = (low, high, not closed, shut)
    elif change == 1:
        at = chance.randrange(2)
        low, high, closed, shut = other_pieces[at]
        other_pieces[at] = (low, high + Fraction(1, 10 ** chance.randint(1, 8)), closed, shut)
    elif change == 2:
        other_gone = [] if gone else [ends[3]]
    other_pieces.reverse()

    def member(x, pieces, gone):
        inside = any((low < x or closed and low == x) and (x < high or shut and x == high) for low, high, closed, shut in pieces)
        return inside and x not in gone

    def intervals(pieces, gone):
        parts = [f"{'[' if c else '('}{fraction(low)},{fraction(high)}{']' if s else ')'}" for low, high, c, s in pieces]
        text = r"\cup ".join(parts)
        return rf"\left({text}\right)\setminus\{{{','.join(map(fraction, gone))}\}}" if gone else text

    def condition(pieces, gone):
        parts = []
        for low, high, closed, shut in pieces:
            above, below = (SIGNS["<="] if ends else SIGNS["<"] for ends in (closed, shut))
            parts.append(rf"({fraction(low)}{above} x\land x{below} {fraction(high)})")
        text = r"\lor ".join(parts)
        excluded = "".join(rf"\land x\ne {fraction(x)}" for x in gone)
        return f"({text}){excluded}" if gone else text

    kinds = [intervals, lambda p, g: rf"\{{x\mid {condition(p, g)}\}}", condition]
    one, other = chance.choice(kinds), chance.choice(kinds)

    def search(_chance):
        places = {x for low, high, *_rest in [*pieces, *other_pieces] for x in (low, high)} | set(gone) | set(other_gone)
        tiny = Fraction(1, 10**12)
        for x in sorted(places):
            for at in (x - tiny, x, x + tiny):
                left, right = member(at, pieces, gone), member(at, other_pieces, other_gone)
                if left != right:
                    return {"x": str(at)}, str(left), str(right)
        return None

    return one(pieces, gone), other(other_pieces, other_gone), search


def one(chance):
    """One unknown, rewritten."""
    return rewriting.rewriting(chance, "x", 3, differing)


def two(chance):
    """Two unknowns, rewritten."""
    return rewriting.rewriting(chance, "xy", 3, differing)


def three(chance):
    """Three unknowns, rewritten."""
    return rewriting.rewriting(chance, "xyz", 2, differing)


def numbers(chance):
    """Closed numbers, rewritten."""
    return rewriting.numbers(chance, differing)


KINDS = {
    "one": one, "two": two, "three": three, "numbers": numbers, "plane": plane, "several": several, "sums": sums, "complex": complex_numbers, "relations": relations, "sets": sets,
}
