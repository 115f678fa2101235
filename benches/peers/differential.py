#!/usr/bin/env python3
"""Compares decisions about random pairs of expressions with values of SymPy's trees, and prints every disagreement.

    benches/peers/differential.py --cli target/release/fablegrade [--pairs N] [--seed N] [--write FILE]

A random tree is rewritten by SymPy (expanded, factored, put over one denominator, its angles and powers expanded), which usually
gives an equal pair, or changed at one place, which usually gives a different one. The truth is then computed with 300 digits on both
trees, at points of several scales and both signs: the pair is different if the trees differ at one point, and equal if they agree at
five or more. Points at which a part has no real value are left out, except positive points at which both sides as a whole are real. If
the program gives a witness, its point is tried too. Needs SymPy, which is not part of the program.
"""
import argparse
import collections
import json
import random
import subprocess
import sys

import mpmath
import sympy
from sympy import Abs, Add, Integer, Mul, Pow, Rational, Symbol, atan, cos, cosh, exp, log, sin, sinh, sqrt, tan

arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
arguments.add_argument("--cli", default="target/release/fablegrade")
arguments.add_argument("--pairs", type=int, default=3000)
arguments.add_argument("--seed", type=int, default=1)
arguments.add_argument("--write", help="a file for the table of results")
options = arguments.parse_args()

chance = random.Random(options.seed)
mpmath.mp.dps = 300
X, Y = (Symbol(name, real=True) for name in "xy")
NAMES = {X: "x", Y: "y"}
FUNCTIONS = [sin, cos, tan, exp, log, sqrt, Abs, atan, sinh, cosh]


def tree(depth):
    """Returns a random expression in x and y."""
    if depth == 0 or chance.random() < 0.15:
        return chance.choice([X, X, Y, Integer(chance.randint(1, 9)), Rational(chance.randint(1, 9), chance.randint(2, 9))])
    kind = chance.random()
    if kind < 0.3:
        return tree(depth - 1) + tree(depth - 1)
    if kind < 0.4:
        return tree(depth - 1) - tree(depth - 1)
    if kind < 0.62:
        return tree(depth - 1) * tree(depth - 1)
    if kind < 0.72:
        below = tree(depth - 1)
        return tree(depth - 1) / below if below != 0 else below
    if kind < 0.82:
        return tree(depth - 1) ** chance.randint(2, 4)
    inner = tree(depth - 1)
    return inner if inner == 0 else chance.choice(FUNCTIONS)(inner)


REWRITES = [
    sympy.expand, sympy.factor, sympy.together, sympy.expand_trig, sympy.expand_power_exp, sympy.powsimp, sympy.cancel,
    lambda e: sympy.expand(e, trig=True), lambda e: sympy.collect(sympy.expand(e), X), lambda e: e.rewrite(exp) if e.has(cosh, sinh) else sympy.nsimplify(e),
    lambda e: e.rewrite(sin) if e.has(cos, tan) else sympy.expand_mul(e), lambda e: e.rewrite(cos) if e.has(sin) else sympy.expand_mul(e),
    lambda e: sympy.horner(e, wrt=X) if e.is_polynomial(X) else sympy.expand_log(e), lambda e: sympy.apart(e, X) if e.is_rational_function(X, Y) else sympy.logcombine(e),
]
OTHERS = {sin: cos, cos: sin, tan: sin, exp: sinh, log: atan, Abs: cosh, atan: tan, sinh: cosh, cosh: sinh}


def mutate(expression):
    """Returns the tree with one place changed."""
    places = [part for part in sympy.preorder_traversal(expression)]
    part = chance.choice(places)
    if part.is_Number:
        new = chance.choice([part + 1, -part, 2 * part, part + Rational(1, 1000)])
    elif part.is_Symbol:
        new = chance.choice([Y if part == X else X, part + 1, 2 * part])
    elif part.func in OTHERS and len(part.args) == 1:
        new = OTHERS[part.func](part.args[0])
    elif part.is_Add:
        new = part - 2 * chance.choice(part.args)
    else:
        new = chance.choice([-part, part + 1, Abs(part), part * part])
    return expression.xreplace({part: new})


class NoValue(Exception):
    pass


def value(e, at, real):
    """Returns the value of a tree; with `real`, every part must be real."""
    if e.is_Symbol:
        return at[e]
    if e.is_Integer:
        return mpmath.mpf(int(e))
    if e.is_Rational:
        return mpmath.mpf(int(e.p)) / int(e.q)
    if e is sympy.E or e is sympy.pi:
        return +(mpmath.e if e is sympy.E else mpmath.pi)
    if e is sympy.I:
        if real:
            raise NoValue
        return mpmath.mpc(0, 1)
    if not e.args or not e.is_finite and e.is_number:
        raise NoValue
    parts = [value(part, at, real) for part in e.args]
    try:
        if e.is_Add:
            result = mpmath.fsum(parts)
        elif e.is_Mul:
            result = mpmath.fprod(parts)
        elif e.is_Pow:
            base, power = parts
            if real and base < 0 and not e.exp.is_integer:
                raise NoValue
            if base == 0 and mpmath.re(power) <= 0:
                raise NoValue
            result = mpmath.power(base, power) if not e.exp.is_Integer else base ** int(e.exp)
        else:
            name = {"Abs": "fabs", "log": "log", "re": "re", "im": "im"}.get(e.func.__name__, e.func.__name__)
            if name == "log" and (parts[0] == 0 or real and parts[0] < 0):
                raise NoValue
            result = getattr(mpmath, name)(*parts)
    except (ZeroDivisionError, ValueError, OverflowError, AttributeError, TypeError):
        raise NoValue from None
    if not mpmath.isfinite(result) or abs(result) > mpmath.mpf(10) ** 100:
        raise NoValue
    if real and isinstance(result, mpmath.mpc):
        if result.imag != 0:
            raise NoValue
        result = result.real
    return result


def truth(a, b):
    """Returns whether the trees are equal; None if there are too few points."""
    agreed = 0
    for index in range(30):
        sign = [1, -1, None][index % 3]
        at = {}
        for symbol in (X, Y):
            size = chance.choice([1, 1, 0.1, 5, 30, 2]) * chance.uniform(0.3, 1.3)
            at[symbol] = mpmath.mpf((sign or chance.choice([1, -1])) * size)
        try:
            left, right = value(a, at, True), value(b, at, True)
        except NoValue:
            if sign != 1:
                continue
            try:
                left, right = value(a, at, False), value(b, at, False)
            except NoValue:
                continue
            if max(abs(mpmath.im(left)), abs(mpmath.im(right))) > mpmath.mpf(10) ** -150:
                continue
            left, right = mpmath.re(left), mpmath.re(right)
        size = max(abs(left), abs(right))
        if abs(left - right) > mpmath.mpf(10) ** -60 * size + mpmath.mpf(10) ** -80:
            return False
        agreed += 1
    return True if agreed >= 5 else None


def differ_at(a, b, point):
    """Returns whether the trees have different values at the program's witness."""
    at = {symbol: mpmath.mpf(point.get(NAMES[symbol], 1)) for symbol in (X, Y)}
    for real in (True, False):
        try:
            left, right = value(a, at, real), value(b, at, real)
        except NoValue:
            continue
        if abs(left - right) > mpmath.mpf(10) ** -200 * max(abs(left), abs(right)):
            return True
    return False


def pair():
    expression = tree(chance.randint(2, 4))
    if chance.random() < 0.25:
        other, made = mutate(expression), "changed"
        if chance.random() < 0.5:
            other = chance.choice(REWRITES)(other)
    else:
        other, made = chance.choice(REWRITES)(expression), "rewritten"
        if chance.random() < 0.3:
            other = chance.choice(REWRITES)(other)
    return expression, other, made


def main():
    rows = []
    while len(rows) < options.pairs:
        try:
            a, b, made = pair()
            bad = any(e.has(sympy.zoo, sympy.nan, sympy.oo, sympy.Piecewise, sympy.re, sympy.im, sympy.arg, sympy.sign) for e in (a, b))
            if bad or a == b or max(a.count_ops(), b.count_ops()) > 80:
                continue
            same = truth(a, b)
        except (sympy.PolynomialError, ZeroDivisionError, NotImplementedError, RecursionError, AttributeError, TypeError):
            continue
        texts = [sympy.latex(e, ln_notation=True) for e in (a, b)]
        if same is not None and max(map(len, texts)) <= 1500:
            rows.append({"id": len(rows), "a": texts[0], "b": texts[1], "same": same, "made": made, "trees": (a, b)})
    lines = "".join(json.dumps({key: row[key] for key in ("id", "a", "b")}) + "\n" for row in rows)
    output = subprocess.run([options.cli, "equiv"], input=lines, capture_output=True, text=True, check=False).stdout
    answers = {answer["id"]: answer for answer in map(json.loads, output.splitlines())}
    counts = collections.Counter()
    for row in rows:
        answer = answers.get(row["id"], {"error": "no answer"})
        got = "unreadable" if "error" in answer else {True: "same", False: "different", None: "undecided"}[answer["equal"]]
        if got == "different" and row["same"] and differ_at(*row["trees"], (answer.get("witness") or {}).get("point") or {}):
            row["same"] = False
        counts[row["made"], row["same"], got] += 1
        if got != ("same" if row["same"] else "different"):
            print(got, "but", "same" if row["same"] else "different", json.dumps([row["a"], row["b"]]), answer.get("evidence") or answer.get("error"))
    wrong = sum(n for (_, same, got), n in counts.items() if (got, same) in (("same", False), ("different", True)))
    table = ["| pair | values with 300 digits | the program | pairs |", "|---|---|---|---:|"]
    for (made, same, got), n in sorted(counts.items(), key=str):
        table.append(f"| {made} | {'equal' if same else 'different'} | {got} | {n} |")
    print("\n".join(table))
    print(f"{len(rows)} pairs with the seed {options.seed}, {wrong} disagreements, SymPy {sympy.__version__}")
    if options.write:
        open(options.write, "w", encoding="utf-8").write("\n".join(table) + "\n")
    sys.exit(1 if wrong else 0)


main()
