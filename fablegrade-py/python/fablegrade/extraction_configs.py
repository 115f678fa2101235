"""The configurations of Math-Verify's parsers, accepted by `fablegrade.verify`. Only `try_extract_without_anchor` has
an effect.

They are in a separate module because dataclasses need their module registered, and trainers load `verify.py` by its path.
"""

from __future__ import annotations

from dataclasses import dataclass, field

__all__ = [
    "ExprExtractionConfig",
    "LatexExtractionConfig",
    "NormalizationConfig",
    "StringExtractionConfig",
    "TimeoutException",
]


class TimeoutException(BaseException):
    """The exception that Math-Verify raises when a time limit is exceeded. It is never raised here: work is bounded,
    not time."""


@dataclass(frozen=True)
class NormalizationConfig:
    """Accepted for compatibility, but has no effect."""

    basic_latex: bool = True
    units: bool = False
    malformed_operators: bool = True
    nits: bool = True
    boxed: str = "all"
    equations: bool = False


@dataclass(frozen=True)
class LatexExtractionConfig:
    """Formulas. `try_extract_without_anchor=False` in all configurations turns the fallback off."""

    try_extract_without_anchor: bool = True
    boxed_match_priority: int = 50
    normalization_config: NormalizationConfig = field(default_factory=NormalizationConfig)


@dataclass(frozen=True)
class ExprExtractionConfig:
    """Plain expressions."""

    try_extract_without_anchor: bool = True


@dataclass(frozen=True)
class StringExtractionConfig:
    """Option letters."""

    strings: tuple[str, ...] = ("A", "B", "C", "D")
    try_extract_without_anchor: bool = True
    lowercase: bool = True
