"""Questions with one defect each and their findings, and similar questions without the defect."""

from .canonical import Number as N, read


def choices(*texts, ids="c1 c2 c3 c4", key=0, **options):
    entries = [{"id": name, "content": text, "correct": at == key} for at, (name, text) in enumerate(zip(ids.split(), texts))]
    return {"type": "multiple_choice", "choices": entries, **options}


def with_feedback(document, at, text):
    document["choices"][at]["feedback"] = text
    return document


def ordering(*texts, ids="kqdz", **options):
    """The texts are in the right order; `ids` has one letter for each."""
    entries = [{"id": name, "content": text} for name, text in zip(ids, texts)]
    return {"type": "ordering", "items": entries[1:] + entries[:1], "correctOrder": [entry["id"] for entry in entries], **options}


def matching(pairs, *others, ids="p4 p2 p5 p1 p3", **options):
    """`pairs` are texts that belong together; the left ids are l1, l2, ...; `ids` are those of the partners, then of
    `others`."""
    names = ids.split()
    left = [{"id": f"l{at + 1}", "content": one} for at, (one, _) in enumerate(pairs)]
    right = [{"id": name, "content": text} for name, text in zip(names, [*(other for _, other in pairs), *others])]
    key = [{"left": one["id"], "right": other["id"]} for one, other in zip(left, right)]
    return {"type": "matching", "left": left, "right": right, "correctPairs": key, **options}


def number(value, amount=None, mode="absolute", **options):
    answer = {"value": N(value)}
    if amount:
        answer["tolerance"] = {"mode": mode, "amount": N(amount)}
    return {"type": "numeric", "answer": answer, **options}


def between(low, high):
    return {"type": "numeric", "answer": {"min": N(low), "max": N(high)}}


def expression(key, equivalence="symbolic", **options):
    return {"type": "expression", "canonical": key, "equivalence": equivalence, **options}


def variable(name, **domain):
    return {"name": name, **({"domain": {key: N(text) if isinstance(text, str) else text for key, text in domain.items()}} if domain else {})}


def code(*cases, function=None, languages=("python",), **options):
    """Each of `cases` is a hidden case: input, expected text and, if need be, further fields."""
    made = [{"input": given, "expected": expected, **more} for given, expected, more in ((*case, {})[:3] for case in cases)]
    document = {"type": "code", "languages": list(languages), "limits": {}, **options,
                "testSuites": [{"name": "h", "visibility": "hidden", "cases": made}]}
    if function:
        document["harness"] = {"mode": "function", "functionName": function}
    return document


def widget(schema, **options):
    return {"type": "widget", "widgetName": "number-line", "widgetVersion": "1.0.0",
            "validator": {"kind": "state_schema", "stateSchema": read(schema)}, **options}


def text(**options):
    return {"type": "free_text", "gradingMode": "reviewer", **options}


def write(book):
    def rule(code, *rows):
        """Rows: name, why, document, findings. A finding is severity and pointer, and the rule if it is not `code`."""
        for name, why, document, *found in rows:
            triples = [[one[0], one[2] if len(one) > 2 else code, one[1]] for one in found]
            book.lint(f"{document['type']}/{code}", f"lint-{name}", why, document, *triples)

    first, second = "/choices/0/content", "/choices/1/content"
    rule("blank-content", ("blank", "there is nothing to read", choices(" ", "b", "c"), ("warning", first)),
         ("picture", "a picture has no text", choices({"type": "image", "src": "a.png"}, "b", "c")))
    rule("lost-backslash", ("formula", "a tab and `imes`", choices("$2\times x$", "b", "c"), ("warning", first)),
         ("lines", "a word may begin a line", choices("this is\nnot a command", "b", "c")),
         ("letters", "`frac` and `imes` without a backslash", choices("$frac{1}{2}$", "$3imes 4$", "c"), ("warning", first)),
         ("key", "a product of letters", expression("sqrt{2}x"), ("warning", "/canonical")),
         ("words", "words of a text are not commands", choices("$\\text{two times}$", "b", "c")))
    rule("double-backslash", ("formula", "a line break and `frac`", choices("$\\\\frac12$", "b", "c"), ("warning", first)))
    rule("control-character", ("bell", "it shows as a box", choices("a\x07b", "b", "c"), ("warning", first)))
    rule("unbalanced-dollar", ("open", "the formula never ends", choices("$x^2 is", "b", "c"), ("warning", first)),
         ("money", "prices are not formulas", choices("$5", "$6", "$7")),
         ("bracket", "the bracket never closes", choices("\\(x^2 + 1", "b", "c"), ("warning", first)),
         ("begin", "the formula never begins", choices("the value \\alpha$ is", "b", "c"), ("warning", first)))
    rule("broken-formula", ("brace", "a brace is missing", choices("$\\frac{1}{2$", "b", "c"), ("warning", first)),
         ("scripts", "two powers at one symbol", choices("$x^2^3$", "b", "c"), ("warning", first)),
         ("misspelt", "letters are swapped", choices("$\\frca{1}{2}$", "b", "c"), ("warning", first)),
         ("environments", "it ends as another one", choices("$\\begin{matrix}1\\end{pmatrix}$", "b", "c"), ("warning", first)),
         ("fine", "an index and a power", choices("$x_1^2$", "$\\left.f\\right|_0^1$", "$\\frac12$")))
    rule("mojibake", ("latin", "UTF-8 read as Latin-1", choices("cafÃ©", "b", "c"), ("warning", first)),
         ("portuguese", "letters with a tilde are letters", choices("SÃO PAULO", "b", "c")),
         ("arrow", "an arrow of three bytes", choices("a â†’ b", "b", "c"), ("warning", first)),
         ("quotation", "a quotation mark behind a capital", choices("LIBERTÉ»", "b", "c")))
    rule("html-tag", ("sub", "the tag may show", choices("H<sub>2</sub>O", "b", "c"), ("warning", first)),
         ("less", "less than is not a tag", choices("x <b and c", "b", "c")),
         ("link", "a tag with a field", choices("<a href='x'>y</a> it", "b", "c"), ("warning", first)),
         ("inequalities", "two signs around a letter", choices("a<b and b>c", "b", "c")),
         ("code", "the tag is quoted", choices("`<b>`", "`<i>`", "`<u>`")))
    rule("html-entity", ("lt", "the entity may show", choices("a &lt; b", "b", "c"), ("warning", first)))
    rule("html-content", ("tag", "the question may be about HTML", choices("<b>x</b>", "b", "c"), ("info", first)))
    rule("same-choice-twice",
         ("wrong", "two wrong choices say the same", choices("Oxygen", "Helium", "Helium"), ("warning", "/choices/2/content")),
         ("invisible", "a soft hyphen does not show", choices("Oxygen", "Helium", "Heli\u00adum"), ("warning", "/choices/2/content")),
         ("quotes", "another apostrophe", choices("a cat", "don't go", "don\u2019t go"), ("warning", "/choices/2/content")),
         ("code", "in program code quotation marks count", choices('print("a")', "print(\u201ca\u201d)", "print(a b)")),
         ("ids", "ids of nodes do not show", choices({"type": "text", "text": "four"}, {"type": "text", "text": "four", "id": "n"}, "b"),
          ("warning", second)),
         ("superscript", "a superscript is another sign", choices("10²", "102", "b")))
    rule("choices-differ-in-case", ("case", "capitals may be the question", choices("kg", "Kg", "g"), ("info", second)))
    rule("equal-choices",
         ("numbers", "a half is a half", choices("0.5", "1/2", "2"), ("warning", second)),
         ("formulas", "equal but at one point", choices("$\\frac{x^2-1}{x-1}$", "$x+1$", "$x-1$"), ("warning", second)),
         ("units", "metres and centimetres differ", choices("5 m", "5 cm", "5 km")),
         ("codes", "zeros before a number make a code", choices("007", "7", "07")),
         ("other-units", "a kilometre has a thousand metres", choices("1 km", "1000 m", "10 m"), ("warning", second)),
         ("words", "three is 3", choices("three", "3", "4"), ("warning", second)),
         ("languages", "words of several languages", choices("three", "drei", "trois")),
         ("vectors", "a vector product is not a scalar one", choices("$\\vec a\\times\\vec b$", "$\\vec a\\cdot\\vec b$", "$0$")),
         ("matrices", "products of matrices have an order", choices("$AB$", "$BA$", "$A+B$")),
         ("plain", "formulas without dollars", choices("2(x+1)", "2x+2", "2x+1"), ("warning", second)),
         ("unit", "a formula with its unit", choices("$3\\times10^8$ m/s", "300000000 m/s", "3 m/s"), ("warning", second)),
         ("power-of-ten", "in scientific form", choices("1000", "1e3", "100"), ("warning", second)),
         ("comma", "a decimal comma", choices("1/2", "0,5", "2"), ("warning", second)),
         ("sizes", "a size is not a product", choices("2x3", "3x2", "6")))
    rule("equal-forms", ("zeros", "digits may be the question", choices("2.5", "2.50", "3"), ("info", second)),
         ("all", "where all are equal the form is asked for", choices("1/2", "2/4", "3/6"), ("info", second), ("info", "/choices/2/content")))
    rule("position-word", ("all", "shuffled there is no above", choices("a cat", "a dog", "All of the above", "a cow"),
                           ("warning", "/choices/2/content")),
         ("fixed", "not shuffled there is", choices("a cat", "a dog", "All of the above", "a cow", key=1, shuffleChoices=False)),
         ("only", "one letter alone", choices("a cat", "a dog", "Only A"), ("warning", "/choices/2/content")),
         ("logic", "letters are the subject", choices("A or B", "A and B", "not A")),
         ("names", "the letters are names", choices("Choice A", "Choice B", "Choice C")))
    rule("labelled-choices", ("letters", "the labels are shuffled too", choices("A) x", "B) y", "C) z"), ("warning", "/choices")),
         ("roman", "roman labels", choices("i) x", "ii) y", "iii) z"), ("warning", "/choices")))
    rule("numbers-out-of-order", ("fixed", "a fixed order means one", choices("10 N", "30 N", "20 N", key=2, shuffleChoices=False),
                                  ("warning", "/choices")),
         ("sorted", "these are sorted", choices("30 N", "20 N", "10 N", key=2, shuffleChoices=False)))
    rule("double-negative", ("two", "two negations", choices("It is not true that it does not conduct", "b", "c"), ("warning", first)))
    rule("other-language", ("german", "one is German",
                            choices("The heart pumps the blood", "Das Herz filtert das Blut", "The liver is in the way", "The lung is red"),
                            ("warning", second)))
    long = "A substance that takes part in no reaction and speeds it up all the same"
    rule("longest-choice-correct", ("long", "the exact one is the right one", choices(long, "an acid", "a base"), ("warning", first)))
    rule("feedback-contradicts-key", ("praise", "a wrong choice is praised", with_feedback(choices("Oxygen", "Helium", "Neon"), 1, "Correct!"),
                                      ("warning", "/choices/1/feedback")),
         ("answer", "`Correct answer` is not praise", with_feedback(choices("A bird", "B cat", "C dog"), 1, "Correct answer: see above")),
         ("sentence", "a sentence that praises", with_feedback(choices("Oxygen", "Helium", "Neon"), 1, "This is correct."), ("warning", "/choices/1/feedback")),
         ("blame", "a right choice is blamed", with_feedback(choices("Oxygen", "Helium", "Neon"), 0, "That is not correct."), ("warning", "/choices/0/feedback")),
         ("but", "praise with a but", with_feedback(choices("Oxygen", "Helium", "Neon"), 1, "Correct for balloons, not here.")),
         ("no", "the choice itself says no", with_feedback(choices("No", "Yes", "Sometimes"), 0, "No, it does not.")))
    rule("feedback-tells-key", ("name", "the key is named", with_feedback(choices("Oxygen", "Helium", "Neon"), 1, "No: it is oxygen."),
                                ("warning", "/choices/1/feedback")),
         ("number", "a short key is announced", with_feedback(choices("12", "13", "14"), 1, "Recount: it should be 12."), ("warning", "/choices/1/feedback")))
    rule("telling-id", ("odd-one", "the wrong ones are numbered the same way", choices("O", "He", "Ne", "Ar", ids="x d1 d2 d3"),
                        ("warning", "/choices/0/id")),
         ("own-word", "the id is what the choice says", choices("a key", "a lock", "a door", ids="key lock door")),
         ("right", "no direction beside letters", choices("O", "He", "Ne", ids="right b c"), ("warning", "/choices/0/id")),
         ("direction", "a direction beside others", choices("West", "East", "North", ids="left right up", key=1)),
         ("initials", "letters of what the choices say", choices("Yes", "No", "Perhaps", ids="y n p")),
         ("camel-case", "words in camel case", choices("O", "He", "Ne", ids="correctOption b c"), ("warning", "/choices/0/id")),
         ("names", "letters before the words", choices("O", "He", "Ne", ids="x_true x_false y_false"), ("warning", "/choices/0/id")),
         ("yes-no", "every id has its side", choices("O", "He", "Ne", ids="ok no1 no2"), ("warning", "/choices/0/id")),
         ("true", "the choices say so themselves", choices("True", "False", ids="true false"), ("info", "/choices", "guessable-choice")),
         ("roman", "roman numbers along the order", {"type": "ordering", "items": [{"id": "i", "content": "Wake"}, {"id": "iii", "content": "Eat"}, {"id": "ii", "content": "Wash"}], "correctOrder": ["i", "ii", "iii"]}, ("warning", "/items")))

    rule("equal-items", ("numbers", "either may come first", ordering("0.1", "0.5", "1/2", "0.7"), ("warning", "/items/1/content")))
    rule("numbers-out-of-order", ("items", "neither up nor down", ordering("0.125", "0.5", "0.25", "0.75"), ("warning", "/correctOrder")),
         ("dates", "years neither rise nor fall", ordering("Rome (1527)", "Paris (1789)", "Berlin (1701)"), ("warning", "/correctOrder"),),
         ("falling", "down is an order", ordering("9 m", "5 m", "1 m", "0 m")))
    rule("equal-items", ("calculation", "the steps of a calculation are equal", ordering("$2x+4=10$", "$2x=6$", "$x=3$")),
         ("units", "a kilometre has a thousand metres", ordering("1 km", "1000 m", "2 km", "3 km"), ("warning", "/items/0/content")))
    rule("numbers-out-of-order", ("units", "a metre is more than a centimetre", ordering("1 mm", "1 m", "1 cm"), ("warning", "/correctOrder")),
         ("days", "Tuesday comes before Wednesday", ordering("Monday", "Wednesday", "Tuesday", "Friday"), ("warning", "/correctOrder")),
         ("week", "a week may begin on Sunday", ordering("Sunday", "Monday", "Tuesday", "Friday")),
         ("fractions", "a third is less than a half", ordering("$\\frac14$", "$\\frac12$", "$\\frac13$"), ("warning", "/correctOrder")),
         ("days-of-years", "three days", ordering("3 March 1848", "1 May 1789", "2 June 1914"), ("warning", "/correctOrder")),
         ("prompt", "the prompt asks for the other direction", ordering("30", "20", "10", prompt="Smallest first"), ("warning", "/correctOrder")),
         ("prompt-fits", "the prompt asks for this direction", ordering("30", "20", "10", prompt="Order from largest to smallest.")),
         ("prompt-years", "the earliest is last", ordering("Rome (1927)", "Paris (1789)", "Berlin (1701)", prompt="Earliest first"), ("warning", "/correctOrder")),
         ("prompt-denies", "a prompt that denies a direction", ordering("30", "20", "10", prompt="Not in ascending order!")))
    rule("numbered-items", ("steps", "the word does not matter", ordering("Step 1: boil", "Step 2: cool", "Step 3: eat"), ("warning", "/items")),
         ("labels", "the labels are the key", ordering("1. Boil", "2. Cool", "3. Eat", "4. Wash"), ("warning", "/items")),
         ("ordinals", "an ordinal in digits", ordering("1st: boil", "2nd: cool", "3rd: eat"), ("warning", "/items")),
         ("days", "days are numbered", ordering("Day 1: land", "Day 2: march", "Day 3: fight"), ("warning", "/items")),
         ("narrated", "words tell the order", ordering("First boil it", "Then cool it", "Finally eat it"), ("warning", "/items")),
         ("then", "one word for all tells nothing", ordering("Then boil it", "Then cool it", "Then eat it")))

    capitals = [("France", "Paris"), ("Italy", "Rome"), ("Spain", "Madrid")]
    rule("equal-items", ("formulas", "two partners are right, one is refused",
                         matching([("a", "$x^2+2x+1$"), ("b", "$x^2$"), ("c", "$x$")], "$1+2x+x^2$"), ("warning", "/right/3/content")))
    rule("equal-forms", ("zeros", "zeros at the end", matching([("a", "1.0"), ("b", "2"), ("c", "3")], "1.00"), ("info", "/right/3/content")))
    rule("partners-share-words", ("salts", "words match words", matching(
        [("Sodium chloride", "sodium and a gas"), ("Calcium carbonate", "calcium and more"), ("Ammonia", "two gases")], "gold"),
        ("warning", "/correctPairs")),
         ("labels", "partners have the same label", matching([("1. France", "1. Paris"), ("2. Italy", "2. Rome"), ("3. Spain", "3. Madrid")], "4. Oslo"),
          ("warning", "/correctPairs")))
    rule("unequal-partners", ("sum", "the right partner is left over", matching([("2+2", "7"), ("1/2", "0.5"), ("3/4", "75%")], "4"), ("warning", "/left/0/content")),
         ("percent", "a half is not a quarter", matching([("1/2", "25%"), ("3/4", "0.75"), ("2/5", "40%")], "50%"), ("warning", "/left/0/content")),
         ("powers", "a cube for a square", matching([("$x^2$", "$x\\cdot x\\cdot x$"), ("$2x$", "$x+x$"), ("$3x$", "$x+2x$")], "$x\\cdot x$"), ("warning", "/left/0/content")),
         ("squares", "another relation", matching([("1", "1"), ("2", "4"), ("3", "9")], "2")),
         ("reciprocals", "each is the partner of the other", matching([("2", "1/2"), ("1/2", "2"), ("1", "2/2")], "3")))
    rule("last-pair-by-elimination", ("four", "the last is left over", matching([*capitals, ("Norway", "Oslo")]), ("info", "/right")))
    rule("many-to-one-unneeded", ("none", "no partner is used twice", matching(capitals, "Oslo", allowManyToOne=True),
                                  ("info", "/allowManyToOne")))
    rule("telling-id", ("numbers", "l1 belongs to p1", matching(capitals, "Oslo", ids="p1 p2 p3 p4"), ("warning", "/correctPairs")),
         ("shared-end", "but for what all share the ids are the same", {"type": "matching", "left": [{"id": f"{name}-l", "content": name} for name in ("fr", "it", "es")],
          "right": [{"id": f"{name}-r", "content": name.upper() + "!"} for name in ("fr", "it", "es", "no")],
          "correctPairs": [{"left": f"{name}-l", "right": f"{name}-r"} for name in ("fr", "it", "es")]}, ("warning", "/correctPairs")))
    rule("one-partner-pays", ("most", "three of four have one partner", {"type": "matching", "allowManyToOne": True,
          "left": [{"id": name, "content": name} for name in ("cat", "dog", "cow", "owl")], "right": [{"id": "m", "content": "mammal"}, {"id": "b", "content": "bird"}, {"id": "f", "content": "fish"}],
          "correctPairs": [{"left": "cat", "right": "m"}, {"left": "dog", "right": "m"}, {"left": "cow", "right": "m"}, {"left": "owl", "right": "b"}]}, ("warning", "/correctPairs"), ("info", "/right", "guessable-matching")))

    amount = "/answer/tolerance/amount"
    rule("tolerance-from-half", ("absolute", "two and three tenths of five", number("5", "2.5"), ("warning", amount)),
         ("relative", "sixty percent", number("5", "0.6", "relative"), ("warning", amount)))
    rule("tolerance-without-effect", ("integers", "one integer is within", number("12", "0.4", integerOnly=True), ("warning", "/answer/tolerance")))
    rule("off-by-one-passes", ("count", "2 and 4 pass", number("3", "1", integerOnly=True), ("warning", "/answer/tolerance")),
         ("estimate", "five of a hundred are an estimate", number("100", "5", integerOnly=True)))
    rule("tolerance-below-noise", ("tiny", "no double is so close", number("3.14", "1e-17"), ("warning", amount)))
    rule("tolerance-below-digits", ("pi", "pi itself is refused", number("3.14159", "1e-9"), ("warning", amount)))
    rule("integer-only-fraction", ("half", "the value itself is refused", number("25.5", "2", integerOnly=True), ("warning", "/integerOnly")))
    rule("relative-tolerance-huge", ("magnitude", "nine times more is a factor of ten", number("1e5", "9", "relative"), ("info", amount)))
    rule("absolute-tolerance-huge", ("correlation", "near zero on the scale of one", number("0.02", "0.05"), ("info", amount)),
         ("ten-times", "ten times the value", number("0.001", "0.01"), ("warning", amount)))
    rule("no-tolerance", ("third", "a rounding of one third", number("0.333"), ("warning", "/answer")),
         ("quarter", "exactly a quarter", number("0.25")), ("four-digits", "perhaps rounded", number("1.237"), ("info", "/answer")),
         ("pi", "a rounding of pi", number("3.1416"), ("warning", "/answer")))
    rule("range-of-one", ("five", "one number", between("5", "5"), ("warning", "/answer")))
    rule("range-of-everything", ("million", "nearly any number", between("-1e6", "1e6"), ("warning", "/answer")))
    rule("range-of-a-magnitude", ("slip", "a decimal point too many", between("9.8", "98.1"), ("warning", "/answer")),
         ("rough", "round bounds are meant", between("1e4", "1e6")),
         ("sign", "a little below zero and far above", between("-5", "5000"), ("warning", "/answer")))
    rule("hint-tells-key", ("example", "the example is the key", number("42", inputHint="e.g. 42"), ("warning", "/inputHint")),
         ("digits", "a number of digits is none", number("3", inputHint="to 3 decimals")),
         ("fraction", "the key as a fraction", number("0.5", "0.01", inputHint="1/2"), ("warning", "/inputHint")),
         ("thousands", "the key with a comma", number("1000", "1", inputHint="e.g. 1,000"), ("warning", "/inputHint")),
         ("base", "a base is not an example", number("10", "1", inputHint="in base 10")))
    rule("hint-against-tolerance", ("five", "half a unit is coarser than five decimals", number("3.14159", "0.5", inputHint="five decimals"),
                                    ("warning", amount)))
    kilogram = {"expected": "kg"}
    rule("hint-names-other-unit", ("grams", "grams are not kilograms", number("42", unit=kilogram, inputHint="in grams"), ("warning", "/inputHint")),
         ("letter", "one letter after in", number("42", unit=kilogram, inputHint="Give your answer in g."), ("warning", "/inputHint")),
         ("brackets", "one letter in brackets", number("42", unit=kilogram, inputHint="mass (g)"), ("warning", "/inputHint")),
         ("variable", "a letter in a sentence is a name", number("42", unit=kilogram, inputHint="Compute the mass of g.")),
         ("same", "the word for the unit", number("42", unit=kilogram, inputHint="in kilograms")))
    rule("unit-with-latex", ("frac", "nobody types this", number("5", unit={"expected": "\\frac{m}{s}"}), ("warning", "/unit/expected")))
    rule("unit-with-number", ("number", "the number is given apart", number("5", unit={"expected": "20 m"}), ("warning", "/unit/expected")),
         ("alone", "a number is not a unit", number("5", unit={"expected": "5"}), ("warning", "/unit/expected")))
    rule("unit-of-degrees", ("celsius", "20 C reads as a charge", number("20", "0.5", unit={"expected": "C"}), ("warning", "/unit/expected")),
         ("fahrenheit", "70 F reads as a capacity", number("70", "1", unit={"expected": "F"}), ("warning", "/unit/expected")),
         ("kelvin", "K has no degree sign", number("300", "1", unit={"expected": "°K"}), ("warning", "/unit/expected")),
         ("electron", "the charge of an electron", number("1.6e-19", unit={"expected": "C"}), ("info", "/unit/expected")),
         ("said", "a spelling says which", number("20", "0.5", unit={"expected": "C", "accepted": ["coulomb"]})))
    rule("unit-case", ("khz", "kHz is refused", number("5", unit={"expected": "khz"}), ("warning", "/unit/expected")))
    rule("unit-other-size", ("cm", "nothing is converted", number("5", unit={"expected": "m", "accepted": ["cm"]}), ("warning", "/unit/accepted/0")),
         ("word", "another spelling", number("5", unit={"expected": "N", "accepted": ["newton"]})),
         ("product", "km/h is not m/s", number("5", unit={"expected": "m/s", "accepted": ["km/h"]}), ("warning", "/unit/accepted/0")),
         ("derived", "a joule is a newton metre", number("5", unit={"expected": "J", "accepted": ["N m", "kg m^2/s^2"]})),
         ("short", "C beside °C is short for it", number("5", unit={"expected": "°C", "accepted": ["C"]})))

    key = "/canonical"
    rule("double-backslash", ("key", "a line break and `cdot`", expression("2\\\\cdot x"), ("warning", key)))
    rule("dollar-in-key", ("dollars", "it is LaTeX already", expression("$x^2$"), ("warning", key)),
         ("bracket", "it is LaTeX already", expression("\\(x\\)"), ("warning", key)))
    rule("decimal-comma", ("comma", "a list of 3 and 5x", expression("3,5x"), ("warning", key)), ("list", "a blank says list", expression("2, -3")))
    rule("approximate-key", ("approx", "a sign is not a tolerance", expression("x\\approx 3.3"), ("warning", key)))
    rule("unit-in-key", ("metres", "m is a letter", expression("5\\text{ m}"), ("warning", key)),
         ("plain", "kg is a product of letters", expression("5 kg"), ("warning", key)))
    rule("unknown-function", ("sine", "no function has this name", expression("\\sin(x)", allowedFunctions=["sin", "sine"]), ("warning", "/allowedFunctions/1")),
         ("known", "other names of functions", expression("\\sin(x)", allowedFunctions=["sin", "asin", "cosec", "log10", "sqrt", "nthroot", "sum", "f"])))
    rule("variable-unused", ("y", "y is not used", expression("2x+1", variables=[variable("x"), variable("y")]), ("warning", "/variables/1")))
    rule("domain-too-small", ("point", "one value", expression("x^2", variables=[variable("x", min="1", max="1")]), ("warning", "/variables/0/domain")))
    rule("no-value-on-domain", ("root", "no real value", expression("\\sqrt{-1-x^2}", variables=[variable("x", min="0")]), ("warning", "/variables")),
         ("zero", "it divides by zero", expression("\\frac{1}{x-x}"), ("warning", key)),
         ("everywhere", "no square is negative", expression("\\sqrt{-x^2-1}"), ("warning", key)),
         ("logarithm", "no power of e is negative", expression("\\ln(-x^2-1)"), ("warning", key)),
         ("imaginary", "a constant is a number", expression("\\sqrt{-4}")))
    rule("always-true", ("x", "it holds everywhere", expression("x=x"), ("warning", key)))
    rule("literal-not-final", ("sum", "4 may be refused", expression("2+2", "literal"), ("warning", key)),
         ("like", "2x may be refused", expression("x+x", "literal"), ("warning", key)),
         ("product", "6x may be refused", expression("2\\cdot3x", "literal"), ("warning", key)),
         ("factors", "a factorisation is a form", expression("2^2\\cdot3", "literal")),
         ("expanded", "a polynomial is a form", expression("x^2+2x+1", "literal")))
    rule("rounded-key", ("third", "a third is refused", expression("0.333x"), ("warning", key)), ("exact", "an eighth", expression("0.125x")),
         ("root", "three times the root of three", expression("5.196x"), ("warning", key)),
         ("price", "two places may be exact", expression("0.35x")))
    rule("degrees", ("number", "30 radians", expression("\\sin(30)"), ("warning", key)),
         ("domain", "0 to 360", expression("\\sin(x)", variables=[variable("x", min="0", max="360")]), ("warning", "/variables/0/domain")),
         ("marked", "degrees are written", expression("\\sin(30^\\circ)")),
         ("sum", "30 is added to an angle", expression("5\\sin(x+30)"), ("warning", key)),
         ("power", "a power of the sine", expression("\\sin^2(30)"), ("warning", key)),
         ("frequency", "a factor of time", expression("\\sin(360t)")))
    rule("wrong-answer-passes", ("bars", "x is |x| from 0 on", expression("|x|", variables=[variable("x", min="0", max="10")]), ("warning", "/variables")),
         ("small", "zero is within the tolerance", expression("\\frac{x}{10000}", "numeric_sampling", tolerance=N("0.001"), variables=[variable("x", min="0", max="5")]),
          ("warning", "/tolerance")),
         ("root", "x is the root of its square from 0 on", expression("\\sqrt{x^2}+1", variables=[variable("x", min="0", max="10")]), ("warning", "/variables")),
         ("floor", "integers need no rounding", expression("\\lfloor x\\rfloor", variables=[{"name": "x", "domain": {"min": N("0"), "max": N("10"), "integer": True}}]), ("warning", "/variables")))

    rule("canonical-ambiguous", ("power-of-e", "x is not in the exponent", expression("e^2x"), ("warning", key)),
         ("negative-power", "x is not in the exponent", expression("10^-3x"), ("warning", key)),
         ("letters", "a letter's power times a letter is usual", expression("x^2y")))
    case = "/testSuites/0/cases/1"
    rule("few-cases", ("line", "n+1 passes, whatever is asked", code(("1", "2"), ("2", "3")), ("warning", "/testSuites")),
         ("one", "one case of numbers", code(("3", "9")), ("warning", "/testSuites")),
         ("far", "no short formula meets both", code(("10", "55"), ("40", "102334155"))), ("three", "three cases", code(("1", "2"), ("2", "3"), ("5", "6"))))
    rule("contradicting-cases", ("numbers", "no program passes both", code(("1 2", "3"), ("1 2", "4"), ("5", "7")), ("error", case)),
         ("arguments", "the arguments are the same", code(("[1]", "2"), ("[ 1 ]", "3"), ("[4]", "9"), ("[5]", "7"), function="f"), ("error", case)))
    rule("constant-output-passes", ("most", "three of four", code(("1", "NO"), ("2", "NO"), ("3", "NO"), ("4", "YES")), ("warning", "/testSuites")),
         ("zero", "the tolerance takes zero", code(*[(str(n), f"0.00{n}", {"matcher": "float_tolerance", "floatTolerance": N("0.01")}) for n in (5, 8)]),
          ("warning", "/testSuites")))
    rule("echo-passes", ("sorted", "the input is the output", code(("1 2", "1 2"), ("3 4", "3 4"), ("6 5", "5 6")), ("warning", "/testSuites")))
    rule("empty-output-passes", ("edge", "one of three cases prints nothing", code(("x", "a"), ("y", "b"), ("", "")),
                                 ("info", "/testSuites/0/cases/2/expected")))
    rule("exact-without-newline", ("prompt", "a prompt ends with a blank", code(("x", "> ", {"matcher": "exact"}), ("y", "> y", {"matcher": "exact"}))))
    rule("carriage-return-expected", ("crlf", "programs print line feeds", code(("1", "1\r\n", {"matcher": "exact"}), ("2", "b\n", {"matcher": "exact"})),
                                      ("warning", "/testSuites/0/cases/0/expected")))
    rule("trailing-blank-expected", ("blank", "nobody sees it", code(("1", "1 \n", {"matcher": "exact"}), ("2", "b\n", {"matcher": "exact"})),
                                     ("warning", "/testSuites/0/cases/0/expected")),
         ("numbers", "a loop that prints a blank after each number", code(("1", "1 2 3 ", {"matcher": "exact"}), ("2", "b\n", {"matcher": "exact"})),
          ("warning", "/testSuites/0/cases/0/expected")),
         ("prompt", "a prompt at the end", code(("1", "Name: ", {"matcher": "exact"}), ("2", "b\n", {"matcher": "exact"}))),
         ("line", "an empty line at the end", code(("1", "a\n\n", {"matcher": "exact"}), ("2", "b\n", {"matcher": "exact"})), ("warning", "/testSuites/0/cases/0/expected")))
    rule("typographic-output", ("quotes", "from a word processor", code(("1", "“a”"), ("2", "b")), ("warning", "/testSuites/0/cases/0/expected")))
    rule("float-without-tolerance", ("digits", "digits differ", code(("1", "0.6666666667"), ("2", "b")), ("warning", "/testSuites/0/cases/0/expected")),
         ("exponent", "languages write it in other ways", code(("1", "1e-05"), ("2", "b")), ("warning", "/testSuites/0/cases/0/expected")))
    rule("function-name-unused", ("stdin", "nothing is called", code(("1", "a"), ("2", "b"), harness={"mode": "stdin_stdout", "functionName": "f"}),
                                  ("warning", "/harness/functionName")))
    rule("argument-count-differs", ("two-one", "one more argument", code(("[1,2]", "3"), ("[2]", "4"), function="f"), ("warning", f"{case}/input")))
    rule("hidden-equals-public", ("blanks", "programs that read words see no difference", {"type": "code", "languages": ["python"], "limits": {}, "testSuites": [
             {"name": "p", "visibility": "public", "cases": [{"input": "1 2", "expected": "3"}, {"input": "4 5", "expected": "9"}]},
             {"name": "h", "visibility": "hidden", "cases": [{"input": "1  2", "expected": "3"}, {"input": "4 5 ", "expected": "9"}]}]}, ("warning", "/testSuites/1/cases/0")))
    rule("integer-too-large", ("printed", "no type of C++ holds it", code(("21", "51090942171709440000"), ("5", "120"), ("3", "6"), languages=["cpp"]), ("warning", "/testSuites/0/cases/0")),
         ("python", "Python holds it", code(("21", "51090942171709440000"), ("5", "120"), ("3", "6"))), ("script", "beyond 2^53", code(("[9007199254740993]", "1"), ("[2]", "4"), function="f", languages=["javascript"]),
                               ("warning", "/testSuites/0/cases/0")))
    rule("limits-too-low", ("java", "the runtime alone needs more", code(("1", "a"), ("2", "b"), languages=["java"], limits={"memoryMb": 16}),
                            ("warning", "/limits/memoryMb")))
    square = [("[1]", "1"), ("[2]", "4"), ("[3]", "9")]
    at = "/starterCode/python"
    rule("starter-missing", ("java", "python alone", code(*square, function="sq", languages=["python", "java"], starterCode={"python": "def sq(n):\n    pass\n"}),
                             ("warning", "/starterCode")))
    rule("starter-misnames-function", ("name", "another name", code(*square, function="sq", starterCode={"python": "def square(n):\n    pass\n"}), ("warning", at)),
         ("comment", "a comment is not a function", code(*square, function="sq", starterCode={"python": "# write sq\ndef square(n):\n    pass\n"}), ("warning", at)),
         ("parameters", "an argument is missing", code(*square, function="sq", starterCode={"python": "def sq():\n    pass\n"}), ("warning", at)))
    rule("starter-solves", ("solved", "nothing is left", code(*square, function="sq", starterCode={"python": "def sq(n):\n    return n*n\n"}), ("warning", at)),
         ("bug", "a bug is to be fixed", code(*square, function="sq", starterCode={"python": "def sq(n):\n    # fix this\n    return n+n\n"})),
         ("printed", "the program prints the square", code(("1", "1"), ("2", "4"), ("3", "9"), starterCode={"python": "n = int(input())\nprint(n * n)\n"}), ("warning", at)),
         ("lambda", "no return is needed", code(*square, function="sq", starterCode={"python": "sq = lambda n: n * n\n"}), ("warning", at)))
    rule("starter-unbalanced", ("bracket", "it never closes", code(("1", "a"), ("2", "b"), starterCode={"python": "def f(:\n"}), ("warning", at)),
         ("colon", "a colon is missing", code(*square, function="sq", starterCode={"python": "def sq(n)\n    pass\n"}), ("warning", at)),
         ("indent", "the body is not indented", code(*square, function="sq", starterCode={"python": "def sq(n):\npass\n"}), ("warning", at)))
    rule("starter-above-source-limit", ("long", "nobody can send it", code(("1", "a"), ("2", "b"), limits={"sourceKb": 1}, starterCode={"python": "#" * 1025}),
                                        ("warning", at)))

    schema = "/validator/stateSchema"
    rule("unknown-keyword", ("near", "a letter is missing", widget('{"type":"object","required":["a"],"properties":{"a":{"enm":[1],"const":1}}}'),
                             ("warning", f"{schema}/properties/a/enm")),
         ("other", "nothing is near", widget('{"required":["a"],"properties":{"a":{"const":1,"colour":"red"}}}'), ("info", f"{schema}/properties/a/colour")))
    rule("unsatisfiable-schema", ("never", "required and forbidden", widget('{"type":"object","required":["a"],"properties":{"a":false}}'), ("error", schema)),
         ("inside", "one of two ways is closed", widget('{"required":["a"],"properties":{"a":{"anyOf":[{"const":1},{"minimum":3,"maximum":2}]}}}'),
          ("warning", f"{schema}/properties/a/anyOf/1")),
         ("types", "no value is of two types", widget('{"required":["a"],"properties":{"a":{"allOf":[{"type":"number"},{"type":"string"}]}}}'), ("error", f"{schema}/properties/a")),
         ("integer", "no integer lies between", widget('{"required":["a"],"properties":{"a":{"type":"integer","minimum":1.2,"maximum":1.8}}}'), ("error", f"{schema}/properties/a")))
    rule("state-not-object", ("number", "a state is an object", widget('{"type":"number"}'), ("error", f"{schema}/type")),
         ("alternatives", "no alternative is an object", widget('{"anyOf":[{"type":"string"},{"type":"number"}]}'), ("error", schema)))
    rule("required-unconstrained", ("m", "of m nothing is said", widget('{"type":"object","required":["m"],"properties":{"n":{"const":2}}}'),
                                    ("warning", f"{schema}/required/0")))
    rule("any-state-passes", ("type", "any number passes", widget('{"required":["x"],"properties":{"x":{"type":"number"}}}'), ("warning", schema)),
         ("nested", "any number inside passes", widget('{"required":["p"],"properties":{"p":{"type":"object","required":["x"],"properties":{"x":{"type":"number"}}}}}'), ("warning", schema)))
    rule("params-tell", ("values", "the state is inside under another name", {"type": "widget", "widgetName": "graph", "widgetVersion": "1.0.0", "params": read('{"config":{"target":[[1,2],[3,4]]}}'),
                                                           "validator": {"kind": "state_equals", "expectedState": read('{"points":[[1,2],[3,4]]}')}}, ("warning", "/params")),
         ("axis", "one number is there by chance", {"type": "widget", "widgetName": "graph", "widgetVersion": "1.0.0", "params": read('{"axis":[0,7]}'),
                                                           "validator": {"kind": "state_equals", "expectedState": read('{"point":7}')}}),
         ("inside", "the state is inside", {"type": "widget", "widgetName": "number-line", "widgetVersion": "1.0.0", "params": {"start": {"point": 7}},
                                                           "validator": {"kind": "state_equals", "expectedState": {"point": 7}}}, ("warning", "/params")),
         ("name", "a field is named so", widget('{"required":["x"],"properties":{"x":{"const":1}}}', params={"solution": 1}), ("warning", "/params")),
         ("start", "the starting state earns everything", widget('{"required":["x"],"properties":{"x":{"const":7}}}', params=read('{"initial":{"x":7}}')), ("warning", "/params")))

    lines = [{"criterion": "clear", "points": 1}]
    rule("same-line-twice", ("checklist", "it counts twice", text(gradingMode="self_assess", selfAssessChecklist=["Names the cause.", "names the cause. "]),
                             ("warning", "/selfAssessChecklist/1")))
    rule("rubric-tells-answer", ("says", "learners see the rubric", text(rubric=[{"criterion": "Cause", "points": 3, "description":
                                 "The answer must say: it was the assassination."}]), ("warning", "/rubric/0")),
         ("states", "what the answer states is the answer", text(rubric=[{"criterion": "States that mitochondria produce ATP by respiration", "points": 3}]), ("warning", "/rubric/0")),
         ("checklist", "learners see the checklist", text(gradingMode="self_assess", selfAssessChecklist=["I wrote that the answer is oxygen and why"]), ("warning", "/selfAssessChecklist/0")),
         ("judged", "it says what is judged", text(rubric=[{"criterion": "The answer is complete and written in full sentences", "points": 3}])))
    rule("no-room-for-words", ("one", "100 to 101", text(minWords=100, maxWords=101, rubric=lines), ("warning", "/maxWords")))
