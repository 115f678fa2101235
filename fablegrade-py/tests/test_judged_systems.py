"""terry and judgehost: the vectors and documents of the Rust crates through the package."""

from __future__ import annotations

import io
import json
import tarfile
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from fablegrade import AttemptResult, FablegradeError, JsonError, MismatchError, SchemaError, SpecError, judgehost, terry
from vectors import REPOSITORY

UUID = "123e4567-e89b-42d3-a456-426614174000"


def lines(path: str) -> list[dict[str, Any]]:
    text = (REPOSITORY / path).read_text(encoding="utf-8")
    found = [json.loads(line) for line in text.split("\n") if line]
    assert len(found) > 50
    return found


# terry


@pytest.mark.parametrize("vector", lines("systems/terry/tests/vectors/results.jsonl"), ids=lambda vector: vector["why"][:60])
def test_what_checkers_print(vector: dict[str, Any]) -> None:
    for printed in (vector["printed"], vector["printed"].encode()):
        concluded = terry.read_result(printed, max_score=vector["maxScore"], cases=vector.get("cases"))
        if "error" in vector:
            failure = concluded["failure"]
            assert set(concluded) == {"failure"} and failure["rule"] == "checker-result-invalid"
            first = next(found for found in failure["findings"] if found["severity"] == "error")
            assert first["rule"] == vector["error"], vector["why"]
        else:
            assert str(concluded["points"]) == vector["points"], vector["why"]
            assert [found["rule"] for found in concluded["findings"]] == vector["warnings"], vector["why"]


HALF = """{"score": 0.5, "secret": "S3CRET",
    "validation": {"cases": [{"status": "parsed"}, {"status": "missing", "message": "not there"}], "alerts": [], "more": 1},
    "feedback": {"cases": [{"correct": true}, {"correct": false, "message": "S3CRET"}], "alerts": []},
    "subtasks": [{"score": 5, "max_score": 5, "testcases": [0], "labels": ["S3CRET"]},
                 {"score": 0, "max_score": 5, "testcases": [1]}]}"""


def test_before_confirming_only_the_validation_is_seen() -> None:
    judged = terry.read_result(HALF, max_score=10)
    assert "S3CRET" not in json.dumps(judged["beforeConfirming"]) and judged["beforeConfirming"]["more"] == 1
    after = judged["afterConfirming"]
    assert after["score"] == judged["score"] == 0.5 and after["points"] == judged["points"] == 5 and "secret" not in after and judged["document"]["secret"] == "S3CRET"


def test_every_digit_of_what_a_checker_prints_is_kept() -> None:
    judged = terry.read_result(HALF.replace('"more": 1', '"more": 0.12345678901234567890123'), max_score="10")
    assert judged["beforeConfirming"]["more"] == Decimal("0.12345678901234567890123")  # type: ignore[typeddict-item]


def test_plans_are_what_the_servers_do() -> None:
    plan = terry.plan("test", seed=42, validator=True)
    assert plan["seed"] == 42
    generator, validator, solution, checker = plan["steps"]
    assert generator == {"role": "generator", "arguments": ["42", "0"], "makes": "input"}
    assert validator == {"role": "validator", "arguments": ["0"], "stdin": "input"}
    assert solution == {"role": "solution", "arguments": [], "stdin": "input", "makes": "output"}
    assert checker == {"role": "checker", "arguments": [{"file": "input"}, {"file": "output"}]}
    assert [step["role"] for step in terry.plan("input", seed=1)["steps"]] == ["generator"]
    assert terry.plan("grade") == {"steps": [checker]}
    with pytest.raises(SchemaError):
        terry.plan("guess")  # type: ignore[arg-type]
    with pytest.raises(OverflowError):
        terry.plan("test", seed=2**32)


def test_each_step_fails_in_its_own_way() -> None:
    plan = terry.plan("test", seed=7, validator=True)
    good = terry.StepOutcome(stdout="x")
    rules = ("generation-failed", "input-invalid", "solution-failed", "checker-failed")
    for failing, rule in enumerate(rules):
        outcomes = [good] * failing + [terry.StepOutcome("exited", 3, stderr=b"why \xff\n")]
        failure = terry.conclude(plan, outcomes, max_score=10)["failure"]
        assert (failure["rule"], failure["role"]) == (rule, plan["steps"][failing]["role"])
        assert failure["said"] == "why \ufffd"
        result = terry.attempt_result(plan, outcomes, max_score=10, attempt_id=UUID)
        assert result.verdict == ("incorrect" if rule == "solution-failed" else "error")
        assert result.score == (0.0 if rule == "solution-failed" else None)
    compile_error = terry.StepOutcome("compile_error", message="line 1")
    result = terry.attempt_result(plan, [good, good, compile_error], max_score=10, attempt_id=UUID)
    assert [case.verdict for case in result.code_results] == ["compile_error"]
    # A step without an outcome gives no score.
    assert terry.conclude(plan, [good], max_score=10)["failure"]["rule"] == "host-failed"
    host = terry.StepOutcome("sandbox_error", message="/host/path")
    result = terry.attempt_result(plan, [host], max_score=10, attempt_id=UUID)
    assert result.verdict == "error" and "/host/path" not in result.to_json()


def test_an_attempt_result_of_a_judged_output() -> None:
    identity = terry.attempt_id("poldo", "in", b"out")
    assert identity == terry.attempt_id("poldo", b"in", "out") != terry.attempt_id("poldo", "ino", "ut")
    result = terry.attempt_result(
        terry.plan("grade"), [terry.StepOutcome(stdout=HALF)], max_score="10", attempt_id=identity, graded_at="2026-03-01T09:30:00Z"
    )
    assert (result.attempt_id, result.verdict, result.score) == (identity, "partial", 0.5)
    assert result.graded_at == "2026-03-01T09:30:00Z"
    assert [case.verdict for case in result.code_results] == ["passed", "failed"]
    assert AttemptResult.from_json(result.to_json()) == result


@pytest.mark.parametrize(
    ("arguments", "pointer"),
    [
        ({"max_score": 0}, "/max_score"),
        ({"max_score": "many"}, "/max_score"),
        ({"attempt_id": "7"}, "/attempt_id"),
        ({"graded_at": "today"}, "/graded_at"),
        ({"plan": {"steps": [{"role": "checker", "arguments": []}] * 2}}, "/plan/steps"),
        ({"plan": {"steps": [{"role": "judge", "arguments": []}]}}, "/plan/steps"),
        ({"outcomes": [("odd", 0, b"", b"", "")]}, "/outcomes/0/end"),
    ],
)
def test_terry_refuses_arguments_that_make_no_sense(arguments: dict[str, Any], pointer: str) -> None:
    given: dict[str, Any] = {"plan": terry.plan("grade"), "outcomes": [], "max_score": 10, "attempt_id": UUID} | arguments
    with pytest.raises(SchemaError) as raised:
        terry.attempt_result(given.pop("plan"), given.pop("outcomes"), **given)
    assert raised.value.pointer == pointer and raised.value.help


def test_terry_documents() -> None:
    valid = terry.check_task("name: poldo\ndescription: La dieta di Poldo\nmax_score: 42\nsubmission_timeout: 600\n")
    assert valid["valid"] and valid["task"] is not None
    assert (valid["task"]["name"], valid["task"]["maxScore"], valid["task"]["submissionTimeout"]) == ("poldo", 42, 600)
    broken = terry.check_task(b"name: [\n")
    assert not broken["valid"] and broken["task"] is None and broken["findings"][0]["file"] == "task.yaml"

    contest = """duration: 3600
tasks: [poldo]
users:
  - {token: S3CRET-ONE, name: Ada, surname: L}
  - {token: S3CRET-ONE, name: Alan, surname: T}
"""
    checked = terry.check_contest(contest)
    assert not checked["valid"] and checked["contest"] is None and "S3CRET" not in json.dumps(checked)
    right = terry.check_contest(contest.replace("ONE, name: Alan", "TWO, name: Alan"), metadata="name: Other\n")
    assert right["contest"] is not None and right["contest"]["users"] == 2 and "S3CRET" not in json.dumps(right)
    assert {found["file"] for found in right["findings"]} == {"metadata.yaml"}


def test_terry_folders() -> None:
    elf = b"\x7fELF\x02\x01\x01" + bytes(9) + b"\x02\x00\x3e\x00"
    files = [
        terry.FolderFile("task.yaml", 50),
        terry.FolderFile("statement/statement.md", 10, b"# Poldo"),
        terry.FolderFile("managers/generator.linux.x86_64", 1000, elf, executable=True),
        terry.FolderFile("managers/checker.linux.x86_64", 1000, elf, executable=True),
        terry.FolderFile("managers/checker.py", 30, b"print(1)", changed=1),
    ]
    here = terry.check_folder(files, platform="linux.x86_64")
    assert here["valid"], here
    elsewhere = terry.check_folder(files[:3], platform="linux.x86_64")
    assert not elsewhere["valid"] and any("checker" in found["message"] for found in elsewhere["findings"])
    assert not terry.check_folder(files, platform="windows.amd64")["valid"]
    with pytest.raises(SchemaError) as raised:
        terry.check_folder(files, platform="plan9.vax")
    assert raised.value.pointer == "/platform"


def test_bad_outputs_are_the_same_for_a_seed() -> None:
    bad = terry.bad_outputs(42)
    assert bad == terry.bad_outputs(42) != terry.bad_outputs(43)
    assert len(bad) >= 20 and bad[0] == ("empty", b"", True) and all(one.rubbish for one in bad)
    assert [one for one in terry.bad_outputs(42, "Case #1: 3\n") if not one.rubbish]


# judgehost


@pytest.mark.parametrize("vector", lines("systems/judgehost/tests/vectors.jsonl"), ids=lambda vector: vector["id"])
def test_judgehost_documents(vector: dict[str, Any]) -> None:
    for manner in ("strict", "lenient"):
        for document in (vector["document"], json.dumps(vector["document"]), json.dumps(vector["document"]).encode()):
            checked = judgehost.check(document, rubric=vector.get("rubric"), strict=manner == "strict")
            assert checked["valid"] is vector[manner]["valid"]
            found = [[finding["rule"], finding["pointer"]] for finding in checked["findings"]]
            assert [wanted for wanted in vector[manner]["findings"] if wanted not in found] == []


COLLECTION = REPOSITORY.parent / "shared/corpus/judgehost/documents.jsonl"


@pytest.mark.skipif(not COLLECTION.exists(), reason="the case collection is not beside the project")
def test_the_case_collection_of_judgehost() -> None:
    rubric = {"rubric_id": "correctness", "max_score": 50}
    rows = [json.loads(line) for line in COLLECTION.read_text(encoding="utf-8").split("\n") if line]
    for row in rows:
        checked = judgehost.check(row["document"], rubric=rubric if "rubric_" in row["id"] else None, strict=True)
        assert checked["valid"] is row["valid"], row["id"]
    assert rows


EXAMPLE = REPOSITORY / "systems/judgehost/example"


def tree(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def archive(folder: Path) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as packed:
        packed.add(folder, arcname="package")
    return buffer.getvalue()


def test_the_example_package_is_planned() -> None:
    package = judgehost.Package(tree(EXAMPLE / "package"), strict=True)
    packed = judgehost.Package(archive(EXAMPLE / "package"))
    assert package.paths == packed.paths and package.read("config.json") == packed.read("config.json")
    assert judgehost.check_package(archive(EXAMPLE / "package"))["valid"]
    with pytest.raises(KeyError):
        package.read("nothing")
    submission = tree(EXAMPLE / "submissions/right")
    identity = judgehost.content_id(submission)
    assert identity.startswith("sub_") and identity == judgehost.content_id(archive_of(submission))
    plan = judgehost.plan(package, identity)
    assert plan == judgehost.plan(packed, identity) and plan["submission_id"] == identity
    starts = [container["container_id"] for container in plan["containers"]]
    assert set(starts) == {"submission", "tester", "database"} and starts.index("database") < starts.index("submission")
    hooks = [hook for group in plan["post"] for hook in group]
    assert {hook["container_id"] for hook in hooks} == {"tester"}
    assert package.read(f"tester/hooks/post/{hooks[0]['name']}").startswith(b"#!")
    (delivery,) = judgehost.distribute(package, submission)
    assert delivery.container_id == "submission" and delivery.files == submission
    project = judgehost.compose(package, submission, identity)
    assert "services:" in project and identity in project
    with pytest.raises(MismatchError) as raised:
        judgehost.plan(package, "no name")
    assert raised.value.rule == "submission-id"


def archive_of(files: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as packed:
        for path, content in files.items():
            entry = tarfile.TarInfo(path)
            entry.size = len(content)
            packed.addfile(entry, io.BytesIO(content))
    return buffer.getvalue()


def test_packages_that_cannot_be_planned() -> None:
    files = tree(EXAMPLE / "package")
    del files["tester/Dockerfile"]
    with pytest.raises(SpecError) as raised:
        judgehost.Package(files)
    assert any("Dockerfile" in finding.message for finding in raised.value.findings)
    checked = judgehost.check_package(files)
    assert not checked["valid"] and len(checked["findings"]) >= len(raised.value.findings)
    for hostile in (b"", b"PK\x03\x04 no archive", archive_of({"../out": b""}), {"a/../../b": "x"}, {"/etc/passwd": b""}):
        with pytest.raises(FablegradeError):
            judgehost.Package(hostile)
    with pytest.raises(TypeError):
        judgehost.Package(7)  # type: ignore[arg-type]


RUBRICS = [
    {"rubric_id": "correctness", "rubric_name": "Correctness", "rubric_type": "test_cases", "max_score": 50, "weight": 2.0},
    {"rubric_id": "performance", "rubric_name": "Performance", "rubric_type": "performance_benchmark", "max_score": 30, "weight": 1.5},
    {"rubric_id": "quality", "rubric_name": "Code Quality", "rubric_type": "code_quality", "max_score": 20},
]
CONFIG = {
    "problem_id": "two-sum",
    "problem_name": "Two Sum",
    "containers": [
        {"container_id": "submission", "dockerfile_path": "submission/Dockerfile", "accepts_submission": True},
        {"container_id": "tester", "dockerfile_path": "tester/Dockerfile"},
    ],
    "rubrics": [rubric | {"container": "tester"} for rubric in RUBRICS],
}
WRITTEN = {
    "rubric_correctness.json": '{"rubric_id": "correctness", "score": 45, "max_score": 50}',
    "rubric_performance.json": {"rubric_id": "performance", "score": 24},
    "rubric_quality.json": b'{"rubric_id": "quality", "score": 18, "details": {"remarks": 2}}',
}


def test_the_documents_example_is_scored() -> None:
    scored = judgehost.score(CONFIG, {"tester": WRITTEN}, submission_id="sub_1", strict=True)
    evaluation = scored["evaluation"]
    assert (evaluation["total_score"], evaluation["max_total_score"], evaluation["normalized_score"]) == (87, 100, 87)
    assert evaluation["weighted_score"] == 144 / 165 and evaluation["verdict"] == "PARTIAL"
    assert scored == judgehost.score(json.dumps(CONFIG), {"tester": WRITTEN}, submission_id="sub_1")
    result = judgehost.attempt_result(CONFIG, {"tester": WRITTEN}, attempt_id=UUID)
    assert (result.verdict, result.score, result.attempt_id) == ("partial", 144 / 165, UUID)
    assert result.feedback[0].message == "Correctness: 45 of 50 points" and "remarks" not in result.to_json()
    normalized = judgehost.attempt_result(CONFIG, {"tester": WRITTEN}, attempt_id=UUID, ranking="normalized")
    assert normalized.score == 0.87


@pytest.mark.parametrize(
    "broken",
    [
        '{"rubric_id":"performance","score":31}',
        '{"rubric_id":"performance","score":"24"}',
        '{"rubric_id":"other","score":24}',
        '{"rubric_id":"performance","score":24,"score":30}',
        b'{"rubric_id":"performance","score":24,"metadata":{"a":"\xff"}}',
        "Tests: 8/10 passed",
        "",
    ],
)
def test_results_that_are_not_believed_earn_nothing(broken: str | bytes) -> None:
    scored = judgehost.score(CONFIG, {"tester": WRITTEN | {"rubric_performance.json": broken}})
    evaluation = scored["evaluation"]
    assert (evaluation["total_score"], evaluation["verdict"], evaluation["rubrics"][1]["verdict"]) == (63, "ERROR", "ERROR")
    result = judgehost.attempt_result(CONFIG, {"tester": WRITTEN | {"rubric_performance.json": broken}}, attempt_id=UUID)
    assert (result.verdict, result.score) == ("error", None)


def test_a_submission_that_never_starts_is_incorrect_and_a_broken_engine_is_nobodys_fault() -> None:
    for stage, container, verdict in (("startup", "submission", "incorrect"), ("startup", "tester", "error"), ("engine", None, "error")):
        failure: dict[str, Any] = {"stage": stage, "message": "it never became healthy"}
        if container:
            failure["container_id"] = container
        scored = judgehost.score(CONFIG, {}, failure=failure)  # type: ignore[arg-type]
        assert scored["evaluation"]["status"] == "FAILED" and scored["evaluation"]["failure"]["stage"] == stage
        result = judgehost.attempt_result(CONFIG, {}, failure=failure, attempt_id=UUID)  # type: ignore[arg-type]
        assert result.verdict == verdict and result.score == (0.0 if verdict == "incorrect" else None)


def test_judgehost_refuses_arguments_that_make_no_sense() -> None:
    with pytest.raises(SchemaError) as raised:
        judgehost.score({"problem_id": "two-sum"}, {})
    assert raised.value.pointer.startswith("/config") and len(raised.value.findings) > 1
    with pytest.raises(JsonError):
        judgehost.score("{", {})
    for wrong, pointer in (({"attempt_id": "7"}, "/attempt_id"), ({"ranking": "best"}, "/ranking"), ({"failure": {"stage": "x"}}, "/failure/stage")):
        arguments: dict[str, Any] = {"attempt_id": UUID} | wrong
        with pytest.raises(SchemaError) as raised:
            judgehost.attempt_result(CONFIG, {"tester": WRITTEN}, **arguments)
        assert pointer in [finding.pointer for finding in raised.value.findings]
