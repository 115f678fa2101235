"""Expected scores of QTI 1.2 items, from an evaluation of their conditions that is independent of the tested reader.

Responses are every option alone, the options that a condition names together, these with one change, and the texts and
numbers that conditions name, each combined with the best of the other responses, and alone. A score is a share of the
best score that was found.
"""

import re
import xml.etree.ElementTree as ElementTree

MOST = 60


def local(element):
    return element.tag.rsplit("}", 1)[-1] if isinstance(element.tag, str) else ""


def named(element, *names):
    return [one for one in element.iter() if local(one) in names]


def holds(test, given):
    """Returns whether a test of a condition holds."""
    name, text = local(test), (test.text or "").strip()
    values = given.get(test.get("respident"), [])
    if name == "varequal":
        if test.get("respident") in given.get("numbers", ()):
            return any(number(value) == number(text) for value in values)
        fold = str if (test.get("case") or "").lower() == "yes" or given["exact"] else str.lower
        return any(fold(value) == fold(text) for value in values)
    if name in ("vargte", "vargt", "varlte", "varlt"):
        bound = number(text)
        compare = {"vargte": bound.__le__, "vargt": bound.__lt__, "varlte": bound.__ge__, "varlt": bound.__gt__}[name]
        return any(number(value) is not None and compare(number(value)) is True for value in values)
    if name == "and":
        return all(holds(one, given) for one in test)
    if name == "or":
        return any(holds(one, given) for one in test)
    if name == "not":
        return not any(holds(one, given) for one in test)
    if name == "unanswered":
        return not values
    if name == "other":
        return True
    raise ValueError(name)


def number(text):
    try:
        return float(text)
    except (TypeError, ValueError):
        return None


def condition(element, given, single):
    """Returns whether a condition holds. Of several equalities of one single response, any suffices."""
    tests = list(element)
    of = {test.get("respident") for test in tests}
    if len(tests) > 1 and all(local(test) == "varequal" for test in tests) and len(of) == 1 and of <= single:
        return any(holds(test, given) for test in tests)
    return all(holds(test, given) for test in tests)


def score(item, given, single):
    """Returns the points of responses, from the conditions in order."""
    points, least = 0.0, None
    for declared in named(item, "decvar"):
        least = number(declared.get("minvalue"))
    for response in named(item, "respcondition"):
        sets = [one for one in response if local(one) == "setvar"]
        tests = next((one for one in response if local(one) == "conditionvar"), None)
        if not sets or (tests is not None and not condition(tests, given, single)):
            continue
        adds = False
        for one in sets:
            amount = number((one.text or "").strip().rstrip("%"))
            if amount is None:
                raise ValueError(one.text)
            adds |= one.get("action") == "Add"
            points = points + amount if one.get("action") == "Add" else amount
        if not adds and (response.get("continue") or "").lower() != "yes":
            break
    return points if least is None else max(points, least)


def responses(item):
    """Returns the responses of an item, each with its options by id (`None` if it is typed) and its cardinality."""
    found = {}
    for element in named(item, "response_lid", "response_str", "response_num"):
        labels = named(element, "response_label")
        options = {one.get("ident"): "".join(one.itertext()).strip() for one in labels} if local(element) == "response_lid" else None
        found[element.get("ident")] = options, (element.get("rcardinality") or "Single").lower()
    return found


def candidates(item, name, options):
    """Returns values to try for a response."""
    tests = [one for one in named(item, "varequal", "vargte", "vargt", "varlte", "varlt") if one.get("respident") == name]
    texts = list(dict.fromkeys((one.text or "").strip() for one in tests))
    if options is None:
        near = [str(number(text) + step) for text in texts if number(text) is not None for step in (-1, -0.001, 0.001, 1)]
        return [[]] + [[text] for text in texts + [text.upper() for text in texts] + near + ["zzz"]]
    values = [[]] + [[option] for option in options]
    together = [text for text in texts if text in options]
    for listed in [together] + [[(one.text or "").strip() for one in named(element, "varequal") if one.get("respident") == name] for element in named(item, "respcondition")]:
        listed = [one for one in dict.fromkeys(listed) if one in options]
        values += [listed] + [[one for one in listed if one != other] for other in listed] + [listed + [other] for other in options if other not in listed]
    return values


def cases(item, kind):
    """Returns responses of an item with the share that each earns; none for items that this script does not cover."""
    found = responses(item)
    # In Canvas, every listed text of a blank is correct, although the conditions name only one.
    right = {}
    if kind.startswith("fill_in_multiple_blanks"):
        right = {one.get("respident"): (one.text or "").strip() for one in named(item, "varequal")}
    if not found or not named(item, "setvar") or any(cardinality == "ordered" for _, cardinality in found.values()):
        return []
    single = {name for name, (_, cardinality) in found.items() if cardinality == "single"}
    bounds = {one.get("respident") for one in named(item, "vargte", "vargt", "varlte", "varlt")}
    lists = {}
    for name, (options, cardinality) in found.items():
        values = candidates(item, name, options)
        lists[name] = [value for value in values if len(value) < 2 or cardinality != "single"][:MOST]

    def points(given):
        typed = any(options is None for options, _ in found.values())
        given = {name: [right.get(name, value) for value in values] for name, values in given.items()}
        return score(item, {**given, "numbers": bounds, "exact": not typed}, single)

    best = dict.fromkeys(found, [])
    for _ in range(2):
        for name, values in lists.items():
            best = max(({**best, name: value} for value in values), key=points)
            if name not in single:
                # Adds or removes one value as long as this earns more.
                for option in found[name][0] or ():
                    other = [one for one in best[name] if one != option] if option in best[name] else best[name] + [option]
                    best = max(best, {**best, name: other}, key=points)
    most = points(best)
    if most <= 0:
        return []
    made = [dict.fromkeys(found, []), best]
    for name, values in lists.items():
        made += [{**best, name: value} for value in values]
        made += [{**dict.fromkeys(found, []), name: value} for value in values]
    made = {str(given): given for given in made}.values()
    return [(given, min(1.0, max(0.0, points(given)) / most)) for given in list(made)[: MOST * 4]]


def expected(folder):
    """Yields the cases of all files of a folder: file, id of the item, responses for `import --responses`, share."""
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        try:
            root = ElementTree.fromstring(path.read_bytes())
        except ElementTree.ParseError:
            continue
        if local(root) != "questestinterop":
            continue
        items = [one for one in named(root, "item") if one.get("ident")]
        for item in items:
            kind = next((value for label, value in fields(item) if label == "question_type"), "")
            if named(item, "calculated") or re.search("essay|upload|hot_spot", kind):
                continue
            try:
                found = cases(item, kind)
            except ValueError:
                continue
            options = responses(item)
            for given, share in found:
                yield path, item.get("ident"), told(given, options, kind), share


def fields(item):
    for field in named(item, "qtimetadatafield"):
        texts = {local(one): (one.text or "").strip() for one in field}
        yield texts.get("fieldlabel"), texts.get("fieldentry", "")


def told(given, options, kind):
    """Returns responses in the form in which they are stored: blanks as their texts, and rows of a matching as pairs."""
    out = {}
    for name, values in given.items():
        labels, cardinality = options[name]
        if kind.startswith("fill_in_multiple_blanks") and labels:
            values = [labels.get(value, value) for value in values]
        out[name] = (values[0] if values else None) if cardinality == "single" else values
    if kind.startswith("matching"):
        out["matching"] = [[name, values[0]] for name, values in given.items() if values]
    return out
