"""The app."""

from django.apps import AppConfig


class GradingConfig(AppConfig):
    """Problems, their versions, hints and attempts."""

    name = "grading"
