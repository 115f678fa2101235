"""Reads the conformance vectors. Their documents are the exact texts of the files."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

REPOSITORY = Path(__file__).resolve().parents[2]
_DECODER = json.JSONDecoder()


@dataclass(frozen=True)
class Vector:
    """One decision, with the reason it exists."""

    name: str
    fields: dict[str, Any]
    texts: dict[str, str]

    def text(self, field: str) -> str | None:
        """The text of a document: as written in the line, or given as `fieldText` or `fieldParts`."""
        if field + "Text" in self.fields:
            return self.fields[field + "Text"]
        if field + "Parts" in self.fields:
            return "".join(part * times for part, times in self.fields[field + "Parts"])
        return self.texts.get(field)

    def output(self, field: str) -> bytes:
        """The bytes of a program's output."""
        text = self.fields[field]
        return base64.b64decode(text) if self.fields.get("enc") == "base64" else text.encode()

    @property
    def rules(self) -> list[list[str]]:
        """The pairs of pointer and rule of the expected error, sorted."""
        return sorted(self.fields["error"]["rules"])


def _texts(line: str) -> dict[str, str]:
    """Returns the values of an object's fields as texts. The lines must be compact JSON."""
    texts, at = {}, 1
    while line[at - 1] != "}":
        key, at = _DECODER.raw_decode(line, at)
        assert line[at] == ":"
        _, end = _DECODER.raw_decode(line, at + 1)
        texts[key] = line[at + 1 : end]
        at = end + 1
    return texts


def vectors(kind: str) -> list[Vector]:
    """Returns all vectors of a kind."""
    found = []
    for file in sorted((REPOSITORY / "tests/vectors").rglob("vectors.jsonl")):
        for line in file.read_text(encoding="utf-8").split("\n"):
            if line:
                fields = json.loads(line)
                if fields["kind"] == kind:
                    found.append(Vector(fields["name"], fields, _texts(line)))
    assert found
    return found


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) < len(pairs):
        raise ValueError("a key occurs twice")
    return dict(pairs)


def _no_constant(name: str) -> Any:
    raise ValueError(name)


def value(text: str) -> Any:
    """Returns the Python value of a text, with every digit. Raises `ValueError` if the text is not JSON."""
    try:
        return json.loads(text, parse_float=Decimal, parse_constant=_no_constant, object_pairs_hook=_unique)
    except RecursionError as error:
        raise ValueError("too deep") from error


def forms(text: str) -> Iterator[tuple[str, Any]]:
    """Yields a document in the forms that callers can pass. A text that is not JSON has no Python value."""
    yield "bytes", text.encode()
    yield "str", text
    try:
        yield "value", value(text)
    except ValueError:
        pass
