"""Item analysis of Arrow tables: statistics of items and tests. They do not depend on how the results are split into tables.

>>> import json, pyarrow
>>> from fablegrade.analysis import Accumulator
>>> results = pyarrow.table({
...     "item_id": ["sum", "product", "sum", "product"],
...     "sitting": ["one", "one", "two", "two"],
...     "submission": ['{"type":"numeric","value":%d}' % value for value in (4, 6, 4, 5)],
... })
>>> all = Accumulator({
...     "sum": {"type": "numeric", "answer": {"value": 4}},
...     "product": {"type": "numeric", "answer": {"value": 6}},
... })
>>> all.add(results)
>>> [item["facility"] for item in json.loads(all.to_json())["items"]]
[{'value': 0.5}, {'value': 1.0}]
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from . import _fablegrade
from ._fablegrade import Bank
from .arrow import ArrowArray, ArrowStream, _columns, _compiled, _pyarrow  # pyright: ignore[reportPrivateUsage]

if TYPE_CHECKING:
    from .documents import AnswerSpec, Text

__all__ = ["Accumulator", "SumsInArrow", "sums_in_arrow"]


class Accumulator:
    """The exact sums over any number of sittings: `add` tables, `merge` other accumulators, then get the report."""

    def __init__(self, bank: Bank | Mapping[str, AnswerSpec | Text]) -> None:
        compiled = _compiled(bank)
        if compiled is None:
            raise TypeError("item analysis needs a bank: pass `{item id: spec}`")
        self._sums = _fablegrade.Accumulator(compiled)

    @property
    def sittings(self) -> int:
        """Number of sittings."""
        return self._sums.sittings

    def add(self, results: ArrowStream | ArrowArray, *, columns: Mapping[str, str] | None = None) -> None:
        """Adds all sittings of a table, a stream of record batches or one batch.

        Reads the columns `item_id` and `sitting` (a name shared by all answers of one learner in one test), and, if
        present, `result` (JSON as `grade_batches` writes it; null for an item that was left blank), `submission`,
        `attempt`, `outcomes` and `context` (JSON). Without `result`, the rows are graded here. `columns` gives other names.

        The rows of a sitting must be adjacent, and in one call. If rows are invalid, raises `FablegradeError` with the
        findings about the first of them, and adds nothing.
        """
        self._sums.add(results, _columns(columns))

    def merge(self, other: Accumulator | bytes) -> None:
        """Adds all sittings of another accumulator, or of the bytes from its `to_bytes`. Raises `ValueError` for other
        bytes."""
        if isinstance(other, bytes):
            self._sums.merge_bytes(other)
        else:
            self._sums.merge(other._sums)

    def to_bytes(self) -> bytes:
        """The canonical bytes of the sums: equal sums have equal bytes."""
        return self._sums.to_bytes()

    def to_json(self) -> str:
        """The report as JSON, byte for byte the output of `fablegrade analyse --json`. Its schema is `AnalysisReport`."""
        return self._sums.to_json()

    def to_csv(self) -> str:
        """The items as CSV, as `fablegrade analyse --csv` prints them."""
        return self._sums.to_csv()


class SumsInArrow:
    """The result of `sums_in_arrow`: a function from record batches to one batch with the bytes of their sums."""

    def __init__(self, bank: Bank, columns: Mapping[str, str] | None) -> None:
        self._arguments = (bank, _columns(columns))

    # `Any` is used for types of pyarrow, which is optional.
    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        pyarrow = _pyarrow()
        bank, columns = self._arguments
        batches = iter(batches)
        first = next(batches, None)
        if first is None:
            return
        sums = Accumulator(bank)

        def all_batches() -> Iterator[Any]:
            yield first
            yield from batches

        # All batches are added as one stream, because a sitting can continue in the next batch.
        sums.add(pyarrow.RecordBatchReader.from_batches(first.schema, all_batches()), columns=columns)
        yield pyarrow.record_batch([pyarrow.array([sums.to_bytes()], pyarrow.binary())], names=["sums"])


def sums_in_arrow(
    bank: Bank | Mapping[str, AnswerSpec | Text], *, columns: Mapping[str, str] | None = None
) -> SumsInArrow:
    """Returns the function for Spark's `DataFrame.mapInArrow` with the schema `sums binary`: a row per partition with data.

    Partition and sort by `sitting` first. `Accumulator.merge` adds the rows, in any order.
    """
    compiled = _compiled(bank)
    if compiled is None:
        raise TypeError("item analysis needs a bank: pass `{item id: spec}`")
    return SumsInArrow(compiled, columns)
