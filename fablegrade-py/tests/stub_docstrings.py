"""Writes the docstrings of the native module into its stub, where editors look for them.

    python fablegrade-py/tests/stub_docstrings.py            write
    python fablegrade-py/tests/stub_docstrings.py --check    check whether the stub is up to date
"""

from __future__ import annotations

import ast
import inspect
import sys
import textwrap
from pathlib import Path

from fablegrade import _fablegrade

STUB = Path(__file__).resolve().parents[1] / "python/fablegrade/_fablegrade.pyi"


def quoted(text: str, indent: str) -> list[str]:
    """Returns the lines of a docstring with its quotes."""
    mark = 'r"""' if "\\" in text else '"""'
    lines = textwrap.indent(f'{mark}{text}\n"""' if "\n" in text else f'{mark}{text}"""', indent).split("\n")
    return [line.rstrip() for line in lines]


def with_docstrings(source: str) -> str:
    """Returns the stub with the current docstrings of the module."""
    lines = source.split("\n")
    edits: list[tuple[int, int, list[str]]] = []

    def visit(body: list[ast.stmt], owner: object, indent: str) -> None:
        for node in body:
            if not isinstance(node, (ast.FunctionDef, ast.ClassDef)) or node.name.startswith("__"):
                continue
            found = getattr(owner, node.name)
            text = inspect.getdoc(found) or ""
            old = node.body[0]
            has_old = isinstance(old, ast.Expr) and isinstance(old.value, ast.Constant) and isinstance(old.value.value, str)
            new = quoted(text, indent + "    ")
            if isinstance(node, ast.ClassDef):
                start, end = (old.lineno - 1, old.end_lineno or 0) if has_old else (old.lineno - 1,) * 2
                if not has_old and isinstance(old, ast.FunctionDef) and old.decorator_list:
                    start = end = old.decorator_list[0].lineno - 1
                edits.append((start, end, new))
                visit(node.body, found, indent + "    ")
            elif has_old:
                edits.append((old.lineno - 1, old.end_lineno or 0, new))
            else:
                at = old.lineno - 1
                edits.append((at, at + 1, [lines[at].removesuffix(" ..."), *new]))

    visit(ast.parse(source).body, _fablegrade, "")
    for start, end, new in sorted(edits, reverse=True):
        lines[start:end] = new
    return "\n".join(lines)


if __name__ == "__main__":
    before = STUB.read_text(encoding="utf-8")
    after = with_docstrings(before)
    if "--check" in sys.argv and after != before:
        sys.exit(f"{STUB} has other docstrings than the module: run {sys.argv[0]}")
    STUB.write_text(after, encoding="utf-8")
