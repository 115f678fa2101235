"""Packages of Kattis and the ICPC: check, compare and conclude. See docs/kattis.md.

Nothing is run here: `conclude` turns the outcomes from a host into a verdict and a score.

>>> from fablegrade import kattis
>>> kattis.compare("0.3", "0.2", ["float_tolerance", "0.1"]) is None  # equal within the tolerance, exactly
True
>>> kattis.compare("yes", "no")
'line 1, token 1: expected `yes`, found `no`'
>>> package = kattis.KattisPackage({"problem.yaml": "name: Double", "data/secret/1.in": "3", "data/secret/1.ans": "6"})
>>> outcomes = {"cases": {"secret/1": [{"timeMs": 12, "output": "6"}]}}
>>> kattis.conclude(package, "double.py", "print(2 * int(input()))", outcomes, time_limit=1)["verdict"]
'AC'
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, Literal, cast

from . import _fablegrade
from ._fablegrade import KattisPackage

__all__ = ["KattisPackage", "check", "compare", "conclude"]


def check(package: KattisPackage) -> dict[str, Any]:
    """Checks a package: `{name, version, valid, cases, submissions, findings}`."""
    return cast("dict[str, Any]", json.loads(package._checked()))


def compare(
    answer: str | bytes,
    output: str | bytes,
    flags: Iterable[str] = (),
    *,
    version: Literal["2025-09", "legacy", "legacy-icpc"] = "2025-09",
) -> str | None:
    """Compares like the default output validator: the first difference, or `None` if the output is accepted."""
    return _fablegrade.kattis_compare(answer, output, list(flags), version)


def conclude(
    package: KattisPackage, path: str, source: str | bytes, outcomes: Mapping[str, Any], *, time_limit: float
) -> dict[str, Any]:
    """Judges a submission of one file by its outcomes: verdict, score, groups and cases; the time limit is in seconds.

    `outcomes` is `{compileError?, cases?: {name: [pass]}, static?: {group: validator}, graders?: {group: {exitCode?, stdout}}}`.
    A pass is `{end?, exitCode?, signal?, timeMs?, memoryKb?, validators?, output?, first?, deadlock?}`, a validator `{exitCode?,
    files?: {name: text}}`. Missing outcomes leave open what depends on them.
    """
    return cast("dict[str, Any]", json.loads(package._conclude(path, source, json.dumps(outcomes), time_limit)))
