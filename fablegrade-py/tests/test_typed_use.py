"""Runs the program that the type checkers check."""

from __future__ import annotations

import typed_use


def test_the_typed_program_runs() -> None:
    assert typed_use.use() == ["green", "green", "green", "json-syntax", "error missing-field", "multiple_choice"]
    assert typed_use.questions("q.gift", b"::Sky::What colour is it? {=blue ~green}") == ["multiple_choice"]
    assert typed_use.questions("q.bin", b"\x00\x01") == ["binary-file"]
    assert typed_use.integrations() == ["checker-result-invalid", "AC", "correct"]
