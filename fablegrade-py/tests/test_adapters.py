"""Tests the adapters of `fablegrade.verify` with the packages that call them, if these are installed.

Packages without their dependencies (`pip install --no-deps`) are tested as well: missing modules are replaced by empty
ones, so the package's own code calls the adapter.
"""

from __future__ import annotations

import ast
import asyncio
import contextlib
import importlib
import importlib.util
import inspect
import pickle
import sys
from collections.abc import Iterator
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, cast
from unittest.mock import MagicMock

import pytest

from fablegrade import verify

PACKAGES = {"inspect_ai", "lighteval", "math_verify", "trl", "verl"}


class Absent(MetaPathFinder, Loader):
    """Finds every module that no other finder finds, except those of the tested packages."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        return None if name.split(".")[0] in PACKAGES else ModuleSpec(name, self, is_package=True)

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = MagicMock(name=spec.name)
        module.__path__, module.__version__ = [], "999.0"
        return cast("ModuleType", module)

    def exec_module(self, module: ModuleType) -> None:
        pass


@pytest.fixture
def lenient() -> Iterator[None]:
    """Replaces modules that are not installed by empty ones while a test runs."""
    # These check for optional modules, so they are imported before missing modules can be found.
    for name in ("requests", "httpx"):
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    before = dict(sys.modules)
    sys.meta_path.append(Absent())
    yield
    sys.meta_path.pop()
    for name in sys.modules.keys() - before.keys():
        if isinstance(sys.modules[name], MagicMock) or name.split(".")[0] in PACKAGES:
            del sys.modules[name]


def installed(name: str) -> Path:
    """Returns the folder of a package without importing it; skips the test if it is not installed."""
    spec = importlib.util.find_spec(name)
    if spec is None or spec.origin is None:
        pytest.skip(f"{name} is not installed")
    return Path(spec.origin).parent


def keywords(file: Path, function: str) -> list[tuple[int, set[str]]]:
    """Returns the number of positional arguments and the names of the others, for each call of a function in a file."""
    calls = [node for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))) if isinstance(node, ast.Call)]
    return [
        (len(call.args), {keyword.arg for keyword in call.keywords if keyword.arg})
        for call in calls
        if ast.unparse(call.func) == function
    ]


def test_every_argument_of_math_verify() -> None:
    theirs = pytest.importorskip("math_verify")
    for name in ("parse", "verify"):
        wanted, found = inspect.signature(getattr(theirs, name)), inspect.signature(getattr(verify, name))
        assert list(found.parameters) == list(wanted.parameters), name
        for argument, parameter in wanted.parameters.items():
            ours = found.parameters[argument]
            assert ours.kind == parameter.kind, (name, argument)
            if isinstance(parameter.default, (bool, int, str, type(None))):
                assert ours.default == parameter.default, (name, argument)
    metric = importlib.import_module("math_verify.metric").math_metric
    assert list(inspect.signature(verify.math_metric).parameters) == list(inspect.signature(metric).parameters)
    for config in ("LatexExtractionConfig", "ExprExtractionConfig", "StringExtractionConfig"):
        wanted, found = inspect.signature(getattr(theirs, config)), inspect.signature(getattr(verify, config))
        assert list(found.parameters) == list(wanted.parameters), config
    # The same program works with both packages: only the import differs.
    for package in (theirs, verify):
        configs = [package.LatexExtractionConfig(boxed_match_priority=0), package.ExprExtractionConfig()]
        gold = package.parse("$\\frac{1}{2}$", configs, parsing_timeout=None)
        assert package.verify(gold, package.parse("So $\\boxed{0.5}$.", configs, parsing_timeout=None), timeout_seconds=None)
        assert not package.verify(gold, package.parse("So $\\boxed{0.6}$.", configs, parsing_timeout=None), timeout_seconds=None)
    assert issubclass(verify.TimeoutException, BaseException) and not issubclass(verify.TimeoutException, Exception)


def test_an_evaluation_of_inspect_ai(tmp_path: Path) -> None:
    inspect_ai = pytest.importorskip("inspect_ai")
    dataset, model, scorer = (importlib.import_module(f"inspect_ai.{part}") for part in ("dataset", "model", "scorer"))
    outputs = ["So it is \\boxed{0.5}.", "It is \\boxed{7}.", "\\boxed{1}", "<think>\\boxed{2}"]
    targets = ["\\frac{1}{2}", ["6", "8"], "\\frac{1}{", "2"]
    replies = [model.ModelOutput.from_content("mockllm/model", text) for text in outputs]
    for reply in replies:
        reply.usage = model.ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)  # otherwise, counting needs the network
    log = inspect_ai.eval(
        inspect_ai.Task(
            dataset=[dataset.Sample(input="?", target=target) for target in targets],
            scorer=verify.inspect_scorer(),
        ),
        model=model.get_model("mockllm/model", custom_outputs=replies),
        max_samples=1,
        max_connections=1,
        log_dir=str(tmp_path),
        display="none",
    )[0]
    assert log.status == "success", log.error
    scores = [next(iter(sample.scores.values())) for sample in log.samples]
    assert [score.value for score in scores[:2]] == [scorer.CORRECT, scorer.INCORRECT] and scores[3].value == scorer.INCORRECT
    assert scores[2].value != scorer.CORRECT and scores[2].metadata["verdict"] == "unreadable-gold"
    assert scores[0].answer == "0.5" and scores[3].metadata["verdict"] == "no-answer"
    # A sample that could not be scored does not count.
    assert log.results.scores[0].metrics["accuracy"].value == pytest.approx(1 / 3)


def test_a_metric_of_lighteval(lenient: None) -> None:
    installed("lighteval")
    metric = verify.lighteval_metric()
    utils = importlib.import_module("lighteval.metrics.utils.metric_utils")
    requests = importlib.import_module("lighteval.tasks.requests")
    assert isinstance(metric, utils.SampleLevelMetric) and metric.category is requests.SamplingMethod.GENERATIVE
    doc = requests.Doc(query="?", choices=["4", "5"], gold_index=[0, 1])
    for text, score in (("I get \\boxed{5}", 1.0), ("I get \\boxed{6}", 0.0)):
        response = SimpleNamespace(text=[text], final_text=[text])
        assert metric.compute_sample(model_response=response, doc=doc) == {"extractive_match": score}
    assert doc.specific["extracted_golds"] == ["4", "5"]
    assert metric.get_corpus_aggregations()["extractive_match"]([1.0, 0.0]) == 0.5


def test_a_reward_function_of_trl(lenient: None) -> None:
    folder = installed("trl")
    theirs = importlib.import_module("trl.rewards.accuracy_rewards").accuracy_reward
    wanted, found = inspect.signature(theirs), inspect.signature(verify.accuracy_reward)
    assert [parameter.kind for parameter in found.parameters.values()] == [one.kind for one in wanted.parameters.values()]
    assert list(found.parameters)[:3] == list(wanted.parameters)[:3]
    # Calls it as the trainer does.
    calls = [names for _, names in keywords(folder / "trainer/grpo_trainer.py", "reward_func") if "completions" in names]
    assert calls
    for names in calls:
        given: dict[str, Any] = dict.fromkeys(names, [None, None]) | {
            "completions": [[{"role": "assistant", "content": "\\boxed{5}"}], [{"role": "assistant", "content": "6"}]],
            "solution": ["5", "5"],
            "trainer_state": None,
            "log_metric": lambda name, value: None,
        }
        assert verify.accuracy_reward(**given) == [1.0, 0.0]
    assert not inspect.iscoroutinefunction(verify.accuracy_reward)
    assert pickle.loads(pickle.dumps(verify.accuracy_reward)).__name__ == "accuracy_reward"


def test_a_reward_function_of_verl(lenient: None) -> None:
    folder = installed("verl")
    load = importlib.import_module("verl.trainer.ppo.reward").get_custom_reward_fn
    path = inspect.getfile(verify)
    given: dict[str, Any] = {
        "data_source": "x", "solution_str": "\\boxed{5}", "ground_truth": "5", "extra_info": {"reward_model": {}},
        "data_sources": ["x"], "solution_strs": ["\\boxed{5}"], "ground_truths": ["5"], "extra_infos": [None],
    }  # fmt: skip
    for place in (path, "pkg://fablegrade.verify"):
        config = SimpleNamespace(reward={"custom_reward_function": {"path": place, "name": "compute_score", "reward_kwargs": {"a": 1}}})
        reward = load(config)
        managers = sorted((folder / "workers/reward_manager").glob("*.py")) + sorted((folder / "experimental").rglob("reward_manager/*.py"))
        called = 0
        for manager in managers:
            for _, names in keywords(manager, "self.compute_score"):
                known = {name: given[name] for name in names & given.keys()}
                if not known.keys() & {"solution_str", "solution_strs"}:
                    continue
                called += 1
                found = reward(**known)
                scores = found if isinstance(found, list) else [found]
                assert [one["score"] for one in scores] == [1.0], manager
        assert called >= 3
    # The prime manager passes arguments by position, in a pool of processes.
    assert pickle.loads(pickle.dumps(verify.compute_score))("x", "\\boxed{5}", "5", None)["score"] == 1.0

    async def loop() -> Any:
        return await asyncio.get_running_loop().run_in_executor(None, lambda: reward(data_source="x", solution_str="6", ground_truth="5"))

    assert asyncio.run(loop())["acc"] is False
