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
import json
from collections.abc import Iterable, Iterator, Mapping
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from ._fablegrade import InterchangeIds, InterchangeResponses, interchange_formats, interchange_read, interchange_write

__all__ = ["FORMATS", "attempts", "bank", "read", "read_bytes", "to_arrow", "write"]

FORMATS: tuple[str, ...] = tuple(interchange_formats())


def read_bytes(name: str, data: bytes, format: str | None = None) -> list[dict[str, Any]]:
    """Reads the questions in a file or archive: `item`, `title`, `prompt`, `exactness`, `spec` or `parts`, `loss`, `ids`.

    For a question or file that cannot be read, the result is `{"error": {"file", "path", "rule", "message", "help"}}`.
    """
    return [json.loads(line) for line in interchange_read(name, data, format)]


def _files(path: Path) -> Iterator[tuple[str, Path]]:
    if path.is_dir():
        for file in sorted(path.rglob("*")):
            if file.is_file() and not file.is_symlink():
                yield file.relative_to(path).as_posix(), file
    else:
        yield path.as_posix(), path


def _lines(path: str | PathLike[str], format: str | None, bank: bool) -> Iterator[dict[str, Any]]:
    root = Path(fspath(path))
    # Folders have other files too.
    ids, known = InterchangeIds(), root.is_dir()
    for name, file in _files(root):
        for line in interchange_read(name, file.read_bytes(), format, bank, known, ids):
            yield json.loads(line)


def read(path: str | PathLike[str], format: str | None = None) -> Iterator[dict[str, Any]]:
    """Reads the questions in a file, an archive or a folder, one file after the other, as `read_bytes` does.

    The second `q1` is `q1#2`.
    """
    return _lines(path, format, False)


def bank(path: str | PathLike[str], format: str | None = None) -> Iterator[dict[str, Any]]:
    """Returns the lines of an item bank, `{item, spec, ...}`: one per part of a question. Questions that cannot be read are left out."""
    return (line for line in _lines(path, format, True) if "error" not in line)


def attempts(
    questions: str | PathLike[str], responses: str | PathLike[str], format: str | None = None
) -> Iterator[dict[str, Any]]:
    """Converts stored responses to attempts at the items of `bank(questions)`: `{"id", "item", "submission"}`.

    `responses` is a QTI result report, the responses report of a Moodle quiz or the student analysis of a Canvas quiz, or a
    folder of these. For a response that cannot be converted, the result is `{"error": {"file", "path", "line", "rule", "message", "help"}}`.
    """
    stored = InterchangeResponses()
    for name, file in _files(Path(fspath(responses))):
        stored.read(name, file.read_bytes())
    root = Path(fspath(questions))
    for name, file in _files(root):
        stored.questions(name, file.read_bytes(), format, root.is_dir())
    return (json.loads(line) for line in stored.attempts())


def write(line: Mapping[str, Any], format: str) -> dict[str, Any]:
    """Writes a line of a bank as `qti3`, `moodle-xml` or `gift`: `{"text", "loss"}`, without `text` if it has no counterpart."""
    written: dict[str, Any] = json.loads(interchange_write(json.dumps(line), format))
    return written


def to_arrow(lines: Iterable[Mapping[str, Any]]) -> Any:
    """Returns a `pyarrow.Table` of the lines of a bank: `item`, `title`, `exactness`, `spec` as JSON text. Needs pyarrow."""
    pyarrow: Any = importlib.import_module("pyarrow")
    rows = [
        {
            "item": line["item"],
            "title": line.get("title", ""),
            "exactness": line.get("exactness", ""),
            "spec": json.dumps(line["spec"], separators=(",", ":"), sort_keys=True),
        }
        for line in lines
        if "spec" in line
    ]
    text = pyarrow.string()
    schema = pyarrow.schema([(name, text) for name in ("item", "title", "exactness", "spec")])
    return pyarrow.Table.from_pylist(rows, schema=schema)
