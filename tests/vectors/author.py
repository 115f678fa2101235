#!/usr/bin/env python3
"""Writes the vector files from the decisions in `../authoring`, or checks that they are up to date.

    python3 tests/vectors/author.py            write the files
    python3 tests/vectors/author.py --check    exit 1 if a committed file differs

Nothing here runs the engine: expected bytes follow from the documentation. Python 3.9 or later, standard library only.
"""

import argparse
import pathlib
import shutil
import sys

here = pathlib.Path(__file__).resolve().parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(here.parent))

from authoring import attempts, code, findings, documents_form, expression, free_text  # noqa: E402
from authoring import matchers, matching, multiple_choice, numeric, ordering, validators, widget  # noqa: E402
from authoring.book import Book  # noqa: E402

MODULES = (multiple_choice, numeric, expression, free_text, code, ordering, matching, widget, validators,
           attempts, documents_form, matchers, findings)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--check", action="store_true", help="compare instead of writing")
    check = arguments.parse_args().check
    book = Book()
    for module in MODULES:
        module.write(book)
    files = {f"{folder}/vectors.jsonl": "\n".join(lines) + "\n" for folder, lines in sorted(book.folders.items())}
    found = {str(path.relative_to(here)): path.read_text(encoding="utf-8") for path in here.rglob("vectors.jsonl")}
    if check:
        stale = sorted(name for name in files.keys() | found.keys() if files.get(name) != found.get(name))
        for name in stale:
            print(f"out of date: {name}", file=sys.stderr)
        return 1 if stale else 0
    for name in found.keys() - files.keys():
        shutil.rmtree((here / name).parent)
    for name, text in files.items():
        if found.get(name) != text:
            path = here / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
    print(f"{len(book.names)} vectors in {len(files)} files")
    return 0


if __name__ == "__main__":
    sys.exit(main())
