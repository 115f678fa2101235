"""expression: the documents and the view; what is equal to what belongs to the room itself."""

from .canonical import Number as N

T = "expression"


def spec(canonical="x+1", equivalence="symbolic", **options):
    return {"type": T, "canonical": canonical, "equivalence": equivalence, **options}


def write(book):
    d = lambda name, why, *rest, **more: book.deliver(f"{T}/deliver", name, why, *rest, **more)
    filled = {"type": T, "equivalence": "symbolic", "samplePoints": 20, "tolerance": N("0.000001"),
              "forbidConstantAnswer": True}
    d("allow-list", "no canonical expression; defaults are written out", spec(), "s", view=filled)
    d("another-key", "the key does not matter", spec("\\frac{1}{x}"), "s", view=filled)
    d("everything-public", "all public fields", spec(
        equivalence="numeric_sampling", samplePoints=N("5.0"), tolerance=N("1e-3"), allowedFunctions=["sin", "ln"],
        forbidConstantAnswer=False, variables=[{"name": "x"}, {"name": "n", "domain": {
            "min": 1, "integer": True, "exclude": [N("2.50")]}}]), "s",
      view={"type": T, "equivalence": "numeric_sampling", "samplePoints": 5, "tolerance": N("0.001"),
            "allowedFunctions": ["sin", "ln"], "forbidConstantAnswer": False, "variables": [{"name": "x"}, {
                "name": "n", "domain": {"min": 1, "max": 10, "integer": True, "exclude": [N("2.5")]}}]})
    book.grade(f"{T}/other-type", "numeric", "a number cannot come from this question", spec(),
               {"type": "numeric", "value": 1},
               refused=("other-type", "This question takes a expression answer, not a numeric answer."))
