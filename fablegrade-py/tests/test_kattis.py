"""Packages of Kattis and the ICPC: check, compare and conclude."""

from __future__ import annotations

import pytest
from fablegrade import FablegradeError, kattis

FILES = {
    "problem.yaml": "name: Double\n",
    "data/sample/1.in": "1\n",
    "data/sample/1.ans": "2\n",
    "data/secret/1.in": "3\n",
    "data/secret/1.ans": "6\n",
}


def test_findings_name_rule_and_place() -> None:
    checked = kattis.check(kattis.KattisPackage({**FILES, "problem.yaml": "name: Double\ncolour: red\n"}, "double"))
    assert (checked["name"], checked["version"], checked["valid"]) == ("double", "legacy", False)
    assert checked["cases"] == ["sample/1", "secret/1"]
    finding = next(one for one in checked["findings"] if one["rule"] == "unknown-key")
    assert finding["pointer"] == "/colour" and finding["message"].startswith("problem.yaml:2: ")
    with pytest.raises(FablegradeError, match=r"problem\.yaml"):
        kattis.KattisPackage({})


def test_the_default_validator() -> None:
    assert kattis.compare(b"Yes 1.0", "yes 1", ["float_tolerance", "1e-9"]) is None
    assert kattis.compare("16", "0x10", ["float_tolerance", "0"]) is not None
    assert kattis.compare("16", "0x10", ["float_tolerance", "0"], version="legacy") is None
    with pytest.raises(FablegradeError, match="float_tolerance"):
        kattis.compare("1", "1", ["float_tolerance"])


@pytest.mark.parametrize(
    ("outcome", "verdict"),
    [
        ({"output": "6", "timeMs": 5}, "AC"),
        ({"output": "7"}, "WA"),
        ({"output": "6", "timeMs": 1001}, "TLE"),
        ({"exitCode": 1}, "RTE"),
        (None, None),
    ],
)
def test_outcomes_become_verdicts(outcome: dict[str, object] | None, verdict: str | None) -> None:
    cases = {"sample/1": [{"output": "2"}]}
    if outcome is not None:
        cases["secret/1"] = [outcome]
    package = kattis.KattisPackage(FILES)
    concluded = kattis.conclude(package, "a.py", "print()", {"cases": cases}, time_limit=1)
    assert concluded.get("verdict") == verdict
    with pytest.raises(FablegradeError, match="nothing of this name"):
        kattis.conclude(package, "a.py", "print()", {"cases": {"secret/9": [{}]}}, time_limit=1)
