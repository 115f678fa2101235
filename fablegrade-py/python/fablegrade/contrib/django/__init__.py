"""Grading in Django: fields for documents, an attempt that grades itself, a check of stored questions, a worker.

Add `"fablegrade.contrib.django"` to `INSTALLED_APPS`; see `docs/recipes/django.md`.

- `fields.SpecField` stores a question: one that nobody could answer is refused at the field, in forms, in the admin and on save.
- `fields.DocumentField` stores any other document as the text that was received: every digit is kept, and no database refuses it.
- `models.AttemptMixin` is an attempt with its result.
- `manage.py check --database default` checks every stored question.
- `manage.py run_pending_attempts` runs the programs of pending attempts.
"""
