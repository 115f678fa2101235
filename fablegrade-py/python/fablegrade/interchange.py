"""Questions in other formats: QTI, Moodle XML, GIFT, Aiken, Perseus, Open edX, PrairieLearn, CSV.

>>> from fablegrade import interchange
>>> [question] = interchange.read_bytes("q.gift", b"::Sky::What colour is it? {=blue ~green}")
>>> question["exactness"], question["spec"]["type"]
('exact', 'multiple_choice')
>>> print(interchange.write(question, "gift")["text"].splitlines()[1])
::Sky::What colour is it? {
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Iterator, Mapping
from os import PathLike, fspath
from pathlib import Path
from typing import Any, Literal, TypedDict, Union, cast, final

from ._fablegrade import (
    InterchangeIds,
    InterchangeResponses,
    document_text,
    interchange_formats,
    interchange_read,
    interchange_write,
)
from ._json import read_json
from .documents import AnswerSpec, Submission

__all__ = [
    "FORMATS",
    "AttemptLine",
    "BankLine",
    "BankPart",
    "BankQuestion",
    "ChangedId",
    "ErrorLine",
    "Exactness",
    "Format",
    "Loss",
    "MediaFile",
    "Metadatum",
    "Question",
    "QuestionFeedback",
    "QuestionPart",
    "ReadErrorDict",
    "WrittenQuestion",
    "attempts",
    "bank",
    "read",
    "read_bytes",
    "to_arrow",
    "write",
]

Format = Literal["qti3", "qti2", "qti12", "moodle-xml", "gift", "aiken", "perseus", "openedx", "prairielearn", "csv"]
Exactness = Literal["exact", "scores-exact", "approximate", "not-expressible"]

FORMATS: tuple[Format, ...] = cast("tuple[Format, ...]", tuple(interchange_formats()))


class _Loss(TypedDict):
    path: str
    rule: str
    severity: Literal["metadata", "changes-display", "changes-score"]
    message: str
    suggestion: str


class Loss(_Loss, total=False):
    """Something that is not carried over, its location (`line` counts from 1) and its effect."""

    line: int


class _ReadErrorDict(TypedDict):
    file: str
    path: str
    rule: str
    message: str
    help: str


class ReadErrorDict(_ReadErrorDict, total=False):
    """The reason why a file, a question or a response cannot be read, with its location; `line` counts from 1."""

    line: int


@final
class ErrorLine(TypedDict):
    """The line for a file, a question or a response that cannot be read."""

    error: ReadErrorDict


_ChangedId = TypedDict("_ChangedId", {"part": str, "from": str, "to": str})


class ChangedId(_ChangedId):
    """An identifier of the source that is not a valid id (`from`), and the id that replaces it (`to`)."""


class QuestionFeedback(TypedDict):
    """General feedback; `when` is `general`, `correct`, `incorrect`, `partial` or an identifier of the source."""

    when: str
    content: str


class _MediaFile(TypedDict):
    href: str


class MediaFile(_MediaFile, total=False):
    """A file that the content refers to. `href` is the reference as written, `file` the path if the package has the file."""

    file: str


class Metadatum(TypedDict):
    """Data about a question, such as a `category` or a `tag`."""

    name: str
    value: str


class QuestionPart(TypedDict):
    """One of several parts. `weight` is a whole number, or a fraction as text."""

    id: str
    prompt: str
    weight: int | str
    spec: AnswerSpec


class _Shown(TypedDict):
    item: str
    title: str
    format: Format
    file: str
    exactness: Exactness
    prompt: str


class _Question(_Shown):
    loss: list[Loss]
    ids: list[ChangedId]


class _QuestionRest(TypedDict, total=False):
    line: int
    maxScore: int | str
    partPrompt: str
    feedback: list[QuestionFeedback]
    media: list[MediaFile]
    metadata: list[Metadatum]


@final
class Question(_Question, _QuestionRest, total=False):
    """A question: with its `spec`, with several `parts`, or with neither (then the losses have the reason).

    `combine` tells how the scores of parts are combined: `sum` is the weighted mean, and `all` gives full marks only if
    every part has them. `maxScore` is full marks in the source, if not 1: a whole number, or a fraction as text.
    """

    spec: AnswerSpec
    combine: Literal["sum", "all"]
    parts: list[QuestionPart]


@final
class BankQuestion(_Question, _QuestionRest):
    """A question of one part in an item bank."""

    spec: AnswerSpec


@final
class BankPart(_Shown):
    """A part of a question in an item bank; `of` is the question's id."""

    of: str
    part: str
    weight: int | str
    combine: Literal["sum", "all"]
    spec: AnswerSpec


BankLine = Union[BankQuestion, BankPart]
"""A line of an item bank: a part of a question, which has the field `of`, or a whole question."""


@final
class AttemptLine(TypedDict):
    """An attempt at an item."""

    id: str
    item: str
    submission: Submission


class _WrittenQuestion(TypedDict):
    loss: list[Loss]


class WrittenQuestion(_WrittenQuestion, total=False):
    """A written question. If the format has no counterpart, `text` is absent and the loss has the reason."""

    text: str


def read_bytes(name: str, data: bytes, format: str | None = None) -> list[Question | ErrorLine]:
    """Reads the questions in a file or archive: `item`, `title`, `prompt`, `exactness`, `spec` or `parts`, `loss`, `ids`.

    For a question or file that cannot be read, the result is
    `{"error": {"file", "path", "line"?, "rule", "message", "help"}}`.
    """
    return [read_json(line) for line in interchange_read(name, data, format)]


def _files(path: Path) -> Iterator[tuple[str, Path]]:
    if path.is_dir():
        for file in sorted(path.rglob("*")):
            if file.is_file() and not file.is_symlink():
                yield file.relative_to(path).as_posix(), file
    else:
        yield path.as_posix(), path


def _lines(path: str | PathLike[str], format: str | None, bank: bool) -> Iterator[Any]:
    root = Path(fspath(path))
    # In a folder, files of unknown formats are ignored.
    ids, known = InterchangeIds(), root.is_dir()
    for name, file in _files(root):
        for line in interchange_read(name, file.read_bytes(), format, bank, known, ids):
            yield read_json(line)


def read(path: str | PathLike[str], format: str | None = None) -> Iterator[Question | ErrorLine]:
    """Reads the questions in a file, an archive or a folder, one file after another, as `read_bytes` does.

    Ids are unique: a second `q1` becomes `q1#2`.
    """
    return _lines(path, format, False)


def bank(path: str | PathLike[str], format: str | None = None) -> Iterator[BankLine]:
    """Returns the lines of an item bank, `{item, spec, ...}`: one per question or part. Questions that cannot be read or
    graded are left out."""
    return (line for line in _lines(path, format, True) if "error" not in line)


def attempts(
    questions: str | PathLike[str], responses: str | PathLike[str], format: str | None = None
) -> Iterator[AttemptLine | ErrorLine]:
    """Converts stored responses to attempts at the items of `bank(questions)`: `{"id", "item", "submission"}`.

    `responses` is a QTI result report, the responses report of a Moodle quiz or the student analysis of a Canvas quiz,
    or a folder of these. For a response that cannot be converted, the result is
    `{"error": {"file", "path", "line"?, "rule", "message", "help"}}`.
    """
    stored = InterchangeResponses()
    for name, file in _files(Path(fspath(responses))):
        stored.read(name, file.read_bytes())
    root = Path(fspath(questions))
    for name, file in _files(root):
        stored.questions(name, file.read_bytes(), format, root.is_dir())
    return (read_json(line) for line in stored.attempts())


def write(line: Mapping[str, object], format: str) -> WrittenQuestion:
    """Writes a line of a bank as `qti3`, `moodle-xml` or `gift`: `{"text", "loss"}`, without `text` if the format has
    no counterpart."""
    written: WrittenQuestion = read_json(interchange_write(document_text(line), format))
    return written


# `Any` is used for types of pyarrow, which is optional.
def to_arrow(lines: Iterable[Mapping[str, object]]) -> Any:
    """Returns a `pyarrow.Table` of the lines that have a `spec`: `item`, `title`, `exactness`, `spec` as JSON text.
    Needs pyarrow."""
    pyarrow: Any = importlib.import_module("pyarrow")
    rows = [
        {
            "item": line["item"],
            "title": line.get("title", ""),
            "exactness": line.get("exactness", ""),
            "spec": document_text(line["spec"]),
        }
        for line in lines
        if "spec" in line
    ]
    text = pyarrow.string()
    schema = pyarrow.schema([(name, text) for name in ("item", "title", "exactness", "spec")])
    return pyarrow.Table.from_pylist(rows, schema=schema)
