#!/usr/bin/env python3
"""Compares Fablegrade, Math-Verify, SymPy and KAS on the same pairs of expressions in one run: agreement and speed.

    benches/peers/equivalence.py CASES.jsonl [--limit N] [--peers NAME...] [--wheel FILE] [--write FILE]

Each line of CASES is {id, canonical, latex, equal, tags, source}. Rows of the sources `latex2sympy` and `mutants`, and
rows tagged `approx`, `quirk` or `format`, are left out (the set called CORE in the documentation).

Peers are installed into a scratch folder (`--home`, default `.cache/peers`) with pip and npm; the versions are pinned below.
Every peer gets the pairs one after another in one warm process. In Python, a pair that takes more than five seconds is
stopped and counts as unanswered. `fablegrade` is the Python package, called like its peers; `fablegrade-rust` is the crate
without an interpreter. Times include parsing both sides, except for the second time of `fablegrade-rust`, for which the
reference is compiled in advance.
"""
import argparse
import json
import pathlib
import platform
import statistics
import subprocess
import sys
import time

root = pathlib.Path(__file__).resolve().parents[2]
PYTHON = ["math-verify==0.9.0", "sympy==1.13.3", "antlr4-python3-runtime==4.11.0", "latex2sympy2_extended==1.11.0"]
KAS = ["@khanacademy/kas@2.2.3"]

arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
arguments.add_argument("cases")
arguments.add_argument("--limit", type=int, default=0)
arguments.add_argument("--peers", nargs="*", default=["fablegrade-rust", "fablegrade", "math-verify", "sympy", "kas"])
arguments.add_argument("--home", default=str(root / ".cache/peers"))
arguments.add_argument("--wheel", help="a wheel of fablegrade; without it one is built")
arguments.add_argument("--write")
arguments.add_argument("--worker", help=argparse.SUPPRESS)
options = arguments.parse_args()

LIMIT_SECONDS = 5


def load():
    rows = [json.loads(line) for line in open(options.cases, encoding="utf-8")]
    rows = [r for r in rows if r["source"] not in ("latex2sympy", "mutants") and not set(r["tags"]) & {"approx", "quirk", "format"}]
    return rows[: options.limit] if options.limit else rows


def worker(kind):
    """Prints one line per pair: {id, equal, seconds}. Runs in the peers' own Python."""
    import signal

    class TooLong(Exception):
        pass

    def stop(*_):
        raise TooLong

    signal.signal(signal.SIGALRM, stop)
    if kind == "fablegrade":
        from fablegrade import equivalent

        def decide(a, b):
            return equivalent(a, b).equal
    elif kind == "math-verify":
        from math_verify import parse, verify

        def decide(a, b):
            gold, answer = (parse(f"${text}$", parsing_timeout=0) for text in (a, b))
            return bool(gold) and bool(answer) and verify(gold, answer, timeout_seconds=0)
    else:
        import sympy
        from sympy.parsing.latex import parse_latex

        constants = {sympy.Symbol("pi"): sympy.pi, sympy.Symbol("e"): sympy.E, sympy.Symbol("i"): sympy.I}

        def decide(a, b):
            left, right = (parse_latex(text).subs(constants) for text in (a, b))
            return sympy.simplify(left - right) == 0

    for line in sys.stdin:
        row = json.loads(line)
        started = time.perf_counter()
        signal.alarm(LIMIT_SECONDS)
        try:
            equal = decide(row["canonical"], row["latex"])
        except TooLong:
            equal = "too long"
        except Exception:
            equal = None
        finally:
            signal.alarm(0)
        print(json.dumps({"id": row["id"], "equal": equal, "seconds": time.perf_counter() - started}), flush=True)


KAS_WORKER = """
const kas = require("@khanacademy/kas");
const lines = require("fs").readFileSync(0, "utf8").split("\\n").filter(Boolean);
for (const line of lines) {
  const row = JSON.parse(line);
  const started = process.hrtime.bigint();
  let equal = null;
  try {
    const a = kas.parse(row.canonical), b = kas.parse(row.latex);
    if (a.parsed && b.parsed) equal = kas.compare(a.expr, b.expr, {simplify: false, form: false}).equal;
  } catch (error) { equal = null; }
  console.log(JSON.stringify({id: row.id, equal, seconds: Number(process.hrtime.bigint() - started) / 1e9}));
}
"""


def run(name, rows, home):
    data = "".join(json.dumps(row) + "\n" for row in rows)
    if name == "fablegrade-rust":
        command = ["cargo", "run", "--quiet", "--release", "-p", "fablegrade-math", "--example", "pairs"]
        where = root
    elif name == "kas":
        if not (home / "node_modules/@khanacademy/kas").exists():
            subprocess.run(["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", str(home), *KAS], check=True)
        (home / "kas_worker.cjs").write_text(KAS_WORKER)
        command, where = ["node", "kas_worker.cjs"], home
    else:
        python = home / "venv/bin/python"
        if not python.exists():
            subprocess.run([sys.executable, "-m", "venv", str(home / "venv")], check=True)
            subprocess.run([str(python), "-m", "pip", "install", "--quiet", *PYTHON], check=True)
        if name == "fablegrade":
            # The Python package of this repository, called as users of the peers would call it.
            subprocess.run([str(python), "-m", "pip", "install", "--quiet", options.wheel or str(root / "fablegrade-py")], check=True)
        command, where = [str(python), str(pathlib.Path(__file__).resolve()), options.cases, "--worker", name], root
    output = subprocess.run(command, cwd=where, input=data, capture_output=True, text=True)
    answers = {}
    for line in output.stdout.splitlines():
        try:
            answer = json.loads(line)
            answers[answer["id"]] = answer
        except (ValueError, KeyError):
            pass
    if not answers:
        sys.exit(f"{name} gave no answers:\n{output.stderr[-2000:]}")
    return answers


def main():
    rows = load()
    home = pathlib.Path(options.home)
    home.mkdir(parents=True, exist_ok=True)
    table = []
    for name in options.peers:
        answers = run(name, rows, home)
        agree = wrong_equal = wrong_different = none = 0
        for row in rows:
            equal = answers.get(row["id"], {}).get("equal")
            if equal is True or equal is False:
                agree += equal == row["equal"]
                wrong_equal += equal and not row["equal"]
                wrong_different += not equal and row["equal"]
            else:
                none += 1
        for label, key in ((name, "seconds"), (f"{name}, reference compiled", "compiled")):
            times = sorted(a[key] for a in answers.values() if key in a)
            if times:
                table.append((label, agree, wrong_equal, wrong_different, none, statistics.median(times),
                              times[int(len(times) * 0.95)], times[-1], len(times) / sum(times)))
        print(f"{name}: {agree}/{len(rows)}", file=sys.stderr)
    ours = next((t for t in table if t[0] == "fablegrade-rust, reference compiled"), None)
    lines = [
        "# Expression equivalence: Fablegrade and its peers",
        "",
        f"{len(rows)} pairs, one process each, one core, one run. {platform.machine()}, Python {platform.python_version()}; "
        f"{', '.join(PYTHON + KAS)}.",
        "",
        "| system | agree | wrong \"equal\" | wrong \"different\" | no answer | median | p95 | max | checks/s | times slower (median) |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for label, agree, we, wd, none, median, p95, longest, rate in table:
        slower = f"{median / ours[5]:,.0f}" if ours else ""
        lines.append(f"| {label} | {agree} ({100 * agree / len(rows):.1f} %) | {we} | {wd} | {none} | {1e6 * median:,.1f} us | "
                     f"{1e6 * p95:,.1f} us | {1e3 * longest:,.2f} ms | {rate:,.0f} | {slower} |")
    text = "\n".join(lines) + "\n"
    print(text)
    if options.write:
        pathlib.Path(options.write).write_text(text)


if options.worker:
    worker(options.worker)
else:
    main()
