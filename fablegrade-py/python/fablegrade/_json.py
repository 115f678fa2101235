"""Reads JSON texts of the native half, with every digit of their numbers."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

__all__ = ["read_json"]


def _number(text: str) -> float | Decimal:
    # A document's `float` counts as the decimal that Python prints for it.
    number, exact = float(text), Decimal(text)
    return number if Decimal(repr(number)) == exact else exact


def read_json(text: str | bytes | bytearray) -> Any:
    """Returns the value of a JSON text. A number is a `Decimal` where no `float` is the same number."""
    return json.loads(text, parse_float=_number)
