"""Grading in Django: fields for documents, an attempt that grades itself, a check of stored questions, a worker.

Add `"fablegrade.contrib.django"` to `INSTALLED_APPS`; see `docs/recipes/django.md`.

- `fields.SpecField` keeps a question: what nobody could answer is refused at the field, in forms, the admin and on save.
- `fields.DocumentField` keeps any other document as the text it came as: every digit stays, and no database refuses it.
- `models.AttemptMixin` is an attempt with its result.
- `manage.py check --database default` looks at every stored question.
- `manage.py run_pending_attempts` runs the programs of attempts that wait.
"""
