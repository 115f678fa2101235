"""Follows the recipes of the book that use this package literally, starting with an empty folder."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from vectors import REPOSITORY

BLOCK = re.compile(r"^```(python|console)\n(.*?)^```", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"# (\S+\.py)(, at the end)?\n")


def agrees(said: list[str], found: list[str]) -> bool:
    """Returns whether the output is as documented. `…` matches any text, and any number of lines if it is a whole line."""
    parts = [r"(?:.*\n)*?" if line == "…" else ".*".join(map(re.escape, line.split("…"))) + r"\n" for line in said]
    return re.fullmatch("".join(parts), "".join(line + "\n" for line in found)) is not None


def commands(block: str) -> list[tuple[str, list[str]]]:
    found: list[tuple[str, list[str]]] = []
    for line in block.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        else:
            found[-1][1].append(line)
    return found


@pytest.mark.parametrize("page", ["django.md", "spark.md"])
def test_the_recipe_works(page: str, tmp_path: Path) -> None:
    environment = os.environ | {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONDONTWRITEBYTECODE": "1",
        "SPARK_LOCAL_IP": "127.0.0.1",
    }
    ran = 0
    for kind, block in BLOCK.findall((REPOSITORY / "docs/recipes" / page).read_text(encoding="utf-8")):
        if kind == "python":
            name, appended = FILE.match(block).groups()
            file = tmp_path / name
            file.write_text((file.read_text(encoding="utf-8") if appended else "") + block, encoding="utf-8")
            continue
        for command, said in commands(block):
            if command.startswith("pip install"):
                continue  # the tested wheel is installed already
            ran += 1
            done = subprocess.run(
                ["sh", "-c", f"exec 2>&1\n{command}"], cwd=tmp_path, env=environment, capture_output=True, text=True
            )
            assert done.returncode == 0, f"{command}\n{done.stdout}"
            found = [line.rstrip() for line in done.stdout.splitlines()]
            assert agrees(said, found), f"{page}: $ {command}\n{done.stdout}"
    assert ran >= 2


def test_what_is_said_is_compared() -> None:
    assert agrees(["a … d"], ["a b c d"]) and not agrees(["a"], ["b"]) and not agrees(["a"], ["a", "b"])
    assert agrees(["a", "…", "z"], ["a", "b", "c", "z"]) and agrees(["a", "…"], ["a"]) and not agrees(["…", "z"], ["y"])
