"""Answers of language models: the signatures of other packages, threads, tables, arbitrary texts."""

from __future__ import annotations

import asyncio
import json
import pickle
import random
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pyarrow as pa
import pytest

from fablegrade import SchemaError, verify

VECTORS = Path(__file__).resolve().parents[2] / "fablegrade-verify/tests/vectors.jsonl"
ROWS: list[dict[str, str]] = [json.loads(line) for line in VECTORS.read_text(encoding="utf-8").splitlines()]


def test_vectors_have_their_verdicts_one_by_one_on_all_cores_and_in_tables() -> None:
    golds, responses = [row["gold"] for row in ROWS], [row["response"] for row in ROWS]
    wanted = [row["verdict"] for row in ROWS]
    assert [verify.check(gold, text).verdict for gold, text in zip(golds, responses, strict=True)] == wanted
    for workers in (0, 1, 3):
        assert [one.verdict for one in verify.check_many(golds, responses, workers=workers)] == wanted
    table = pa.table({"n": range(len(ROWS)), "gold": golds, "response": pa.array(responses, pa.large_string())})
    verified = pa.table(verify.verify_batches(table))
    assert verified.column_names == ["n", "verdict", "extracted", "place", "how", "evidence", "conventions"]
    assert verified["verdict"].to_pylist() == wanted
    cut = pa.Table.from_batches(table.to_batches(max_chunksize=7))
    assert pa.table(verify.verify_batches(cut, workers=2))["verdict"].to_pylist() == wanted
    for columns, pointer in (({"gold": "absent"}, "/absent"), ({"respnse": "response"}, "/columns/respnse")):
        with pytest.raises(SchemaError) as raised:
            verify.verify_batches(table, columns=columns)
        assert raised.value.pointer == pointer


def test_the_signatures_of_math_verify() -> None:
    gold = verify.parse("$\\frac{1}{2}$", extraction_config=[verify.LatexExtractionConfig()], parsing_timeout=1)
    target = verify.parse("Therefore $\\boxed{0.5}$", fallback_mode="no_fallback", extraction_mode="any_match", raise_on_error=True)
    assert gold == ["$\\frac{1}{2}$"] and target[0].place == "box"
    assert verify.verify(gold, target, float_rounding=6, numeric_precision=15, strict=True, timeout_seconds=3) is True
    assert verify.verify("1/3", ["0.5", "1/3"]) and not verify.verify([], ["1"]) and not verify.verify("1", [])
    metric = verify.math_metric(
        gold_extraction_target=(verify.LatexExtractionConfig(),),
        pred_extraction_target=(verify.ExprExtractionConfig(), verify.LatexExtractionConfig(boxed_match_priority=0)),
        aggregation_function=max,
        precision=6,
    )
    assert metric(["\\boxed{5}"], ["I say \\boxed{5}."]) == (1.0, (["5"], ["5"]))
    assert metric(["5"], ["I cannot say."]) == (0.0, None)
    with pytest.raises(ValueError, match="gold"):
        metric([""], ["5"])


def test_rewards_in_all_their_shapes() -> None:
    score = verify.compute_score(data_source="x", solution_str="\\boxed{5}", ground_truth="5", extra_info=None, more=1)
    assert score == {"score": 1.0, "acc": True, "pred": "5", "verdict": "correct"}
    assert verify.compute_score("x", "\\boxed{6}", "5", None)["score"] == 0.0
    assert verify.compute_score("\\boxed{5}", "5") == 1.0 and verify.compute_score(model_output="4", ground_truth="5") == 0.0
    assert verify.compute_score("\\boxed{5}", ground_truth="5") == 1.0
    batch = verify.compute_score(data_sources=["x"] * 2, solution_strs=["#### 5", "5 or 6"], ground_truths=["5", 5], extra_infos=[None] * 2)
    assert [one["score"] for one in batch] == [1.0, 0.0]
    logged: dict[str, Any] = {}
    rewards = verify.accuracy_reward(
        completions=["\\boxed{5}", [{"role": "assistant", "content": "It is 6."}], "\\boxed{1}", []],
        solution=["5", "5", "\\frac{1}{", "5"],
        log_extra=logged.__setitem__,
        prompts=[""] * 4,
    )
    assert rewards == [1.0, 0.0, None, 0.0] and logged["extracted"][:2] == ["5", "6"]
    assert pickle.loads(pickle.dumps(verify.accuracy_reward)).__name__ == "accuracy_reward"


def test_metrics_of_evaluations() -> None:
    doc = SimpleNamespace(get_golds=lambda: ["4", "5"], specific=None)
    metric = verify.lighteval_metric()
    sample = getattr(metric, "sample_level_fn", metric)
    assert sample.compute(doc, SimpleNamespace(final_text=["I get \\boxed{5}"])) == 1.0
    assert doc.specific == {"extracted_predictions": ["5"], "extracted_golds": ["4", "5"]}
    inspect_ai = pytest.importorskip("inspect_ai")
    assert inspect_ai
    state = SimpleNamespace(output=SimpleNamespace(completion="\\boxed{5}"))
    assert asyncio.run(verify.inspect_scorer()(state, ["5"])).value == "C"


def test_any_thread_and_any_text() -> None:
    dice = random.Random(3)
    alphabet = "\\{}$()[]<>|^_,.;:=+-*/%0123456789abcxyz \n\ud800é√²πboxedtext"
    texts = ["".join(dice.choices(alphabet, k=dice.randrange(60))) for _ in range(400)]
    found: list[list[verify.Verification]] = []

    def work() -> None:
        found.append(verify.check_many(texts, texts[::-1], workers=2))

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 3 and found[0] == found[1] == found[2]


def test_conventions_and_audit() -> None:
    assert verify.check("10", "\\boxed{10\\text{ cm}}").conventions == ["units"]
    assert not verify.check("10", "\\boxed{10\\text{ cm}}", without=["units"])
    assert not verify.check("10", "\\boxed{10\\text{ cm}}", profile="exact")
    assert verify.check("5", "It is 5.") and not verify.check("5", "It is 5.", fallback=False)
    with pytest.raises(ValueError, match="not a convention"):
        verify.check("1", "1", without=["nonsense"])
    for call in (
        lambda: verify.check("1", "1", without="units"),
        lambda: verify.check_many("12", ["1", "2"]),
        lambda: verify.check_many(["1", "2"], "12"),
    ):
        with pytest.raises(TypeError, match="list of texts"):
            call()
    response = "So – $x$ is \\boxed{7}."
    found = verify.check("7", response)
    assert found.span is not None and response[slice(*found.span)] == "7" == found.extracted
    rows = [{"gold": "5", "response": "\\boxed{5}", "old": 0.0}, {"gold": "5", "response": "\\boxed{5}", "old": True}]
    assert [row["evidence"] for row in verify.audit(rows)] == ["the same text"]
    words = [{"gold": "5", "response": "5", "old": old} for old in ("correct", "C", "incorrect", "no-answer")]
    assert [row["old"] for row in verify.audit(words)] == ["incorrect", "no-answer"]
    with pytest.raises(ValueError, match="`old` is"):
        verify.audit([{"gold": "5", "response": "5", "old": "perhaps"}])


def test_long_answers_end_a_batch() -> None:
    """Answers of 100 kB each: a batch ends before its column exceeds the range of the offsets."""
    digits = "7" * 100_000
    table = pa.table({"n": range(1_000), "gold": ["7"] * 1_000,
                      "response": pa.array([f"\\boxed{{{digits}}}"] * 1_000).dictionary_encode()})
    batches = list(pa.RecordBatchReader.from_stream(verify.verify_batches(table)))
    assert len(batches) > 1 and [n for batch in batches for n in batch["n"].to_pylist()] == list(range(1_000))
    assert {text for batch in batches for text in batch["extracted"].to_pylist()} == {digits}
    assert pa.table(verify.verify_batches(table.slice(0, 0))).num_rows == 0
