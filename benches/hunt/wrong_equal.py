#!/usr/bin/env python3
"""Searches for wrong "equal"s: random pairs of similar texts, decided by the program and checked by another evaluator.

    benches/hunt/wrong_equal.py --cli target/release/fablegrade [--kinds NAME ...] [--pairs N | --seconds N] [--seed N]
                                [--processes N]

Pairs are made by identities that hold only on a part of the plane, by small changes of constants, and by adding tiny values.
`kinds.py` has the kinds: formulas of two unknowns, of several unknowns, sums to symbolic limits, complex numbers, relations, sets. If
the program calls a pair equal, points of many scales, near integers and near borders are tried with exact fractions or mpmath at 60
to 500 digits. Points at which a part has no value do not count. Every pair that is called equal but differs is printed; the last line
has the totals, and the exit code is 1 if there was such a pair. Each process has its own seed (N, N + 1, ...). A pair whose values
take more than two seconds is counted as not checked.
"""
import argparse
import json
import multiprocessing
import random
import signal
import subprocess
import sys
import time

import mpmath

from kinds import KINDS


class TooSlow(Exception):
    """Computing the values of a pair exceeds the time limit."""


def stop(_signal, _frame):
    raise TooSlow


def hunt(job):
    """Checks a number of pairs, or as many as time allows, in one process. Returns the totals and the number of wrong decisions."""
    cli, kinds, pairs, seconds, seed = job
    mpmath.mp.dps = 500
    signal.signal(signal.SIGALRM, stop)
    chance, started = random.Random(seed), time.monotonic()
    total = dict.fromkeys(("pairs", "equal", "different", "undecided", "unread", "unchecked"), 0)
    wrong = 0
    while seconds or total["pairs"] < pairs:
        if seconds and time.monotonic() - started > seconds:
            break
        batch = [KINDS[chance.choice(kinds)](chance) for _ in range(1000 if seconds else min(1000, pairs - total["pairs"]))]
        lines = [json.dumps({"id": str(n), "a": a, "b": b}) for n, (a, b, _) in enumerate(batch)]
        run = subprocess.run([cli, "equiv"], input="\n".join(lines) + "\n", capture_output=True, text=True, check=False)
        if not run.stdout:
            raise RuntimeError(f"no answer: {run.stderr}")
        for line in run.stdout.splitlines():
            decision = json.loads(line)
            total["pairs"] += 1
            word = {True: "equal", False: "different", None: "undecided"}[decision.get("equal")]
            word = "unread" if word == "undecided" and "error" in decision else word
            total[word] += 1
            if word != "equal":
                continue
            a, b, search = batch[int(decision["id"])]
            signal.alarm(2)
            try:
                found = search(chance)
            except TooSlow:
                total["unchecked"] += 1
                continue
            finally:
                signal.alarm(0)
            if found:
                at, left, right = found
                wrong += 1
                print(f"{a}  |  {b}\n    {decision.get('how')}; seed {seed}; at {at}: {left} and {right}", flush=True)
    print(f"seed {seed}: " + ", ".join(f"{count} {name}" for name, count in total.items()) + f"; {wrong} wrong", flush=True)
    return total, wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cli", default="target/release/fablegrade")
    parser.add_argument("--kinds", nargs="+", choices=sorted(KINDS), default=sorted(KINDS))
    parser.add_argument("--pairs", type=int, default=2000)
    parser.add_argument("--seconds", type=float, help="as many pairs as there is time for")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=1)
    options = parser.parse_args()
    share, more = divmod(options.pairs, options.processes)
    jobs = [
        (options.cli, options.kinds, share + (n < more), options.seconds, options.seed + n) for n in range(options.processes)
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
