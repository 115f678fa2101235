"""Runs programs in the sandbox. Needs bubblewrap and a C compiler, which `fablegrade-py/test` installs."""

from __future__ import annotations

import json
import os
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import fablegrade
from fablegrade import AttemptResult, Grader, MismatchError, Runner, SandboxError

pytestmark = pytest.mark.skipif(not fablegrade.HAS_RUNNER, reason="this build cannot run programs")

SPEC: dict[str, Any] = {
    "type": "code",
    "languages": ["python", "c"],
    "limits": {"timeMsPerCase": 1000},
    "testSuites": [
        {"name": "samples", "visibility": "public", "cases": [{"name": "two", "input": "1 1\n", "expected": "2\n"}]},
        {"name": "secret", "visibility": "hidden", "cases": [{"input": "4700 11\n", "expected": "4711\n"}]},
    ],
}
SOURCES = {
    ("python", "right"): "a, b = map(int, input().split())\nprint(a + b)",
    ("python", "wrong"): "a, b = map(int, input().split())\nprint(a - b)",
    ("python", "endless"): "while True: pass",
    ("python", "broken"): "def f(:\n    pass",
    ("python", "crashing"): "raise SystemExit(3)",
    ("c", "right"): '#include <stdio.h>\nint main(void) { int a, b; scanf("%d %d", &a, &b); printf("%d\\n", a + b); }',
    ("c", "wrong"): '#include <stdio.h>\nint main(void) { int a, b; scanf("%d %d", &a, &b); printf("%d\\n", a - b); }',
    ("c", "endless"): "int main(void) { for (volatile int i = 0;; i++) { } }",
    ("c", "broken"): "int main(void) { return nothing; }",
    ("c", "crashing"): "#include <stdlib.h>\nint main(void) { abort(); }",
}
VERDICTS = {"right": "passed", "wrong": "failed", "endless": "timeout", "broken": "compile_error", "crashing": "runtime_error"}


def submission(language: str, how: str) -> dict[str, str]:
    return {"type": "code", "language": language, "source": SOURCES[language, how]}


def verdicts(result: AttemptResult) -> list[str]:
    return [case.verdict for case in result.code_results]


@pytest.fixture(scope="module")
def runner() -> Iterator[Runner]:
    with tempfile.TemporaryDirectory() as cache:
        # Sandboxes of root run as other users, who must be able to enter the folder of compiled programs.
        os.chmod(cache, 0o755)
        made = Runner(cache=cache)
        assert made.trouble is None, made.trouble
        assert made.isolation.startswith("bubblewrap")
        yield made


@pytest.mark.parametrize(("language", "how"), SOURCES)
def test_programs_are_run_and_graded(runner: Runner, language: str, how: str) -> None:
    result = runner.grade(Grader(SPEC), submission(language, how))
    assert verdicts(result) == [VERDICTS[how]] * 2
    assert (result.verdict, result.score) == (("correct", 1.0) if how == "right" else ("incorrect", 0.0))
    public, hidden = result.code_results
    assert public.case_name == "two" and (how == "broken" or public.time_ms is not None)
    assert hidden[3:] == (None,) * 5 and "4711" not in result.to_json()
    if how == "broken":
        (told,) = result.feedback
        assert "solution." in told.message and "/box" not in told.message and "/tmp" not in told.message


def test_run_is_the_same_in_one_call(runner: Runner) -> None:
    text = json.dumps(submission("python", "right"))
    result = fablegrade.run(SPEC, text)
    again = fablegrade.run(Grader(SPEC), text.encode(), context={"hints": {}})
    assert verdicts(result) == verdicts(again) == ["passed"] * 2 and result.attempt_id == again.attempt_id


def test_a_runner_serves_many_threads(runner: Runner) -> None:
    grader, found = Grader(SPEC), {}

    def grade(language: str, how: str) -> None:
        found[language, how] = verdicts(runner.grade(grader, submission(language, how)))

    threads = [threading.Thread(target=grade, args=key) for key in SOURCES if key[1] != "endless"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {key: [VERDICTS[key[1]]] * 2 for key in SOURCES if key[1] != "endless"}


def test_other_answers_are_just_graded() -> None:
    assert fablegrade.run({"type": "numeric", "answer": {"value": 4}}, {"type": "numeric", "value": 4}).verdict == "correct"


def test_without_bubblewrap_nothing_is_run_and_nobody_is_wrong(tmp_path: Path) -> None:
    absent = tmp_path / "no-such-bwrap"
    runner = Runner(bubblewrap=absent, cache=str(tmp_path))
    assert runner.trouble is not None and str(absent) in runner.trouble
    ran = tmp_path / "ran"
    source = f"open({str(ran)!r}, 'w')"
    with pytest.raises(SandboxError) as raised:
        runner.grade(Grader(SPEC), {"type": "code", "language": "python", "source": source})
    assert "bubblewrap" in raised.value.cause and not ran.exists()
    canonical = json.dumps(raised.value.to_dict(), ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    assert raised.value.to_json() == canonical
    result = raised.value.result
    assert (result.verdict, result.score, verdicts(result)) == ("error", None, ["sandbox_error"] * 2)
    assert "bubblewrap" not in result.to_json() and str(tmp_path) not in result.to_json()


def test_an_attempt_at_another_version_is_not_run(tmp_path: Path) -> None:
    runner = Runner(bubblewrap=tmp_path / "no-such-bwrap", cache=tmp_path, unsandboxed=True)
    ran = tmp_path / "ran"
    source = {"type": "code", "language": "python", "source": f"open({str(ran)!r}, 'w')"}
    ids = [f"{digit * 8}-1111-4111-8111-111111111111" for digit in "123"]
    attempt: Any = {"problemId": ids[0], "problemVersionId": ids[1], "submission": source}
    context: Any = {"problemVersionId": ids[2]}
    for call in (
        lambda: runner.grade(Grader(SPEC), attempt=attempt, context=context),
        lambda: Grader(SPEC).grade(attempt=attempt, context=context),
        lambda: raise_first(Grader(SPEC).grade_many(attempts=[attempt], context=context)),
    ):
        with pytest.raises(MismatchError) as raised:
            call()
        assert (raised.value.rule, raised.value.pointer) == ("other-version", "/attempt/problemVersionId")
    assert not ran.exists()


def raise_first(results: list[Any]) -> None:
    raise results[0]


def test_never_without_a_sandbox_unless_asked(tmp_path: Path) -> None:
    runner = Runner(bubblewrap=tmp_path / "no-such-bwrap", cache=tmp_path, unsandboxed=True)
    result = runner.grade(Grader(SPEC), submission("python", "right"))
    assert verdicts(result) == ["passed"] * 2 and "without a sandbox" in result.feedback[0].message


@pytest.mark.parametrize(("limit", "value"), [("memory_mb", 3), ("memory_mb", 0), ("output_kb", 0)])
def test_limits_too_low_for_any_program_are_refused(limit: str, value: int) -> None:
    with pytest.raises(ValueError, match=f"{limit} is {value}; give at least"):
        Runner(**{limit: value})  # type: ignore[arg-type]


@pytest.mark.parametrize(("kib", "passes"), [(1, False), (64, True)])
def test_a_host_sets_its_own_limits(kib: int, passes: bool) -> None:
    suite = {"name": "long", "visibility": "public", "cases": [{"input": "", "expected": "x" * 4000}]}
    answer = {"type": "code", "language": "python", "source": "print('x' * 4000)"}
    graded = Runner(output_kb=kib, memory_mb=512).grade(Grader({**SPEC, "testSuites": [suite]}), answer)
    assert (verdicts(graded) == ["passed"]) is passes


def test_a_table_of_languages_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="language"):
        Runner(languages={"klingon": 4})
