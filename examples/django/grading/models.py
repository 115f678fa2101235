"""Problems, their versions with the key, their hints, and the learners' attempts.

Documents are stored as the texts that were received, so every digit of a number is kept and an attempt can be graded again
under another version years later.
"""

from __future__ import annotations

import uuid
from decimal import Decimal

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator, RegexValidator
from django.db import models
from django.db.models import Q
from fablegrade import Grader
from fablegrade.contrib.django.fields import SpecField, compiled
from fablegrade.contrib.django.models import AttemptMixin


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
    """A spec with its key. It never changes, because attempts refer to it."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    problem = models.ForeignKey(Problem, on_delete=models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    spec = SpecField()
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["problem", "number"]
        constraints = [models.UniqueConstraint(fields=["problem", "number"], name="one_version_of_a_number")]

    def __str__(self) -> str:
        return f"{self.problem} v{self.number}"

    def save(self, *args: object, **kwargs: object) -> None:
        if not self._state.adding:
            raise ValidationError("A version never changes; add a new one.")
        super().save(*args, **kwargs)

    @property
    def grader(self) -> Grader:
        """The spec, compiled once in this process."""
        return compiled(self.spec)


class Hint(models.Model):
    """A hint that can be revealed, and its penalty."""

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
    """A hint that a learner has revealed. It counts as used, even if an attempt does not list it."""

    hint = models.ForeignKey(Hint, on_delete=models.CASCADE)
    learner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE)
    revealed = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["hint", "learner"], name="a_hint_is_revealed_once")]


class Attempt(AttemptMixin):
    """A learner's document, as it was received, and its result."""

    version = models.ForeignKey(ProblemVersion, on_delete=models.PROTECT, related_name="attempts")
    learner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="attempts")
    received = models.DateTimeField()
    hints_used = models.JSONField(default=list)

    class Meta(AttemptMixin.Meta):
        ordering = ["-received"]
        indexes = [models.Index(fields=["version", "verdict"]), models.Index(fields=["learner", "-received"])]

    def __str__(self) -> str:
        return f"{self.learner} {self.version} {self.verdict}"

    def spec_text(self) -> str:
        """The version's question."""
        return self.version.spec

    def hint_penalties(self) -> dict[str, Decimal]:
        """The penalties of the used hints, by name."""
        return {hint.name: hint.penalty for hint in self.version.hints.all() if hint.name in self.hints_used}
