"""Computes the public fields of a spec, and the result document of a decision."""

from fractions import Fraction

from .canonical import Number, canonical, shuffle, sort_by_public


def _filled(spec, fields):
    """`fields` names each public field with its default; a field without one is left out when it is absent."""
    shown = {"type": spec["type"]}
    for name, default in fields.items():
        if name in spec:
            shown[name] = spec[name]
        elif default is not None:
            shown[name] = default
    return shown


def _bare(items):
    return [{"id": item["id"], "content": item["content"]} for item in items]


def _case(case):
    shown = {"input": case["input"], "expected": case["expected"]}
    shown["matcher"] = case.get("matcher", "trimmed_lines")
    shown["points"] = case.get("points", 1)
    shown.update({name: case[name] for name in ("name", "floatTolerance", "timeoutMs") if name in case})
    return shown


def _suite(suite):
    shown = {"name": suite["name"], "visibility": suite["visibility"]}
    if suite["visibility"] == "public":
        shown["cases"] = [_case(case) for case in suite["cases"]]
    return shown


def public(spec, seed=None):
    """The public fields with defaults filled. What a question shuffles is sorted without a seed, else shuffled under it."""
    order = (lambda label, items: shuffle(seed, label, items)) if seed is not None else None
    arrange = order or (lambda label, items: sort_by_public(items))
    kind = spec["type"]
    if kind == "multiple_choice":
        shown = _filled(spec, {"multipleSelect": False, "shuffleChoices": True, "partialCredit": False})
        choices = _bare(spec["choices"])
        shown["choices"] = arrange("choices", choices) if shown["shuffleChoices"] else choices
        return shown
    if kind == "numeric":
        shown = _filled(spec, {"integerOnly": False, "inputHint": None})
        if "unit" in spec:
            unit = {"expected": spec["unit"]["expected"], "required": spec["unit"].get("required", False)}
            unit.update({"accepted": spec["unit"]["accepted"]} if "accepted" in spec["unit"] else {})
            shown["unit"] = unit
        return shown
    if kind == "expression":
        shown = _filled(
            spec,
            {
                "equivalence": None,
                "samplePoints": 20,
                "tolerance": Number("1e-6"),
                "allowedFunctions": None,
                "forbidConstantAnswer": True,
            },
        )
        if "variables" in spec:
            shown["variables"] = [_variable(variable) for variable in spec["variables"]]
        return shown
    if kind == "free_text":
        fields = {"gradingMode": None, "minWords": None, "maxWords": None, "allowMath": True}
        return _filled(spec, {**fields, "rubric": None, "selfAssessChecklist": None})
    if kind == "code":
        shown = _filled(spec, {"languages": None, "starterCode": None, "harness": {"mode": "stdin_stdout"}})
        shown["testSuites"] = [_suite(suite) for suite in spec["testSuites"]]
        limits = {"timeMsPerCase": 2000, "memoryMb": 128, "outputKb": 64, "sourceKb": 64}
        shown["limits"] = {**limits, **spec["limits"]}
        return shown
    if kind == "ordering":
        shown = _filled(spec, {"prompt": None, "partialCredit": "none"})
        shown["items"] = arrange("items", spec["items"])
        return shown
    if kind == "matching":
        shown = _filled(spec, {"prompt": None, "allowManyToOne": False, "partialCredit": True})
        shown["left"] = arrange("left", spec["left"])
        shown["right"] = arrange("right", spec["right"])
        return shown
    if kind == "widget":
        return _filled(spec, {"widgetName": None, "widgetVersion": None, "params": None})
    raise ValueError(kind)


def _variable(variable):
    shown = {"name": variable["name"]}
    if "domain" in variable:
        shown["domain"] = {"min": -10, "max": 10, "integer": False, **variable["domain"]}
    return shown


def score_text(value):
    """Returns the nearest double, as ECMAScript prints it."""
    value = Fraction(value)
    return Number(repr(value.numerator / value.denominator)) if value.denominator > 1 else int(value)


def result(attempt, raw, penalty, by, at, feedback, cases):
    """A result document; `raw` is a fraction, or the word `pending` or `error`."""
    document = {"attemptId": attempt, "gradedBy": by}
    if raw in ("pending", "error"):
        document["verdict"] = raw
    else:
        raw = Fraction(raw)
        document["verdict"] = "correct" if raw == 1 else "incorrect" if raw == 0 else "partial"
        taken = min(penalty, raw)
        document["score"] = score_text(raw - taken)
        if penalty:
            document["scorePenaltyApplied"] = score_text(taken)
    if at:
        document["gradedAt"] = at
    if feedback:
        document["feedback"] = [{"severity": severity, "message": message} for severity, message in feedback]
    if cases:
        document["codeResults"] = cases
    return canonical(document)
