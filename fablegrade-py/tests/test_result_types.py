"""The values that the integrations return match their types exactly: all fields, words and lists, and no further fields."""

from __future__ import annotations

import io
import json
import types
import uuid
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any, ForwardRef, Literal, Union, get_args, get_origin, get_type_hints, is_typeddict

import pytest

import fablegrade
from fablegrade import FablegradeError, documents, errors, flowmcp, formspec, interchange, judgehost, kattis, results, terry, verify
from test_interchange import GIFT as PLAIN
from test_judged_systems import CONFIG, EXAMPLE, HALF, WRITTEN, lines, tree
from test_kattis import FILES
from test_systems import DOCUMENTS, NOW, SCREENER
from vectors import REPOSITORY

MODULES = (errors, flowmcp, formspec, interchange, judgehost, kattis, results, terry, verify)

# The checker

SEEN: dict[str, set[str]] = {}
"""The fields that occurred in values of a class, by the name of the class."""


def name_of(kind: Any) -> str:
    return f"{kind.__module__}.{kind.__qualname__}"


def structure(value: object, kind: Any, at: str) -> Iterator[str]:
    if not isinstance(value, dict):
        yield f"{at}: {value!r} is not an object"
        return
    hints = get_type_hints(kind)
    yield from (f"{at}: `{name}` is missing" for name in sorted(kind.__required_keys__ - value.keys()))
    for name, inner in value.items():
        if name not in hints:
            yield f"{at}: `{name}` is not a field of {name_of(kind)}"
        else:
            yield from misfits(inner, hints[name], f"{at}/{name}")
    SEEN.setdefault(name_of(kind), set()).update(value.keys() & hints.keys())


def one_of(value: object, kinds: Sequence[Any], at: str) -> Iterator[str]:
    """Yields the differences from the type that fits best."""
    before = {name: set(fields) for name, fields in SEEN.items()}
    best: list[str] | None = None
    for kind in kinds:
        found = list(misfits(value, kind, at))
        if not found:
            return
        # Fields of values that do not fit do not count as seen.
        SEEN.clear()
        SEEN.update({name: set(fields) for name, fields in before.items()})
        if best is None or len(found) < len(best):
            best = found
    yield from best or []


def misfits(value: object, kind: Any, at: str = "") -> Iterator[str]:
    """Yields the differences between a value and its type."""
    origin, arguments = get_origin(kind), get_args(kind)
    if isinstance(kind, (str, ForwardRef)):
        yield from misfits(value, getattr(documents, kind if isinstance(kind, str) else kind.__forward_arg__), at)
    elif is_typeddict(kind):
        yield from structure(value, kind, at)
    elif origin in (Union, types.UnionType):
        yield from one_of(value, arguments, at)
    elif origin is Literal:
        if not any(type(value) is type(word) and value == word for word in arguments):
            yield f"{at}: {value!r} is none of {arguments}"
    elif origin in (list, Sequence):
        if not isinstance(value, list):
            yield f"{at}: {value!r} is not a list"
        else:
            for index, inner in enumerate(value):
                yield from misfits(inner, arguments[0], f"{at}/{index}")
    elif origin in (dict, Mapping):
        if not isinstance(value, dict) or not all(isinstance(name, str) for name in value):
            yield f"{at}: {value!r} is not an object"
        else:
            for name, inner in value.items():
                yield from misfits(inner, arguments[1], f"{at}/{name}")
    elif origin is tuple:
        if not isinstance(value, tuple) or len(value) != len(arguments):
            yield f"{at}: {value!r} is not {kind}"
        else:
            for inner, argument in zip(value, arguments, strict=True):
                yield from misfits(inner, argument, at)
    elif kind is float:
        if type(value) not in (int, float):
            yield f"{at}: {value!r} is not a number"
    elif kind in (str, int, bool, Decimal, types.NoneType):
        if type(value) is not kind:
            yield f"{at}: {value!r} is not {kind.__name__}"
    elif kind is not object and kind is not Any:
        raise AssertionError(f"{at}: the checker knows nothing about {kind}")


def returned(function: Callable[..., Any]) -> Any:
    """Returns the declared return type of a function."""
    return eval(function.__annotations__["return"], vars(__import__(function.__module__, fromlist=["_"])))


def fits(function: Callable[..., Any], *arguments: Any, **keywords: Any) -> Any:
    """Calls a function, checks its value against the declared type, and returns the value."""
    kind = returned(getattr(function, "__func__", function))
    value = function(*arguments, **keywords)
    if get_origin(kind) is not list and not is_typeddict(kind) and get_origin(kind) is not Union:
        kind, value = list[get_args(kind)[0]], list(value)  # type: ignore[misc]
    assert list(misfits(value, kind)) == []
    return value


# Documents


def flowmcp_results() -> None:
    texts = {path.name: path.read_text(encoding="utf-8") for path in sorted(DOCUMENTS.glob("*.json"))}
    for text in texts.values():
        entry = json.loads(text)
        fits(flowmcp.check, text)
        fits(flowmcp.aggregate, entry["gradings"], grading_tier=entry["gradingTier"], veto=entry.get("categoricalVeto"))
        fits(flowmcp.rollup, [{"entry": text}], options={"updatedAt": NOW})
        plan = {"classes": {entry["gradings"][0]["questionId"]: 30}, "retentionDays": 30}
        fits(flowmcp.age, text, plan=plan, now="2027-01-01T00:00:00Z")
    fits(flowmcp.check, {"gradings": []})
    fits(flowmcp.aggregate, [], grading_tier="autonomous")
    wrong: Any = [{"score": 9}]
    assert "rawGrade" not in fits(flowmcp.aggregate, wrong, grading_tier="autonomous")
    bound = json.loads(texts["group_bound.json"])
    members = [
        {"schemaId": f"provider.schema{at}", "schemaVersion": "flowmcp/4.0.0", "schemaHash": "0badcafe", "gradingStatus": "stable",
         "override": {"name": "Prices", "description": "All prices."} if at == 0 else None}
        for at in range(6)
    ]
    lock = {"selectionId": bound["selectionId"], "selectionVersion": "1.0.0", "selectionHash": "a1b2c3d4",
            "generatedAt": "2026-05-01T00:00:00Z", "members": members}
    fits(flowmcp.rollup, [{"entry": bound}], options={"locks": [lock]})
    fits(flowmcp.rollup, [{"entry": bound}], options={"locks": [{**lock, "members": members[:2]}]})
    tool = json.loads(texts["autonomous.json"])
    fits(flowmcp.rollup, [{"entry": {**tool, "area": "tools-aggregate-schema"}}, {"entry": tool}])
    changed = {tool["schemaId"].split(".")[1]: "0badcafe"}
    (index,) = fits(flowmcp.rollup, [{"entry": {**tool, "area": "tools-aggregate-schema"}}], options={"liveHashes": changed})
    assert "changed" in next(iter(index["schemas"].values()))["toolsAggregate"]["reason"]
    fits(flowmcp.verify, {**{f"_gradings/{name}": text for name, text in texts.items()}, "elsewhere.json": texts["autonomous.json"]})
    fits(flowmcp.build, draft())


def draft() -> dict[str, Any]:
    """Returns a draft of an entry for the description of a namespace."""
    judge = {"kind": "llm", "name": "judge", "version": "2"}
    context = {"groupId": "g", "personaIds": ["neutral"], "domainDocId": "d-1"}
    answers = [
        {"questionId": f"Q-namespace-description-{at:02}", "score": 4 if at < 4 else "pass", "reasoning": "Seen.", "llmModel": "judge-2",
         "graderIdentity": judge, "selectionContext": context}
        for at in range(1, 5)
    ]
    return {
        "schemaId": "weather.forecast", "area": "namespace-description", "version": "flowmcp/4.2.0", "schemaHash": "0badcafe",
        "gradingMode": "full", "harness": "claude-code", "scoringSystem": "scoringSystem/1.0.0",
        "gradingSystem": "gradingSystem/1.0.0", "timestamp": "2026-07-01T12:00:00+02:00", "answers": answers,
    }


def formspec_results() -> None:
    answers = {"income": {"value": 45000, "state": "answered"}}
    record = fits(formspec.determine, SCREENER, answers, now=NOW)["record"]
    fits(formspec.determine, SCREENER, {}, now=NOW)
    assert fits(formspec.determine, {**SCREENER, "resultValidity": "P9X"}, answers, now=NOW)["findings"]
    fits(formspec.check, record)
    fits(formspec.check, {})
    fits(formspec.verify, record, SCREENER)
    fits(formspec.verify, json.loads(json.dumps(record).replace("urn:housing", "urn:castle")), SCREENER)
    fits(formspec.expire, record, now="2027-06-01T00:00:00Z")


def judgehost_results() -> None:
    files = tree(EXAMPLE / "package")
    fits(judgehost.check_package, files)
    fits(judgehost.check_package, {"config.json": "{}"})
    fits(judgehost.plan, judgehost.Package(files))
    config = json.loads(files["config.json"])
    config["network"] = {"internet_access": True, "mtu": 1400, "dns_servers": ["9.9.9.9"]}
    config["containers"][2]["mounts"] = [
        {"type": "bind", "source": "tester/data", "destination": "/cases", "read_only": True},
        {"type": "volume", "source": "shared", "destination": "/shared"},
        {"type": "tmpfs", "destination": "/scratch"},
    ]
    fits(judgehost.plan, judgehost.Package({**files, "config.json": json.dumps(config)}), "sub_1")
    fits(judgehost.check, CONFIG)
    fits(judgehost.score, CONFIG, {"tester": WRITTEN})
    said = {"rubric_id": "quality", "score": 18, "message": "Well done.", "metadata": {"a": [1, None]}}
    fits(judgehost.score, CONFIG, {"tester": {"rubric_quality.json": said, "rubric_correctness.json": "{"}})
    for failure in ({"stage": "startup", "message": "late", "container_id": "submission"}, {"stage": "engine", "message": "gone"}):
        assert list(misfits(failure, judgehost.Failure)) == []
        fits(judgehost.score, CONFIG, {}, failure=failure)


def kattis_results() -> None:
    fits(kattis.check, kattis.KattisPackage(FILES, "double"))
    fits(kattis.check, kattis.KattisPackage({**FILES, "problem.yaml": "name: Double\ncolour: red\n"}))
    package = kattis.KattisPackage(FILES)
    for outcomes in OUTCOMES:
        assert list(misfits(outcomes, kattis.Outcomes)) == []
        fits(kattis.conclude, package, "a.py", "print()", outcomes, time_limit=1)
    head = "problem_format_version: 2025-09\nname: X\nuuid: 2e1f6f5c-7a44-4c7b-8d3b-5a3a4de1f001\ntype: scoring\n"
    scoring = {
        "problem.yaml": head,
        "static_validator/s.py": "x\n",
        "data/secret/test_group.yaml": "max_score: 100\n",
        "data/secret/a/test_group.yaml": "max_score: 60\nrequire_pass: sample\n",
        "data/secret/b/test_group.yaml": "max_score: 40\nscore_aggregation: sum\nrequire_pass: [secret/a]\nstatic_validation_score: 10\n",
    }
    for case in ("sample/1", "secret/a/1", "secret/b/1"):
        scoring |= {f"data/{case}.in": "1\n", f"data/{case}.ans": "2\n"}
    scored = kattis.KattisPackage(scoring)
    fits(kattis.check, scored)
    static = {"secret/b": {"end": "exited", "exitCode": 42, "timeMs": 3, "memoryKb": 100, "files": {"score.txt": "1"}}}
    right, wrong = [{"output": "2"}], [{"output": "3"}]
    for cases in ({}, {"sample/1": wrong}, {"sample/1": right, "secret/a/1": right}, dict.fromkeys(("sample/1", "secret/a/1", "secret/b/1"), right)):
        outcomes = {"cases": cases, "static": static}
        assert list(misfits(outcomes, kattis.Outcomes)) == []
        fits(kattis.conclude, scored, "a.py", "print()", outcomes, time_limit=1)
    graded = {**FILES, "problem.yaml": "name: X\ntype: scoring\n", "data/testdata.yaml": "on_reject: continue\ngrading: custom\n", "graders/g.py": "x\n"}
    outcomes = {"cases": {}, "graders": {"secret": {"stdout": "AC 1\n", "exitCode": 0, "signal": 0, "end": "exited", "timeMs": 1, "memoryKb": 9}}}
    assert list(misfits(outcomes, kattis.Outcomes)) == []
    fits(kattis.conclude, kattis.KattisPackage(graded), "a.py", "print()", outcomes, time_limit=1)


OUTCOMES: list[Any] = [
    {},
    {"compileError": "line 1: no"},
    {"cases": {"sample/1": [{"output": "2", "timeMs": 12, "memoryKb": 4096}], "secret/1": [{"end": "timeout", "timeMs": 2000}]}},
    {"cases": {"sample/1": [{"output": "2"}], "secret/1": [{"end": "signalled", "signal": 11}]}},
    {"cases": {"secret/1": [{"end": "exited", "exitCode": 1}]}},
    {"cases": {"sample/1": [{"validators": [{"exitCode": 43, "files": {"judgemessage.txt": "no", "teammessage.txt": "Try."}}]}]}},
    {"cases": {"sample/1": [{"validators": [{"end": "signalled", "signal": 6, "timeMs": 1, "memoryKb": 9}], "first": "submission", "deadlock": False}]}},
]


def terry_results() -> None:
    fits(terry.check_task, "name: poldo\ndescription: La dieta di Poldo\nmax_score: 50\nsubmission_timeout: 600\n")
    fits(terry.check_task, "name: poldo\nmax_score: 0\n")
    contest = "duration: 18000\nname: Finals\nwindow_duration: 3600\ntasks: [poldo]\nusers:\n- {token: T-1, name: A, surname: B}\n"
    fits(terry.check_contest, contest)
    fits(terry.check_contest, contest, metadata="name: Other\n")
    fits(terry.check_contest, "[")
    fits(terry.check_folder, [terry.FolderFile("task.yaml", 10)])
    for kind in ("input", "test", "grade"):
        fits(terry.plan, kind, seed=3, validator=True)
    for vector in lines("systems/terry/tests/vectors/results.jsonl"):
        judged = terry.read_result(vector["printed"], max_score=vector["maxScore"], cases=vector.get("cases"))
        # The checker's own fields are kept.
        conclusion = terry.Failed if "failure" in judged else terry.Judged
        found = [text for text in misfits(judged, conclusion) if "is not a field of" not in text]
        assert found == [], vector["why"]
    plain = json.loads(HALF)
    del plain["secret"], plain["validation"]["more"]
    plain["validation"]["alerts"] = [{"severity": "danger", "message": "Late.", "blocking": True}]
    fits(terry.read_result, json.dumps(plain), max_score=10)
    plan = terry.plan("test", seed=1)
    fits(terry.conclude, plan, [terry.StepOutcome("signalled", 11, stderr=b"why")], max_score=10)
    fits(terry.conclude, plan, [terry.StepOutcome("sandbox_error", message="no")], max_score=10)
    fits(terry.read_result, "{}", max_score=10)


def verify_results() -> None:
    rows = [{"gold": "5", "response": text, "old": old} for text, old in (("\\boxed{5}", False), ("\\boxed{6}", 1.0), ("", "correct"))]
    assert len(fits(verify.audit, rows)) == 3
    for gold, response in (("5", "\\boxed{5}"), ("5", "?"), ("\\frac{", "5")):
        found = verify.compute_score(data_source="x", solution_str=response, ground_truth=gold)
        assert list(misfits(found, verify.Reward)) == []


def error_results() -> None:
    for spec in ("{", "{}", {"type": "numeric", "answer": {"value": 4}, "hint": ""}):
        with pytest.raises(FablegradeError) as raised:
            fablegrade.Grader(spec)  # type: ignore[arg-type]
        fits(raised.value.to_dict)
        for finding in raised.value.findings:
            fits(finding.to_dict)
    many: Any = {"type": "multiple_choice", "choices": [{}] * 9, **{f"f{at}": 0 for at in range(500)}}
    with pytest.raises(FablegradeError) as raised:
        fablegrade.Grader(many)
    assert fits(raised.value.to_dict)["dropped"] == raised.value.dropped > 0


def core_results() -> None:
    numeric: Any = {"type": "numeric", "answer": {"value": 4}}
    fits(fablegrade.deliver(numeric).to_dict)
    right: Any = {"type": "numeric", "value": 4}
    hints: Any = {"hints": {"h": 0.25}}
    attempt: Any = {"problemId": str(uuid.UUID(int=1)), "problemVersionId": str(uuid.UUID(int=2)), "hintsUsed": ["h", "g"], "submission": right}
    fits(fablegrade.explain(numeric, right).to_dict)
    assert "warnings" in fits(fablegrade.explain(numeric, attempt=attempt, context=hints).to_dict)
    agreed = (r"\arctan x+\arctan(1/x)", r"\frac{\pi}{2}\frac{|x|}{x}")
    for pair in (("2x", "x+x"), ("2x", "x^2"), ("x^2=1", "x=1"), ("x=1", r"\{1\}"), ("|x|", r"\sqrt{x^2}"), agreed):
        fits(fablegrade.equivalent(*pair).to_dict)
    fits(fablegrade.equivalent(r"\sqrt{z}", r"-\sqrt{z}", complex_variables=["z"]).to_dict)
    fits(fablegrade.match_output("float_tolerance", "0.3 1", "0.2999999 1").to_dict)
    fits(fablegrade.match_output("exact", "1", "2").to_dict)


GIFT = """$CATEGORY: Sums

::Sky::What colour is it? {=blue#Yes. ~%50%grey ~green ####See the sky.}

::Sum::1 + 1 {#2:0.1}

::Match::Match. {=1 -> one =2 -> two =3 -> three}
"""
CLOZE = """<?xml version="1.0"?><quiz><question type="cloze"><name><text>One</text></name><questiontext format="html">
<text>1+1={1:NUMERICAL:=2}</text></questiontext><defaultgrade>2.5</defaultgrade>
<generalfeedback><text>See page 2.</text></generalfeedback><penalty>0.3</penalty><tags><tag><text>sums</text></tag></tags></question></quiz>"""
PARTS = """<problem><p>Two.</p><formularesponse type="ci" samples="x@1:2#10" answer="x+1"><formulaequationinput/></formularesponse>
<numericalresponse answer="3"><formulaequationinput/></numericalresponse></problem>"""
PICTURE = """<assessmentItem xmlns="http://www.imsglobal.org/xsd/imsqti_v2p1" identifier="q1" title="T" adaptive="false" timeDependent="false">
<responseDeclaration identifier="R" cardinality="single" baseType="identifier"><correctResponse><value>a</value></correctResponse>
</responseDeclaration><itemBody><p><img src="a.png" alt="x"/></p><choiceInteraction responseIdentifier="R" maxChoices="1">
<simpleChoice identifier="a">A</simpleChoice><simpleChoice identifier="b">B</simpleChoice></choiceInteraction></itemBody>
<responseProcessing template="http://www.imsglobal.org/question/qti_v2p1/rptemplates/match_correct"/></assessmentItem>"""
CORPUS = REPOSITORY.parent / "shared/corpus/interchange"


def interchange_results(folder: Path) -> None:
    fits(interchange.read_bytes, "q.gift", GIFT.encode())
    fits(interchange.read_bytes, "q.bin", b"\x00\x01")
    (line,) = fits(interchange.read_bytes, "q.xml", b"<quiz>\n<question type='x'>")
    assert line["error"]["line"] == 2
    (line,) = fits(interchange.read_bytes, "q.gift", b"::Hands::Draw a cat. {}")
    package = io.BytesIO()
    with zipfile.ZipFile(package, "w") as archive:
        archive.writestr("q.xml", PICTURE)
        archive.writestr("a.png", b"\x89PNG")
    (folder / "a.gift").write_text(GIFT, encoding="utf-8")
    (folder / "b.xml").write_text(CLOZE, encoding="utf-8")
    (folder / "c.xml").write_bytes((REPOSITORY / "docs/examples/canvas-quiz.xml").read_bytes())
    (folder / "d.xml").write_text(PARTS, encoding="utf-8")
    (folder / "e.zip").write_bytes(package.getvalue())
    fits(interchange.read, folder)
    bank = fits(interchange.bank, folder)
    assert {"of" in line for line in bank} == {True, False}
    for line in bank:
        for target in ("qti3", "moodle-xml", "gift"):
            fits(interchange.write, line, target)
    assert "text" not in fits(interchange.write, bank[0], "aiken")
    (folder / "answers.csv").write_text("Email address,Response 1,Response 2\na@x.org,blue,2\nb@x.org,pink,3\n", encoding="utf-8")
    (folder / "plain.gift").write_bytes(PLAIN)
    assert {"id" in line for line in fits(interchange.attempts, folder / "plain.gift", folder / "answers.csv")} == {True, False}


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> dict[str, set[str]]:
    """The fields that occurred, by class."""
    SEEN.clear()
    flowmcp_results()
    formspec_results()
    judgehost_results()
    kattis_results()
    terry_results()
    verify_results()
    error_results()
    core_results()
    interchange_results(tmp_path_factory.mktemp("questions"))
    return {name: set(fields) for name, fields in SEEN.items()}


def structures(module: types.ModuleType) -> Iterator[Any]:
    for name, kind in vars(module).items():
        if is_typeddict(kind) and kind.__module__ == module.__name__ and not name.startswith("_"):
            yield kind


def test_results_fit_their_types_and_every_field_occurs(seen: dict[str, set[str]]) -> None:
    fields = {f"{name_of(kind)}.{field}" for module in MODULES for kind in structures(module) for field in get_type_hints(kind)}
    assert len(fields) > 250
    # Only hosts in Rust can block nodes.
    fields -= {"fablegrade.flowmcp.Blocker.node", "fablegrade.flowmcp.Blocker.reason"}
    assert fields - {f"{name}.{field}" for name, found in seen.items() for field in found} == set()


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_public_functions_return_no_any(module: types.ModuleType) -> None:
    # These return objects of other packages. The facts of `steps` depend on their code.
    foreign = {"to_arrow", "compute_score", "lighteval_metric", "inspect_scorer"}
    functions = [value for name, value in vars(module).items() if name in module.__all__ and isinstance(value, types.FunctionType)]
    assert [function.__name__ for function in functions if "Any" in function.__annotations__["return"] and function.__name__ not in foreign] == []
    for kind in structures(module):
        assert not [field for field, inner in get_type_hints(kind).items() if "typing.Any" in repr(inner) and field != "steps"], kind


@pytest.mark.skipif(not CORPUS.exists(), reason="the collection of questions is not beside the project")
def test_the_questions_of_other_systems_fit_their_types() -> None:
    read = 0
    for file in sorted(CORPUS.rglob("*")):
        if file.is_file() and file.stat().st_size < 100_000:
            read += len(fits(interchange.read_bytes, file.relative_to(CORPUS).as_posix(), file.read_bytes()))
    assert read > 1000


QUESTION = interchange.read_bytes("q.gift", b"::Sky::What colour is it? {=blue ~green}")[0]


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ({"exactness": "nearly"}, "/exactness: 'nearly' is none of"),
        ({"title": None}, "/title: None is not str"),
        ({"titel": "Sky"}, "`titel` is not a field of fablegrade.interchange.Question"),
        ({"loss": {}}, "/loss: {} is not a list"),
        ({"loss": [{"path": "", "rule": "x", "severity": "metadata", "message": "m"}]}, "/loss/0: `suggestion` is missing"),
        ({"line": True}, "/line: True is not int"),
        ({"maxScore": 2.5}, "/maxScore: 2.5 is not"),
        ({"spec": {"type": "multiple_choice", "choices": [{"id": "a", "content": {4}, "correct": True}]}}, "/spec/choices/0/content: {4} is not"),
        ({"spec": []}, "/spec: [] is not an object"),
    ],
)
def test_the_checker_finds_what_does_not_fit(change: dict[str, Any], found: str) -> None:
    assert list(misfits(QUESTION, interchange.Question)) == []
    assert any(text.startswith(found) or found in text for text in misfits({**QUESTION, **change}, interchange.Question))


def test_the_checker_finds_missing_fields_and_other_tuples() -> None:
    assert list(misfits({}, interchange.ErrorLine)) == [": `error` is missing"]
    (row,) = verify.audit([{"gold": "5", "response": "\\boxed{5}", "old": False}])
    assert list(misfits(row, verify.Disagreement)) == []
    assert list(misfits({**row, "span": (1, 2, 3)}, verify.Disagreement)) != []
    assert list(misfits({**row, "conventions": ["units", 4]}, verify.Disagreement)) == ["/conventions/1: 4 is not str"]
