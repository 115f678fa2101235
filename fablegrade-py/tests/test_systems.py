"""FlowMCP and Formspec: the functions return the documents that the command prints."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from fablegrade import FablegradeError, JsonError, SchemaError, flowmcp, formspec
from vectors import REPOSITORY

DOCUMENTS = REPOSITORY / "systems/flowmcp/tests/documents"
SCREENER: dict[str, Any] = {
    "$formspecScreener": "1.0", "url": "urn:example:benefits", "version": "1.0.0", "title": "Benefits",
    "resultValidity": "P90D",
    "items": [{"key": "income", "type": "field", "dataType": "decimal", "label": "Income"}],
    "evaluation": [{"id": "eligibility", "strategy": "fan-out", "routes": [
        {"target": "urn:housing", "condition": "$income < 80000", "message": "You said {{$income}}."},
        {"target": "urn:food", "condition": "$income < 20000"}]}],
}
NOW = "2026-10-15T14:30:00Z"


@pytest.mark.parametrize("path", sorted(DOCUMENTS.glob("*.json")), ids=lambda path: path.stem)
def test_flowmcp_entries_are_sound(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    entry = json.loads(text)
    for document in (text, text.encode(), entry):
        checked = flowmcp.check(document)
        assert checked["valid"] and not [f for f in checked["findings"] if f["severity"] == "error"]
    answer = flowmcp.aggregate(entry["gradings"], grading_tier=entry["gradingTier"], veto=entry.get("categoricalVeto"))
    assert answer["aggregateGrade"] == entry["aggregateGrade"]
    (index,) = flowmcp.rollup([{"entry": text}])
    assert flowmcp.rollup([{"path": "", "entry": entry}], options={"stableFrom": "B"}) == [index]


def test_flowmcp_refusals() -> None:
    assert flowmcp.check({"gradings": []})["valid"] is False
    wrong = flowmcp.aggregate([{"score": 9}], grading_tier="autonomous")
    assert wrong["aggregateGrade"] is None and wrong["findings"]
    with pytest.raises(SchemaError) as raised:
        flowmcp.build({})
    assert raised.value.pointer == "/draft" and len(raised.value.findings) > 1
    # A text that would end the object into which it is inserted is refused.
    text = '{}, "id": 1'
    for given in (text, text.encode(), bytearray(text.encode()), memoryview(text.encode())):
        with pytest.raises(JsonError) as broken:
            flowmcp.check(given)  # type: ignore[arg-type]
        assert broken.value.pointer.startswith("/document")
    # A value that is too deep is not written to its end.
    deep: Any = []
    for _ in range(200):
        deep = [deep]
    with pytest.raises(JsonError) as broken:
        flowmcp.check(deep)
    assert broken.value.pointer.startswith("/document")


def test_flowmcp_ages_and_verifies() -> None:
    text = (DOCUMENTS / "autonomous.json").read_text(encoding="utf-8")
    aged = flowmcp.age(text, plan={"classes": {"Q-api-availability": "API_DAYS"}}, now="2027-01-01T00:00:00Z")
    assert aged["becameStale"] == ["Q-api-availability"]
    fresh = flowmcp.age(text, plan={"classes": {"Q-api-availability": 30}}, now="2026-05-30T00:00:00Z")
    assert fresh["becameStale"] == []
    verified = flowmcp.verify({"elsewhere.json": text})
    assert isinstance(verified["valid"], bool) and len(verified["files"]) + len(verified["skipped"]) == 1
    with pytest.raises(FablegradeError):
        flowmcp.age(text, plan={"classes": {}}, now="tomorrow")


def test_formspec_determines_verifies_and_expires() -> None:
    answers = {"income": {"value": 45000, "state": "answered"}}
    made = formspec.determine(SCREENER, answers, now=NOW)
    assert formspec.determine(json.dumps(SCREENER), json.dumps(answers), now=NOW, began=None) == made
    record = made["record"]
    (phase,) = record["phases"]
    assert [route["target"] for route in phase["matched"]] == ["urn:housing"]
    assert phase["matched"][0]["message"] == "You said 45000."
    assert record["validity"]["validUntil"] == "2027-01-13T14:30:00Z"
    assert formspec.check(record)["valid"] and formspec.check(SCREENER)["valid"]
    assert formspec.verify(record, SCREENER) == {"verified": True, "findings": []}
    forged = json.loads(json.dumps(record).replace("urn:housing", "urn:castle"))
    assert formspec.verify(forged, SCREENER)["verified"] is False
    assert formspec.expire(record, now="2027-06-01T00:00:00Z")["status"] == "expired"
    assert formspec.expire(record, now=NOW) == record


def test_formspec_refusals() -> None:
    with pytest.raises(FablegradeError) as raised:
        formspec.determine({"$formspecScreener": "1.0"}, now=NOW)
    assert raised.value.pointer.startswith("/screener")
    assert formspec.check({})["valid"] is False


def test_a_record_keeps_every_digit_of_its_numbers() -> None:
    income = "79999.99999999999999999"
    record = formspec.determine(SCREENER, '{"income": {"value": %s, "state": "answered"}}' % income, now=NOW)["record"]
    assert record["inputs"]["income"]["value"] == Decimal(income)  # type: ignore[index, call-overload]
    assert [route["target"] for route in record["phases"][0]["matched"]] == ["urn:housing"]
    assert formspec.verify(record, SCREENER)["verified"]
    assert formspec.expire(record, now=NOW) == record
