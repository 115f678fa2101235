"""Ctrl-C and other signals end native work within a tenth of a second."""

from __future__ import annotations

import asyncio
import os
import select
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from typing import Any

import pyarrow
import pytest

import fablegrade
from fablegrade.arrow import Bank, grade_batches
from fablegrade.validators import Judgement, register_validator

WORK = {
    "grade_many": """
        grader = fablegrade.Grader({"type": "expression", "canonical": SLOW, "equivalence": "symbolic"})
        answer = '{"type":"expression","latex":"%s+%%d-%%d"}' % OTHER.replace("\\\\", "\\\\\\\\")
        work = lambda: grader.grade_many(answer % (at, at) for at in range(10_000_000))
    """,
    "equivalent_many": """
        work = lambda: fablegrade.equivalent_many([(SLOW, OTHER)] * 200_000, workers=2)
    """,
    "check_many": """
        from fablegrade.verify import check_many
        work = lambda: check_many([SLOW] * 200_000, [f"${OTHER}$"] * 200_000)
    """,
    "grade_batches": """
        import pyarrow
        answer = '{"type":"expression","latex":"%s+%%d-%%d"}' % OTHER.replace("\\\\", "\\\\\\\\")
        table = pyarrow.table({"item_id": ["q"] * 200_000, "submission": [answer % (at, at) for at in range(200_000)]})
        bank = fablegrade.arrow.Bank({"q": {"type": "expression", "canonical": SLOW, "equivalence": "symbolic"}})
        work = lambda: pyarrow.table(fablegrade.arrow.grade_batches(table, bank))
    """,
    "run": """
        case = {"input": "1\\n", "expected": "2\\n"}
        suites = [{"name": "all", "visibility": "public", "cases": [case] * 20}]
        spec = {"type": "code", "languages": ["python"], "limits": {}, "testSuites": suites}
        answer = {"type": "code", "language": "python", "source": "while True: pass"}
        work = lambda: fablegrade.run(spec, answer)
    """,
}
PROGRAM = r"""
import time, fablegrade, fablegrade.arrow
SLOW, OTHER = r"\\sin(x)^2+\\cos(x)^2+x^2", r"1+x\\cdot x"
{work}
def later():
    # Nothing below runs before the work has begun.
    print("begun", flush=True)
    return work()
ended = name = None
try:
    try:
        later()
    except BaseException as error:
        # An interrupt that a library has turned into an error of its own is raised again here.
        name, ended = type(error).__name__, time.monotonic()
except KeyboardInterrupt:
    name, ended = "KeyboardInterrupt", time.monotonic()
print(name, ended, flush=True)
"""


@pytest.mark.parametrize("name", WORK)
def test_ctrl_c_ends(name: str) -> None:
    program = PROGRAM.replace("\\\\", "\\").replace("{work}", textwrap.dedent(WORK[name]))
    worker = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    try:
        assert worker.stdout is not None
        assert worker.stdout.readline() == "begun\n"
        # Once the process has used the processor for a while, the work is in native code.
        before = cpu(worker.pid)
        deadline = time.monotonic() + 60
        while cpu(worker.pid) < before + 0.3 and name != "run" and time.monotonic() < deadline:
            select.select([], [], [], 0.01)
        if name == "run":
            while not children(worker.pid) and time.monotonic() < deadline:
                select.select([], [], [], 0.01)
        sent = time.monotonic()
        worker.send_signal(signal.SIGINT)
        words = worker.stdout.readline().split()
        assert words and words[0] == "KeyboardInterrupt", words
        # A tenth of a second, or more if other programs use the processors.
        shares = 1 + os.getloadavg()[0] / (os.cpu_count() or 1)
        assert float(words[1]) - sent < 0.1 * shares
    finally:
        worker.kill()
        worker.wait()


SLOW = 0.1


@pytest.fixture
def slow() -> dict[str, Any]:
    """A question whose answers take `SLOW` seconds each."""

    def judge(_config: Any, _state: Any) -> Judgement:
        time.sleep(SLOW)
        return Judgement(1)

    register_validator("slow", judge)
    validator = {"kind": "builtin", "name": "slow"}
    return {"type": "widget", "widgetName": "plane", "widgetVersion": "1.0.0", "validator": validator}


def graded_many(spec: dict[str, Any], answers: list[str]) -> None:
    fablegrade.Grader(spec).grade_many(answers, workers=2)


def graded_batches(spec: dict[str, Any], answers: list[str]) -> None:
    table = pyarrow.table({"item_id": ["q"] * len(answers), "submission": answers})
    try:
        pyarrow.table(grade_batches(table, Bank({"q": spec})))
    except pyarrow.ArrowInvalid:
        # The exception of the handler is raised as soon as Python continues.
        time.sleep(0)


@pytest.mark.parametrize("work", [graded_many, graded_batches])
def test_a_signal_raises_what_its_handler_raises(work: Callable[..., None], slow: dict[str, Any]) -> None:
    handled: list[float] = []

    def late(_signal: int, _frame: object) -> None:
        handled.append(time.monotonic())
        raise TimeoutError("too late")

    before = signal.signal(signal.SIGALRM, late)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.25)
        with pytest.raises(TimeoutError, match="too late"):
            work(slow, ['{"type":"widget","state":{}}'] * 256)
        ended = time.monotonic()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert len(handled) == 1
    # Only the answers that are being graded are finished.
    shares = 1 + os.getloadavg()[0] / (os.cpu_count() or 1)
    assert ended - handled[0] < SLOW + 0.1 * shares


def cpu(pid: int) -> float:
    """Returns the CPU time that a process has used, in seconds."""
    with open(f"/proc/{pid}/stat", encoding="utf-8") as stat:
        fields = stat.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def children(pid: int) -> list[str]:
    """Returns the ids of the child processes that any thread of a process has started and not yet waited for."""
    found: list[str] = []
    for task in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{task}/children", encoding="utf-8") as file:
            found += file.read().split()
    return found


def test_calls_can_be_awaited() -> None:
    """The interpreter's lock is released, so an event loop can run calls on threads."""
    grader = fablegrade.Grader({"type": "expression", "canonical": r"\sin(2x)", "equivalence": "symbolic"})
    answer = {"type": "expression", "latex": r"2\sin(x)\cos(x)"}

    async def all_at_once() -> list[str]:
        calls = (asyncio.to_thread(grader.grade, answer) for _ in range(8))
        return [result.verdict for result in await asyncio.gather(*calls)]

    assert asyncio.run(all_at_once()) == ["correct"] * 8
