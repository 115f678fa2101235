"""validators: the standard validators of widgets; the expected results follow from the documentation."""

from fractions import Fraction as F

from .canonical import Number as N

T = "validators"
NOT = ("info", "This is not the expected answer.")
# The messages to learners, by code.
SAID = {
    "no-text": ("error", "The answer is not a text."),
    "no-number": ("error", "Type a number."),
    "not-a-number": ("error", "This cannot be read as a number."),
    "grouping": ("error", "Check the decimal sign and the grouping of the digits."),
    "unit-unknown": ("error", "This unit is not known."),
    "unknown-option": ("error", "The selection has an option that does not exist, or one option twice."),
    "too-many-selected": ("error", "Too many options are selected."),
    "unknown-item": ("error", "The order has an item that does not exist, or one item twice."),
    "unreadable-expression": ("error", "The expression cannot be read."),
    "no-blanks": ("error", "The answer has no blanks."),
    "blank-empty": ("hint", "This blank is empty."),
    "items-missing": ("hint", "Some items are not in the order yet."),
    "forbidden-word": ("hint", "The answer has a word that may not be used."),
    "spelling": ("hint", "The answer was understood, but its spelling is not right."),
    "unit-missing": ("hint", "A unit is missing."),
    "unit-not-wanted": ("hint", "Do not give a unit."),
    "unit-does-not-fit": ("hint", "The unit does not fit the quantity."),
    "unit-other": ("hint", "This is not the expected unit."),
    "unit-place": ("hint", "The unit is on the wrong side of the number."),
    "number-missing": ("hint", "The number is missing."),
    "number-not-wanted": ("hint", "Give only a unit, without a number."),
    "too-few-figures": ("hint", "The number has too few significant figures."),
    "too-many-figures": ("hint", "The number has too many significant figures."),
    "too-few-decimals": ("hint", "The number has too few decimal places."),
    "too-many-decimals": ("hint", "The number has too many decimal places."),
    "fraction-not-wanted": ("hint", "Write the number without a fraction."),
    "fraction-wanted": ("hint", "Write the number as a fraction or an integer."),
    "not-reduced": ("hint", "Reduce the fraction."),
    "not-scientific": ("hint", "Write the number in scientific notation, such as 1.5e3."),
    "scientific-not-wanted": ("hint", "Write the number without a power of ten."),
    "not-same-form": ("hint", "The expression is not in the expected form."),
    "not-factored": ("hint", "The expression is not a product of factors that cannot be factored further."),
    "content-left": ("hint", "A common factor is left inside a bracket."),
    "not-expanded": ("hint", "The expression still has a product or a power of a sum."),
    "not-lowest-terms": ("hint", "A fraction is not in lowest terms."),
    "root-in-denominator": ("hint", "A root or i is left in a denominator."),
    "not-single-fraction": ("hint", "Write the expression as a single fraction."),
    "nested-fraction": ("hint", "A fraction has another fraction inside."),
    "root-not-simplest": ("hint", "A root can be simplified."),
    "not-completed-square": ("hint", "The variable may be in one square only, such as a(x+b)^2+c."),
    "not-partial-fractions": ("hint", "The expression is not a sum of partial fractions."),
    "not-scientific-form": ("hint", "Write the number as a*10^n with one digit before the decimal point."),
    "not-line-standard": ("hint", "Write the line as ax+by=c with integers that have no common factor."),
    "not-line-slope": ("hint", "Write the line as y=mx+b."),
    "not-circle": ("hint", "Write the circle as (x-h)^2+(y-k)^2=r^2."),
}


def spec(name, config):
    validator = {"kind": "builtin", "name": name}
    if config is not None:
        validator["config"] = config
    return {"type": "widget", "widgetName": name.replace("_", "-"), "widgetVersion": "1.0.0", "validator": validator}


def write(book):
    def judge(rule, config, state):
        """Rows for one configuration: name, reason, answer, score or the code of a refusal, then the feedback by code
        or text."""
        document = spec(rule.split("/")[0], config)

        def rows(*table):
            for name, why, answer, score, *told in table:
                folder = f"{T}/{rule}"
                given = {"type": "widget", "state": state(answer)}
                if isinstance(score, str):
                    part, code = score.split(" ") if " " in score else (None, score)
                    text = SAID[code][1] if part is None else f"Part {part}: {SAID[code][1]}"
                    book.grade(folder, name, why, document, given, refused=("unreadable-state", text))
                    continue
                feedback = []
                for code in told:
                    if isinstance(code, tuple):
                        number, code = code
                        severity, text = SAID.get(code, ("info", code))
                        feedback.append((severity, f"Part {number}: {text}"))
                    else:
                        feedback.append(SAID.get(code, ("info", code)))
                if not feedback and score != 1:
                    feedback = [NOT]
                book.grade(folder, name, why, document, given, score, feedback=feedback)

        return rows

    text = lambda answer: {"text": answer}
    latex = lambda answer: {"latex": answer}
    as_it_is = lambda answer: answer

    judge("short_text/alternatives", {"alternatives": [
        {"text": "Photosynthesis"}, {"text": "assimilation", "weight": "1/3", "message": "Think of light."}],
        "reject": [{"text": "respiration", "message": "That is the opposite."}]}, text)(
        ("same", "the text itself", "Photosynthesis", 1),
        ("case", "case does not count unless it is asked for", "PHOTOSYNTHESIS", 1),
        ("blanks", "blanks at the ends and runs of them do not count", "  photosynthesis\t", 1),
        ("weighted", "an alternative earns its exact share and says its message", "Assimilation", F(1, 3), "Think of light."),
        ("rejected", "a rejected answer says its message", "respiration", 0, "That is the opposite."),
        ("other", "no alternative", "photography", 0),
        ("empty", "an empty answer is an answer", "", 0),
        ("part", "the whole answer is compared", "photosynthesis of plants", 0),
    )
    judge("short_text/state", {"alternatives": [{"text": "a"}]}, as_it_is)(
        ("claims", "what the widget says about itself is not believed", {"text": "b", "correct": True, "score": 1}, 0),
        ("claims-against", "neither for nor against the learner", {"text": "a", "correct": False, "score": 0}, 1),
        ("missing", "a state without text cannot be read", {}, "no-text"),
        ("no-string", "a number is not a text", {"text": 1}, "no-text"),
    )
    judge("short_text/case", {"alternatives": [{"text": "Na"}], "ignoreCase": False}, text)(
        ("same", "case counts where it is asked for", "Na", 1), ("other", "na is not Na", "na", 0))
    judge("short_text/signs", {"alternatives": [{"text": "don't well-known"}]}, text)(
        ("typographic", "a writing program puts in these signs", "don\u2019t well\u2010known", 1),
        ("minus", "a minus sign is a hyphen", "don't well\u2212known", 1), ("dash", "a dash is not", "don't well\u2013known", 0))
    judge("short_text/signs-count", {"alternatives": [{"text": "don't"}], "unicode": "none"}, text)(
        ("typographic", "another character", "don\u2019t", 0), ("typed", "the same", "don't", 1))
    judge("short_text/unicode", {"alternatives": [{"text": "Stra\u00dfe"}, {"text": "d\u00e9part"}]}, text)(
        ("sharp-s", "the upper case of \u00df is SS", "STRASSE", 1),
        ("composed", "composed and decomposed letters are the same", "de\u0301part", 1),
        ("accent", "accents count unless they are ignored", "depart", 0))
    judge("short_text/accents", {"alternatives": [{"text": "d\u00e9part"}], "ignoreAccents": True}, text)(
        ("without", "accents are ignored", "depart", 1), ("stroke", "a stroke is taken off as well", "\u0111epart", 1), ("other-accent", "all of them", "d\u00e8part", 1))
    judge("short_text/punctuation", {"alternatives": [{"text": "yes, we can"}], "ignorePunctuation": True}, text)(
        ("without", "punctuation is ignored", "yes we can!", 1), ("word", "words are not", "yes we could", 0))
    judge("short_text/blanks-remove", {"alternatives": [{"text": "H2O"}], "blanks": "remove"}, text)(
        ("inside", "blanks inside do not count", "H 2 O", 1), ("other", "the rest does", "H2O2", 0))
    judge("short_text/blanks-keep", {"alternatives": [{"text": "a b"}], "blanks": "keep"}, text)(
        ("same", "every blank counts", "a b", 1), ("before", "at the ends as well", " a b", 0), ("two", "and in runs", "a  b", 0))
    judge("short_text/word-order", {"alternatives": [{"text": "red green blue"}], "wordOrder": "free"}, text)(
        ("other-order", "the order of words is free", "blue red  green", 1), ("missing", "each word is needed", "red blue", 0),
        ("twice", "and no word twice", "red red green blue", 0))
    judge("short_text/number-words", {"alternatives": [{"text": "21 cats"}], "numberWords": "en"}, text)(
        ("words", "numbers in words are digits where it is asked for", "twenty-one cats", 1),
        ("digits", "and digits are digits", "21 cats", 1), ("other", "another number", "twenty-two cats", 0))
    judge("short_text/wildcard", {"alternatives": [{"wildcard": "photo*is"}, {"wildcard": "a\\*b", "weight": N("0.5")}]}, text)(
        ("some", "a wildcard stands for any characters", "photosynthesis", 1),
        ("none", "also for none", "photois", 1), ("beyond", "the rest must be there", "photosynthesi", 0),
        ("star", "an escaped star is a star", "A*B", F(1, 2)), ("no-star", "and nothing else", "axb", 0))
    judge("short_text/pattern", {"alternatives": [{"pattern": "colou?r(s|ed)?"}]}, text)(
        ("one", "a pattern covers the whole answer", "Colour", 1), ("other", "in each of its forms", "colored", 1),
        ("beyond", "not a part of it", "colourful", 0))
    judge("short_text/pattern-search", {"alternatives": [{"pattern": "\\bDNA\\b", "search": True}]}, text)(
        ("inside", "a searched pattern may be anywhere", "it is dna, I think", 1), ("word", "as it says", "dnase", 0))
    judge("short_text/pattern-group", {"alternatives": [{"pattern": "a|b"}]}, text)(
        ("alternative", "both sides of a bar cover the whole answer", "b", 1), ("beyond", "neither is a part", "bc", 0))
    judge("short_text/forbidden", {"alternatives": [{"wildcard": "*light*"}], "forbidden": ["magic"]}, text)(
        ("without", "without the word the answer counts", "by light", 1),
        ("with", "a forbidden word makes it wrong", "by light and magic", 0, "forbidden-word"),
        ("inside", "a part of a word is not a word", "magical light", 1))
    judge("short_text/forbidden-removed", {"alternatives": [{"wildcard": "cell*"}], "forbidden": ["respiration", "by magic"],
                                           "blanks": "remove", "ignorePunctuation": True}, text)(
        ("blank", "words are searched before blanks are removed", "cell respiration", 0, "forbidden-word"),
        ("hyphen", "and before punctuation is", "cell-respiration", 0, "forbidden-word"),
        ("phrase", "a phrase has blanks", "cells, by  magic", 0, "forbidden-word"),
        ("whole", "the whole answer is searched after that too", "by-ma gic", 0, "forbidden-word"),
        ("inside", "a part of a word is not a word", "cell respirations", 1))
    judge("short_text/edits", {"alternatives": [{"text": "photosynthesis"}, {"text": "sun"}],
                               "edits": {"limits": [{"from": 5, "edits": 1}, {"from": 10, "edits": 2}], "weight": N("0.9")}}, text)(
        ("none", "without edits the score is full", "photosynthesis", 1),
        ("one", "a misspelling earns what is left", "photosynthesys", F(9, 10), "spelling"),
        ("four", "four edits are too many", "fotosintesis", 0),
        ("two", "two edits are allowed from ten characters on", "photosintesis", F(9, 10), "spelling"),
        ("exchange", "an exchange of neighbours is one edit", "photosyntehsis", F(9, 10), "spelling"),
        ("short", "short words are taken as they are", "sin", 0))
    judge("short_text/similarity", {"alternatives": [{"text": "Good day"}], "reject": [{"text": "Goodbye"}],
                                    "edits": {"similarity": N("0.6")}}, text)(
        ("alike", "two edits of ten characters are a similarity of 0.8", "Good, day!", 1, "spelling"),
        ("rejected", "a rejected text that is nearer decides", "Good bye", 0), ("far", "below the limit", "Evening", 0))

    judge("number_text/exact", {"answers": [{"value": N("0.3")}, {"value": 3, "weight": N("0.5"), "message": "Ten times too much."}]}, text)(
        ("same", "the value", "0.3", 1), ("zeros", "zeros do not count where no digits are asked for", "00.300", 1),
        ("fraction", "a fraction is the same number", "3/10", 1), ("power", "so is a power of ten", "3e-1", 1),
        ("times", "in each way to write it", "3×10^-1", 1), ("superscript", "also raised", "3·10⁻¹", 1),
        ("weighted", "another answer has its own score and message", "3", F(1, 2), "Ten times too much."),
        ("near", "nothing else is right", "0.3000001", 0), ("plus", "a plus sign is read", "+0.3", 1),
        ("words", "a word is not a number", "three", "not-a-number"), ("empty", "an empty text is not a number", " ", "no-number"),
        ("zero-divisor", "a division by zero is not a number", "3/0", "not-a-number"),
        ("sum", "sums are not computed", "0.1+0.2", "not-a-number"),
        ("comma", "a decimal comma is not guessed", "0,3", "grouping"),
        ("unit", "a unit that is not asked for", "0.3 m", 0, "unit-not-wanted"))
    judge("number_text/tolerance", {"answers": [{"value": 10}], "tolerance": {"absolute": N("0.5")}}, text)(
        ("bound", "bounds are inclusive", "10.5", 1), ("over", "beyond the bound", "10.51", 0))
    judge("number_text/tolerance-both", {"answers": [{"value": 100}], "tolerance": {"absolute": 1, "relative": N("0.01")}}, text)(
        ("sum", "the two tolerances add up", "102", 1), ("over", "beyond their sum", "102.1", 0))
    judge("number_text/range", {"answers": [{"min": 1, "max": "3/2"}]}, text)(
        ("bound", "bounds are inclusive", "1.5", 1), ("below", "below the range", "0.99", 0))
    judge("number_text/figures", {"answers": [{"value": "1.23456"}], "significantFigures": {"exact": 3}, "partial": {"digits": N("0.9")}}, text)(
        ("right", "three figures of the rounded value", "1.23", 1), ("power", "a power of ten does not change them", "123e-2", 1),
        ("many", "right, but with too many figures", "1.230", F(9, 10), "too-many-figures"),
        ("few", "too few figures, and too far away", "1.2", 0, "too-few-figures"),
        ("wrong", "three figures of another value", "1.24", 0), ("zeros", "leading zeros never count", "001.23", 1))
    judge("number_text/figures-integer", {"significantFigures": {"exact": 2}}, text)(
        ("open", "zeros at the end of an integer may count", "1500", 1), ("all", "or may not: 100 has one to three", "100", 1),
        ("point", "with a decimal point they count", "100.", 0, "too-many-figures"), ("one", "one figure", "7", 0, "too-few-figures"))
    judge("number_text/figures-strict", {"significantFigures": {"exact": 2, "counting": "strict"}}, text)(
        ("zeros", "counted strictly they do not", "1500", 1), ("one", "100 has one figure", "100", 0, "too-few-figures"),
        ("power", "1.0e2 has two", "1.0e2", 1))
    judge("number_text/figures-half", {"answers": [{"value": "0.04975"}], "significantFigures": {"exact": 3}}, text)(
        ("away", "the key is rounded half away from zero", "0.0498", 1), ("down", "and not down", "0.0497", 0))
    judge("number_text/figures-judged", {"answers": [{"value": "3.1415927"}], "significantFigures": {"exact": 4, "judged": 3}}, text)(
        ("near", "only three figures are judged", "3.143", 1), ("far", "but these are", "3.211", 0))
    judge("number_text/decimals", {"answers": [{"value": "2/3"}], "decimalPlaces": {"exact": 2}}, text)(
        ("rounded", "two places of the rounded value", "0.67", 1), ("more", "three places", "0.667", 0, "too-many-decimals"),
        ("less", "one place", "0.7", 0, "too-few-decimals"), ("truncated", "the value is rounded, not cut", "0.66", 0))
    judge("number_text/locale", {"answers": [{"value": "1234.5"}], "locale": "de"}, text)(
        ("comma", "a decimal comma", "1234,5", 1), ("grouped", "points between thousands", "1.234,5", 1),
        ("groups", "groups have three digits", "1.23,5", "grouping"), ("english", "another notation is not guessed", "1,234.5", "grouping"))
    judge("number_text/locale-blank", {"answers": [{"value": "1234567.5"}], "locale": "fr"}, text)(
        ("narrow", "narrow blanks between thousands", "1\u202f234\u202f567,5", 1), ("plain", "or plain ones", "1 234 567,5", 1))
    judge("number_text/reduced", {"answers": [{"value": "1/3"}], "fractions": "reduced", "partial": {"digits": N("0.5")}}, text)(
        ("reduced", "a reduced fraction", "1/3", 1), ("not", "one that can be reduced", "2/6", F(1, 2), "not-reduced"))
    judge("number_text/no-fraction", {"answers": [{"value": "1/4"}], "fractions": "no"}, text)(
        ("decimal", "a decimal", "0.25", 1), ("fraction", "no fraction is expected", "1/4", 0, "fraction-not-wanted"))
    judge("number_text/scientific", {"answers": [{"value": 1500}], "notation": "scientific"}, text)(
        ("right", "one digit before the decimal sign", "1.5e3", 1), ("two", "two digits", "15e2", 0, "not-scientific"),
        ("plain", "no power of ten", "1500", 0, "not-scientific"))
    judge("number_text/fraction", {"answers": [{"value": N("0.5")}], "notation": "fraction"}, text)(
        ("fraction", "a fraction", "1/2", 1), ("decimal", "a decimal", "0.5", 0, "fraction-wanted"))
    judge("number_text/percent", {"answers": [{"value": N("0.25")}], "percent": True}, text)(
        ("sign", "a percent sign makes hundredths", "25%", 1), ("blank", "also behind a blank", "25 %", 1),
        ("word", "or in words", "25 percent", 1), ("plain", "the number itself", "0.25", 1),
        ("missing", "without the sign it is another number", "25", 0), ("wide", "full-width signs are the same", "２５％", 1),
        ("alone", "a sign alone is not a number", "%", 0, "number-missing"))
    judge("number_text/percent-digits", {"answers": [{"value": "25.37 %"}], "percent": True, "decimalPlaces": {"exact": 1}}, text)(
        ("typed", "places are asked for where they were typed", "25.4%", 1), ("more", "two places", "25.37%", 0, "too-many-decimals"),
        ("plain", "one place of the number itself", "0.3", 1), ("wrong", "another value", "25.3%", 0))
    judge("number_text/percent-tolerance", {"answers": [{"value": N("0.2")}, {"min": N("0.5"), "max": N("0.6"), "weight": N("0.5")}],
                                            "percent": True, "tolerance": {"absolute": N("0.01")}}, text)(
        ("bound", "a tolerance is one of the number itself", "21%", 1), ("over", "beyond it", "22%", 0),
        ("range", "so is a range", "55%", F(1, 2)))
    judge("number_text/decimal", {"answers": [{"value": 500}], "notation": "decimal"}, text)(
        ("plain", "a decimal", "500", 1), ("power", "a power of ten", "5e2", 0, "scientific-not-wanted"))
    judge("number_text/units", {"answers": [{"value": "9.81 m/s^2"}], "units": {}, "tolerance": {"absolute": "1 cm/s^2"},
                                "partial": {"unit": N("0.5")}}, text)(
        ("same", "the unit of the key", "9.81 m/s^2", 1), ("converted", "any unit of the quantity", "981 cm/s²", 1),
        ("spelled", "exponents and fractions in any spelling", "9.81 m s^-2", 1), ("steps", "one after the other", "9.81 m/s/s", 1),
        ("names", "units by name", "9.81 meters/second^2", 1), ("words", "powers and quotients by name", "9.81 meters per second squared", 1),
        ("hyphen", "a product of names", "9.81 meter-hertz-hertz", 1),
        ("square", "a power in front", "9.81 square meters", F(1, 2), "unit-does-not-fit"), ("tolerance", "the tolerance has a unit as well", "9.82 m/s^2", 1),
        ("outside", "outside of it", "9.83 m/s^2", 0), ("dimension", "the right number with a unit that does not fit", "9.81 m/s", F(1, 2), "unit-does-not-fit"),
        ("missing", "the right number without its unit", "9.81", F(1, 2), "unit-missing"), ("number", "a unit alone", "m/s^2", 0, "number-missing"),
        ("unknown", "nobody knows this unit", "9.81 frogs", "unit-unknown"), ("case", "case counts in units", "9.81 M/s^2", F(1, 2), "unit-does-not-fit"),
        ("first", "the unit on the wrong side", "m/s^2 9.81", F(1, 2), "unit-place"))
    judge("number_text/temperature", {"answers": [{"value": "25 °C"}], "units": {}}, text)(
        ("kelvin", "degrees Celsius have a zero of their own", "298.15 K", 1), ("fahrenheit", "so have degrees Fahrenheit", "77 °F", 1),
        ("not", "25 K is cold", "25 K", 0))
    judge("number_text/same-unit", {"answers": [{"value": "0.4 L"}], "units": {"mode": "same"}}, text)(
        ("same", "the unit of the key", "0.4 l", 1), ("converted", "the same quantity in another unit", "400 mL", 0, "unit-other"))
    judge("number_text/unit-alone", {"answers": [{"unit": "N"}], "units": {"mode": "only"}}, text)(
        ("same", "the unit", "N", 1), ("other", "a unit that does not fit", "J", 0, "unit-does-not-fit"),
        ("number", "a number with it", "1 N", 0, "number-not-wanted"))
    judge("number_text/currency", {"answers": [{"value": "5 $"}], "units": {"mode": "same", "position": "before"}}, text)(
        ("before", "the unit before the number", "$5", 1), ("after", "after it", "5 $", 0, "unit-place"))
    judge("number_text/slip", {"answers": [{"value": 1200}, {"value": 1200, "slip": {"powerOfTen": 3}, "weight": N("0.25"), "message": "Powers of ten!"},
                                           {"value": 1200, "slip": {"sameDigits": 2}, "weight": 0, "message": "The digits are right."}]}, text)(
        ("right", "the value", "1.2e3", 1), ("slip", "off by a power of ten", "12", F(1, 4), "Powers of ten!"),
        ("digits", "off by more, with the same digits", "0.012", 0, "The digits are right."), ("other", "another value", "1300", 0))

    factored = {"expression": "x^2-5x+6", "form": "factored", "variable": "x", "weight": N("0.5")}
    judge("form/factored", factored, latex)(
        ("right", "irreducible factors", r"(x-2)(x-3)", 1), ("signs", "their order and signs are free", r"(3-x)(2-x)", 1),
        ("expanded", "equal, but not factored", r"x^2-5x+6", F(1, 2), "not-factored"), ("wrong", "factored, but another value", r"(x-1)(x-6)", 0),
        ("thin-spaces", "spaces of layout change nothing", r"\left(x\,-\,2\right)\,\left(x-3\right)", 1),
        ("both", "neither", r"x^2-1", 0, "not-factored"), ("unreadable", "no expression", r"\frac{", "unreadable-expression"))
    judge("form/letter_before_bracket", {"expression": "6x^2+7x", "form": "factored", "variable": "x"}, latex)(
        ("thin-spaces", "a space in the bracket makes no call of a product", r"x\,\left(6\,x+7\right)", 1),
        ("medium-space", "nor does another space", r"x\left(6\>x+7\right)", 1), ("plain", "as without spaces", r"x(6x+7)", 1),
        ("minus", "a minus in front is not a factor", r"-x\,\left(-6\,x-7\right)", 1),
        ("expanded", "spaces do not factor", r"6\,x^2+7\,x", 0, "content-left"))
    judge("form/content", {"expression": "2x^2-6x", "form": "factored", "variable": "x"}, latex)(
        ("right", "the common factor in front", r"2x(x-3)", 1), ("left", "a number left inside", r"x(2x-6)", 0, "content-left"),
        ("power", "a power of the variable left inside", r"2(x^2-3x)", 0, "content-left"))
    judge("form/irreducible", {"expression": "x^4+4", "form": "factored", "variable": "x"}, latex)(
        ("factored", "x^4+4 has two factors", r"(x^2-2x+2)(x^2+2x+2)", 1), ("whole", "without a root it is reducible", r"x^4+4", 0, "not-factored"))
    judge("form/expanded", {"expression": "(x+1)^2", "form": "expanded"}, latex)(
        ("right", "no products of sums", r"x^2+2x+1", 1), ("power", "a power of a sum", r"(x+1)^2", 0, "not-expanded"),
        ("product", "a product of sums", r"(x+1)(x+1)", 0, "not-expanded"))
    judge("form/expanded-minus", {"expression": "x^2-x-1", "form": "expanded"}, latex)(
        ("right", "no brackets", r"x^2-x-1", 1), ("minus", "a sum with a minus before it", r"x^2-(x+1)", 0, "not-expanded"),
        ("negative", "no sum: a sign alone", r"x^2+(-x)-1", 1))
    judge("form/lowest_terms", {"expression": r"\frac{1}{2}", "form": "lowest_terms"}, latex)(
        ("right", "reduced", r"\frac{1}{2}", 1), ("not", "not reduced", r"\frac{2}{4}", 0, "not-lowest-terms"),
        ("signs", "two minus signs", r"\frac{-1}{-2}", 0, "not-lowest-terms"))
    judge("form/rational_lowest_terms", {"expression": r"\frac{1}{x+1}", "form": "rational_lowest_terms"}, latex)(
        ("right", "no common factor", r"\frac{1}{x+1}", 1), ("factor", "a common factor x-1", r"\frac{x-1}{x^2-1}", 0, "not-lowest-terms"))
    judge("form/single_fraction", {"expression": r"\frac{x}{x-1}", "form": "single_fraction"}, latex)(
        ("right", "one fraction", r"\frac{x}{x-1}", 1), ("sum", "a sum with a fraction", r"1+\frac{1}{x-1}", 0, "not-single-fraction"),
        ("nested", "a fraction in a fraction", r"\frac{1}{1-\frac{1}{x}}", 0, "nested-fraction"))
    judge("form/rational_denominator", {"expression": r"\frac{1}{\sqrt{3}}", "form": "rational_denominator"}, latex)(
        ("right", "no root below", r"\frac{\sqrt{3}}{3}", 1), ("root", "a root below", r"\frac{1}{\sqrt{3}}", 0, "root-in-denominator"))
    judge("form/simplest_radical", {"expression": r"\sqrt{8}", "form": "simplest_radical"}, latex)(
        ("right", "no square under the root", r"2\sqrt{2}", 1), ("square", "a square left", r"\sqrt{8}", 0, "root-not-simplest"))
    judge("form/completed_square", {"expression": "x^2-2x+3", "form": "completed_square", "variable": "x"}, latex)(
        ("right", "the variable in one square", r"(x-1)^2+2", 1), ("other-sign", "in either sign", r"2+(1-x)^2", 1),
        ("expanded", "the variable in two terms", r"x^2-2x+3", 0, "not-completed-square"))
    judge("form/partial_fractions", {"expression": r"\frac{1}{x^2-1}", "form": "partial_fractions", "variable": "x"}, latex)(
        ("right", "irreducible denominators", r"\frac{1}{2(x-1)}-\frac{1}{2(x+1)}", 1),
        ("whole", "a denominator that factors", r"\frac{1}{x^2-1}", 0, "not-partial-fractions"))
    judge("form/same", {"expression": "2x+1", "form": "same"}, latex)(
        ("order", "the order of terms and factors is free", r"1+x\cdot 2", 1), ("sum", "nothing is computed", r"x+x+1", 0, "not-same-form"))
    judge("form/scientific", {"expression": "1500", "form": "scientific"}, latex)(
        ("right", "one digit before the point", r"1.5\cdot 10^3", 1), ("two", "two digits", r"15\cdot 10^2", 0, "not-scientific-form"))
    judge("form/line_slope", {"expression": "y=2x+1", "form": "line_slope"}, latex)(
        ("right", "y alone on the left", r"y=2x+1", 1), ("other", "another equation of the line", r"y-2x=1", 0, "not-line-slope"))
    judge("form/line_standard", {"expression": "2x+3y=6", "form": "line_standard"}, latex)(
        ("right", "integers without a common factor", r"2x+3y=6", 1), ("factor", "a common factor", r"4x+6y=12", 0, "not-line-standard"))
    judge("form/circle", {"expression": "(x-1)^2+(y+2)^2=9", "form": "circle"}, latex)(
        ("right", "center and radius to be seen", r"(y+2)^2+(x-1)^2=3^2", 1), ("expanded", "the same circle", r"x^2-2x+y^2+4y=4", 0, "not-circle"))

    judge("choice_weights/sum", {"options": [
        {"id": "a", "weight": "1/3"}, {"id": "b", "weight": "2/3"}, {"id": "c", "weight": N("-0.5"), "message": "Not c."}]},
        lambda ids: {"selected": ids})(
        ("all-right", "exact shares sum up to one", ["a", "b"], 1), ("some", "a share", ["a"], F(1, 3)),
        ("negative", "a wrong option costs its share and says its message", ["b", "c"], F(1, 6), "Not c."),
        ("floor", "never less than the floor", ["c"], 0, "Not c."), ("none", "nothing selected", [], 0),
        ("unknown", "an option that does not exist", ["x"], "unknown-option"), ("twice", "an option twice", ["a", "a"], "unknown-option"))
    judge("choice_weights/most", {"options": [{"id": "a", "weight": 1}, {"id": "b", "weight": 0}], "most": 1, "floor": N("0.1")},
          lambda ids: {"selected": ids})(
        ("one", "one may be selected", ["a"], 1), ("two", "two may not", ["a", "b"], "too-many-selected"), ("floor", "the floor", ["b"], F(1, 10)))
    judge("choice_weights/beyond", {"options": [
        {"id": "a", "weight": "1/2"}, {"id": "b", "weight": "1/2"}, {"id": "c", "weight": 0}, {"id": "d", "weight": 0}], "most": 2, "beyond": "1/2"},
        lambda ids: {"selected": ids})(
        ("right", "both right ones", ["a", "b"], 1), ("one-wrong", "a wrong one in place of a right one costs nothing more", ["a", "c"], F(1, 2)),
        ("one-more", "the third costs a half", ["a", "b", "c"], F(1, 2)), ("all", "two more cost everything", ["a", "b", "c", "d"], 0))
    judge("choice_weights/base", {"options": [
        {"id": "a", "weight": "1/4"}, {"id": "b", "weight": "1/4"}, {"id": "c", "weight": "-1/4"}, {"id": "d", "weight": "-1/4"}], "base": "1/2"},
        lambda ids: {"selected": ids})(
        ("right", "each of four decisions is right", ["a", "b"], 1), ("three", "three of four", ["a"], F(3, 4)), ("none", "nothing selected earns nothing", [], 0),
        ("wrong", "none of four", ["c", "d"], 0), ("all", "two of four", ["a", "b", "c", "d"], F(1, 2)))

    graph = {"items": ["a", "b", "c", "d"], "before": [["a", "b"], ["a", "c"], ["b", "d"], ["c", "d"]], "distractors": ["x"]}
    order = lambda ids: {"order": list(ids)}
    judge("order_graph/none", graph, order)(
        ("one", "a right order", "abcd", 1), ("other", "another right order", "acbd", 1), ("wrong", "d before c", "abdc", 0),
        ("missing", "an item is missing", "abd", 0, "items-missing"), ("distractor", "a distractor is too many", "abxcd", 0),
        ("unknown", "an item that does not exist", "abcz", "unknown-item"))
    judge("order_graph/edits", {**graph, "credit": "edits"}, order)(
        ("right", "no edits", "acbd", 1), ("moved", "one item taken out and put in: two edits of four items", "abdc", F(1, 2)),
        ("distractor", "one edit", "abxcd", F(3, 4)), ("missing", "one edit", "abd", F(3, 4), "items-missing"), ("reverse", "two items can stay", "dcba", 0))
    judge("order_graph/longest_run", {**graph, "credit": "longest_run"}, order)(
        ("right", "all of them", "acbd", 1), ("run", "a, b and c can be neighbours", "dabc", F(3, 4)), ("two", "c and b can be neighbours", "dcba", F(1, 2)))

    two = [{"id": "n", "validator": "number_text", "config": {"answers": [{"value": "1.25"}]}, "weight": 3},
           {"id": "u", "validator": "short_text", "config": {"alternatives": [{"text": "metre", "message": "Yes."}, {"text": "meter"}]}}]
    judge("blanks/sum", {"blanks": two}, lambda given: {"blanks": given})(
        ("both", "weighted shares; messages name their part", {"n": "1.25", "u": "metre"}, 1, (2, "Yes.")),
        ("states", "whole states are taken as well", {"n": {"text": "5/4"}, "u": {"text": "Meter"}}, 1),
        ("first", "three quarters", {"n": "1.25", "u": "foot"}, F(3, 4)), ("empty", "an empty blank earns nothing", {"n": "1.25"}, F(3, 4), (2, "blank-empty")),
        ("unreadable", "a blank that cannot be read", {"n": "much", "u": "metre"}, "1 not-a-number"))
    judge("blanks/all", {"blanks": two, "credit": "all"}, lambda given: {"blanks": given})(
        ("both", "every blank", {"n": "1.25", "u": "meter"}, 1), ("one", "or nothing", {"n": "1.25", "u": "foot"}, 0))
    free = [{"id": name, "validator": "number_text", "config": {"answers": [{"value": value}]}} for name, value in (("a", 2), ("b", 3))]
    judge("blanks/free", {"blanks": free, "order": "free"}, lambda given: {"blanks": given})(
        ("exchanged", "the order is free", {"a": "3", "b": "2"}, 1), ("same", "an answer counts once", {"a": "3", "b": "3"}, F(1, 2)),
        ("unreadable", "an answer that no blank can read refuses the state, with the message of its own blank", {"a": "3", "b": "much"}, "2 not-a-number"))
    mixed = [{"id": "n", "validator": "number_text", "config": {"answers": [{"value": 5}]}},
             {"id": "w", "validator": "short_text", "config": {"alternatives": [{"text": "Paris"}]}}]
    judge("blanks/free", {"blanks": mixed, "order": "free"}, lambda given: {"blanks": given})(
        ("mixed", "the blanks can have different validators", {"n": "5", "w": "Paris"}, 1),
        ("mixed-exchanged", "a text earns nothing in a blank for numbers, and refuses nothing", {"n": "Paris", "w": "5"}, 1),
        ("mixed-half", "a wrong text takes nothing from the number", {"n": "Rome", "w": "5"}, F(1, 2)))
    weightless = [{"id": "x", "validator": "short_text", "config": {"alternatives": [{"text": "p"}, {"text": "q"}]}},
                  {"id": "y", "validator": "short_text", "config": {"alternatives": [{"text": "p"}]}, "weight": 0}]
    judge("blanks/free-all", {"blanks": weightless, "order": "free", "credit": "all"}, lambda given: {"blanks": given})(
        ("weightless", "a blank without weight needs its answer too", {"x": "q", "y": "p"}, 1),
        ("exchanged", "in any blank", {"x": "p", "y": "q"}, 1), ("missing", "or nothing", {"x": "q", "y": "q"}, 0))
    judge("blanks/state", {"blanks": free}, as_it_is)(("missing", "a state without blanks", {"a": "3"}, "no-blanks"))

    config = "/validator/config"
    for name, rule, broken, *pointers in [
        ("short_text", "missing-field", {}, ""), ("short_text", "one-of-three", {"alternatives": [{"text": "a", "pattern": "b"}]}, "/alternatives/0"),
        ("short_text", "unusable-pattern", {"alternatives": [{"pattern": "(?=a)b"}]}, "/alternatives/0/pattern"),
        ("short_text", "one-of-two", {"alternatives": [{"text": "a"}], "edits": {}}, "/edits"),
        ("short_text", "similarity-too-low", {"alternatives": [{"text": "a"}], "edits": {"similarity": N("0.1")}}, "/edits/similarity"),
        ("number_text", "quantity-form", {"answers": [{"value": "much"}]}, "/answers/0/value"),
        ("number_text", "answer-form", {"answers": [{"value": "1 m"}]}, "/answers/0"),
        ("number_text", "tolerance-form", {"answers": [{"value": 1}], "tolerance": {}}, "/tolerance"),
        ("number_text", "tolerance-unit", {"answers": [{"value": "9.81 m/s^2"}], "units": {}, "tolerance": {"absolute": "5 s"}}, "/tolerance/absolute"),
        ("number_text", "count-form", {"decimalPlaces": {"min": 3, "max": 2}}, "/decimalPlaces"),
        ("number_text", "percent-and-units", {"percent": True, "units": {}}, ""),
        ("number_text", "out-of-range", {"significantFigures": {"exact": 0}}, "/significantFigures/exact"),
        ("number_text", "one-sign-twice", {"decimal": ",", "grouping": ","}, ""),
        ("form", "variable-needed", {"expression": "x", "form": "factored"}, "/variable"),
        ("form", "expression-needed", {"form": "expanded"}, "/expression"),
        ("form", "unreadable-expression", {"expression": "\\frac{", "form": "expanded"}, "/expression"),
        ("choice_weights", "share-form", {"options": [{"id": "a", "weight": "1/0"}]}, "/options/0/weight"),
        ("choice_weights", "beyond-what", {"options": [{"id": "a", "weight": 1}], "beyond": "1/2"}, "/beyond"),
        ("choice_weights", "duplicate-id", {"options": [{"id": "a", "weight": 1}, {"id": "a", "weight": 0}]}, "/options/1"),
        ("order_graph", "unknown-item", {"items": ["a", "b"], "before": [["a", "z"]]}, "/before/0"),
        ("order_graph", "order-has-cycle", {"items": ["a", "b"], "before": [["a", "b"], ["b", "a"]]}, "/before"),
        ("order_graph", "distractor-is-item", {"items": ["a", "b"], "before": [["a", "b"]], "distractors": ["a"]}, "/distractors/0"),
        ("blanks", "unknown-validator", {"blanks": [{"id": "a", "validator": "blanks", "config": {}}]}, "/blanks/0/validator"),
        ("blanks", "no-weight", {"blanks": [{"id": "a", "validator": "form", "config": {"form": "expanded", "value": "any"}, "weight": 0}]}, "/blanks"),
    ]:
        rules = [["error", rule, config + pointer] for pointer in pointers]
        book.lint(f"{T}/{name}/config", f"{rule}", f"the configuration is refused where it is wrong: {rule}", spec(name, broken), *rules)
    book.lint(f"{T}/short_text/config", "missing-config", "a standard validator needs a configuration", spec("short_text", None),
              ["error", "missing-config", config])
    for name, rule, doubtful, pointer in [
        ("short_text", "no-full-marks", {"alternatives": [{"text": "a", "weight": N("0.5")}]}, "/alternatives"),
        ("short_text", "alternative-unreachable", {"alternatives": [{"text": "A"}, {"text": "a"}]}, "/alternatives/1"),
        ("short_text", "empty-answer-scores", {"alternatives": [{"wildcard": "*"}]}, "/alternatives/0"),
        ("short_text", "alternative-forbidden", {"alternatives": [{"text": "a b"}], "forbidden": ["b"]}, "/alternatives/0"),
        ("number_text", "every-number-wins", {}, "/answers"),
        ("number_text", "no-full-marks", {"answers": [{"value": "1/3"}], "notation": "decimal"}, "/answers"),
        ("choice_weights", "all-selected-wins", {"options": [{"id": "a", "weight": 1}, {"id": "b", "weight": 0}]}, "/options"),
        ("order_graph", "any-order-wins", {"items": ["a", "b"], "before": []}, "/before"),
    ]:
        book.lint(f"{T}/{name}/lint", rule, f"it works, but probably not as it is meant: {rule}", spec(name, doubtful),
                  ["warning", rule, config + pointer])
    for name, rules_without_answers in [("notation", {"notation": "scientific"}), ("fractions", {"fractions": "reduced"})]:
        book.lint(f"{T}/number_text/lint", f"no-answers-{name}", f"a rule for {name} refuses some numbers, so not every number wins",
                  spec("number_text", rules_without_answers))
    book.deliver(f"{T}/deliver", "no-config", "no configuration reaches the learner", spec("short_text", {"alternatives": [{"text": "a"}]}),
                 "s", view={"type": "widget", "widgetName": "short-text", "widgetVersion": "1.0.0"})
