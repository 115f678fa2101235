#!/usr/bin/env python3
"""Copies excerpts of the examples into the pages of the book, so the pages can be read on any site.

    docs/excerpts.py            writes them
    docs/excerpts.py --check    fails if one is out of date

An excerpt is a code block below a comment `<!-- excerpt: PATH:NAME -->`; NAME is between `ANCHOR: NAME` and `ANCHOR_END: NAME` in
the file. PATH is relative to the page.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent
EXCERPT = re.compile(r"(<!-- excerpt: ([^:\n]+):(\w+) -->\n```\w*\n)(.*?)(^```$)", re.DOTALL | re.MULTILINE)


def lines(path, name):
    """Returns the lines between the marks, without other marks."""
    inside, found = False, []
    for line in path.read_text(encoding="utf-8").splitlines():
        if re.search(rf"ANCHOR_END: {name}\b", line):
            return "\n".join(found).strip("\n") + "\n"
        if inside and "ANCHOR" not in line:
            found.append(line)
        if re.search(rf"ANCHOR: {name}\b", line):
            inside = True
    sys.exit(f"{path}: no excerpt {name}")


old, number = [], 0
for page in sorted(ROOT.rglob("*.md")):
    text = page.read_text(encoding="utf-8")
    number += len(EXCERPT.findall(text))
    now = EXCERPT.sub(lambda found: found[1] + lines(page.parent / found[2], found[3]) + found[5], text)
    if "{{#include" in now:
        old.append(f"{page}: write an excerpt in place of an include, which only the book can read")
    if now != text:
        if "--check" in sys.argv:
            old.append(f"{page}: run docs/excerpts.py")
        else:
            page.write_text(now, encoding="utf-8")
if not number:
    old.append("no excerpts were found")
print("\n".join(old) if old else f"{number} passed, 0 failed")
sys.exit(1 if old else 0)
