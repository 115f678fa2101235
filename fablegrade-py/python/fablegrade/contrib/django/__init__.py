"""Grading in Django: fields for documents, an attempt that grades itself, a check of stored questions, a worker.

Add `"fablegrade.contrib.django"` to `INSTALLED_APPS`; see `docs/recipes/django.md`.

- `fields.SpecField` stores a question. One that cannot be graded is refused in forms, in the admin and on save.
- `fields.DocumentField` stores any other document as the text that was received, with every digit of its numbers.
- `models.AttemptMixin` is a base class for attempts with their results.
- `manage.py check --database default` checks every stored question.
- `manage.py run_pending_attempts` runs the programs of pending attempts.
"""
