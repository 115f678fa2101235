"""Exceptions with findings: rule, pointer, message and help. All of them pickle."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Literal, TypedDict

from .results import Finding, FindingDict

if TYPE_CHECKING:
    from ._fablegrade import AttemptResult

__all__ = [
    "ErrorDict",
    "FablegradeError",
    "FablegradeWarning",
    "JsonError",
    "MismatchError",
    "SandboxError",
    "SchemaError",
    "SpecError",
]


class _ErrorDict(TypedDict):
    kind: Literal["json", "schema", "spec", "mismatch", "sandbox"]
    findings: list[FindingDict]


class ErrorDict(_ErrorDict, total=False):
    """An error as JSON: its kind and its findings. `dropped` is the number of findings beyond the limit, if there are
    any."""

    dropped: int


class FablegradeError(ValueError):
    """An invalid document, or a failure of the sandbox; `findings` has the defects.

    An error about a question repeats no value from it, so it does not reveal the key.

    >>> import fablegrade
    >>> try:
    ...     fablegrade.grade({"type": "numeric"}, {"type": "numeric", "value": 4})
    ... except fablegrade.FablegradeError as error:
    ...     print(error.kind, error.pointer, error.rule, error.help, sep=" | ")
    schema | /spec | missing-field | add `answer`, such as `{"value": 5}`
    """

    def __init__(self, message: str, document: str) -> None:
        super().__init__(message, document)
        self._document: ErrorDict = json.loads(document)

    def __str__(self) -> str:
        return str(self.args[0])

    @property
    def kind(self) -> Literal["json", "schema", "spec", "mismatch", "sandbox"]:
        """The kind: `json`, `schema`, `spec`, `mismatch` or `sandbox`."""
        return self._document["kind"]

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All findings, including warnings, in the order in which they were found; at most 200."""
        return tuple(Finding(**finding) for finding in self._document["findings"])

    @property
    def dropped(self) -> int:
        """The number of findings beyond the limit, which `findings` does not have."""
        return self._document.get("dropped", 0)

    def _first(self) -> Finding:
        found = self.findings
        return next((finding for finding in found if finding.severity == "error"), found[0])

    @property
    def pointer(self) -> str:
        """The RFC 6901 JSON pointer of the first error; `""` is the whole document."""
        return self._first().pointer

    @property
    def rule(self) -> str:
        """The rule of the first error, in kebab case; `docs/lint.md` explains each."""
        return self._first().rule

    @property
    def help(self) -> str:
        """The help of the first error."""
        return self._first().help

    def to_json(self) -> str:
        """Returns `{dropped?, findings: [{help, message, pointer, rule, severity}], kind}` as canonical JSON."""
        return str(self.args[1])

    def to_dict(self) -> ErrorDict:
        """`to_json` as a dict."""
        document: ErrorDict = json.loads(self.args[1])
        return document


class JsonError(FablegradeError):
    """The text is not JSON (syntax, UTF-8, duplicate keys), exceeds a limit, or a Python value is not JSON."""


class SchemaError(FablegradeError):
    """The document is JSON but violates its schema."""


class SpecError(FablegradeError):
    """The spec conforms to its schema but has errors that prevent grading.

    Examples are an unknown validator, and a key that no answer can match.
    """


class MismatchError(FablegradeError):
    """Two documents do not match, such as an attempt at another version of the problem."""


class SandboxError(FablegradeError, RuntimeError):
    """Programs could not be run safely. `cause` is for the operator; `result` is for the learner."""

    def __init__(self, cause: str, result: AttemptResult) -> None:
        finding = {
            "severity": "error",
            "rule": "sandbox",
            "pointer": "",
            "message": cause,
            "help": "`fablegrade doctor` shows what the sandbox needs",
        }
        document = {"findings": [finding], "kind": "sandbox"}
        super().__init__(cause, json.dumps(document, ensure_ascii=False, separators=(",", ":"), sort_keys=True))
        self.cause = cause
        self.result = result

    def __reduce__(self) -> tuple[Any, ...]:
        return SandboxError, (self.cause, self.result)


class FablegradeWarning(UserWarning):
    """A question can be graded but probably contains a mistake. `Grader.warnings` has the warnings of a compiled
    question."""
