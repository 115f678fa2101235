"""Imports and exports questions of other systems."""

import importlib.util
import json

import fablegrade
import pytest
from fablegrade import interchange

GIFT = b"::Sky::What colour is it? {=blue ~green}\n\n::Sum::1 + 1 {#2}\n"


def test_a_file_becomes_questions_that_grade(tmp_path):
    file = tmp_path / "quiz.gift"
    file.write_bytes(GIFT)
    first, second = interchange.read(file)
    assert first["title"] == "Sky"
    [blue] = [choice["id"] for choice in first["spec"]["choices"] if choice["correct"]]
    submission = {"type": "multiple_choice", "selectedChoiceIds": [blue]}
    assert fablegrade.grade(first["spec"], submission).score == 1
    assert second["spec"]["type"] == "numeric"


def test_a_folder_passes_over_other_files(tmp_path):
    (tmp_path / "quiz.gift").write_bytes(GIFT)
    (tmp_path / "picture.png").write_bytes(b"\x89PNG")
    assert [line["title"] for line in interchange.read(tmp_path)] == ["Sky", "Sum"]
    assert all("spec" in line for line in interchange.bank(tmp_path))


def test_ids_of_several_files_differ(tmp_path):
    for name in ("a.gift", "b.gift"):
        (tmp_path / name).write_bytes(GIFT)
    ids = [line["item"] for line in interchange.bank(tmp_path)]
    assert ids[2:] == [f"{ids[0]}#2", f"{ids[1]}#2"]


def test_what_is_unreadable_is_said_and_formats_are_checked():
    [line] = interchange.read_bytes("x.bin", b"\x00\x01")
    assert line["error"]["rule"] == "binary-file"
    [line] = interchange.read_bytes("x.txt", b"Buy milk.")
    assert line["error"]["rule"] == "unknown-format"
    with pytest.raises(fablegrade.FablegradeError):
        interchange.read_bytes("x.gift", GIFT, format="word")


def test_a_question_goes_out_and_comes_back():
    [question, _] = interchange.read_bytes("quiz.gift", GIFT)
    written = interchange.write(question, "qti3")
    [back] = interchange.read_bytes("q.xml", written["text"].encode())
    assert back["spec"] == question["spec"] and written["loss"] == []
    # A QTI identifier starts with a letter or `_`: other ids are renamed, which is reported as a loss.
    question["spec"]["choices"][0]["id"] = "1st"
    renamed = interchange.write(question, "qti3")
    assert [loss["rule"] for loss in renamed["loss"]] == ["round-trip"]


def test_stored_responses_become_attempts(tmp_path):
    quiz, report = tmp_path / "quiz.gift", tmp_path / "report.csv"
    quiz.write_bytes(GIFT)
    report.write_text("Email address,Response 1,Response 2\na@x.org,blue,2\nb@x.org,pink,3\n")
    specs = {line["item"]: line["spec"] for line in interchange.bank(quiz)}
    lines = list(interchange.attempts(quiz, report))
    errors = [line["error"] for line in lines if "error" in line]
    assert [(error["line"], error["rule"]) for error in errors] == [(3, "unknown-answer")]
    graded = [(line["id"], fablegrade.grade(specs[line["item"]], line["submission"]).score) for line in lines if "id" in line]
    assert [score for _, score in graded] == [1, 1, 0]


def test_an_arrow_bank():
    pytest.importorskip("pyarrow")
    table = interchange.to_arrow(interchange.read_bytes("quiz.gift", GIFT))
    assert table.column_names == ["item", "title", "exactness", "spec"] and table.num_rows == 2


def test_every_digit_of_a_number_is_kept():
    [question] = interchange.read_bytes("quiz.gift", b"::Sum::1 + 1 {#2.00000000000000000000001:0.1}\n")
    assert "2.00000000000000000000001" in interchange.write(question, "gift")["text"]
    assert fablegrade.Grader(question["spec"]) != fablegrade.Grader(json.loads(json.dumps(question["spec"], default=float)))
    if importlib.util.find_spec("pyarrow"):
        [spec] = interchange.to_arrow([question])["spec"].to_pylist()
        assert fablegrade.Grader(spec) == fablegrade.Grader(question["spec"])
