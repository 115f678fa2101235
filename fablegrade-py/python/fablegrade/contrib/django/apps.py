"""The configuration of the Django app."""

from __future__ import annotations

from django.apps import AppConfig


class FablegradeConfig(AppConfig):
    """The app with the check of stored questions and the command of the worker."""

    name = "fablegrade.contrib.django"
    label = "fablegrade"
    verbose_name = "Fablegrade"

    def ready(self) -> None:
        """Registers the check."""
        from . import checks  # noqa: F401
