#!/usr/bin/env python3
"""Compares the verdicts of fablegrade and of the reference tools on jury submissions of the same packages, in one run.

    benches/peers/kattis.py [PACKAGE...] --cli FABLEGRADE [--home DIR] [--write FILE]

Packages of `legacy` and `legacy-icpc` are verified by `verifyproblem` of problemtools, those of `2025-09` by `bt validate` and
`bt run` of BAPCtools; both are installed into a scratch folder. All tools start the same Python. problemtools does not know
`legacy-icpc`, so its copy declares `legacy`. Without PACKAGE: the packages of systems/kattis.

Exits with 1 if a verdict or score differs without a reason in REASONS, if a submission is not judged as its package expects,
or if fablegrade takes longer than the reference tools on the packages that both judge, taken together.
"""
import argparse
import json
import os
import pathlib
import platform
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time

root = pathlib.Path(__file__).resolve().parents[2]
PYTHON = ["problemtools==1.20260907", "bapctools==2026.10.0"]
VERDICT = r"(AC|WA|RTE|TLE|MLE|OLE|JE|CE)"
JAVA = "problemtools compiles with `-source 21`, and here is Java 17"
# (package, submission or "") -> the reason why the specification supports our verdict, or what the tool cannot do.
REASONS = {
    ("answers", ""): "BAPCtools does not know `submit-answer`",
    ("golf", ""): "BAPCtools does not know `scoring`",
    ("pointscurrent", ""): "BAPCtools does not know `scoring`",
    ("bits", ""): "BAPCtools does not read `include/`",
    ("driverscurrent", ""): "BAPCtools does not read `include/`",
    ("half", "accepted/half.c"): "BAPCtools does not replace constants in submissions",
    ("twice", "wrong_answer/forgets.py"): "BAPCtools passes the feedback folder without the `/` that the text promises, so no second pass is asked for",
    ("chatcurrent", ""): "BAPCtools does not build a validator that has modules in folders",
    ("gapslegacy", "accepted/gaps.go"): "problemtools compiles with gccgo, which is not here",
    ("gapslegacy", "accepted/Gaps.java"): JAVA,
    ("gapslegacy", "run_time_error/Null.java"): JAVA,
    ("wordsicpc", "accepted/LongestWord.java"): JAVA,
}
LAST = {}

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("packages", nargs="*", type=pathlib.Path)
parser.add_argument("--cli", required=True)
parser.add_argument("--home", default=str(root / ".cache/kattis-peers"))
parser.add_argument("--write")
options = parser.parse_args()


def install():
    home = pathlib.Path(options.home)
    if not (home / "bin/bt").exists():
        subprocess.run([sys.executable, "-m", "venv", str(home)], check=True)
        subprocess.run([str(home / "bin/pip"), "install", "--quiet", *PYTHON], check=True)
    return home / "bin"


def timed(command, **more):
    """Returns the output of a command, its wall-clock time, and its CPU time including that of its children, in seconds."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, **more)
    clock, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return done.stdout.decode(errors="replace"), clock, cpu


def salted(package, copy):
    """Makes a copy with sources that were never compiled before, so no cache has them."""
    shutil.copytree(package, copy, symlinks=True)
    for path in copy.rglob("*"):
        if path.suffix in (".c", ".cc", ".cpp", ".java", ".go", ".rs") and not path.is_symlink():
            path.write_bytes(path.read_bytes() + f"// {time.time_ns()}\n".encode())


def ours(package):
    text, clock, cpu = timed([options.cli, "kattis", "verify", "--json", str(package)])
    report = json.loads(text[text.index("{"):])
    found = {}
    for one in report["submissions"]:
        judgement = one["judgement"]
        score = judgement.get("score", {}).get("value")
        found[one["submission"]] = (judgement["verdict"], score, one["asExpected"])
    return report["version"], found, clock, cpu


def verifyproblem(package, environment):
    parts = ["config", "data", "graders", "validators", "submissions"]
    text, clock, cpu = timed(["verifyproblem", str(package), "-p", *parts], env=environment)
    found = {}
    pattern = rf"(\w+/[^\s(]+) \((?:[^()]|\([^()]*\))*\) .*?\b{VERDICT}\b(?: \(([-0-9.]+)\))?"
    for submission, verdict, score in re.findall(pattern, text):
        found.setdefault(submission, (verdict, float(score) if score else None))
    return found, text, clock, cpu


def bapctools(package, environment):
    checked, first, cpu = timed(["bt", "validate", "-B"], cwd=package, env=environment)
    text, second, more = timed(["bt", "run", "-B", "-G", "-aa"], cwd=package, env=environment)
    found = {}
    for submission, verdict in re.findall(rf"^(\w+/\S+?):\s+{VERDICT}\b", text, re.MULTILINE):
        found.setdefault(submission, (verdict, None))
    return found, checked + text, first + second, cpu + more


def report(rows, total, same, differences, missing):
    lines = ["# Packages of judges: Fablegrade, problemtools and BAPCtools", "",
        f"{len(rows)} packages, {sum(row[3] for row in rows)} submissions of their juries, one run. {platform.machine()}, Python {platform.python_version()}; {', '.join(PYTHON)}; one Python for all of them. Times include the building of all programs (nothing is built before) and the checks of validators and data; ours run everything in sandboxes, theirs run it bare. Statements are left out.", "",
        "| package | version | tool | submissions | same verdict and score | ours | theirs | ours, processor | theirs, processor |", "|---|---|---|---|---|---|---|---|---|"]
    for name, version, tool, count, agree, clock, other, cpu, their_cpu, both, _ in rows:
        lines.append(f"| {name} | {version} | {tool} | {count} | {agree} | {clock:.1f} s | {other:.1f} s{'' if both else ' (not counted)'} | {cpu:.1f} s | {their_cpu:.1f} s |")
    lines += ["", f"Same verdict and score: {same}. Of the packages that both judge, together: {total['ours'][0]:.1f} s against {total['theirs'][0]:.1f} s by the clock, {total['ours'][1]:.1f} s against {total['theirs'][1]:.1f} s of CPU time.", "", "## Differences", ""]
    lines += ["| package | submission | here | there | why |", "|---|---|---|---|---|"]
    lines += [f"| {a} | {b} | {c} | {d} ({e}) | {f or '?'} |" for a, b, c, d, e, f in differences]
    lines += [f"| {a} | {b} | judged | not judged ({c}) | {d or '?'} |" for a, b, c, d in missing]
    return "\n".join(lines) + "\n"


def main():
    folder = root / "systems/kattis"
    chosen = options.packages or sorted([*folder.glob("examples/*"), *folder.glob("tests/wild/*")])
    scratch = pathlib.Path(tempfile.mkdtemp(prefix="kattis-peers-"))
    tools = scratch / "bin"
    tools.mkdir()
    (tools / "pypy3").write_text('#!/bin/sh\nexec /usr/bin/python3 "$@"\n')
    (tools / "pypy3").chmod(0o755)
    environment = {**os.environ, "PATH": f"{install()}:{tools}:/usr/bin:/bin", "HOME": str(scratch)}
    rows, differences, missing, same = [], [], [], 0
    total = {"ours": [0.0, 0.0], "theirs": [0.0, 0.0]}
    for package in chosen:
        copy = scratch / package.name
        salted(package, copy)
        version, found, clock, cpu = ours(copy)
        if version == "legacy-icpc":
            yaml = copy / "problem.yaml"
            yaml.write_text(yaml.read_text().replace("legacy-icpc", "legacy"))
        tool = bapctools if version == "2025-09" else verifyproblem
        name = "BAPCtools" if version == "2025-09" else "problemtools"
        theirs, said, their_clock, their_cpu = tool(copy, environment)
        shutil.rmtree(copy)
        whole = REASONS.get((package.name, ""))
        agree = 0
        for submission, (verdict, score, _) in found.items():
            other = theirs.get(submission) or theirs.get(re.sub(r"\.\w+$", "", submission))
            if other is None:
                missing.append((package.name, submission, name, whole or REASONS.get((package.name, submission))))
                if missing[-1][3] is None:
                    LAST[package.name] = said[-600:]
                continue
            # problemtools prints no score if the verdict is not AC.
            scores = other[1] is None or score is None or abs(other[1] - score) < 1e-9
            if other[0] == verdict and scores:
                agree += 1
            else:
                reason = whole or REASONS.get((package.name, submission))
                points = ["" if one is None else f" {one:g}" for one in (score, other[1])]
                differences.append((package.name, submission, verdict + points[0], other[0] + points[1], name, reason))
        same += agree
        both = len(theirs) > 0 and not whole
        if both:
            for place, seconds in (("ours", (clock, cpu)), ("theirs", (their_clock, their_cpu))):
                total[place] = [a + b for a, b in zip(total[place], seconds)]
        rows.append((package.name, version, name, len(found), agree, clock, their_clock, cpu, their_cpu, both, all(one[2] for one in found.values())))
        print(*rows[-1], flush=True)
        if options.write:
            pathlib.Path(options.write).write_text(report(rows, total, same, differences, missing))
    shutil.rmtree(scratch)
    print(report(rows, total, same, differences, missing))
    for package, said in LAST.items():
        print(f"--- {package}\n{said}", file=sys.stderr)
    unexplained = [one for one in differences if one[5] is None] + [one for one in missing if one[3] is None]
    unexpected = [row[0] for row in rows if not row[10]]
    slower = total["ours"][0] > total["theirs"][0]
    if unexplained or unexpected or slower:
        sys.exit(f"unexplained: {unexplained}; not as expected here: {unexpected}; slower: {slower}")


main()
