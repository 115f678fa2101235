"""The messages about typical mistakes name the location and the remedy."""

from __future__ import annotations

import os
from pathlib import Path

import mistakes

GOLDEN = Path(__file__).with_name("mistakes.txt")


def test_what_newcomers_are_told() -> None:
    report = mistakes.report()
    if os.environ.get("SNAPSHOTS") == "overwrite":
        GOLDEN.write_text(report, encoding="utf-8")
    assert report == GOLDEN.read_text(encoding="utf-8")


def test_no_message_shows_a_control_character() -> None:
    report = mistakes.report()
    assert not [c for c in report if ord(c) < 32 and c != "\n"]
    backslashes = report.split(">>> Grader({")[0]
    assert backslashes.count('r"\\times"') >= 14
