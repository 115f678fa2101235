#!/usr/bin/env python3
"""Searches for wrong "equal"s: random pairs of close formulas, decided by the program and checked by mpmath.

    benches/hunt/wrong_equal.py --cli target/release/fablegrade [--pairs N | --seconds N] [--seed N] [--processes N]

Pairs are made by identities that hold on a part of the plane alone (roots of squares, sums of arcs, logarithms of products,
steps, minima), by small changes of constants, and by adding what is nearly nothing. Where the program calls a pair equal,
both sides are evaluated at points of many scales, near whole numbers and near the places where inner arguments are small; a
difference in doubles is looked at again with 500 digits. Points at which a part has no real value do not count. Every pair that
is called equal and differs is printed; the last line has the totals, and the exit code is 1 if there was one. Each of the
processes draws from a seed of its own (N, N + 1, ...). A pair whose values take more than two seconds is counted as not checked.
"""
import argparse
import json
import math
import multiprocessing
import random
import signal
import subprocess
import sys
import time

import mpmath

FUNCTIONS = {
    "sin": r"\sin", "cos": r"\cos", "tan": r"\tan", "atan": r"\arctan", "asin": r"\arcsin", "acos": r"\arccos", "sinh": r"\sinh",
    "cosh": r"\cosh", "tanh": r"\tanh", "log": r"\ln",
}
X, Y = ("var", "x"), ("var", "y")


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
    if kind == "exp":
        return rf"e^{{{inner[0]}}}"
    if kind == "abs":
        return rf"\left|{inner[0]}\right|"
    if kind == "floor":
        return rf"\left\lfloor {inner[0]}\right\rfloor "
    if kind == "sgn":
        return rf"\operatorname{{sgn}}\left({inner[0]}\right)"
    if kind in ("max", "min"):
        return rf"\{kind}\left({inner[0]},{inner[1]}\right)"
    return rf"{FUNCTIONS[kind]}\left({inner[0]}\right)"


class NoValue(Exception):
    pass


def value(tree, at, real, m):
    """The value; every part has to be real. `real` makes numbers, `m` has the functions."""
    kind, *parts = tree
    if kind == "var":
        return at[parts[0]]
    if kind == "num":
        return real(parts[0][0]) / parts[0][1]
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
        return a ** parts[1]
    if kind == "abs":
        return abs(a)
    if kind == "sgn":
        return real((a > 0) - (a < 0))
    if kind == "floor":
        return m.floor(a)
    if kind in ("max", "min"):
        return max(a, b) if kind == "max" else min(a, b)
    if kind in ("sqrt",) and a < 0 or kind == "log" and a <= 0 or kind in ("asin", "acos") and abs(a) > 1:
        raise NoValue
    return getattr(m, kind)(a)


def constant(chance):
    return number((chance.choice([1, 1, 2, 3, 5, 7, -1, -2, 10, 30, 1000]), chance.choice([1, 1, 1, 2, 3, 10, 100])))


def polynomial(chance):
    terms = [
        X, Y, ("mul", X, Y), ("pow", X, 2), ("pow", Y, 2), ("pow", X, 4), ("pow", Y, 4), ("sub", X, Y), ("pow", ("sub", X, Y), 2),
    ]
    tree = constant(chance)
    for _ in range(chance.randint(1, 4)):
        term = chance.choice(terms)
        term = ("mul", constant(chance), term) if chance.random() < 0.4 else term
        tree = (chance.choice(["add", "add", "sub"]), tree, term)
    return tree


def argument(chance, depth=2):
    kind = chance.random()
    if depth == 0 or kind < 0.35:
        return chance.choice([X, Y, ("add", X, Y), ("mul", X, Y), ("div", X, number((chance.choice([2, 10, 100, 1000]), 1)))])
    if kind < 0.6:
        return polynomial(chance)
    if kind < 0.75:
        return ("div", argument(chance, depth - 1), polynomial(chance))
    if kind < 0.9:
        return (chance.choice(["sin", "cos", "atan", "tanh", "exp"]), argument(chance, depth - 1))
    return (chance.choice(["add", "mul", "sub"]), argument(chance, depth - 1), argument(chance, depth - 1))


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


def points(chance):
    for _ in range(60):
        scale = 10 ** chance.uniform(-5, 5)
        yield {"x": chance.choice([-1, 1]) * scale, "y": chance.choice([-1, 1]) * 10 ** chance.uniform(-5, 5)}
    for _ in range(60):
        yield {name: chance.uniform(-4, 4) for name in "xy"}
    for _ in range(60):
        yield {name: chance.randint(-4, 4) + chance.choice([-1, 1]) * 10 ** chance.uniform(-8, -1) for name in "xy"}


def counterexample(a, b, chance):
    """A point at which both sides have real values that differ, with 500 digits."""
    for at in points(chance):
        try:
            left, right = (value(side, at, float, math) for side in (a, b))
            if abs(left - right) <= 1e-9 * max(abs(left), abs(right), 1e-300):
                continue
        except (NoValue, ValueError, OverflowError):
            # what leaves the doubles would cost minutes with more digits
            continue
        exact = {name: mpmath.mpf(coordinate) for name, coordinate in at.items()}
        try:
            left, right = (value(side, exact, mpmath.mpf, mpmath) for side in (a, b))
        except (NoValue, ValueError, OverflowError, ZeroDivisionError):
            continue
        if not mpmath.isfinite(left) or not mpmath.isfinite(right):
            continue
        # arcs of cosines of what is smaller have lost all their digits
        if max(abs(left), abs(right)) > mpmath.mpf(10) ** -200 and abs(left - right) > mpmath.mpf(10) ** -40 * max(abs(left), abs(right)):
            return at, left, right
    return None


class TooSlow(Exception):
    """The values of a pair take more than their seconds."""


def stop(_signal, _frame):
    raise TooSlow


def hunt(job):
    """One process: so many pairs, or as many as there is time for; the totals and how many were wrong."""
    cli, pairs, seconds, seed = job
    mpmath.mp.dps = 500
    signal.signal(signal.SIGALRM, stop)
    chance, started = random.Random(seed), time.monotonic()
    total = dict.fromkeys(("pairs", "equal", "different", "undecided", "unchecked"), 0)
    wrong = 0
    while seconds or total["pairs"] < pairs:
        if seconds and time.monotonic() - started > seconds:
            break
        batch = [pair(chance) for _ in range(1000 if seconds else min(1000, pairs - total["pairs"]))]
        lines = [json.dumps({"id": str(n), "a": latex(a), "b": latex(b)}) for n, (a, b) in enumerate(batch)]
        run = subprocess.run([cli, "equiv"], input="\n".join(lines) + "\n", capture_output=True, text=True, check=False)
        if not run.stdout:
            raise RuntimeError(f"no answer: {run.stderr}")
        for line in run.stdout.splitlines():
            decision = json.loads(line)
            total["pairs"] += 1
            word = {True: "equal", False: "different", None: "undecided"}[decision.get("equal")]
            total[word] += 1
            if word != "equal":
                continue
            a, b = batch[int(decision["id"])]
            signal.alarm(2)
            try:
                found = counterexample(a, b, chance)
            except TooSlow:
                total["unchecked"] += 1
                continue
            finally:
                signal.alarm(0)
            if found:
                at, left, right = found
                values = f"{mpmath.nstr(left, 12)} and {mpmath.nstr(right, 12)}"
                wrong += 1
                print(f"{latex(a)}  |  {latex(b)}\n    {decision.get('how')}; seed {seed}; at {at}: {values}", flush=True)
    print(f"seed {seed}: " + ", ".join(f"{count} {name}" for name, count in total.items()) + f"; {wrong} wrong", flush=True)
    return total, wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cli", default="target/release/fablegrade")
    parser.add_argument("--pairs", type=int, default=2000)
    parser.add_argument("--seconds", type=float, help="as many pairs as there is time for")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=1)
    options = parser.parse_args()
    share, more = divmod(options.pairs, options.processes)
    jobs = [
        (options.cli, share + (n < more), options.seconds, options.seed + n) for n in range(options.processes)
    ]
    total, failed = {}, 0
    with multiprocessing.Pool(options.processes) as pool:
        for found, wrong in pool.imap_unordered(hunt, jobs):
            failed += wrong
            for name, count in found.items():
                total[name] = total.get(name, 0) + count
    print(", ".join(f"{count} {name}" for name, count in total.items()) + f"; {failed} wrong")
    print(f"{total['pairs'] - failed} passed, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
