#!/usr/bin/env python3
"""Compares scores of QTI 2.x and 3.0 items with those of another engine, on responses made by changing the keys.

    pip install pyslet
    tests/qti_peer.py --cli PROGRAM --corpus DIR [--verbose]

DIR has items (`.xml`) at any depth. The engine is Pyslet, a Python implementation of QTI 2.1. It runs the declarations
and the response processing of an item; the body is removed first, because Pyslet would render it. The templates
match_correct and map_response are replaced by their text in the specification. Responses are the key, nothing, every
option, the key with one change, texts in another case or with spaces, and numbers close to the key. Items of 3.0 get
the names of 2.1. Items without a rule for their score are left out, and so is template processing with random values.
Only questions that are called exact or scores-exact are compared, and with --verbose each difference is printed. Fails
below 99 % of agreement.
"""

import argparse
import collections
import io
import json
import logging
import pathlib
import random
import subprocess
import sys
import tempfile
import warnings
import xml.etree.ElementTree as ElementTree

GOOD = ("exact", "scores-exact")
LEAST = 0.99
SPACE = "http://www.imsglobal.org/xsd/imsqti_v2p1"
NAMESPACE = "{" + SPACE + "}"

MATCH_CORRECT = """<responseProcessing xmlns="%s"><responseCondition><responseIf><match><variable identifier="%s"/><correct identifier="%s"/></match>
<setOutcomeValue identifier="SCORE"><baseValue baseType="float">1</baseValue></setOutcomeValue></responseIf><responseElse>
<setOutcomeValue identifier="SCORE"><baseValue baseType="float">0</baseValue></setOutcomeValue></responseElse></responseCondition></responseProcessing>"""
MAP_RESPONSE = """<responseProcessing xmlns="%s"><responseCondition><responseIf><isNull><variable identifier="%s"/></isNull>
<setOutcomeValue identifier="SCORE"><baseValue baseType="float">0</baseValue></setOutcomeValue></responseIf><responseElse>
<setOutcomeValue identifier="SCORE"><mapResponse identifier="%s"/></setOutcomeValue></responseElse></responseCondition></responseProcessing>"""
# The interactions from which a learner selects.
CHOICES = ("simpleChoice", "inlineChoice", "hottext", "hotspotChoice")


def camel(name):
    """Returns the 2.1 name for a 3.0 name."""
    first, *rest = name.removeprefix("qti-").split("-")
    return first + "".join(word.capitalize() for word in rest)


def renamed(root):
    """Returns a 3.0 item with the names of 2.1."""
    for element in root.iter():
        if isinstance(element.tag, str):
            element.tag = NAMESPACE + camel(local(element))
            for name in [name for name in element.attrib if "-" in name]:
                element.set(camel(name), element.attrib.pop(name))
    return root


def local(element):
    return element.tag.rsplit("}", 1)[-1] if isinstance(element.tag, str) else ""


def load(path):
    """Returns the item in the namespace of 2.1 without its body, and its declarations; nothing for other files."""
    text = path.read_bytes()
    for version in (b"imsqti_v2p2", b"imsqti_v2p0"):
        text = text.replace(version, b"imsqti_v2p1")
    root = ElementTree.fromstring(text)
    if local(root) == "qti-assessment-item":
        root = renamed(root)
    if root.tag != NAMESPACE + "assessmentItem":
        return None
    responses = {}
    for declaration in root.findall(NAMESPACE + "responseDeclaration"):
        values = declaration.findall(f"{NAMESPACE}correctResponse/{NAMESPACE}value")
        keys = [entry.get("mapKey") for entry in declaration.iter(NAMESPACE + "mapEntry")]
        responses[declaration.get("identifier")] = {
            "cardinality": declaration.get("cardinality"),
            "base": declaration.get("baseType"),
            "key": [value.text or "" for value in values],
            "mapped": keys,
            "options": [],
        }
    for interaction in root.iter():
        response = responses.get(interaction.get("responseIdentifier"))
        if response:
            response["options"] = [one.get("identifier") for one in interaction.iter() if local(one) in CHOICES]
            response["most"] = int(interaction.get("maxChoices") or 1)
            response["kind"] = local(interaction)
    first = "RESPONSE" if "RESPONSE" in responses else next(iter(responses), "RESPONSE")
    sets = False
    for child in list(root):
        name = local(child)
        if name in ("responseDeclaration", "outcomeDeclaration", "templateDeclaration"):
            continue
        if name == "templateProcessing" and not any(local(one).startswith("random") for one in child.iter()):
            continue
        if name == "responseProcessing":
            template = (child.get("template") or "").rsplit("/", 1)[-1].removesuffix(".xml")
            sets |= any(one.get("identifier") == "SCORE" for one in child.iter())
            written = {"match_correct": MATCH_CORRECT, "map_response": MAP_RESPONSE}.get(template)
            if len(child) == 0 and written:
                sets = True
                root.remove(child)
                root.append(ElementTree.fromstring(written % (SPACE, first, first)))
            continue
        root.remove(child)
    if not sets:
        return None
    ElementTree.register_namespace("", SPACE)
    return ElementTree.tostring(root), responses


def typed(text):
    return [text, text.upper(), text.lower(), f" {text} ", text + "x"]


def numbers(text):
    try:
        value = float(text)
    except ValueError:
        return []
    beside = [value * factor for factor in (0.9, 0.95, 0.99, 1.01, 1.05, 1.1)] + [value + step for step in (-1, -0.5, 0.5, 1)]
    return [text] + [repr(round(one, 6)) for one in beside]


def changed(response, draw):
    """Returns values for a response as lists of texts; `None` for types that this script cannot generate."""
    key, options, single = response["key"], response["options"], response["cardinality"] == "single"
    values = [[], key]
    if response["base"] == "identifier" and options and response["cardinality"] != "ordered":
        values += [[one] for one in options]
        most = 1 if single else response["most"] or len(options)
        if not single:
            for one in options:
                values.append([other for other in key if other != one] if one in key else key + [one])
            for _ in range(40):
                values.append(draw.sample(options, draw.randint(1, min(most, len(options)))))
        values = [value for value in values if len(value) <= most]
    elif response["base"] == "identifier" and response["cardinality"] == "ordered" and len(key) == len(options) > 1:
        for _ in range(40):
            values.append(draw.sample(options, len(options)))
    elif response["base"] == "string" and single:
        for text in key + response["mapped"]:
            values += [[one] for one in typed(text)]
        values.append(["something else"])
    elif response["base"] in ("integer", "float") and single:
        for text in key + response["mapped"] + ["0", "7"]:
            found = numbers(text)
            if response["base"] == "integer":
                found = [str(int(float(one))) for one in found]
            values += [[one] for one in found]
    elif response["base"] in ("directedPair", "pair") and not single and key:
        left = list(dict.fromkeys(pair.split()[0] for pair in key))
        right = list(dict.fromkeys(pair.split()[-1] for pair in key))
        for index in range(len(key)):
            values.append(key[:index] + key[index + 1 :])
        for _ in range(20):
            partners = draw.sample(right, len(right))
            values.append([f"{a} {b}" for a, b in zip(left, partners)])
    else:
        return None
    return list({tuple(value): value for value in values}.values())


def combinations(responses, draw):
    """Yields changes of one response, combined with the keys of the others and with no other responses."""
    made = {name: changed(response, draw) for name, response in responses.items()}
    if any(values is None for values in made.values()):
        return []
    keys = {name: response["key"] for name, response in responses.items()}
    all_of = [dict.fromkeys(made, []), keys]
    for name, values in made.items():
        for value in values:
            all_of.append({**keys, name: value})
            if len(made) > 1:
                all_of.append({**dict.fromkeys(made, []), name: value})
    return all_of[:200]


class Peer:
    """Pyslet, which computes the scores of responses."""

    def __init__(self):
        warnings.simplefilter("ignore")
        logging.disable(logging.CRITICAL)
        import pyslet.qtiv2.variables as variables
        import pyslet.qtiv2.xml as documents
        import pyslet.qtiv2.items as items

        if not hasattr(items.AssessmentItem, "RegisterDeclaration"):
            # The reader calls a method by a name from an earlier version.
            items.AssessmentItem.RegisterDeclaration = items.AssessmentItem.register_declaration
        self.variables, self.documents = variables, documents

    def open(self, text):
        document = self.documents.QTIDocument()
        document.read(src=io.BytesIO(text))
        return document.root

    def score(self, item, responses, given):
        session = self.variables.ItemSessionState(item)
        session.select_clone()
        session.begin_session()
        for name, values in given.items():
            declared = responses[name]
            value = session[name]
            atoms = [self.atom(declared["base"], one) for one in values]
            if not atoms or atoms == [""]:
                value.set_value(None)
            elif declared["cardinality"] == "single":
                value.set_value(atoms[0])
            else:
                value.set_value(atoms)
        session.end_attempt()
        return session["SCORE"].value

    @staticmethod
    def atom(base, text):
        if base in ("pair", "directedPair"):
            return tuple(text.split())
        return float(text) if base == "float" else int(text) if base == "integer" else text


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cli", required=True)
    parser.add_argument("--corpus", required=True, type=pathlib.Path)
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    peer, draw = Peer(), random.Random(23)
    cases, counts = [], collections.Counter()
    for path in sorted(options.corpus.rglob("*.xml")):
        try:
            loaded = load(path)
        except (ElementTree.ParseError, OSError):
            loaded = None
        if not loaded:
            continue
        text, responses = loaded
        try:
            item = peer.open(text)
            for given in combinations(responses, draw):
                score = peer.score(item, responses, given)
                if score is not None:
                    cases.append((str(path.relative_to(options.corpus)), given, responses, score))
            counts["items asked"] += 1
        except Exception as problem:  # the other engine fails with many kinds of exceptions
            counts[f"not scored by the peer: {type(problem).__name__} {problem}"[:90]] += 1
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
        for number, (item, given, responses, _score) in enumerate(cases):
            values = {
                name: None if not value else value[0] if responses[name]["cardinality"] == "single" else value
                for name, value in given.items()
            }
            file.write(json.dumps({"item": item, "case": number, "responses": values}) + "\n")
        file.flush()
        command = [options.cli, "import", str(options.corpus), "--responses", file.name]
        done = subprocess.run(command, capture_output=True, text=True, timeout=3600)
    compared = collections.Counter()
    for line in map(json.loads, done.stdout.splitlines()):
        item, given, _responses, there = cases[line["case"]]
        if line["exactness"] not in GOOD or "score" not in line:
            compared["not claimed"] += 1
            continue
        most = line.get("maxScore", 1)
        most = float(most) if not isinstance(most, str) else int(most.split("/")[0]) / int(most.split("/")[1])
        here = line["score"] * most
        # A negative score becomes 0 here, which is reported as a loss.
        same = abs(here - max(there, 0)) < 1e-4
        compared["agree" if same else "differ"] += 1
        if not same:
            compared[item] += 1
            if options.verbose:
                print(f"  {item}: {json.dumps(given)}: {there} there, {here} here")
    for name, count in counts.most_common(12):
        print(f"{count:5} {name}")
    total = compared["agree"] + compared["differ"]
    if not total:
        sys.exit(f"nothing to compare: {done.stderr[-500:]}")
    share = compared["agree"] / total
    print(f"Pyslet: {compared['agree']} of {total} scores agree ({share:.2%}), {compared['not claimed']} not claimed")
    sys.exit(0 if share >= LEAST else 1)


if __name__ == "__main__":
    main()
