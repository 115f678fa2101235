"""Equality of LaTeX expressions without a question: two expressions, many pairs, or many answers and one reference."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal

from . import _fablegrade
from .documents import Domain
from .errors import FablegradeError
from .results import Equivalence, Progress

__all__ = ["Reference", "equivalent", "equivalent_many"]


def _latex(**given: object) -> None:
    for argument, latex in given.items():
        if not isinstance(latex, str):
            raise TypeError(f"`{argument}` is LaTeX as a str, found {type(latex).__name__}: pass `{argument}={str(latex)!r}`")


def _domain(name: str, domain: Mapping[str, Any]) -> dict[str, Any]:
    if not isinstance(domain, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]  # callers without a checker
        form = f'{{"{name}": {{"min": 0, "max": 1}}}}'
        raise TypeError(f"the domain of `{name}` is a dict, found {type(domain).__name__}: pass `domains={form}`")
    return dict(domain)


def _options(
    variables: Iterable[str],
    domains: Mapping[str, Domain] | None,
    complex_variables: Iterable[str],
    functions: Iterable[str],
    log_base: str,
) -> dict[str, Any] | None:
    for argument, names in (
        ("variables", variables),
        ("complex_variables", complex_variables),
        ("functions", functions),
    ):
        if isinstance(names, (str, bytes)):
            raise TypeError(f"`{argument}` is a list of names: pass `{argument}=[{names!r}]`")
    # An iterator is true even if it has no elements.
    variables, complex_variables, functions = list(variables), list(complex_variables), list(functions)
    if not (variables or domains or complex_variables or functions or log_base != "10"):
        return None
    options: dict[str, Any] = {"logBase": log_base}
    if variables:
        options["variables"] = variables
    if domains:
        options["domains"] = {name: _domain(name, domain) for name, domain in dict(domains).items()}
    if complex_variables:
        options["complexVariables"] = complex_variables
    if functions:
        options["functions"] = functions
    return options


def equivalent(
    a: str,
    b: str,
    *,
    variables: Iterable[str] = (),
    domains: Mapping[str, Domain] | None = None,
    complex_variables: Iterable[str] = (),
    functions: Iterable[str] = (),
    log_base: Literal["10", "e"] = "10",
) -> Equivalence:
    r"""Decides whether two LaTeX expressions are equal, with evidence.

    A variable without a domain is any real number; `domains` is `{name: {min?, max?, integer?, exclude?: [number]}}`,
    bounds included. `complex_variables` have complex values; `\overline z` is the conjugate of such a `z`. `functions`
    are names whose application is not a product. `log_base` is the base of a `\log` without a base. The interpreter's
    lock is released. Raises `SchemaError` at `/a` or `/b` for an expression that cannot be read. Write LaTeX as a raw
    string, such as `r"\times"`: in other strings, Python reads `\t` as a tab.

    >>> import fablegrade
    >>> bool(fablegrade.equivalent(r"\frac{x^2-1}{x-1}", "1+x"))
    True
    >>> fablegrade.equivalent(r"\sqrt{x^2}", "x").equal
    False
    >>> fablegrade.equivalent(r"\sqrt{x^2}", "x", domains={"x": {"min": 0}}).equal
    True
    >>> fablegrade.equivalent(r"z\overline{z}", "|z|^2", complex_variables=["z"]).equal
    True
    """
    _latex(a=a, b=b)
    return _fablegrade.equivalent(a, b, _options(variables, domains, complex_variables, functions, log_base))


def equivalent_many(
    pairs: Iterable[tuple[str, str]],
    *,
    variables: Iterable[str] = (),
    domains: Mapping[str, Domain] | None = None,
    complex_variables: Iterable[str] = (),
    functions: Iterable[str] = (),
    log_base: Literal["10", "e"] = "10",
    workers: int = 0,
    progress: Progress | None = None,
) -> list[Equivalence | FablegradeError]:
    r"""Compares many pairs of LaTeX expressions, in order, on `workers` threads (0: one per core).

    For a pair that cannot be read, the list has its `FablegradeError`, which is not raised. The first side of
    consecutive pairs is compiled once if it is the same. Ctrl-C stops the work between pairs. `progress(done, total)`
    is called at most ten times per second and at the end. The declarations are those of `equivalent`.

    >>> import fablegrade
    >>> same, other, broken = fablegrade.equivalent_many([("2x", "x+x"), ("2x", "x^2"), ("2x", "x+")])
    >>> same.equal, other.equal, broken.pointer
    (True, False, '/b')
    """
    options = _options(variables, domains, complex_variables, functions, log_base)
    return _fablegrade.equivalent_many(pairs, options, workers, progress)


class Reference:
    r"""An expression that many others are compared with: read and compiled once. Immutable, thread-safe, picklable.

    The declarations are those of `equivalent`; two references are equal when they have the same text and declarations.

    >>> import fablegrade
    >>> reference = fablegrade.Reference(r"\frac{1}{2}x")
    >>> [reference.equivalent(answer).equal for answer in ("x/2", "2x")]
    [True, False]
    """

    __slots__ = ("_compiled", "_latex", "_options")

    def __init__(
        self,
        latex: str,
        *,
        variables: Iterable[str] = (),
        domains: Mapping[str, Domain] | None = None,
        complex_variables: Iterable[str] = (),
        functions: Iterable[str] = (),
        log_base: Literal["10", "e"] = "10",
    ) -> None:
        _latex(latex=latex)
        self._latex = latex
        self._options = _options(variables, domains, complex_variables, functions, log_base)
        self._compiled = _fablegrade.Reference(latex, self._options)

    @property
    def latex(self) -> str:
        """The LaTeX of the reference, unchanged."""
        return self._latex

    @property
    def understood(self) -> str:
        """The expression as it was read, in LaTeX."""
        return self._compiled.understood

    def equivalent(self, other: str) -> Equivalence:
        """Decides whether another expression is equal. Raises `SchemaError` at `/b` if it cannot be read."""
        return self._compiled.equivalent(other)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Reference) and (self._latex, self._options) == (other._latex, other._options)

    def __hash__(self) -> int:
        return hash(self._latex)

    def __repr__(self) -> str:
        return f"Reference({self._latex!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _reference, (self._latex, self._options)


def _reference(latex: str, options: dict[str, Any] | None) -> Reference:
    """Restores a pickled reference."""
    reference = Reference.__new__(Reference)
    reference._latex, reference._options = latex, options
    reference._compiled = _fablegrade.Reference(latex, options)
    return reference
