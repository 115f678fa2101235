#!/usr/bin/env python3
"""Measures the slowest comparisons: hostile pairs of up to 2,000 characters, in milliseconds of CPU time.

    benches/worst_case.py [--show N] [--write FILE] [FOLDER of pairs, one per file, a line break between the sides ...]

CPU time does not include other programs, so load on the machine makes little difference. Each pair is compared nine times in a
separate process; five of these times include reading both sides. The mean is shown.
"""
import argparse
import json
import pathlib
import resource
import subprocess

root = pathlib.Path(__file__).resolve().parents[1]
arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
arguments.add_argument("folders", nargs="*", default=[str(root / "fuzz/regressions/compare")])
arguments.add_argument("--show", type=int, default=12)
arguments.add_argument("--write")
options = arguments.parse_args()
LONGEST = 2000


def nested(shape, depth):
    text = "x"
    for _ in range(depth):
        longer = shape.replace("?", text)
        if len(longer) > LONGEST - 20:
            break
        text = longer
    return text


def joined(term, by, numbers, before="", after=""):
    return before + by.join(term.replace("?", str(number)) for number in numbers) + after


def hostile():
    """Returns hostile pairs: a name and both sides."""
    for shape in [
        r"\sqrt{1+?}", r"\sin(?+1)", r"\frac{1}{1+?}", "|?-1|", r"\ln(2+\left|?\right|)", r"\arctan(?)", "e^{-?^2}", r"\Gamma(?)",
        r"\cos\arcsin(?/2)", "?^{x}", r"\lfloor x?\rfloor", "(?+1)^2",
    ]:
        for depth in (10, 40, 190):
            text = nested(shape, depth)
            name = f"`{shape}`, {depth} deep"
            yield name, text, "x"
            yield name + ", a little more", text, text + "+e^{-90}"
            yield name + ", another variable", text, text.replace("x", "y")
    up, down = range(2, 80), range(79, 1, -1)
    for name, term, by, before, after in [
        ("absolute values", r"\left|x-?\right|", "+", "", ""), ("products of angles", r"\sin(?x)\cos(?y)", "+", "", ""),
        ("a maximum of powers", "x^{?}", ",", r"\max(", ")"), ("a set of roots", r"\sqrt{?}", ",", r"\{", r"\}"),
        ("a set of angles", r"\sin(?x)", ",", r"\{", r"\}"), ("equations", "x=?", r"\lor ", "", ""),
        ("inequalities", "x>?", r"\lor ", "", ""), ("intervals", "[?,?.5]", r"\cup", "", ""), ("sums of roots", r"\sqrt{?}", "+", "", ""),
    ]:
        yield name, joined(term, by, up, before, after), joined(term, by, down, before, after)
        yield name + ", one more", joined(term, by, up, before, after), joined(term, by, range(80, 1, -1), before, after)
    numbers = range(80)
    yield "absolute values, turned round", joined(r"\left|x-?\right|", "+", numbers), joined(r"\left|?-x\right|", "+", numbers)
    for pair in [
        ("9^{9^{9}}", "9^{9^{9}}+1"), ("(10^6)!", "(10^6)!+1"), (r"\binom{10^9}{5\cdot10^8}", "1"), ("x" * 2000, "y" * 2000),
        ("9" * 2000, "8" * 2000), ("x+" * 999 + "x", "1000x"), ("(x+y+z+a+b+t)^{30}-(x-y)^{31}", "0"), ("(x-a)^{6000}", "(a-x)^{6000}+1"),
        (r"\prod_{k=1}^{1000}\cos\frac{x}{2^k}", r"\frac{\sin x}{x}"), (r"\sum_{k=1}^{1000}\frac{\sin(kx)}{k}", r"\sum_{k=1}^{1000}\frac{\sin(kx)}{k}+e^{-1000}"),
        (r"\sum_{k=1}^{100}\sum_{j=1}^{100}\frac{1}{j+k+x}", "1"), (r"\sum_{k=1}^{n}\sum_{j=1}^{n}\sum_{i=1}^{n}\sum_{h=1}^{n}1", "n^4"),
        (r"\cos(x^{12}/\pi)", r"\cos(x^{12}/\pi+10^{-30})"), (r"\sin(10^{2000}\pi)", "0"), ("e^{e^{e^{e^{e^{1}}}}}", "e^{e^{e^{e^{e^{2}}}}}"),
        (r"\lim_{x\to0}\frac{\sin^{12}x-x^{12}}{x^{14}}", "-2"), (r"\frac{d^{30}}{dx^{30}}\frac{\sin x}{x}", "0"), ("x^{" + "9" * 1500 + "}", "x"),
        (r"\sqrt[7]{2}+\sqrt[5]{3}+\sqrt[3]{5}", r"\sqrt[3]{5}+\sqrt[5]{3}+\sqrt[7]{2}+10^{-60}"), (r"\operatorname{erf}(x)", r"\operatorname{erf}(x)+10^{-40}"),
    ]:
        yield f"`{pair[0][:60]}`", *pair
    yield from relations()
    for folder in options.folders:
        for file in sorted(pathlib.Path(folder).iterdir()):
            sides = file.read_text(encoding="utf-8", errors="replace").split("\n", 1)
            if len(sides) == 2:
                yield file.name, *sides


def relations():
    """Returns long relations and systems: many cuts, many cases, many unknowns, polynomials of high degree."""
    few, some, many = range(1, 9), range(1, 25), range(1, 100)
    for name, term, by, numbers, before, after in [
        ("a product of distances", "(x-?)", "", many, "", "=0"), ("a product of squares", "(x^2-?)", "", some, "", ">0"),
        ("a sum of bars", r"\left|x-?\right|", "+", some, "", "=99"), ("a sum of bars of squares", r"\left|x^2-?\right|", "+", few, "", "<70"),
        ("a sum of quotients", r"\frac{1}{x-?}", "+", few, "", "=1"), ("a sum of many quotients", r"\frac{?}{x-?}", "+", some, "", ">1"),
        ("a sum of roots", r"\sqrt{x+?}", "+", few, "", "=20"), ("a sum of exponentials", "?^x", "+", range(2, 12), "", "=50"),
        ("exponentials and powers", "x^{?}e^{?x}", "+", few, "", "=3"), ("logarithms", r"\ln(x+?)", "+", few, "", "=x"),
        ("exponentials of powers", "e^{x^{?}}", "+", few, "", "=9x"), ("arcs", r"\arctan(?x)", "+", few, "", "=1"),
        ("sines", r"\sin(?x)", "+", some, "", "=0"), ("sines beside the unknown", r"\sin(?x)", "+", few, "", "=x"),
        ("maxima", r"\max(x,?)", "+", some, "", "=40"), ("maxima of exponentials", r"\max(e^{x},?x)", "+", few, "", "=40"),
        ("bars of logarithms", r"\left|\ln x-?\right|", "+", few, "", "=9"), ("inequalities", "x^?>?", r"\lor ", some, "", ""),
        ("many inequalities of polynomials", "x^3-?x>1", r"\land ", range(1, 60), "", ""), ("curves", "x^{?}y", "+", range(1, 12), "", "=1"),
        ("a curve of two unknowns", "x^{?}y^{?}", "+", few, "x+", "=y^2"), ("bars in the plane", r"\left|x-?y\right|", "+", few, "", "=5"),
        ("roots in the plane", r"\sqrt{x+?y}", "+", range(1, 5), "", "=5"), ("a system of circles", "x^2+y^2=?", r"\lor ", some, "", ""),
        ("a linear system", "x_{?}-2y_{?}=?", ",", range(1, 19), "", ""), ("a sum of many unknowns", "x_{?}^2", "+", many, "", "=1"),
        ("a set of many", "x^2=?", r"\lor ", many, "", ""), ("families", r"x=\frac{\pi}{?}+2k\pi", r"\lor ", some, "", r",k\in\mathbb{Z}"),
        ("pieces", r"?x&x<?", r"\\\\", range(1, 12), r"\begin{cases}", r"\end{cases}"), ("negations", r"\neg(x=?)", r"\land ", many, "", ""),
    ]:
        there, back = (joined(term, by, list(order), before, after) for order in (numbers, reversed(numbers)))
        yield name, there, back
        if "=" in there:
            yield name + ", changed", there, back.replace("=", "=1+", 1)
            yield name + ", doubled", there, back.replace("=", "-1=-1+", 1)
    for first in ("x^4+y^3+z^2=3,x^2y+z^3=1,xyz+x^3=2", "x^5+y^4=7,x^3y^2-x+y^5=2", "x^2+2yz=3,y^2+2xz=5,z^2+2xy=8", "x^{12}y^{11}-3x^7y^9+y^{12}=x"):
        for second in ("x^4+y^3+z^2=3,x^2y+z^3=1,xyz+x^3=3", "x^5+y^4=7,x^3y^2-x+y^5=3", "(x+y+z)^2=16,y^2+2xz=5,z^2+2xy=8"):
            yield f"`{first}` beside `{second}`", first, second
    deep = r"\sqrt{x+\sqrt{x+\sqrt{x+\sqrt{x+1}}}}=\sqrt[3]{x+\sqrt[5]{x-7}}"
    yield "roots inside roots", deep, "x=1"
    yield "roots inside roots, moved", deep, deep.replace("=", "-1=-1+")


def processor(program, *rows):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    lines = "".join(json.dumps({"id": 0, "canonical": a[:LONGEST], "latex": b[:LONGEST]}) + "\n" for a, b in rows)
    subprocess.run([program], input=lines.encode(), stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    build = ["cargo", "build", "--quiet", "--release", "-p", "fablegrade-math", "--example", "pairs", "--message-format", "json"]
    messages = subprocess.run(build, cwd=root, check=True, capture_output=True, text=True).stdout.splitlines()
    program = next(filter(None, (json.loads(message).get("executable") for message in messages)))
    start = min(processor(program, ("x", "x")) for _ in range(3))
    times = []
    for name, a, b in hostile():
        for sides in ((a, b), (b, a)):
            times.append((max(0.0, processor(program, sides) - start) / 9 * 1000, name))
    times.sort(reverse=True)
    lines = ["| slowest pairs | ms |", "|---|---:|"]
    shown = []
    for time, name in times:
        if name not in shown and len(shown) < options.show:
            shown.append(name)
            lines.append(f"| {name.replace('|', chr(92) + '|')} | {time:.1f} |")
    text = f"{len(times)} comparisons, the slowest {times[0][0]:.1f} ms.\n\n" + "\n".join(lines) + "\n"
    print(text)
    if options.write:
        head = "# The slowest comparisons of expressions\n\n`benches/worst_case.py`: milliseconds of the processor for pairs of up to 2,000 characters.\n\n"
        pathlib.Path(options.write).write_text(head + text, encoding="utf-8")


main()
