"""Formspec: evaluates screeners to Determination Records; checks, replays and expires records. See docs/formspec.md.

Documents are JSON as `str` or bytes, or dicts; results are the documents that the command `fablegrade formspec` prints.
Times are arguments; no clock is read.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, TypedDict, cast

from . import _fablegrade
from ._json import read_json
from .documents import FormspecDetermination
from .flowmcp import Checked
from .results import FindingDict

if TYPE_CHECKING:
    from .results import Document

__all__ = ["Checked", "Determined", "FindingDict", "Verified", "check", "determine", "expire", "verify"]


class _Recorded(TypedDict):
    record: FormspecDetermination


class Determined(_Recorded, total=False):
    """A Determination Record and findings for its author."""

    findings: list[FindingDict]


class Verified(TypedDict):
    """The outcome of replaying a record: `verified` is whether the record equals the evaluation of its answers."""

    verified: bool
    findings: list[FindingDict]


def _fields(required: dict[str, object], optional: dict[str, object]) -> dict[str, object]:
    return required | {name: value for name, value in optional.items() if value is not None}


def determine(
    screener: Document,
    answers: Document | None = None,
    *,
    now: str,
    began: str | None = None,
    reference_compatible: bool = False,
) -> Determined:
    """Evaluates a screener for one respondent at `now` (RFC 3339); `began` is the start of the session.

    `reference_compatible` follows the reference implementation where it differs from the specification's text. Raises
    `FablegradeError` for a screener that cannot be evaluated.
    """
    fields = _fields(
        {"screener": screener, "now": json.dumps(now), "referenceCompatible": reference_compatible},
        {"answers": answers, "began": None if began is None else json.dumps(began)},
    )
    return cast(Determined, read_json(_fablegrade.formspec("determine", fields)))


def check(document: Document) -> Checked:
    """Checks a screener or a record: `valid` is the result of schema validation. Raises only if the document is not JSON."""
    return cast(Checked, read_json(_fablegrade.formspec("check", {"document": document})))


def verify(
    record: Document,
    screener: Document,
    *,
    began: str | None = None,
    reference_compatible: bool = False,
) -> Verified:
    """Replays a record: evaluates its answers again and compares the results."""
    fields = _fields(
        {"record": record, "screener": screener, "referenceCompatible": reference_compatible},
        {"began": None if began is None else json.dumps(began)},
    )
    return cast(Verified, read_json(_fablegrade.formspec("verify", fields)))


def expire(record: Document, *, now: str) -> FormspecDetermination:
    """Returns the record as of `now` (RFC 3339), expired if its validity has ended."""
    fields: dict[str, object] = {"record": record, "now": json.dumps(now)}
    expired: FormspecDetermination = read_json(_fablegrade.formspec("expire", fields))["record"]
    return expired
