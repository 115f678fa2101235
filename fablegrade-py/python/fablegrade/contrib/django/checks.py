"""A system check of every stored question: `manage.py check --database default`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from django.apps import apps
from django.core import checks
from django.db import connections, router

from fablegrade import Finding, lint

from .fields import SpecField

__all__ = ["check_stored_specs"]


def _columns() -> Iterator[tuple[Any, SpecField]]:
    for model in apps.get_models():
        if not model._meta.proxy:
            for field in model._meta.concrete_fields:
                if isinstance(field, SpecField) and field.model is model:
                    yield model, field


@checks.register(checks.Tags.database)
def check_stored_specs(databases: Sequence[str] | None = None, **_options: Any) -> list[checks.CheckMessage]:
    """Returns warnings about stored questions: `fablegrade.W001` for one that cannot be graded, `fablegrade.W002` for
    one that probably contains a mistake.

    Both are only warnings in Django, because its command `migrate` refuses to run when there are errors, and a question
    from an older version of the library should not stop it. `check --fail-level WARNING` fails on them.
    """
    found: list[checks.CheckMessage] = []
    for alias in databases or ():
        connection = connections[alias]
        tables = set(connection.introspection.table_names())
        for model, field in _columns():
            # Before the first migration, there are no tables to check.
            if model._meta.db_table not in tables or not router.allow_migrate_model(alias, model):
                continue
            with connection.cursor() as cursor:
                described = connection.introspection.get_table_description(cursor, model._meta.db_table)
            if field.column not in {column.name for column in described}:
                continue
            rows = model._base_manager.using(alias).order_by("pk").values_list("pk", field.attname)
            for key, spec in rows.iterator(chunk_size=256):
                if field.is_absent(spec):
                    continue
                place = f"{model._meta.label}.{field.name} of {key}"
                found.extend(_message(place, finding) for finding in lint(spec) if finding.severity != "info")
    return found


def _message(place: str, finding: Finding) -> checks.CheckMessage:
    which = "fablegrade.W001" if finding.severity == "error" else "fablegrade.W002"
    text = f"{place}: {finding.pointer or 'the document'}: {finding.message} [{finding.rule}]"
    return checks.Warning(text, hint=finding.help, id=which)
