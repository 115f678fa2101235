"""Language models' answers: from a free-form response to a verdict with evidence. See docs/verify.md.

>>> from fablegrade import verify
>>> found = verify.check(r"\\frac{1}{2}", r"The probability is \\(\\boxed{0.5}\\).")
>>> found.verdict, found.extracted, bool(found)
('correct', '0.5', True)
>>> verify.verify(verify.parse(r"$\\frac{1}{2}$"), verify.parse(r"So it is $\\boxed{0.5}$."))
True

Works in any thread and any process: it uses no signals and no time limits, and releases the interpreter's lock. No text
raises an exception, except blank golds in `math_metric`. There are functions with the signatures of Math-Verify 0.9,
verl, TRL, lighteval and inspect_ai. Only `inspect_scorer` needs the package that it is for.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypedDict, cast, overload

from fablegrade import _fablegrade
from fablegrade.extraction_configs import (
    ExprExtractionConfig,
    LatexExtractionConfig,
    NormalizationConfig,
    StringExtractionConfig,
    TimeoutException,
)

if TYPE_CHECKING:
    from fablegrade._fablegrade import GradedBatches
    from fablegrade.arrow import ArrowArray, ArrowStream
    from fablegrade.results import Progress

__all__ = [
    "Answer",
    "Disagreement",
    "ExprExtractionConfig",
    "Extracted",
    "LatexExtractionConfig",
    "NormalizationConfig",
    "ResponseVerdict",
    "Reward",
    "StringExtractionConfig",
    "TimeoutException",
    "Verification",
    "accuracy_reward",
    "audit",
    "check",
    "check_many",
    "compute_score",
    "extract",
    "inspect_scorer",
    "lighteval_metric",
    "math_metric",
    "parse",
    "verify",
    "verify_batches",
]

Profile = Literal["model", "exact"]
ResponseVerdict = Literal["correct", "incorrect", "undecided", "no-answer", "unreadable-gold"]


class Verification(NamedTuple):
    """The verdict on a response. It is true in a condition exactly when the response is correct."""

    verdict: ResponseVerdict
    extracted: str | None
    place: str | None
    span: tuple[int, int] | None
    how: str
    evidence: str
    conventions: list[str]

    @property
    def correct(self) -> bool:
        """Whether the verdict is `correct`; false when it is undecided."""
        return self.verdict == "correct"

    def __bool__(self) -> bool:
        return self.verdict == "correct"


def _list(given: Sequence[str], name: str) -> list[str]:
    """Returns a list of texts. Refuses a single text, which would be read as a list of its characters."""
    if isinstance(given, str):
        message = f"`{name}` is a list of texts, not one text: write {name}=[{given[:40]!r}]"
        raise TypeError(message)
    return list(given)


class Extracted(NamedTuple):
    """The answer in a response: its text, where it was found, and its span in characters; or the reason why there is
    none."""

    text: str | None
    place: str | None
    span: tuple[int, int] | None
    reason: str | None


def extract(response: str, *, fallback: bool = True) -> Extracted:
    """Finds the answer in a response. Without `fallback`, a response without a box, tag or marker has no answer."""
    found, reason = _fablegrade.verify_extract(response, fallback)
    return Extracted(None, None, None, reason) if found is None else Extracted(*found, None)


def check(
    gold: str, response: str, *, profile: Profile = "model", without: Sequence[str] = (), fallback: bool = True
) -> Verification:
    """Extracts the answer from a response and compares it with a reference.

    `without` switches off conventions of the profile by name, such as `["units", "percent"]`.
    """
    (row,) = _fablegrade.verify_many([gold], [response], profile, _list(without, "without"), fallback, False, 1)
    return Verification._make(row)


def check_many(
    golds: Sequence[str],
    responses: Sequence[str],
    *,
    profile: Profile = "model",
    without: Sequence[str] = (),
    fallback: bool = True,
    workers: int = 0,
    progress: Progress | None = None,
) -> list[Verification]:
    """Verifies many responses on `workers` threads (0: one per core), in order. Equal golds are read only once.

    `progress(done, total)` is called at most ten times per second and at the end; an exception that it raises stops the
    work.
    """
    rows = _fablegrade.verify_many(_list(golds, "golds"), _list(responses, "responses"), profile, _list(without, "without"), fallback, False, workers, progress)
    return [Verification._make(row) for row in rows]


def verify_batches(
    data: ArrowStream | ArrowArray,
    *,
    columns: Mapping[str, str] | None = None,
    profile: Profile = "model",
    without: Sequence[str] = (),
    workers: int = 0,
) -> GradedBatches:
    """Verifies a table, a stream of record batches or one batch, while the returned stream is read.

    Reads the columns `gold` and `response` (`columns` gives other names); writes all other columns, then `verdict`,
    `extracted`, `place`, `how`, `evidence` and `conventions` (names separated by blanks, null for none).
    """
    return _fablegrade.verify_batches(data, profile, _list(without, "without"), dict(columns or {}), workers)


# Math-Verify


Target = LatexExtractionConfig | ExprExtractionConfig | StringExtractionConfig


class Answer(str):
    """An extracted answer: the text, with the place where it was found."""

    _place: str | None

    def __new__(cls, text: str, place: str | None = None) -> Answer:
        answer = super().__new__(cls, text)
        answer._place = place
        return answer

    @property
    def place(self) -> str | None:
        """Returns where the answer was found, such as `box`; `None` for an answer that was not extracted."""
        return self._place


def _fallback(configs: Sequence[Target]) -> bool:
    return any(config.try_extract_without_anchor for config in configs)


def parse(
    pred: str,
    extraction_config: Sequence[Target] = (LatexExtractionConfig(), ExprExtractionConfig()),
    fallback_mode: Literal["no_fallback", "first_match"] = "first_match",
    extraction_mode: Literal["first_match", "any_match"] = "any_match",
    parsing_timeout: int | None = 5,
    raise_on_error: bool = False,
) -> list[Answer]:
    """Returns a list of the one answer in a text, or `[]`, like `math_verify.parse`. No text raises an exception.

    Of the options, only `extraction_config` has an effect: it determines whether the fallback is used.
    """
    del fallback_mode, extraction_mode, parsing_timeout, raise_on_error
    found = extract(pred, fallback=_fallback(extraction_config))
    if found.text is None:
        return []
    return [Answer(found.text, found.place)]


def verify(
    gold: object,
    target: object,
    float_rounding: int = 6,
    numeric_precision: int = 15,
    strict: bool = True,
    allow_set_relation_comp: bool = False,
    timeout_seconds: int | None = 5,
    raise_on_error: bool = False,
) -> bool:
    """Returns whether any answer in `target` equals any in `gold`, like `math_verify.verify`. Both are lists from
    `parse`, or texts.

    The other arguments have no effect: the conventions of the profile `model` apply, and a set can be compared with a
    relation on either side.
    """
    del float_rounding, numeric_precision, strict, allow_set_relation_comp, timeout_seconds, raise_on_error
    golds, targets = _texts(gold), _texts(target)
    pairs = [(one, other) for one in golds for other in targets]
    if not pairs:
        return False
    rows = _fablegrade.verify_many([one for one, _ in pairs], [other for _, other in pairs], "model", [], True, True, 1)
    return any(row[0] == "correct" for row in rows)


def _texts(answers: object) -> list[str]:
    if isinstance(answers, str):
        return [answers]
    if isinstance(answers, Iterable):
        return [str(answer) for answer in cast("Iterable[object]", answers)]
    return [str(answers)]


def math_metric(
    gold_extraction_target: Sequence[Target] = (ExprExtractionConfig(),),
    pred_extraction_target: Sequence[Target] = (ExprExtractionConfig(),),
    aggregation_function: Callable[[list[float]], float] = max,
    precision: int = 6,
) -> Callable[[list[str], list[str]], tuple[float, tuple[list[str], list[str]] | None]]:
    """Returns a function from golds and predictions to a score and the extracted texts, like `math_verify.math_metric`.

    The function raises `ValueError` if every gold is blank. `precision` has no effect.
    """
    del precision
    fallback = _fallback(pred_extraction_target)

    def metric(golds: list[str], predictions: list[str]) -> tuple[float, tuple[list[str], list[str]] | None]:
        known = [answer for gold in golds for answer in (parse(gold, gold_extraction_target) or [Answer(gold)]) if answer.strip()]
        if not known:
            raise ValueError("no gold has an answer")
        found = [extract(prediction, fallback=fallback).text for prediction in predictions]
        scores = [1.0 if text is not None and verify(known, [text]) else 0.0 for text in found]
        texts = [text for text in found if text is not None]
        score = aggregation_function(scores) if scores else 0.0
        return score, ([str(answer) for answer in known], texts) if texts else None

    return metric


# Rewards


class Reward(TypedDict):
    """A reward for verl: `score` is 1.0 or 0.0, `pred` is the extracted answer."""

    score: float
    acc: bool
    pred: str
    verdict: ResponseVerdict


@overload
def compute_score(  # type: ignore[overload-overlap]  # a call has `solution_str` or `solution_strs`
    data_source: object, solution_str: str, ground_truth: object, extra_info: object = None, **keywords: object
) -> Reward: ...
@overload
def compute_score(
    *, solution_strs: Iterable[str], ground_truths: Iterable[object], **keywords: object
) -> list[Reward]: ...
@overload
def compute_score(model_output: str, ground_truth: object, *, timeout_score: float = 0) -> float: ...
# `Any` is used for types of verl, TRL, lighteval and inspect_ai, which are optional and differ between
# versions.
def compute_score(*arguments: Any, **keywords: Any) -> Any:
    """The reward function for verl, in all its signatures.

    - `(data_source, solution_str, ground_truth, extra_info=None, ...)`, by name or by position: a dictionary with `score`
      (1.0 or 0.0), `acc`, `pred`, `verdict`.
    - `(data_sources=, solution_strs=, ground_truths=, extra_infos=, ...)`: a list of such dictionaries, computed on all
      cores.
    - `(model_output, ground_truth, timeout_score=0)`: only the score, like `math_verify.compute_score`.
    """
    if "solution_strs" in keywords:
        golds = [str(gold) for gold in keywords["ground_truths"]]
        return [_scored(found) for found in check_many(golds, [str(text) for text in keywords["solution_strs"]])]
    single = arguments and len(arguments) + ("ground_truth" in keywords) == 2 and "solution_str" not in keywords
    if "model_output" in keywords or single:
        names = ("model_output", "ground_truth")
        given = dict(zip(names, arguments, strict=False)) | keywords
        return 1.0 if check(str(given["ground_truth"]), str(given["model_output"])) else 0.0
    given = dict(zip(("data_source", "solution_str", "ground_truth", "extra_info"), arguments, strict=False)) | keywords
    return _scored(check(str(given["ground_truth"]), str(given["solution_str"])))


def _scored(found: Verification) -> Reward:
    return {
        "score": 1.0 if found else 0.0,
        "acc": bool(found),
        "pred": found.extracted or "",
        "verdict": found.verdict,
    }


def _completion(completion: object) -> str:
    """Returns the text of a completion. TRL passes a text or a list of messages; the last message counts."""
    if isinstance(completion, str):
        return completion
    if isinstance(completion, Sequence) and completion:
        last = cast("Sequence[object]", completion)[-1]
        content = cast("Mapping[str, object]", last).get("content", "") if isinstance(last, Mapping) else last
        return content if isinstance(content, str) else str(content)
    return ""


def accuracy_reward(
    completions: Sequence[object],
    solution: Sequence[str],
    log_extra: Callable[..., object] | None = None,
    **keywords: object,
) -> list[float | None]:
    """The reward function for TRL: 1.0 or 0.0 per completion, or `None` if the gold cannot be read."""
    del keywords
    found = check_many([str(gold) for gold in solution], [_completion(completion) for completion in completions])
    if log_extra is not None:
        log_extra("extracted", [one.extracted for one in found])
        log_extra("verdict", [one.verdict for one in found])
    return [None if one.verdict == "unreadable-gold" else float(one.correct) for one in found]


# Evaluation


class _ExtractiveMatch:
    """A sample metric of lighteval: `compute(doc, model_response)`."""

    def __init__(self, aggregation_function: Callable[[list[float]], float] = max) -> None:
        self.aggregation_function = aggregation_function

    def compute(self, doc: Any, model_response: Any, **keywords: Any) -> float:
        """Returns the score of a sample. Stores the extracted answers in `doc.specific` if the document has it."""
        del keywords
        golds = [str(gold) for gold in doc.get_golds()]
        texts = getattr(model_response, "final_text", None) or getattr(model_response, "text", model_response)
        texts = [texts] if isinstance(texts, str) else [str(text) for text in texts]
        found = [[check(gold, text) for gold in golds] for text in texts]
        if hasattr(doc, "specific"):
            extracted = [row[0].extracted for row in found if row]
            doc.specific = (doc.specific or {}) | {"extracted_predictions": extracted, "extracted_golds": golds}
        scores = [max((float(one.correct) for one in row), default=0.0) for row in found]
        return float(self.aggregation_function(scores)) if scores else 0.0


def lighteval_metric(name: str = "extractive_match", aggregation_function: Callable[[list[float]], float] = max) -> Any:
    """A metric for lighteval: a `SampleLevelMetric`, or only an object with `compute` if lighteval is not installed."""
    try:
        utils = importlib.import_module("lighteval.metrics.utils.metric_utils")
        samples = importlib.import_module("lighteval.metrics.metrics_sample")
        method = importlib.import_module("lighteval.tasks.requests").SamplingMethod.GENERATIVE
    except ImportError:
        return _ExtractiveMatch(aggregation_function)
    # lighteval expects a class.
    kind = type("ExtractiveMatch", (_ExtractiveMatch, samples.SampleLevelComputation), {"__doc__": _ExtractiveMatch.__doc__})
    sample = kind(aggregation_function)

    def mean(scores: Sequence[float]) -> float:
        return sum(scores) / len(scores) if scores else 0.0

    return utils.SampleLevelMetric(
        metric_name=name,
        sample_level_fn=sample,
        category=method,
        corpus_level_fn=mean,
        higher_is_better=True,
    )


def inspect_scorer() -> Any:
    """A scorer for inspect_ai with accuracy and standard error; with several targets, any of them counts. Needs
    inspect_ai."""
    scorers = importlib.import_module("inspect_ai.scorer")

    async def score(state: Any, target: Any) -> Any:
        found = [check(str(gold), state.output.completion) for gold in target]
        best = next((one for one in found if one), found[0] if found else None)
        if best is None or best.verdict == "unreadable-gold":
            # A target that cannot be read provides no evidence about the model.
            return scorers.Score.unscored(explanation="the target cannot be read", metadata={"verdict": "unreadable-gold"})
        return scorers.Score(
            value="C" if best else "I",
            answer=best.extracted,
            explanation=best.evidence,
            metadata={"verdict": best.verdict, "conventions": best.conventions},
        )

    def math() -> Any:
        return score

    return scorers.scorer(metrics=[scorers.accuracy(), scorers.stderr()])(math)()


class Disagreement(TypedDict):
    """A row of `audit` together with the fields of its `Verification`; further fields of the row are kept."""

    gold: object
    response: object
    old: bool | float | str
    verdict: ResponseVerdict
    extracted: str | None
    place: str | None
    span: tuple[int, int] | None
    how: str
    evidence: str
    conventions: list[str]


def audit(rows: Iterable[Mapping[str, object]], *, profile: Profile = "model") -> list[Disagreement]:
    """Returns the rows whose old verdict disagrees. Rows have `gold`, `response` and `old` (a boolean, a score, or a
    word)."""
    all_rows = list(rows)
    found = check_many([str(row["gold"]) for row in all_rows], [str(row["response"]) for row in all_rows], profile=profile)
    return [
        cast(Disagreement, {**row, **one._asdict()})
        for row, one in zip(all_rows, found, strict=True)
        if _was_correct(row["old"]) != one.correct
    ]


def _was_correct(old: object) -> bool:
    """Reads another program's verdict: a boolean, a score (above 0 is correct), or a word."""
    words = {"correct": True, "true": True, "C": True} | dict.fromkeys(
        ("incorrect", "false", "I", "undecided", "no-answer", "unreadable-gold"), False
    )
    if isinstance(old, str):
        if old not in words:
            message = f"`old` is a boolean, a score, `correct` or `incorrect`, not {old[:40]!r}"
            raise ValueError(message)
        return words[old]
    return float(cast("float", old)) > 0
