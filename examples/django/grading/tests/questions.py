"""A question of each type, with a canary in its key, and an answer that earns full marks."""

from __future__ import annotations

import json
from typing import Any

CANARY = "cAnArY"

CHOICE: dict[str, Any] = {
    "type": "multiple_choice",
    "choices": [
        {"id": "a", "content": "two", "correct": True, "feedback": f"{CANARY} right"},
        {"id": "b", "content": "three", "correct": False, "feedback": f"{CANARY} wrong"},
    ],
}
NUMERIC: dict[str, Any] = {"type": "numeric", "answer": {"value": 418.25, "tolerance": {"mode": "absolute", "amount": 0.0625}}}
ORDERING: dict[str, Any] = {
    "type": "ordering",
    "items": [{"id": f"i{at}", "content": f"step {at}"} for at in range(4)],
    "correctOrder": ["i0", "i1", "i2", "i3"],
}
MATCHING: dict[str, Any] = {
    "type": "matching",
    "left": [{"id": f"l{at}", "content": f"left {at}"} for at in range(3)],
    "right": [{"id": f"r{at}", "content": f"right {at}"} for at in range(3)],
    "correctPairs": [{"left": f"l{at}", "right": f"r{at}"} for at in range(3)],
}
EXPRESSION: dict[str, Any] = {"type": "expression", "canonical": r"\frac{x^2-1}{x-1}", "equivalence": "symbolic"}
CODE: dict[str, Any] = {
    "type": "code",
    "languages": ["python"],
    "limits": {},
    "testSuites": [
        {"name": "samples", "visibility": "public", "cases": [{"input": "1\n", "expected": "2\n"}]},
        {"name": "secret", "visibility": "hidden", "cases": [{"input": f"{CANARY} in\n", "expected": f"{CANARY} out\n"}]},
    ],
}
FREE_TEXT: dict[str, Any] = {"type": "free_text", "gradingMode": "self_assess"}
WIDGET: dict[str, Any] = {
    "type": "widget",
    "widgetName": "map",
    "widgetVersion": "1.0.0",
    "validator": {"kind": "state_equals", "expectedState": {"place": f"{CANARY} place"}},
}

FULL_MARKS: list[tuple[dict[str, Any], dict[str, Any]]] = [
    (CHOICE, {"type": "multiple_choice", "selectedChoiceIds": ["a"]}),
    (NUMERIC, {"type": "numeric", "value": 418.3125}),
    (ORDERING, {"type": "ordering", "order": ["i0", "i1", "i2", "i3"]}),
    (MATCHING, {"type": "matching", "pairs": [{"left": f"l{at}", "right": f"r{at}"} for at in range(3)]}),
    (EXPRESSION, {"type": "expression", "latex": "1+x"}),
]
OTHERS = [CODE, FREE_TEXT, WIDGET]


def secrets(spec: dict[str, Any]) -> list[str]:
    """Texts that must never reach a learner who answered wrongly."""
    found = [CANARY]
    for field in ("answer", "correctOrder", "correctPairs", "canonical", "validator"):
        if field in spec:
            found += [f'"{field}"', json.dumps(spec[field], separators=(",", ":"))]
    if spec["type"] == "multiple_choice":
        found.append('"correct":')
    if spec["type"] == "numeric":
        found += ["418.25", "0.0625"]
    return found
