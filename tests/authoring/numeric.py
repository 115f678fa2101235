"""numeric: exact decimals, tolerances, ranges, integers, units."""

from .canonical import Number as N
from .book import Text

T = "numeric"


def value(v, mode=None, amount=None, **options):
    answer = {"value": N(v)}
    if mode:
        answer["tolerance"] = {"mode": mode, "amount": N(amount)}
    return {"type": T, "answer": answer, **options}


def between(low, high, **options):
    return {"type": T, "answer": {"min": N(low), "max": N(high)}, **options}


def say(v, unit=None):
    document = {"type": T, "value": N(v)}
    if unit is not None:
        document["unit"] = unit
    return document


def write(book):
    def g(rule, name, why, *rest, **more):
        book.grade(f"{T}/{rule}", name, why, *rest, **more)

    def table(rule, spec, why, rows):
        for name, number, raw in rows:
            g(rule, name, why, spec, say(number), raw)

    table("absolute", value("0.3", "absolute", "0.1"), "|s - v| <= amount in exact decimals, inclusive", [
        ("upper-bound", "0.4", 1), ("lower-bound", "0.2", 1), ("inside", "0.35", 1), ("the-value", "0.3", 1),
        ("just-above", "0.40000000000000000001", 0), ("just-below", "0.19999999999999999", 0), ("negative", "-0.3", 0)])
    table("relative", value("7", "relative", "0.1"), "|s - v| <= amount * |v| in exact decimals, inclusive", [
        ("upper-bound", "7.7", 1), ("lower-bound", "6.3", 1), ("above", "7.7000000000000001", 0), ("below", "6.29", 0)])
    table("relative", value("-7", "relative", "0.1"), "the tolerance is relative to |v|: negative keys too", [
        ("negative-upper-bound", "-6.3", 1), ("negative-lower-bound", "-7.7", 1), ("negative-outside", "-6.2", 0),
        ("other-sign", "7", 0)])
    table("relative", value("0", "relative", "0.5"), "around zero only zero passes", [
        ("zero", "0", 1), ("minus-zero", "-0.0", 1), ("tiny", "1e-300", 0)])
    table("exact", value("2432902008176640000"), "two integers are compared exactly, with all their digits", [
        ("twenty-factorial", "2432902008176640000", 1), ("one-off", "2432902008176640001", 0),
        ("scientific", "2.43290200817664e18", 1)])
    table("exact", value("3"), "an integer is an integer however it is written", [
        ("with-fraction-zeros", "3.000", 1), ("as-power", "30e-1", 1), ("near", "3.000000001", 1),
        ("too-far", "3.00000001", 0), ("negative", "-3", 0)])
    table("default-tolerance", value("0.1"), "without a tolerance and not both integers: relative 1e-9", [
        ("same", "0.1", 1), ("client-float", "0.1000000000000000055511151231257827", 1), ("at-1e-9", "0.1000000001", 1),
        ("above-1e-9", "0.1000000001000001", 0), ("other", "0.2", 0)])
    table("default-tolerance", value("1e9"), "an integer key and a fraction: relative 1e-9", [
        ("integer-one-off", "1000000001", 0), ("fraction-within", "1000000000.5", 1), ("fraction-beyond", "1000000001.5", 0)])
    table("default-tolerance", value("0"), "zero without a tolerance: zero only", [
        ("zero", "0.0", 1), ("tiny", "1e-320", 0)])
    table("range", between("5", "10"), "both bounds are inclusive", [
        ("lower", "5", 1), ("upper", "10.0", 1), ("inside", "7.25", 1), ("below", "4.999999999999999999", 0),
        ("above", "10.000000000000000001", 0)])
    table("range", between("2.5", "2.5"), "min = max is a range of one number", [("one-number", "2.50", 1), ("else", "2.4", 0)])
    table("range", between("-1e308", "1e308"), "huge bounds", [("huge", "1.7e308", 0), ("inside-huge", "-1e307", 1)])

    whole = "The answer must be an integer."
    five = between("4.5", "6.5", integerOnly=True)
    g("integer-only", "integer", "3.0 is an integer", value("3", integerOnly=True), say("3.0"), 1)
    g("integer-only", "in-range", "an integer in the range", five, say("5"), 1)
    g("integer-only", "fraction-in-range", "a fraction is incorrect even in the range, with a message", five, say("5.5"), 0,
      feedback=[("hint", whole)])
    g("integer-only", "fraction-outside", "the message is the same outside", five, say("9.5"), 0, feedback=[("hint", whole)])
    g("integer-only", "wrong-integer", "a wrong integer needs no message", five, say("7"), 0)
    g("integer-only", "fraction-within-noise", "float noise is not an integer", value("3", integerOnly=True), say("3.0000000001"),
      0, feedback=[("hint", whole)])

    meter = {"expected": "m/s", "required": True, "accepted": ["meters per second", "m s⁻¹"]}
    must, may = value("5", unit=meter), value("5", unit={"expected": "m/s"})
    missing, wrong = ("hint", "Give the unit together with the number."), ("hint", "The unit is not the expected one.")
    rows = [
        ("expected", "the expected spelling", must, say("5", "m/s"), 1, []),
        ("accepted", "an accepted spelling", must, say("5", "meters per second"), 1, []),
        ("blanks", "trimmed, inner blanks collapsed", must, say("5", "  meters \t per\u00a0second "), 1, []),
        ("nfkc", "compared in NFKC: superscripts become digits", must, say("5", "m s−1".replace("−", "\u2212")), 1, []),
        ("case-counts", "case counts: M is mega", must, say("5", "M/s"), 0, [wrong]),
        ("missing-right", "required and absent: the same message whether the number is right", must, say("5"), 0, [missing]),
        ("missing-wrong", "or wrong", must, say("6"), 0, [missing]),
        ("blank-is-missing", "a blank unit is not a unit", must, say("5", "  "), 0, [missing]),
        ("wrong-right", "present and wrong: incorrect, the same message", must, say("5", "km/h"), 0, [wrong]),
        ("wrong-wrong", "whatever the number is", must, say("6", "km/h"), 0, [wrong]),
        ("right-unit-wrong-number", "no message: the unit is right", must, say("6", "m/s"), 0, []),
        ("optional-absent", "an optional unit may be left out", may, say("5"), 1, []),
        ("optional-blank", "a blank optional unit is left out", may, say("5", ""), 1, []),
        ("optional-right", "or given", may, say("5", "m/s"), 1, []),
        ("optional-wrong", "but a wrong one is wrong", may, say("5", "m"), 0, [wrong]),
        ("no-conversion", "values are not converted", may, say("0.005", "km/s"), 0, [wrong]),
        ("none-in-the-spec", "a unit given where the spec has none is ignored", value("5"), say("5", "bananas"), 1, []),
    ]
    for name, why, spec, submission, raw, feedback in rows:
        g("unit", name, why, spec, submission, raw, feedback=feedback)
    g("unit", "and-integer", "both messages, the unit first", value("5", unit=meter, integerOnly=True), say("5.5"), 0,
      feedback=[missing, ("hint", whole)])
    g("unit", "fullwidth", "full-width letters are the same letters in NFKC", may, say("5", "ｍ/ｓ"), 1)
    g("other-type", "ordering", "an ordering submission cannot come from this question", value("5"),
      {"type": "ordering", "order": ["a", "b"]},
      refused=("other-type", "This question takes an answer of type numeric, not ordering."))
    g("identity", "number-text-does-not-matter", "3.0 and 3 are the same number and the same id: see exact/as-power",
      value("3"), say("3.0"), 1)
    g("identity", "key-does-not-enter", "the key is not part of the id", value("4"), say("3.0"), 0)
    g("identity", "public-fields-enter", "the input hint is public", value("3", inputHint="an integer"), say("3"), 1)

    e = lambda rule, name, why, *rest: book.error(f"{T}/{rule}", name, why, *rest)
    e("min-above-max", "range", "nothing is accepted", between("5", "3"), say("4"), "spec", ["/answer/min", "min-above-max"])
    e("no-integer-accepted", "range", "no integer between 4.1 and 4.9", between("4.1", "4.9", integerOnly=True), say("4"),
      "spec", ["/answer", "no-integer-accepted"])
    e("no-integer-accepted", "value", "2.5 is not an integer and no tolerance reaches one", value("2.5", integerOnly=True),
      say("2"), "spec", ["/answer", "no-integer-accepted"])
    e("no-integer-accepted", "tolerance", "2.5 ± 0.4 reaches no integer",
      value("2.5", "absolute", "0.4", integerOnly=True), say("2"), "spec", ["/answer", "no-integer-accepted"])
    g("no-integer-accepted", "reached-by-tolerance", "2.5 ± 0.5 reaches 2 and 3, bounds inclusive",
      value("2.5", "absolute", "0.5", integerOnly=True), say("3"), 1)
    e("no-unit-accepted", "blank", "a unit is required but its only spelling is blank",
      value("5", unit={"expected": " ", "required": True}), say("5"), "spec", ["/unit/expected", "blank-unit"],
      ["/unit", "no-unit-accepted"])
    e("value-and-range", "both", "an answer is a value or a range", {"type": T, "answer": {"value": 1, "min": 0, "max": 2}},
      say("1"), "schema", ["/answer", "value-and-range"])
    e("value-and-range", "tolerance-with-range", "a tolerance belongs to a value",
      {"type": T, "answer": {"min": 0, "max": 2, "tolerance": {"mode": "absolute", "amount": 1}}}, say("1"), "schema",
      ["/answer/tolerance", "unknown-field"])
    e("value-and-range", "neither", "an empty answer", {"type": T, "answer": {}}, say("1"), "schema",
      ["/answer", "missing-field"])
    e("value-and-range", "half-a-range", "a range has two bounds", {"type": T, "answer": {"min": 0}}, say("1"), "schema",
      ["/answer", "missing-field"])

    l = lambda rule, name, why, *rest: book.lint(f"{T}/{rule}", name, why, *rest)
    l("lint-clean", "tolerance", "nothing to say", value("9.81", "absolute", "0.005"))
    l("lint-clean", "integer", "nothing to say", value("42"))
    l("hint-against-tolerance", "whole-number", "the hint asks for an integer, and none is accepted",
      value("5.5", "absolute", "0.1", inputHint="Enter a whole number"), ["warning", "hint-against-tolerance", "/inputHint"])
    l("hint-against-tolerance", "whole-number-accepted", "the tolerance accepts the rounded value",
      value("5.8", "absolute", "0.3", inputHint="Enter a whole number"))
    l("hint-tells-key", "example-beside-rounding", "what follows `like` is an example, also beside a rule for rounding",
      value("3.14", "absolute", "0.005", inputHint="Round to two decimals, like 3.14"), ["warning", "hint-tells-key", "/inputHint"])
    l("min-above-max", "lint", "spec errors are findings of lint as well", between("5", "3"),
      ["error", "min-above-max", "/answer/min"])
    l("min-above-max", "with-an-unknown-field", "a field too many hides nothing", between("5", "3", units="m"),
      ["error", "unknown-field", "/units"], ["error", "min-above-max", "/answer/min"])
    l("no-integer-accepted", "lint", "spec errors are findings of lint as well", between("0.1", "0.2", integerOnly=True),
      ["error", "no-integer-accepted", "/answer"])
    l("relative-to-zero", "lint", "a relative tolerance around zero is none", value("0", "relative", "0.1"),
      ["warning", "relative-to-zero", "/answer/tolerance"])
    l("relative-tolerance-huge", "lint", "100 % accepts zero", value("5", "relative", "1"),
      ["warning", "relative-tolerance-huge", "/answer/tolerance/amount"])
    l("relative-tolerance-huge", "just-below", "99 % does not, but is far too much", value("5", "relative", "0.99"),
      ["warning", "tolerance-from-half", "/answer/tolerance/amount"])
    l("absolute-tolerance-huge", "lint", "5 ± 5 accepts zero", value("5", "absolute", "5"),
      ["warning", "absolute-tolerance-huge", "/answer/tolerance/amount"])
    l("absolute-tolerance-huge", "negative", "-5 ± 5 accepts zero too", value("-5", "absolute", "5"),
      ["warning", "absolute-tolerance-huge", "/answer/tolerance/amount"])
    l("no-tolerance", "fraction", "a fraction without a tolerance needs nine right digits", value("3.14159"),
      ["warning", "no-tolerance", "/answer"])
    l("unit-is-public", "lint", "the view shows the expected unit", value("5", unit={"expected": "m", "required": True}),
      ["info", "unit-is-public", "/unit/expected"])
    l("blank-unit", "lint", "a blank spelling can never be given", value("5", unit={"expected": "m", "accepted": ["\u3000"]}),
      ["warning", "blank-unit", "/unit/accepted/0"])
    l("same-unit-twice", "lint", "two spellings that are the same in NFKC",
      value("5", unit={"expected": "m²", "accepted": ["m2", "qm"]}), ["info", "same-unit-twice", "/unit/accepted/0"])
    l("no-unit-accepted", "lint", "spec errors are findings of lint as well",
      value("5", unit={"expected": "", "required": True}), ["error", "no-unit-accepted", "/unit"],
      ["warning", "blank-unit", "/unit/expected"])

    d = lambda name, why, *rest, **more: book.deliver(f"{T}/deliver", name, why, *rest, **more)
    d("allow-list", "no answer; integerOnly is written out", value("42"), "s", view={"type": T, "integerOnly": False})
    d("everything-public", "unit and hint are public", value("5", unit=meter, inputHint="two digits", integerOnly=True), "s",
      view={"type": T, "integerOnly": True, "inputHint": "two digits",
            "unit": {"expected": "m/s", "required": True, "accepted": ["meters per second", "m s⁻¹"]}})
    d("another-key", "the key does not matter", between("0", "1"), "s", view={"type": T, "integerOnly": False})
    book.grade(f"{T}/exact", "number-text", "the numbers of the text count, not their binary neighbours",
               Text('{"type":"numeric","answer":{"value":0.1000000000000000055511151231257827,"tolerance":'
                    '{"mode":"absolute","amount":1e-30}}}'), Text('{"type":"numeric","value":0.1}'), 0)
