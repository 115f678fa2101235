"""The program that the type checkers check also runs."""

from __future__ import annotations

import typed_use


def test_the_typed_program_runs() -> None:
    assert typed_use.use() == ["green", "green", "green", "json-syntax", "error missing-field", "multiple_choice"]
