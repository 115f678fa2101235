"""A base class for attempts that grade themselves."""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping
from datetime import datetime, timezone
from decimal import Decimal, InvalidOperation
from typing import Any

from django.db import models
from django.db.models import Q
from django.utils.timezone import is_naive, make_aware

from fablegrade import AttemptResult, Explanation, Grader, Runner, _fablegrade

from .fields import DocumentField, compiled, text_of

__all__ = ["AttemptMixin"]


class AttemptMixin(models.Model):
    """The submission as the learner sent it, and its result. A subclass defines `spec_text`, the question that was answered.

    The result has the id of the row, so two learners who give the same answer have different ids.
    """

    VERDICTS = [(word, word) for word in ("correct", "partial", "incorrect", "pending", "error")]

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    document: Any = DocumentField(help_text="The Submission or Attempt document, as received.")
    result: Any = DocumentField(help_text="The AttemptResult, canonical JSON.")
    verdict: Any = models.CharField(max_length=9, choices=VERDICTS, db_index=True)
    score: Any = models.FloatField(null=True, blank=True)

    class Meta:
        """The class is abstract, so every subclass has its own table."""

        abstract = True
        constraints = [
            models.CheckConstraint(
                condition=Q(score__isnull=True, verdict__in=["pending", "error"])
                # SQL accepts a check whose value is unknown (NULL), so an absent score needs an explicit
                # condition.
                | Q(score__isnull=False, score__gte=0, score__lte=1, verdict__in=["correct", "partial", "incorrect"]),
                name="%(app_label)s_%(class)s_score_goes_with_verdict",
            ),
        ]

    def spec_text(self) -> str:
        """The question with its key, such as `self.version.spec`."""
        raise NotImplementedError(f"{type(self).__name__} must define `spec_text`")

    def hint_penalties(self) -> Mapping[str, Decimal | float]:
        """The penalties for the hints that were used, such as `{"h1": Decimal("0.25")}`."""
        return {}

    @property
    def grader(self) -> Grader:
        """The question, compiled once in this process."""
        return compiled(self.spec_text())

    def submission(self) -> Any:
        """The submission, with every digit of its numbers. Raises `ValueError` if the document is not JSON."""
        document = _value(self.document)
        return document["submission"] if _is_envelope(document) else document

    def _given(self) -> Any:
        """The submission to grade. A document that is a submission is unchanged, and an Attempt is checked as a whole,
        so duplicate and unknown fields are refused in both."""
        try:
            document = _value(self.document)
        except ValueError:
            # Not JSON, or not UTF-8: grading reports the location.
            return self.document
        if not _is_envelope(document):
            return self.document
        _fablegrade.check_attempt(self.document)
        return document["submission"]

    def context(self, graded_at: datetime | None = None) -> Any:
        """The context of grading: the id of the row, the time (default: now), and the penalties for hints. A time
        without a time zone is in Django's current one."""
        moment = graded_at or datetime.now(timezone.utc)
        if is_naive(moment):
            moment = make_aware(moment)
        return {"attemptId": self.pk, "gradedAt": moment, "hints": dict(self.hint_penalties())}

    def grade(self, *, graded_at: datetime | None = None, outcomes: Any = None) -> AttemptResult:
        """Grades the submission and sets the fields of the result; the caller saves the row. Without outcomes, an
        answer to a code question becomes pending. Raises `FablegradeError` if the document is invalid.
        """
        return self._keep(self.grader.grade(self._given(), outcomes=outcomes, context=self.context(graded_at)))

    def run(self, runner: Runner, *, graded_at: datetime | None = None) -> AttemptResult:
        """Works like `grade`, but first runs the programs of a code question on this host. Raises `SandboxError` when
        they could not be run safely."""
        return self._keep(runner.grade(self.grader, self._given(), context=self.context(graded_at)))

    def explain(self) -> Explanation:
        """Explains the score to the author; the explanation can quote the key."""
        return self.grader.explain(self._given(), context=self.context())

    def _keep(self, result: AttemptResult) -> AttemptResult:
        self.result, self.verdict, self.score = result.to_json(), result.verdict, result.score
        return result


def _value(document: Any) -> Any:
    """Returns the value of a document. Raises `ValueError` if it is not JSON."""
    try:
        text = text_of(document)
        return None if text is None else json.loads(text, parse_float=Decimal)
    except (RecursionError, InvalidOperation) as error:
        raise ValueError("the document is too deep, or a number in it is too large") from error


def _is_envelope(document: Any) -> bool:
    """Returns whether this is an Attempt document, not a Submission."""
    return isinstance(document, dict) and "submission" in document
