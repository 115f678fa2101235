#!/usr/bin/env python3
"""Agreement of the standard validators with collected cases.

    tests/validators.py --cli PROGRAM --corpus DIR [--differences] [--json]

DIR contains `cases.jsonl` (or `validators/cases.jsonl`). Each row names a validator, a requirement with its parameters, a
key, an answer, and whether the answer is accepted. The row is converted to a configuration and a state, which the program
grades; full marks count as accepted. `convention` marks rows that a reasonable teacher could decide otherwise.

Exits with 1 if fewer than 85 % of the rows with `convention`, or fewer than 97 % of the others, agree.
"""
import argparse
import collections
import json
import pathlib
import re
import subprocess
import sys
from fractions import Fraction

FORMS = {
    "same-form": "same",
    "factored": "factored",
    "expanded": "expanded",
    "lowest-terms, rational denominator": "lowest_terms",
    "lowest-terms": "lowest_terms",
    "rational-lowest-terms": "rational_lowest_terms",
    "single-fraction": "single_fraction",
    "rational-denominator": "rational_denominator",
    "completed-square": "completed_square",
    "partial-fractions": "partial_fractions",
    "scientific-notation": "scientific",
    "simplest-radical": "simplest_radical",
}
# Predicates consider only the form.
FORM_ONLY = {"rational_lowest_terms", "rational_denominator", "scientific"}


def form(row):
    requirement = row["requirement"]
    name = next(form for words, form in FORMS.items() if requirement.startswith(words))
    config = {"form": name}
    if name in FORM_ONLY:
        config["value"] = "any"
    else:
        config["expression"] = row["key"]
    variable = row["params"].get("variable") or re.sub(r".* (in|over) ", "", requirement)
    if variable != requirement:
        config["variable"] = variable
    return config, {"latex": row["answer"]}


def short_text(row):
    params, requirement, key = row["params"], row["requirement"], row["key"]
    config = {"ignoreCase": bool(params["case"] is False) if "case" in params else "ignore case" in requirement}
    config["blanks"] = "keep"
    alternative = lambda text: {"text": text}
    if "regular expression" in requirement:
        search = "unanchored" in requirement
        alternative = lambda text: {"pattern": text, "search": search}
    if params.get("wildcard"):
        alternative = lambda text: {"wildcard": text}
        config["blanks"] = "trim"
    if "all whitespace" in requirement:
        config["blanks"] = "remove"
    elif "collapse" in requirement or "alternatives" in requirement:
        config["blanks"] = "collapse"
    if "similarity" in params:
        config["edits"] = {"similarity": params["similarity"]}
        config["reject"] = [alternative(text) for text in key["deny"]]
        key = key["allow"]
    config["alternatives"] = [alternative(text) for text in (key if isinstance(key, list) else [key])]
    return config, {"text": row["answer"]}


def plain_key(key):
    """A key and its tolerance: `150 (±1)`."""
    found = re.fullmatch(r"(.*\S)\s*\(±(.*)\)", key)
    return (found[1], found[2]) if found else (key, None)


def number_text(row):
    params, requirement, key = row["params"], row["requirement"], row["key"]
    config, answer = {}, {}
    if key is not None and params.get("stage") != "syntax":
        value, spread = plain_key(str(key))
        answer = {"value": value}
        if spread:
            answer["tolerance"] = {"absolute": spread}
    if key is not None and re.search(r"pi|sqrt", str(key)):
        config["constants"] = True
    if params.get("stage") == "syntax" or requirement.startswith("number syntax"):
        config["grouping"] = ","
    if "units" in params or requirement.startswith("unit") or params.get("stage") == "syntax":
        mode = {"optional": "convert"}.get(params.get("units"), params.get("units", "convert"))
        config["units"] = units = {"mode": mode, "names": bool(params.get("names"))}
        units["optional"] = params.get("units") == "optional"
        if params.get("unit_before"):
            units["position"] = "before"
        if requirement.startswith("unit only"):
            units["mode"] = "only"
            answer = {"unit": key} if key is not None else {}
        if requirement == "unit known":
            units["mode"] = "convert"
    if key is None and "sigfigs" in params:
        config["units"] = {"optional": True}
    if params.get("stage") == "syntax" and not re.search(r"[a-zA-Z]", re.sub(r"[eE][+-]?\d|x10", "", str(key))):
        config.pop("units", None)
    kind = params.get("kind", "relative")
    if "tolerance" in params:
        config["tolerance"] = {kind: params["tolerance"]}
    if "rtol" in params:
        config["tolerance"] = {"relative": params["rtol"], "absolute": params["atol"]}
    if "sigfigs" in params:
        figures = {"strict": {"exact": params["sigfigs"], "counting": "strict"},
                   "liberal": {"exact": params["sigfigs"]},
                   "at-least": {"min": params["sigfigs"]}}[params["count"]]
        if params.get("accuracy"):
            figures["judged"] = params["accuracy"]
        if "truncation" in params:
            figures["extra"] = "rounded_or_truncated" if params["truncation"] else "rounded"
            extra = re.search(r"(\d+) extra digits judged", requirement)
            if extra:
                figures["extraJudged"] = int(extra[1])
        config["significantFigures"] = figures
    for name, field in (("sigfigs", "significantFigures"), ("decimals", "decimalPlaces")):
        bounds = {bound: params[f"{bound}_{name}"] for bound in ("min", "max") if f"{bound}_{name}" in params}
        if bounds:
            config[field] = {"exact": bounds["min"]} if bounds.get("min") == bounds.get("max") else bounds
    if "decimals" in params:
        config["decimalPlaces"] = {"exact": params["decimals"]}
    if "digits" in params:
        answer["slip"] = {"sameDigits": params["digits"]}
    if "max_power" in params:
        answer["slip"] = {"powerOfTen": params["max_power"]}
    if "fractions" in params:
        config["fractions"] = "reduced" if params.get("reduced") else "yes" if params["fractions"] else "no"
    if answer:
        config["answers"] = [answer]
    return config, {"text": row["answer"]}


def blanks(row):
    params, keys, answers = row["params"], row["key"], row["answer"]
    answers = answers if isinstance(answers, list) else [answers]
    config = {"blanks": [], "credit": "all", "order": "free" if params["order"] == "unordered" else "fixed"}
    for index, key in enumerate(keys):
        inner = {"answers": [{"value": key}]}
        if re.search(r"pi|sqrt", key):
            inner["constants"] = True
        if "tolerance" in params:
            inner["tolerance"] = {params["kind"]: params["tolerance"]}
        if "decimals" in params:
            inner["decimalPlaces"] = {"exact": params["decimals"]}
        if "units" in params and not re.search(r"\d", key):
            inner = {"answers": [{"unit": key}], "units": {"mode": "only"}}
        config["blanks"].append({"id": str(index), "validator": "number_text", "config": inner})
    return config, {"blanks": {str(index): answer for index, answer in enumerate(answers)}}


TURNED = {"form": form, "short_text": short_text, "number_text": number_text, "blanks": blanks}


def request(row):
    config, state = TURNED[row["validator"]](row)
    validator = {"kind": "builtin", "name": row["validator"], "config": config}
    spec = {"type": "widget", "widgetName": row["validator"].replace("_", "-"), "widgetVersion": "1.0.0",
            "validator": validator}
    return {"id": row["id"], "spec": spec, "submission": {"type": "widget", "state": state}}


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--cli", required=True)
    arguments.add_argument("--corpus", required=True, type=pathlib.Path)
    arguments.add_argument("--differences", action="store_true", help="list every row that differs")
    arguments.add_argument("--json", action="store_true", help="print one JSON object")
    given = arguments.parse_args()
    path = given.corpus / "validators" / "cases.jsonl"
    path = path if path.exists() else given.corpus / "cases.jsonl"
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    lines = "".join(json.dumps(request(row)) + "\n" for row in rows)
    output = subprocess.run([given.cli, "batch"], input=lines, capture_output=True, text=True, check=False).stdout
    answers = {}
    for line in output.splitlines():
        answer = json.loads(line)
        answers[answer.get("id")] = answer
    agreed = collections.Counter()
    total = collections.Counter()
    differences = []
    for row in rows:
        answer = answers.get(row["id"], {})
        accepted = answer.get("result", {}).get("verdict") == "correct"
        # A configuration that is refused never agrees.
        agrees = "result" in answer and accepted == row["accept"]
        convention = bool(row.get("convention"))
        words = re.sub(r"\d[\d.e+-]*", "N", row["requirement"])
        for group in ("convention" if convention else "strict", (row["validator"], words)):
            total[group] += 1
            agreed[group] += agrees
        if not agrees:
            differences.append((row, answer))
    share = {group: Fraction(agreed[group], total[group]) if total[group] else Fraction(1)
             for group in ("strict", "convention")}
    if given.json:
        print(json.dumps({"strict": float(share["strict"]), "convention": float(share["convention"]),
                          "rows": len(rows), "differences": [row["id"] for row, _ in differences]}))
    else:
        for group in sorted(group for group in total if isinstance(group, tuple)):
            print(f"{agreed[group]:4} of {total[group]:4}  {group[0]}: {group[1]}")
        for group in ("strict", "convention"):
            print(f"{agreed[group]:4} of {total[group]:4}  {float(share[group]):.1%}  {group}")
    if given.differences:
        for row, answer in differences:
            result = answer.get("result") or answer
            told = [feedback["message"] for feedback in result.get("feedback", [])]
            print("-", row["id"], "|", row["validator"], row["requirement"], "| key", row["key"], "| answer", row["answer"],
                  "| accept", row["accept"], "(convention)" if row.get("convention") else "",
                  "| found", result.get("verdict", json.dumps(answer)[:300]), told, "|", row.get("note") or "")
    return 0 if share["strict"] >= Fraction(97, 100) and share["convention"] >= Fraction(85, 100) else 1


if __name__ == "__main__":
    sys.exit(main())
