"""The documentation and metadata of the package are true: examples run, types hold, the wheel is small and for every
Python."""

from __future__ import annotations

import doctest
import inspect
import os
import re
import signal
import subprocess
import sys
import types
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

import fablegrade
import stub_docstrings
from fablegrade import _fablegrade, arrow, errors, flowmcp, formspec, judgehost, kattis, results, terry, verify

FOLDER = Path(__file__).resolve().parents[1]
MODULES = [fablegrade, _fablegrade, arrow, errors, flowmcp, formspec, judgehost, kattis, results, terry, verify]


def documented() -> Iterator[tuple[str, str]]:
    """Yields the docstrings of the package with their names, including those of native code."""
    for module in MODULES:
        yield module.__name__, module.__doc__ or ""
        for name, value in vars(module).items():
            if getattr(value, "__module__", "").split(".")[0] != "fablegrade":
                continue
            yield f"{module.__name__}.{name}", inspect.getdoc(value) or ""
            if inspect.isclass(value):
                for attribute, member in vars(value).items():
                    if not attribute.startswith("_"):
                        yield f"{module.__name__}.{name}.{attribute}", inspect.getdoc(member) or ""


def run_examples(name: str, text: str) -> int:
    test = doctest.DocTestParser().get_doctest(text, {}, name, None, None)
    failures = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test).failed
    assert failures == 0, f"the examples of {name} fail"
    return len(test.examples)


def test_the_examples_of_the_docstrings_run() -> None:
    assert sum(run_examples(name, text) for name, text in dict(documented()).items()) >= 30


@pytest.mark.parametrize("page", [FOLDER / "README.md", FOLDER.parent / "docs/python.md"], ids=lambda page: page.name)
def test_the_code_of_the_pages_runs(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks with prompts are run as doctests. The others are run from top to bottom, in one namespace."""
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"^```python\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert blocks
    module = types.ModuleType("page")
    for at, block in enumerate(blocks):
        if block.startswith(">>>"):
            run_examples(f"{page.name}, block {at + 1}", block)
        else:
            exec(compile(block, f"{page.name}, block {at + 1}", "exec"), module.__dict__)


def test_every_public_name_is_documented() -> None:
    public = {
        name: text
        for name, text in documented()
        if not any(part.startswith("_") for part in name.split(".")[1:] if part != "_fablegrade")
        and not isinstance(getattr(fablegrade, name.split(".")[-1], None), str)
    }
    for field in ("Finding.severity", "CodeResult.suite"):
        public.pop(f"fablegrade.results.{field}", None)
    assert len(public) > 60
    assert [name for name, text in public.items() if not text] == []


def test_every_module_is_loaded_when_it_is_used() -> None:
    folder = FOLDER / "python/fablegrade"
    modules = sorted(path.stem for path in folder.iterdir() if path.suffix == ".py" or path.is_dir())
    names = [name for name in modules if not name.startswith("_")]
    assert "analysis" in names
    program = f"import fablegrade\nfor name in {names}: getattr(fablegrade, name)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def checked(*command: str) -> None:
    done = subprocess.run([sys.executable, "-m", *command], cwd=FOLDER, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_mypy_agrees() -> None:
    checked("mypy")


def test_pyright_agrees() -> None:
    checked("pyright")


def test_the_stubs_are_what_the_module_has() -> None:
    allowed = FOLDER / "tests/stubtest.allowed"
    checked("mypy.stubtest", "fablegrade", "--mypy-config-file", "pyproject.toml", "--allowlist", str(allowed), "--ignore-unused-allowlist")


MISTAKES = {
    "a type that there is not": 'Grader({"type": "numerik", "answer": {"value": 4}})',
    "a field that is misspelt": 'Grader({"type": "numeric", "anwser": {"value": 4}})',
    "a field that is missing": 'Grader({"type": "multiple_choice", "choices": [{"id": "a", "content": "A"}]})',
    "a word that there is not": 'Grader({"type": "expression", "canonical": "x", "equivalence": "exact"})',
    "a spec as an answer": 'Grader("{}").grade({"type": "numeric", "answer": {"value": 4}})',
    "a hint without a number": 'Grader("{}").grade({"type": "numeric", "value": 4}, context={"hints": {"h": "half"}})',
}


@pytest.mark.parametrize("checker", [("mypy", "--strict"), ("pyright",)], ids=["mypy", "pyright"])
def test_mistakes_in_documents_are_found_before_anything_runs(tmp_path: Path, checker: tuple[str, ...]) -> None:
    right = 'Grader({"type": "numeric", "answer": {"value": 4}}).grade({"type": "numeric", "value": 4})'
    program = tmp_path / "mistakes.py"
    program.write_text("\n".join(["from fablegrade import Grader", right, *MISTAKES.values()]) + "\n", encoding="utf-8")
    command = [sys.executable, "-m", *checker, str(program)]
    done = subprocess.run(command, cwd=FOLDER, capture_output=True, text=True)
    found = {int(line) for line in re.findall(r"mistakes\.py:(\d+)", done.stdout)}
    assert found == set(range(3, 3 + len(MISTAKES))), done.stdout


def test_the_types_of_documents_are_those_of_the_schemas() -> None:
    done = subprocess.run([sys.executable, "tests/typed_documents.py", "--check"], cwd=FOLDER, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_a_missing_verdict_is_found_by_mypy(tmp_path: Path) -> None:
    """Verdicts are exhaustive: a `match` that omits one does not type-check."""
    source = (FOLDER / "tests/typed_use.py").read_text(encoding="utf-8").replace('case "pending":', 'case "correct ":')
    forgetful = tmp_path / "forgetful.py"
    forgetful.write_text(source, encoding="utf-8")
    done = subprocess.run([sys.executable, "-m", "mypy", "--strict", str(forgetful)], cwd=FOLDER, capture_output=True, text=True)
    assert done.returncode == 1 and "assert_never" in done.stdout


def wheel() -> Path:
    folder = os.environ.get("FABLEGRADE_WHEELS")
    if folder is None:
        pytest.skip("FABLEGRADE_WHEELS names no folder")
    (found,) = Path(folder).glob("fablegrade-*.whl")
    return found


def test_the_wheel_is_for_every_python_and_small() -> None:
    path = wheel()
    _, _, python, abi, platform = path.name.removesuffix(".whl").split("-")
    assert (python, abi) == ("cp310", "abi3")
    assert platform.startswith(("linux_", "manylinux_", "macosx_", "win"))
    # The wheel contains the command and its integrations. The build for tests is larger than a release: it checks
    # arithmetic, and most of it is not optimised.
    ships = os.environ.get("FABLEGRADE_PROFILE") == "dist"
    assert path.stat().st_size < (11 << 20 if ships else 18 << 20)
    with zipfile.ZipFile(path) as archive:
        names = {info.filename: info.file_size for info in archive.infolist()}
        metadata = next(name for name in names if name.endswith(".dist-info/WHEEL"))
        assert "Tag: cp310-abi3-" in archive.read(metadata).decode()
    assert {"fablegrade/py.typed", "fablegrade/_fablegrade.pyi", "fablegrade/__init__.py"} <= set(names)
    assert not [name for name in names if "tests/" in name]
    with zipfile.ZipFile(path) as archive:
        scripts = next(name for name in names if name.endswith(".dist-info/entry_points.txt"))
        assert "fablegrade=fablegrade.__main__:main" in archive.read(scripts).decode().replace(" ", "")
    native = [size for name, size in names.items() if name.endswith("_fablegrade.abi3.so")]
    assert len(native) == 1 and native[0] < (38 << 20 if ships else 56 << 20)


def test_the_module_says_that_it_needs_no_lock() -> None:
    """The module's definition has `Py_mod_gil`. This interpreter has a lock and ignores it, so the source is checked."""
    source = (FOLDER / "src/lib.rs").read_text(encoding="utf-8")
    assert "#[pymodule(gil_used = false)]" in source
    assert fablegrade.GRADING_SEMANTICS_VERSION >= 1 and fablegrade.__version__


def test_the_stub_has_the_docstrings_of_the_module() -> None:
    """Editors show the docstrings of the stub."""
    source = stub_docstrings.STUB.read_text(encoding="utf-8")
    assert stub_docstrings.with_docstrings(source) == source
    assert source.count('"""') > 50


def test_the_command_comes_along() -> None:
    """The command can be run as a script of the environment and as a module, with its exit codes."""
    script = Path(sys.executable).with_name("fablegrade")
    for command in ([str(script)], [sys.executable, "-m", "fablegrade"]):
        version = subprocess.run([*command, "--version"], capture_output=True, text=True)
        assert (version.returncode, version.stdout) == (0, f"fablegrade {fablegrade.__version__}\n")
        same = subprocess.run([*command, "equiv", "2x", "x+x"], capture_output=True, text=True)
        assert same.returncode == 0 and same.stdout.startswith("equal")
        other = subprocess.run([*command, "equiv", "2x", "x^2"], capture_output=True, text=True)
        assert other.returncode == 1 and other.stdout.startswith("different")
        wrong = subprocess.run([*command, "equivalent"], capture_output=True, text=True)
        assert wrong.returncode == 2 and "--help" in wrong.stderr
    assert "command" in fablegrade.BUILD_FEATURES


def test_the_command_ends_at_ctrl_c() -> None:
    """Ctrl-C ends the command while it waits for lines from an open pipe."""
    command = subprocess.Popen(
        [sys.executable, "-m", "fablegrade", "equiv"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert command.stdin is not None and command.stdout is not None
    command.stdin.write('{"id":1,"a":"2x","b":"x+x"}\n')
    command.stdin.flush()
    # When the command answers, its signal handler is installed.
    assert '"equal":true' in command.stdout.readline()
    command.send_signal(signal.SIGINT)
    assert command.wait(timeout=10) == -signal.SIGINT
