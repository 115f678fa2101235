"""Fields for documents. Their columns are text: PostgreSQL's `jsonb` refuses `\\u0000` and does not keep the notation
of numbers, while a text is stored as it was received.
"""

from __future__ import annotations

import functools
from typing import Any

from django.core.exceptions import ValidationError
from django.db import models

from fablegrade import FablegradeError, Grader, _fablegrade, lint

__all__ = ["DocumentField", "SpecField", "compiled", "text_of"]


@functools.lru_cache(maxsize=1_024)
def compiled(spec: str) -> Grader:
    """Returns the grader of a spec, compiled once in this process."""
    return Grader(spec)


def text_of(value: Any) -> Any:
    """Returns a document as text: texts unchanged, bytes as UTF-8, values as the JSON that grading reads; `None` stays
    `None`."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, (bytes, bytearray, memoryview)):
        return bytes(value).decode("utf-8")
    return _fablegrade.document_text(value)


class DocumentField(models.TextField):
    """A JSON document as the text that was received. A dict or list that is assigned is written as JSON."""

    description = "A JSON document"

    def to_python(self, value: Any) -> Any:
        """The text of the document. Raises `ValidationError` if the value has none."""
        return _text(value)

    def get_prep_value(self, value: Any) -> Any:
        """The text of the document."""
        return super().get_prep_value(text_of(value))

    def pre_save(self, model_instance: models.Model, add: bool) -> Any:
        """The text of the document, which also replaces the value of the instance. Raises `ValidationError` if the
        value has none."""
        try:
            value = _text(super().pre_save(model_instance, add))
        except ValidationError as error:
            raise ValidationError({self.name: error.messages}) from error
        setattr(model_instance, self.attname, value)
        return value


class SpecField(DocumentField):
    """A question with its key. A question that cannot be graded is refused with its errors, in forms, in the admin and
    on save."""

    description = "A question with its key, as JSON"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("help_text", "An AnswerSpec with its key, as JSON.")
        super().__init__(*args, **kwargs)

    def is_absent(self, value: Any) -> bool:
        """Returns whether this is the value of a row without a question."""
        return value is None or (self.blank and value == "")

    def validate(self, value: Any, model_instance: models.Model | None) -> None:
        """Refuses a question with errors. Its warnings are only shown by the system check."""
        super().validate(value, model_instance)
        if value not in self.empty_values:
            messages = _messages(lint(value))
            if messages:
                raise ValidationError(messages, code="invalid")

    def pre_save(self, model_instance: models.Model, add: bool) -> Any:
        """The text of the spec. Raises `ValidationError` if it is invalid."""
        value = super().pre_save(model_instance, add)
        if not self.is_absent(value):
            try:
                compiled(value)
            except FablegradeError as error:
                raise ValidationError({self.name: _messages(error.findings)}) from error
        return value


def _messages(findings: Any) -> list[str]:
    return [str(finding) for finding in findings if finding.severity == "error"]


def _text(value: Any) -> Any:
    """Returns a document as text, like `text_of`. Raises `ValidationError` if it has none."""
    try:
        return text_of(value)
    except FablegradeError as error:
        raise ValidationError(_messages(error.findings), code="invalid") from error
    except UnicodeDecodeError as error:
        raise ValidationError("The document is not UTF-8.", code="invalid") from error
