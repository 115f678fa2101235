"""Problems, their versions with the key, their hints, and what learners answered.

Documents are stored as the texts they came as, so that every digit of a number stays and an attempt can be graded again
under another version years later.
"""

from __future__ import annotations

import functools
import uuid
from decimal import Decimal

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator, RegexValidator
from django.db import models
from django.db.models import Q
from fablegrade import FablegradeError, Grader, lint


class Problem(models.Model):
    """A problem over all its versions."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    title = models.CharField(max_length=200)
    current = models.ForeignKey(
        "ProblemVersion", on_delete=models.PROTECT, null=True, blank=True, related_name="+",
        help_text="What learners see; nothing while there is none.",
    )

    def __str__(self) -> str:
        return self.title

    def clean(self) -> None:
        if self.current is not None and self.current.problem_id != self.pk:
            raise ValidationError({"current": "This is a version of another problem."})


class ProblemVersion(models.Model):
    """A spec with its key. It never changes: attempts point at it."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    problem = models.ForeignKey(Problem, on_delete=models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    spec = models.TextField(help_text="An AnswerSpec with its key, as JSON.")
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["problem", "number"]
        constraints = [models.UniqueConstraint(fields=["problem", "number"], name="one_version_of_a_number")]

    def __str__(self) -> str:
        return f"{self.problem} v{self.number}"

    def clean(self) -> None:
        """Refuses a spec that nobody could answer, with every finding and its place."""
        errors = [str(finding) for finding in lint(self.spec) if finding.severity == "error"]
        if errors:
            raise ValidationError({"spec": errors})

    def save(self, *args: object, **kwargs: object) -> None:
        if not self._state.adding:
            raise ValidationError("A version never changes; add a new one.")
        try:
            Grader(self.spec)
        except FablegradeError as error:
            raise ValidationError({"spec": [str(finding) for finding in error.findings]}) from error
        super().save(*args, **kwargs)

    @property
    def grader(self) -> Grader:
        """The spec, compiled once in this process."""
        return _grader(self.spec)


@functools.lru_cache(maxsize=1_024)
def _grader(spec: str) -> Grader:
    return Grader(spec)


class Hint(models.Model):
    """A hint that can be revealed, and what it costs."""

    version = models.ForeignKey(ProblemVersion, on_delete=models.CASCADE, related_name="hints")
    name = models.CharField(max_length=64, validators=[RegexValidator(r"^[A-Za-z0-9_-]+$")])
    text = models.TextField()
    penalty = models.DecimalField(
        max_digits=4, decimal_places=3, default=Decimal("0.1"),
        validators=[MinValueValidator(0), MaxValueValidator(1)],
        help_text="A fraction of the full score, 0 to 1.",
    )

    class Meta:
        ordering = ["version", "name"]
        constraints = [
            models.UniqueConstraint(fields=["version", "name"], name="one_hint_of_a_name"),
            models.CheckConstraint(condition=Q(penalty__gte=0, penalty__lte=1), name="a_penalty_is_a_fraction"),
        ]

    def __str__(self) -> str:
        return f"{self.version} {self.name}"


class RevealedHint(models.Model):
    """A learner has seen a hint; it costs whatever the browser says later."""

    hint = models.ForeignKey(Hint, on_delete=models.CASCADE)
    learner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE)
    revealed = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["hint", "learner"], name="a_hint_is_revealed_once")]


class Attempt(models.Model):
    """What a learner sent, as it came, and the result that was given."""

    VERDICTS = [(word, word) for word in ("correct", "partial", "incorrect", "pending", "error")]

    id = models.UUIDField(primary_key=True)
    version = models.ForeignKey(ProblemVersion, on_delete=models.PROTECT, related_name="attempts")
    learner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="attempts")
    received = models.DateTimeField()
    document = models.TextField(help_text="The Attempt document, as it came.")
    hints_used = models.JSONField(default=list)
    result = models.TextField(help_text="The AttemptResult, canonical JSON.")
    verdict = models.CharField(max_length=9, choices=VERDICTS)
    score = models.FloatField(null=True)

    class Meta:
        ordering = ["-received"]
        indexes = [models.Index(fields=["version", "verdict"]), models.Index(fields=["learner", "-received"])]
        constraints = [
            models.CheckConstraint(
                condition=Q(score__isnull=True, verdict__in=["pending", "error"])
                # Unknown is true enough for a check, so that the absent score has to be named.
                | Q(score__isnull=False, score__gte=0, score__lte=1, verdict__in=["correct", "partial", "incorrect"]),
                name="a_score_goes_with_its_verdict",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.learner} {self.version} {self.verdict}"
