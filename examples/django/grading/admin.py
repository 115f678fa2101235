"""The author's pages: versions are checked before they are stored, and attempts show the explanation of their score."""

from __future__ import annotations

import json
from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.utils.html import format_html, format_html_join
from fablegrade import lint

from .models import Attempt, Hint, Problem, ProblemVersion


class HintInline(admin.TabularInline):
    """The hints of a version."""

    model = Hint
    extra = 0


@admin.register(Problem)
class ProblemAdmin(admin.ModelAdmin):
    """Problems, with the version that learners see."""

    list_display = ["title", "current", "attempt_count"]
    search_fields = ["title"]

    @admin.display(description="attempts")
    def attempt_count(self, problem: Problem) -> int:
        """The number of attempts at all versions."""
        return Attempt.objects.filter(version__problem=problem).count()

    def formfield_for_foreignkey(self, field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        match = request.resolver_match
        if field.name == "current" and match is not None:
            kwargs["queryset"] = ProblemVersion.objects.filter(problem_id=match.kwargs.get("object_id"))
        return super().formfield_for_foreignkey(field, request, **kwargs)


@admin.register(ProblemVersion)
class ProblemVersionAdmin(admin.ModelAdmin):
    """A version is written once and then only read; a change needs a new version."""

    list_display = ["problem", "number", "question_type", "created"]
    list_filter = ["problem"]
    inlines = [HintInline]

    def get_readonly_fields(self, request: HttpRequest, version: ProblemVersion | None = None) -> list[str]:
        return [] if version is None else ["problem", "number", "spec", "warnings", "delivered"]

    def save_model(self, request: HttpRequest, version: ProblemVersion, form: Any, change: bool) -> None:
        # Hints may be added later; the version itself stays.
        if not change:
            super().save_model(request, version, form, change)

    @admin.display(description="type")
    def question_type(self, version: ProblemVersion) -> str:
        """The question type."""
        return version.grader.type

    @admin.display(description="what the linter says")
    def warnings(self, version: ProblemVersion) -> str:
        """Warnings and remarks; a spec with errors cannot be stored."""
        found = lint(version.spec)
        return format_html_join("", "<p>{}</p>", ((str(finding),) for finding in found)) or "nothing"

    @admin.display(description="what a learner sees")
    def delivered(self, version: ProblemVersion) -> str:
        """The view with an example seed."""
        view = version.grader.deliver("the author").to_dict()
        return format_html("<pre>{}</pre>", json.dumps(view, indent=2, ensure_ascii=False))


@admin.register(Attempt)
class AttemptAdmin(admin.ModelAdmin):
    """Attempts are read only."""

    list_display = ["received", "learner", "version", "verdict", "score"]
    list_filter = ["verdict", "version__problem"]
    date_hierarchy = "received"
    list_select_related = ["learner", "version__problem"]
    readonly_fields = ["explanation"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, attempt: Attempt | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, attempt: Attempt | None = None) -> bool:
        return False

    @admin.display(description="why")
    def explanation(self, attempt: Attempt) -> str:
        """The explanation of the score, for the author; it can quote the key."""
        return format_html("<pre>{}</pre>", str(attempt.explain()))
