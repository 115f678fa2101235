"""Grades Arrow tables: any table in, graded record batches out.

Tables are passed through the Arrow PyCapsule interface, so this module works with pyarrow, Polars, DuckDB, pandas, Spark,
Ray and DataFusion, and does not need any of them.

>>> import pyarrow
>>> from fablegrade.arrow import Bank, grade_batches
>>> bank = Bank({"sum": {"type": "numeric", "answer": {"value": 4}}})
>>> attempts = pyarrow.table({
...     "attempt_id": [1, 2, 3],
...     "item_id": ["sum", "sum", "product"],
...     "submission": ['{"type":"numeric","value":4}', '{"type":"numeric"}', '{"type":"numeric","value":4}'],
... })
>>> graded = pyarrow.table(grade_batches(attempts, bank))
>>> graded.column_names
['attempt_id', 'item_id', 'verdict', 'score', 'result', 'error']
>>> graded["verdict"].to_pylist()
['correct', None, None]
>>> import json
>>> [error and json.loads(error)["findings"][0]["rule"] for error in graded["error"].to_pylist()]
[None, 'missing-field', 'unknown-item']
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, Protocol

from . import _fablegrade
from ._fablegrade import Bank, GradedBatches

if TYPE_CHECKING:
    from .documents import AnswerSpec, Text

__all__ = [
    "RESULT_SCHEMA",
    "SPARK_RESULT",
    "ArrowArray",
    "ArrowStream",
    "Bank",
    "GradedBatches",
    "MapInArrow",
    "ResultSchema",
    "grade_batches",
    "map_batches",
    "map_in_arrow",
]

SPARK_RESULT: Final = "verdict string, score double, result string, error string"
"""The columns that grading writes, in Spark's notation. An output schema is the kept columns, a comma, and this string."""


class ArrowStream(Protocol):
    """A table or a stream of record batches."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """A capsule of an Arrow C stream."""
        ...


class ArrowArray(Protocol):
    """A record batch."""

    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]:
        """Capsules of an Arrow C schema and an Arrow C array."""
        ...


class ResultSchema:
    """The columns that grading writes, for any Arrow library: `pyarrow.schema(RESULT_SCHEMA)`."""

    __slots__ = ()

    def __arrow_c_schema__(self) -> object:
        """A capsule of an Arrow C schema."""
        return _fablegrade.written_schema()


RESULT_SCHEMA: Final = ResultSchema()
"""The columns that grading writes after the kept ones: `verdict`, `score`, `result`, `error`."""


# `Any` is used for types of pyarrow, which is optional.
def _pyarrow() -> Any:
    """Imports pyarrow. The engines that call the functions below depend on it."""
    return importlib.import_module("pyarrow")


def _compiled(bank: Bank | Mapping[str, AnswerSpec | Text] | None) -> Bank | None:
    return bank if bank is None or isinstance(bank, Bank) else Bank(bank)


def _names(argument: str, names: Sequence[str] | None) -> list[str] | None:
    """Returns a list of names. Refuses a single string, which would be read as a list of its characters."""
    if isinstance(names, (str, bytes)):
        raise TypeError(f"`{argument}` is a list of names: pass `{argument}=[{names!r}]`")
    return None if names is None else list(names)


def _columns(columns: Mapping[str, str] | None) -> dict[str, str]:
    if isinstance(columns, (str, list, tuple)):  # pyright: ignore[reportUnnecessaryIsInstance]  # callers without a checker
        raise TypeError('`columns` gives columns other names: pass `columns={"submission": "answer"}`')
    return dict(columns or {})


def grade_batches(
    data: ArrowStream | ArrowArray,
    bank: Bank | Mapping[str, AnswerSpec | Text] | None = None,
    *,
    columns: Mapping[str, str] | None = None,
    keep: Sequence[str] | None = None,
) -> GradedBatches:
    """Grades a table, a stream of record batches or one batch; returns a stream that is graded while it is read.

    Reads the columns `item_id` (the question in the `bank`; without a bank `spec`, the question itself), `submission`
    or `attempt`, and, if present, `outcomes` and `context`. Except for `item_id`, they contain JSON, as strings or
    binary in any Arrow layout; null means absent. `columns` gives other names, such as `{"submission": "answer"}`.

    Writes, in the order of the input, the columns to `keep` (default: `item_id` and all that were not read), then
    `verdict` (string), `score` (double in [0, 1], null when nothing was scored), `result` (the AttemptResult as canonical
    JSON) and `error` (`{dropped?, findings, kind}` as JSON, null when there is a result). A row that is refused fills only
    `error` and does not stop the others. Each row is graded independently, so the division into batches does not matter.

    Raises `SchemaError` if a column is missing or is not text, `TypeError` for data that is not Arrow.
    """
    return _fablegrade.grade_batches(data, _compiled(bank), _columns(columns), _names("keep", keep))


class MapInArrow:
    """The result of `map_in_arrow`: a function from record batches to record batches that pickles with its bank."""

    def __init__(
        self, bank: Bank | None, columns: Mapping[str, str] | None, keep: Sequence[str] | None
    ) -> None:
        self._arguments = (bank, _columns(columns), _names("keep", keep))

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        pyarrow = _pyarrow()
        grader = _fablegrade.TableGrader(*self._arguments)
        for batch in batches:
            yield from pyarrow.RecordBatchReader.from_stream(grader.grade(batch))


def map_in_arrow(
    bank: Bank | Mapping[str, AnswerSpec | Text] | None = None,
    *,
    columns: Mapping[str, str] | None = None,
    keep: Sequence[str] | None = None,
) -> MapInArrow:
    """Returns the function for Spark's `DataFrame.mapInArrow`; the arguments are those of `grade_batches`.

    The output schema is the kept columns, then `SPARK_RESULT`: `f"attempt_id bigint, item_id string, {SPARK_RESULT}"`.
    A bank is compiled once per Python worker.
    """
    return MapInArrow(_compiled(bank), columns, keep)


def map_batches(
    bank: Bank | Mapping[str, AnswerSpec | Text] | None = None,
    *,
    columns: Mapping[str, str] | None = None,
    keep: Sequence[str] | None = None,
) -> Callable[[Any], Any]:
    """Returns the function for Ray Data's `map_batches(..., batch_format="pyarrow")`; the arguments are those of
    `grade_batches`."""
    compiled = _compiled(bank)

    def grade(table: Any) -> Any:
        return _pyarrow().table(grade_batches(table, compiled, columns=columns, keep=keep))

    return grade
