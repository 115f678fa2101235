#!/usr/bin/env python3
"""Compares the program's decisions about relations in one unknown with the solution sets of SymPy's `solveset`.

    benches/hunt/solveset.py --cli target/release/fablegrade [--pairs N] [--seed N]

Relations are drawn from templates (polynomials, quotients, absolute values, roots, exponentials, logarithms) with small integer
parameters, each with a rewritten or slightly changed one. If SymPy returns both sets as finite sets, intervals or unions of these, it
determines whether they are equal. A different decision is printed with both sets for inspection, and the exit code is 1.
Needs SymPy (1.13).
"""
import argparse
import json
import random
import signal
import subprocess
import sys

import sympy
from sympy import Abs, Eq, Ge, Gt, Le, Lt, Ne, S, exp, log, solveset, sqrt

SECONDS = 2
X = sympy.Symbol("x", real=True)
RELATIONS = (Eq, Eq, Eq, Ne, Lt, Le, Gt, Ge)


def drawn(chance):
    """Returns a left side, as a function of a parameter that can be changed."""
    a, b, c = (chance.randint(-4, 4) for _ in range(3))
    d = chance.choice((-3, -2, -1, 1, 2, 3))
    return chance.choice((
        lambda s: d * X**2 + a * X + b + s,
        lambda s: (X - a) * (X - b) * (X - c) + s,
        lambda s: Abs(d * X - a) - abs(b) - s,
        lambda s: Abs(X - a) + Abs(X - b) - abs(c) - s,
        lambda s: (X - a) / (X - b) - c - s,
        lambda s: sqrt(X - a) - abs(b) - s,
        lambda s: exp(d * X) - abs(b) - s,
        lambda s: log(X - a) - b - s,
        lambda s: X**4 - abs(a) * X**2 + b + s,
        lambda s: 1 / (X**2 - a) + b + s,
    ))


def rewritten(chance, left):
    """Returns another left side that is meant to have the same sign everywhere; this is not assumed to be true."""
    return chance.choice((
        lambda: sympy.expand(left), lambda: sympy.factor(left), lambda: sympy.together(left), lambda: 3 * left,
        lambda: left * (X**2 + 1), lambda: left**3, lambda: sympy.apart(left, X) if left.is_rational_function(X) else left,
    ))()


def simple(found):
    if isinstance(found, sympy.Union):
        return all(simple(part) for part in found.args)
    if isinstance(found, sympy.FiniteSet):
        return all(element.is_number and element.is_real for element in found)
    return isinstance(found, sympy.Interval) or found in (S.EmptySet, S.Reals)


class TooSlow(Exception):
    """SymPy exceeds its time limit."""


def stop(_signal, _frame):
    raise TooSlow


def solution(relation):
    if relation in (sympy.true, sympy.false):
        return None
    signal.alarm(SECONDS)
    try:
        found = solveset(relation, X, S.Reals)
        return found if simple(found) else None
    except (NotImplementedError, ValueError, TypeError, AttributeError, RecursionError, TooSlow):
        return None
    finally:
        signal.alarm(0)


def are_same(one, other):
    """Compares numbers by their digits, because SymPy does not recognise that log(4)/2 is log(2)."""
    if one == other or sympy.simplify(one.symmetric_difference(other)) is S.EmptySet:
        return True
    if not (isinstance(one, sympy.FiniteSet) and isinstance(other, sympy.FiniteSet) and len(one) == len(other)):
        return False
    digits = [sorted(sympy.N(number, 60) for number in numbers) for numbers in (one, other)]
    return all(abs(a - b) < sympy.Float("1e-50", 60) for a, b in zip(*digits))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cli", default="target/release/fablegrade")
    parser.add_argument("--pairs", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    signal.signal(signal.SIGALRM, stop)
    chance = random.Random(options.seed)
    items, sets = [], []
    while len(items) < options.pairs:
        relation, make = chance.choice(RELATIONS), drawn(chance)
        left = make(0)
        right = rewritten(chance, left) if chance.random() < 0.6 else make(chance.choice((-1, 1, sympy.Rational(1, 100))))
        first, second = relation(left, 0), relation(right, 0)
        one, other = solution(first), solution(second)
        if one is None or other is None:
            continue
        pair = {"id": str(len(items)), "a": sympy.latex(first, ln_notation=True), "b": sympy.latex(second, ln_notation=True)}
        items.append(pair)
        sets.append((one, other))
    lines = "".join(json.dumps(item) + "\n" for item in items)
    run = subprocess.run([options.cli, "equiv"], input=lines, capture_output=True, text=True, check=True)
    answers = {answer["id"]: answer for answer in map(json.loads, run.stdout.splitlines())}
    agreed = empty = undecided = 0
    contrary = []
    for item, (one, other) in zip(items, sets):
        answer = answers.get(item["id"], {})
        if one in (S.EmptySet, S.Reals) and other in (S.EmptySet, S.Reals):
            empty += 1  # the program compares such relations side by side, not by their sets
            continue
        same = are_same(one, other)
        if answer.get("equal") is None:
            undecided += 1
        elif answer["equal"] == same:
            agreed += 1
        else:
            contrary.append((item, one, other, answer))
    for item, one, other, answer in contrary:
        print(item["a"], "|", item["b"], "|", one, "|", other, "| decided", answer.get("equal"), answer.get("witness"))
    print(f"{len(items)} pairs: {agreed} as SymPy, {undecided} undecided, {empty} say nothing, {len(contrary)} otherwise")
    return 1 if contrary else 0


if __name__ == "__main__":
    sys.exit(main())
