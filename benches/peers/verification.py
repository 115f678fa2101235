#!/usr/bin/env python3
"""The same labelled responses through fablegrade-verify and Math-Verify in one run: agreement by part, and speed.

    benches/peers/verification.py CASES.jsonl... [--home DIR] [--write FILE]

Each line of CASES is {id, gold, response, label or policy_label, part or kind}. Math-Verify 0.9.0 is installed into a scratch
folder and gets its best configuration: the gold in a box, formulas and expressions, its own time limit of five seconds. The
program of fablegrade is `fablegrade-verify/examples/verify_lines.rs`, built with the profile `release`. Times include
extraction, parsing of both sides and comparison; each tool answers one response after another in one warm process.
"""
import argparse
import collections
import json
import pathlib
import statistics
import subprocess
import sys
import time

root = pathlib.Path(__file__).resolve().parents[2]
PYTHON = ["math-verify==0.9.0", "sympy==1.13.3", "antlr4-python3-runtime==4.11.0", "latex2sympy2_extended==1.11.0"]

arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
arguments.add_argument("cases", nargs="+")
arguments.add_argument("--home", default=str(root / ".cache/verify-peers"))
arguments.add_argument("--write")
arguments.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
options = arguments.parse_args()


def load():
    rows = []
    for path in options.cases:
        for line in open(path, encoding="utf-8"):
            row = json.loads(line)
            rows.append({
                "id": f"{pathlib.Path(path).stem}/{row['id']}",
                "gold": row["gold"],
                "response": row["response"],
                "correct": row.get("label", row.get("policy_label")) in ("correct", "equal"),
                "part": row.get("part", pathlib.Path(path).stem),
            })
    return rows


def worker():
    """Math-Verify: {id, correct, seconds} for each line."""
    from math_verify import ExprExtractionConfig, LatexExtractionConfig, parse, verify

    both = [LatexExtractionConfig(boxed_match_priority=0), ExprExtractionConfig()]
    verify(parse("\\boxed{1}", both), parse("\\boxed{1}", both))
    for row in load():
        start = time.perf_counter()
        try:
            correct = bool(verify(parse("\\boxed{" + row["gold"] + "}", both), parse(row["response"], both)))
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                raise
            correct = False
        print(json.dumps({"id": row["id"], "correct": correct, "seconds": time.perf_counter() - start}), flush=True)


def lines(command, rows=None):
    data = "".join(json.dumps(row) + "\n" for row in rows or [])
    done = subprocess.run(command, input=data, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def summary(name, rows, correct, seconds):
    parts = collections.defaultdict(list)
    for row in rows:
        parts[row["part"]].append(correct[row["id"]] == row["correct"])
    wrong = [row["id"] for row in rows if correct[row["id"]] and not row["correct"]]
    times = sorted(seconds.values())
    right = sum(map(sum, parts.values()))
    print(f"{name:12} right {right}/{len(rows)} {100 * right / len(rows):.1f} %  wrong correct {len(wrong)}")
    print("            ", "  ".join(f"{part} {100 * sum(found) / len(found):.1f}" for part, found in sorted(parts.items())))
    print(f"             mean {1e6 * statistics.fmean(times):,.1f} µs  median {1e6 * statistics.median(times):,.1f}  "
          f"p99 {1e6 * times[int(0.99 * len(times))]:,.1f}  worst {1e6 * times[-1]:,.1f}")
    return {"right": right, "cases": len(rows), "wrongCorrect": wrong, "meanMicroseconds": 1e6 * statistics.fmean(times),
            "medianMicroseconds": 1e6 * statistics.median(times), "worstMicroseconds": 1e6 * times[-1],
            "parts": {part: [sum(found), len(found)] for part, found in sorted(parts.items())}}


def main():
    rows = load()
    home = pathlib.Path(options.home)
    python = home / "bin/python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(home)], check=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", *PYTHON], check=True)
    build = ["cargo", "build", "--release", "--package", "fablegrade-verify", "--example", "verify_lines", "--message-format", "json"]
    built = subprocess.run(build, cwd=root, stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()
    program = next(path for line in built if (path := json.loads(line).get("executable")))
    sent = [{key: row[key] for key in ("id", "gold", "response")} for row in rows]
    verdicts = {one["id"]: one["verdict"] == "correct" for one in lines([program], sent)}
    ours = {one["id"]: one["microseconds"] / 1e6 for one in lines([program, "--time"], sent)}
    report = {"fablegrade": summary("fablegrade", rows, verdicts, ours)}
    for threads in (1, 2):
        (speed,) = lines([program, "--threads", str(threads)], sent)
        print(f"             {threads} thread{'s' * (threads > 1)}: {speed['perSecond']:,} a second")
        report["fablegrade"][f"perSecond{threads}"] = speed["perSecond"]
    answers = lines([str(python), __file__, *options.cases, "--worker"])
    theirs = {one["id"]: one["correct"] for one in answers}
    report["math-verify"] = summary("math-verify", rows, theirs, {one["id"]: one["seconds"] for one in answers})
    only = [one for one in report["fablegrade"]["wrongCorrect"] if not theirs[one]]
    factor = report["math-verify"]["meanMicroseconds"] / report["fablegrade"]["meanMicroseconds"]
    print(f"wrong correct that Math-Verify has not: {only}; mean time {factor:,.0f} times shorter")
    if options.write:
        pathlib.Path(options.write).write_text(json.dumps(report, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


worker() if options.worker else main()
