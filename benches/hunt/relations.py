#!/usr/bin/env python3
"""Looks for wrong "equal"s among relations in one unknown or two, by their truth at many points.

    benches/hunt/relations.py --cli PROGRAM [--seed N] [--pairs N] [--unknowns 1|2]

A relation is drawn at random (sums, products, quotients, powers, roots, absolute values, exponentials, logarithms, minima). Its
partner is made from it by a step that may or may not keep its solutions: something added to or multiplied with both sides, squares,
roots, exponentials, logarithms, reciprocals, another sign. Each pair that the program calls equal is evaluated in doubles at about
700 numbers, or 860 points. If only one of the two clearly holds at a point, in doubles and with 200 digits, the pair is printed. A
relation does not hold at a point at which a part has no value. Roots of negative constants and the like are left out, because such
relations are complex.

Exits with 1 if a pair is printed, or if the program ends before it has answered all of them.
"""
import argparse
import collections
import json
import math
import random
import subprocess
import sys
from fractions import Fraction

import mpmath

arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
arguments.add_argument("--cli", required=True)
arguments.add_argument("--seed", type=int, default=1)
arguments.add_argument("--pairs", type=int, default=3000)
arguments.add_argument("--unknowns", type=int, choices=(1, 2), default=1)
options = arguments.parse_args()
dice = random.Random(options.seed)

RELATIONS = {
    "<": lambda d: d < 0,
    r"\le": lambda d: d <= 0,
    ">": lambda d: d > 0,
    r"\ge": lambda d: d >= 0,
    "=": lambda d: d == 0,
    r"\ne": lambda d: d != 0,
}
TURNED = {"<": ">", r"\le": r"\ge", ">": "<", r"\ge": r"\le"}
NUMBERS = [1, 2, 3, -1, -2, Fraction(1, 2), Fraction(-1, 2), Fraction(3, 2), 5, 4, -3, Fraction(1, 3)]
# Bounds in doubles and with digits: a relative difference below the first, or a value beyond the second, decides nothing.
DOUBLES, DIGITS = (1e-6, 1e15), (mpmath.mpf("1e-80"), mpmath.mpf("1e1000000"))
mpmath.mp.dps = 200
NUMBERS_TRIED = sorted(
    {sign * (step / 8 + shift) for step in range(160) for sign in (1, -1) for shift in (0, 0.01)}
    | {sign * factor * 10.0**power for power in range(-9, 2) for factor in (1, 2.7, 5.3) for sign in (1, -1)}
)


def points():
    """Returns points: a value per unknown."""
    if options.unknowns == 1:
        return [(number,) for number in NUMBERS_TRIED]
    chance = random.Random(5)
    coordinate = lambda: chance.choice((-1, 1)) * chance.choice((0.1, 1, 1, 3, 10, 100)) * chance.random()
    return [(coordinate(), coordinate()) for _ in range(500)] + [(x / 2, y / 2) for x in range(-9, 10) for y in range(-9, 10)]




class Unsure(Exception):
    """A value cannot be computed: it is too large, or too close to 0 to be distinguished from 0."""


def library(u):
    return mpmath if isinstance(u, mpmath.mpf) else math


def far(u):
    """Returns the argument of a function with a border at 0, if it is 0 or clearly differs from 0."""
    if isinstance(u, mpmath.mpf) and 0 < abs(u) < DIGITS[0]:
        raise Unsure
    return u


def exp(u):
    if abs(u) > 1e6:
        raise Unsure
    return library(u).exp(u)


class Term:
    """LaTeX, and its value at a point: None if there is none."""

    def __init__(self, latex, value):
        self.latex, self.value = latex, value


def applied(function, *terms):
    def value(x):
        values = [term.value(x) for term in terms]
        if None in values:
            return None
        try:
            result = function(*values)
        except (ValueError, ZeroDivisionError):
            return None
        except OverflowError:
            raise Unsure from None
        if result is None or isinstance(result, mpmath.mpc):
            return None
        if not abs(result) < math.inf or result == 0 and 0 not in values and function in VANISHING:
            raise Unsure
        return result

    return value


ONE_ARGUMENT = {
    r"({})^2": lambda u: u * u,
    r"({})^3": lambda u: u**3,
    r"\sqrt{{{}}}": lambda u: library(u).sqrt(far(u)),
    r"\left|{}\right|": abs,
    r"e^{{{}}}": exp,
    r"\ln({})": lambda u: library(u).log(far(u)) if u > 0 else None,
    r"\frac{{1}}{{{}}}": lambda u: 1 / far(u),
}
TWO_ARGUMENTS = {
    r"({}+{})": lambda u, v: u + v,
    r"({}-({}))": lambda u, v: u - v,
    r"({})\cdot({})": lambda u, v: u * v,
    r"\frac{{{}}}{{{}}}": lambda u, v: u / far(v),
    r"\max({},{})": max,
    r"\min({},{})": min,
}
# They are 0 only if an argument is; any other 0 is an underflow.
VANISHING = {exp, *(ONE_ARGUMENT[form] for form in list(ONE_ARGUMENT)[:2]), *(TWO_ARGUMENTS[form] for form in list(TWO_ARGUMENTS)[2:4])}


def one(form, term):
    return Term(form.format(term.latex), applied(ONE_ARGUMENT[form], term))


def two(form, a, b):
    return Term(form.format(a.latex, b.latex), applied(TWO_ARGUMENTS[form], a, b))


def number(value):
    fraction = Fraction(value)
    size = abs(fraction)
    latex = str(size) if size.denominator == 1 else rf"\frac{{{size.numerator}}}{{{size.denominator}}}"
    return Term(
        latex if fraction >= 0 else f"(-{latex})",
        lambda point: type(point[0])(fraction.numerator) / fraction.denominator,
    )


def term(depth):
    if depth == 0:
        if dice.random() >= 0.65:
            return number(dice.choice(NUMBERS))
        at = dice.randrange(options.unknowns)
        return Term("xy"[at], lambda point: point[at])
    if dice.random() < 0.5:
        return two(dice.choice(list(TWO_ARGUMENTS)), term(depth - 1), term(dice.randrange(depth)))
    return one(dice.choice(list(ONE_ARGUMENT)[:-1]), term(depth - 1))


def step(left, right, relation):
    """Returns another relation, with the same or nearly the same solutions."""
    kind = dice.randrange(4)
    if kind == 0:
        form, other = dice.choice(list(TWO_ARGUMENTS)[:4]), term(1)
        return two(form, left, other), two(form, right, other), relation
    if kind == 1:
        form = dice.choice(list(ONE_ARGUMENT))
        turned = TURNED.get(relation, relation) if form.startswith(r"\frac") else relation
        return one(form, left), one(form, right), turned
    if kind == 2:
        form = dice.choice([r"({}-({}))", r"\frac{{{}}}{{{}}}"])
        return two(form, left, right), number(0 if "-" in form else 1), relation
    if dice.random() < 0.5:
        return right, left, TURNED.get(relation, relation)
    return left, right, dice.choice(list(RELATIONS))


def truth(sides, x):
    """Returns whether a relation holds at a point, and whether that is certain."""
    near, large = DIGITS if isinstance(x[0], mpmath.mpf) else DOUBLES
    left, right, relation = sides
    try:
        u, v = left.value(x), right.value(x)
    except Unsure:
        return False, False
    if u is None or v is None:
        return False, all(value is None or abs(value) < large for value in (u, v))
    size = abs(u) + abs(v)
    return RELATIONS[relation](u - v), size < large and abs(u - v) > near * size


def only_one_holds(pair, x):
    (one_holds, certain), (other_holds, also) = (truth(sides, x) for sides in pair)
    return one_holds != other_holds and certain and also


POINTS = points()
pairs = []
while len(pairs) < options.pairs:
    first = (term(dice.randint(1, 2)), term(dice.randint(0, 2)), dice.choice(list(RELATIONS)))
    second = step(*first)
    if dice.random() < 0.4:
        second = step(*second)
    if all(r"\sqrt{(-" not in side.latex and r"\ln((-" not in side.latex for side in (*first[:2], *second[:2])):
        pairs.append((first, second))

lines = "".join(
    json.dumps({"id": str(at), "a": f"{a[0].latex}{a[2]} {a[1].latex}", "b": f"{b[0].latex}{b[2]} {b[1].latex}"}) + "\n"
    for at, (a, b) in enumerate(pairs)
)
answers = subprocess.run([options.cli, "equiv", "--jsonl"], input=lines, capture_output=True, text=True)
verdicts, wrong = collections.Counter(), 0
for line, asked in zip(answers.stdout.splitlines(), lines.splitlines()):
    answer = json.loads(line)
    verdict = "error" if "error" in answer else {True: "equal", False: "different"}.get(answer["equal"], "undecided")
    verdicts[verdict] += 1
    if verdict != "equal":
        continue
    for x in POINTS:
        pair = pairs[int(answer["id"])]
        if only_one_holds(pair, x) and only_one_holds(pair, tuple(map(mpmath.mpf, x))):
            wrong += 1
            print(f"called equal, at {', '.join(map(str, x))} only one holds: {asked}")
            break
print(f"seed {options.seed}: {dict(verdicts)}, wrong \"equal\": {wrong}")
if sum(verdicts.values()) != len(pairs):
    print(f"answers: {sum(verdicts.values())} of {len(pairs)}; {answers.stderr.strip()[-400:]}")
    sys.exit(1)
sys.exit(wrong > 0)
