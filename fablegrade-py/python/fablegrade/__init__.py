"""Deterministic grading of assessment answers: `grade(spec, submission)` gives a verdict, a score and feedback.

Documents are JSON as `str` or bytes, or Python values (dict, list, str, int, float, Decimal, bool, None; dataclasses, pydantic
models, enumerations, dates, UUIDs, NumPy scalars and arrays). A `float` counts as the decimal that Python prints for it; a
`Decimal` counts with all its digits.

>>> import fablegrade
>>> spec = {"type": "numeric", "answer": {"value": 0.3, "tolerance": {"mode": "absolute", "amount": 0.1}}}
>>> result = fablegrade.grade(spec, {"type": "numeric", "value": 0.4})
>>> result.verdict, result.score
('correct', 1.0)

`Grader(spec)` compiles a question once for any number of answers. `deliver` gives the view without the key, `lint` finds
defects in questions, `explain` explains a score, `equivalent` compares two expressions, `match_output` compares outputs of
programs, and `run` runs code submissions in a sandbox. `fablegrade.arrow` grades tables; `flowmcp`, `formspec`, `terry`,
`judgehost` and `kattis` are integrations. An invalid document raises a `FablegradeError` with its findings.
"""

from __future__ import annotations

import functools
import importlib
from decimal import Decimal
from typing import Any

from . import _fablegrade
from ._fablegrade import (
    BUILD_FEATURES,
    GRADING_SEMANTICS_VERSION,
    HAS_RUNNER,
    AttemptResult,
    Grader,
    Runner,
    __version__,
    deliver,
    explain,
    grade,
    grade_many,
    lint,
)
from .documents import AnswerSpec, Attempt, Context, Submission, Text
from .errors import FablegradeError, FablegradeWarning, JsonError, MismatchError, SandboxError, SchemaError, SpecError
from .expressions import Reference, equivalent, equivalent_many
from .results import (
    CaseVerdict,
    CodeResult,
    Comparison,
    DeliveryView,
    Document,
    Equivalence,
    Explanation,
    Feedback,
    Finding,
    GradedBy,
    Matcher,
    Progress,
    QuestionType,
    Severity,
    Verdict,
)

__all__ = [
    "BUILD_FEATURES",
    "GRADING_SEMANTICS_VERSION",
    "HAS_RUNNER",
    "AttemptResult",
    "CaseVerdict",
    "CodeResult",
    "Comparison",
    "DeliveryView",
    "Document",
    "Equivalence",
    "Explanation",
    "FablegradeError",
    "FablegradeWarning",
    "Feedback",
    "Finding",
    "GradedBy",
    "Grader",
    "JsonError",
    "Matcher",
    "MismatchError",
    "Progress",
    "QuestionType",
    "Reference",
    "Runner",
    "SandboxError",
    "SchemaError",
    "Severity",
    "SpecError",
    "Verdict",
    "__version__",
    "deliver",
    "equivalent",
    "equivalent_many",
    "explain",
    "grade",
    "grade_many",
    "lint",
    "match_output",
    "run",
]


_MODULES = (
    "analysis",
    "arrow",
    "contrib",
    "documents",
    "expressions",
    "extraction_configs",
    "flowmcp",
    "formspec",
    "interchange",
    "judgehost",
    "kattis",
    "terry",
    "validators",
    "verify",
)


# `Any`, because each module has different names.
def __getattr__(name: str) -> Any:
    """Loads a module of the package when it is first used."""
    if name in _MODULES:
        return importlib.import_module(f".{name}", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """The public names of the package."""
    return __all__


def match_output(
    matcher: Matcher,
    expected: bytes | str,
    actual: bytes | str,
    *,
    float_tolerance: float | Decimal | str | None = None,
) -> Comparison:
    """Compares an actual output with the expected output; a `str` is encoded as UTF-8.

    `float_tolerance` (default 1e-6) applies to numbers with `"float_tolerance"` and, if given, with `"json"`: accepted if
    `|e-a| <= tol` or `|e-a| <= tol*|e|`, in exact decimal arithmetic.

    >>> import fablegrade
    >>> bool(fablegrade.match_output("trimmed_lines", "1 2\\n", b"1 2  \\n\\n"))
    True
    >>> fablegrade.match_output("float_tolerance", "0.3 1", "0.2999999 1").largest_error
    Decimal('1E-7')
    """
    return Comparison(_fablegrade.compare_outputs(matcher, expected, actual, float_tolerance))


@functools.lru_cache(maxsize=1)
def _runner() -> Runner:
    return Runner()


def run(
    spec: AnswerSpec | Text | Grader,
    submission: Submission | Text | None = None,
    *,
    attempt: Attempt | Text | None = None,
    context: Context | Text | None = None,
    progress: Progress | None = None,
) -> AttemptResult:
    """Runs a code submission in the sandbox and grades its outcomes; other submissions are just graded.

    The sandbox is tested at the first call. Raises `SandboxError`, which has the result, if programs could not be run
    safely, and `NotImplementedError` if the package was built without the runner (then `HAS_RUNNER` is false).
    `Runner` has the options; `progress(done, total)` counts finished test cases.
    """
    grader = spec if isinstance(spec, Grader) else Grader(spec)
    return _runner().grade(grader, submission, attempt=attempt, context=context, progress=progress)
