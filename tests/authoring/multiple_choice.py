"""multiple_choice: one or several choices, partial credit, feedback, delivery, lint."""

from .canonical import read

T = "multiple_choice"


def choices(correct, ids="c1 c2 c3 c4", **feedback):
    words = {name: f"content of {name}" for name in ids.split()}
    made = [{"id": name, "content": text, "correct": name in correct.split()} for name, text in words.items()]
    for choice in made:
        if choice["id"] in feedback:
            choice["feedback"] = feedback[choice["id"]]
    return made


def spec(correct, ids="c1 c2 c3 c4", **options):
    feedback = options.pop("feedback", {})
    return {"type": T, "choices": choices(correct, ids, **feedback), **options}


def multi(correct, ids="c1 c2 c3 c4", **options):
    return spec(correct, ids, multipleSelect=True, **options)


def partial(correct, ids="c1 c2 c3 c4", **options):
    return multi(correct, ids, partialCredit=True, **options)


def pick(*ids):
    return {"type": T, "selectedChoiceIds": list(ids)}


def write(book):
    def g(rule, name, why, *rest, **more):
        book.grade(f"{T}/{rule}", name, why, *rest, **more)

    one = spec("c2")
    g("single", "right", "the correct choice earns everything", one, pick("c2"), 1)
    g("single", "wrong", "another choice earns nothing", one, pick("c1"), 0)
    two = spec("c2 c3")
    g("single", "several-correct-first", "several choices marked correct: any of them is right", two, pick("c2"), 1)
    g("single", "several-correct-second", "several choices marked correct: any of them is right", two, pick("c3"), 1)
    g("single", "several-correct-wrong", "several choices marked correct: another is still wrong", two, pick("c4"), 0)
    g("single", "defaults-written-out", "writing the defaults out changes nothing, not even the id",
      {**one, "multipleSelect": False, "shuffleChoices": True, "partialCredit": False}, pick("c2"), 1)
    g("single", "partial-credit-ignored", "partialCredit without multipleSelect has no effect",
      spec("c2 c3", partialCredit=True), pick("c2"), 1)
    g("single", "all-correct", "a question nobody can fail is still graded", spec("c1 c2", "c1 c2"), pick("c1"), 1)

    say = "Select one choice only."
    g("one-choice-only", "two", "two ids on a single choice: the honest interface cannot send them", one,
      pick("c2", "c1"), refused=("one-choice-only", say))
    g("one-choice-only", "two-correct-ones", "also when both are correct", two, pick("c2", "c3"),
      refused=("one-choice-only", say))
    say = "A selected choice is not part of this question."
    g("unknown-choice", "single", "an id the question does not have", one, pick("c9"), refused=("unknown-choice", say))
    g("unknown-choice", "case-counts", "ids are compared exactly", one, pick("C2"), refused=("unknown-choice", say))
    g("unknown-choice", "beside-right-ones", "one unknown id spoils the selection", multi("c1 c2"),
      pick("c1", "c2", "c9"), refused=("unknown-choice", say))
    g("unknown-choice", "before-one-choice-only", "an unknown id is reported before the number of ids", one,
      pick("c9", "c8"), refused=("unknown-choice", say))
    g("unknown-choice", "no-penalty", "a refused submission costs no hint penalty", one, pick("c9"),
      refused=("unknown-choice", say), hints={"h": "0.3"}, penalty="3/10")
    g("other-type", "numeric", "a numeric submission cannot come from this question", one,
      {"type": "numeric", "value": 2},
      refused=("other-type", "This question takes an answer of type multiple_choice, not numeric."))

    both = multi("c1 c3")
    g("all-or-nothing", "equal-sets", "without partial credit the sets must be equal", both, pick("c1", "c3"), 1)
    g("all-or-nothing", "order-means-nothing", "the order of the ids means nothing", both, pick("c3", "c1"), 1)
    g("all-or-nothing", "one-missing", "one missing: nothing", both, pick("c1"), 0)
    g("all-or-nothing", "one-surplus", "one too many: nothing", both, pick("c1", "c3", "c4"), 0)
    g("all-or-nothing", "only-wrong", "wrong ones only", both, pick("c2", "c4"), 0)
    g("all-or-nothing", "one-correct-of-one", "a single correct choice among several to tick", multi("c4"),
      pick("c4"), 1)
    g("all-or-nothing", "everything", "every choice correct and ticked", multi("c1 c2", "c1 c2"), pick("c1", "c2"), 1)

    credit = partial("c1 c3")
    g("partial-credit", "all", "(2 - 0) / 2", credit, pick("c1", "c3"), 1)
    g("partial-credit", "half", "(1 - 0) / 2", credit, pick("c1"), "1/2")
    g("partial-credit", "two-right-one-wrong", "(2 - 1) / 2", credit, pick("c1", "c3", "c2"), "1/2")
    g("partial-credit", "one-right-one-wrong", "(1 - 1) / 2 = 0 is incorrect, not partial", credit,
      pick("c1", "c2"), 0)
    g("partial-credit", "clamped", "(0 - 2) / 2 is clamped to 0", credit, pick("c2", "c4"), 0)
    g("partial-credit", "everything-ticked", "(2 - 2) / 2", credit, pick("c1", "c2", "c3", "c4"), 0)
    third = partial("c1 c2 c3", "c1 c2 c3 c4 c5 c6")
    g("partial-credit", "one-third", "1/3 is rounded once, to the nearest double", third, pick("c2"), "1/3")
    g("partial-credit", "two-thirds", "2/3 is rounded once, to the nearest double", third, pick("c2", "c1"), "2/3")
    g("partial-credit", "two-thirds-minus-one", "(2 - 1) / 3", third, pick("c2", "c1", "c6"), "1/3")
    seventh = partial("c1 c2 c3 c4 c5 c6 c7", "c1 c2 c3 c4 c5 c6 c7 c8 c9 c10")
    g("partial-credit", "ten-choices", "(6 - 1) / 7 with ten choices", seventh,
      pick("c1", "c2", "c3", "c4", "c5", "c6", "c10"), "5/7")

    told = spec("c2", feedback={"c1": "Not this one.", "c2": "Well done.", "c3": "Nor this one."})
    g("feedback", "of-the-selected", "the selected choice's feedback is shown", told, pick("c1"), 0,
      feedback=[("info", "Not this one.")])
    g("feedback", "when-right", "also when it is right", told, pick("c2"), 1, feedback=[("info", "Well done.")])
    g("feedback", "none-for-this-one", "a choice without feedback says nothing; the others' stays secret", told,
      pick("c4"), 0)
    several = multi("c1 c2", feedback={"c1": "first", "c2": "second", "c3": "third"})
    g("feedback", "in-order-of-selection", "several messages come in the order of the selection", several,
      pick("c3", "c1"), 0, feedback=[("info", "third"), ("info", "first")])
    rich = spec("c1", feedback={"c2": {"type": "doc", "content": [{"type": "paragraph", "content": [
        {"type": "text", "text": "Look at"}, {"type": "inlineMath", "latex": "x^2"}]}]}})
    g("feedback", "rich-content", "of rich content the text is shown, piece by piece on lines of their own", rich,
      pick("c2"), 0, feedback=[("info", "Look at\nx^2")])
    g("feedback", "blank", "an empty feedback says nothing", spec("c1", feedback={"c2": ""}), pick("c2"), 0)
    g("feedback", "no-text", "a feedback without any text says nothing", spec("c1", feedback={"c2": {"a": 1}}),
      pick("c2"), 0)
    long = "é" * 2001
    g("feedback", "cut-at-2000", "a message has at most 2,000 code points; a cut is marked",
      spec("c1", feedback={"c2": long}), pick("c2"), 0, feedback=[("info", "é" * 1999 + "…")])
    g("feedback", "exactly-2000", "2,000 code points fit", spec("c1", feedback={"c2": "é" * 2000}), pick("c2"), 0,
      feedback=[("info", "é" * 2000)])
    g("feedback", "escapes", "text is escaped only where JSON demands it",
      spec("c1", feedback={"c2": 'a "b" \\ </c>\n\t\u0001 é 🎈'}), pick("c2"), 0,
      feedback=[("info", 'a "b" \\ </c>\n\t\u0001 é 🎈')])
    g("feedback", "not-for-a-refusal", "a refused submission hears why, and nothing else", told, pick("c1", "c2"),
      refused=("one-choice-only", "Select one choice only."))

    g("identity", "key-does-not-enter", "the key is not part of the id: same id as single/right",
      spec("c1"), pick("c2"), 0)
    swapped = {"type": T, "choices": list(reversed(one["choices"]))}
    g("identity", "author-order-does-not-enter", "shuffled choices: the author's order is not part of the id",
      swapped, pick("c2"), 1)
    g("identity", "feedback-does-not-enter", "feedback is secret and not part of the id",
      spec("c2", feedback={"c4": "secret"}), pick("c2"), 1)
    g("identity", "order-shown-enters", "choices that are not shuffled are public in their order",
      {**swapped, "shuffleChoices": False}, pick("c2"), 1)
    g("identity", "content-with-keys", "content is canonical: keys sorted by UTF-16 code units",
      {"type": T, "choices": [
          {"id": "a", "content": read('{"\ue000":1.50,"😀":2e0,"z":[true,null]}'), "correct": True},
          {"id": "b", "content": {"b": {}, "a": []}, "correct": False}]}, pick("a"), 1)

    e = lambda rule, name, why, *rest: book.error(f"{T}/{rule}", name, why, *rest)
    e("no-correct-choice", "none", "nobody could answer", spec(""), pick("c1"), "spec",
      ["/choices", "no-correct-choice"])
    doubled = {"type": T, "choices": choices("c1", "c1 c2") + choices("", "c2 c3")}
    e("duplicate-id", "two", "an id must name one choice", doubled, pick("c1"), "spec",
      ["/choices/2/id", "duplicate-id"])
    e("duplicate-id", "all-findings-at-once", "every finding is told, warnings too",
      {"type": T, "partialCredit": True, "choices": choices("", "a b") + choices("", "b a")}, pick("a"), "spec",
      ["/choices/2/id", "duplicate-id"], ["/choices/3/id", "duplicate-id"], ["/choices", "no-correct-choice"],
      ["/partialCredit", "partial-without-multiple"])

    l = lambda rule, name, why, *rest: book.lint(f"{T}/{rule}", name, why, *rest)
    l("lint-clean", "single", "one of four: nothing to say", one)
    l("lint-clean", "partial", "as many wrong choices as right ones: nothing to say", credit)
    l("partial-without-multiple", "lint", "partialCredit means nothing for a single choice",
      spec("c2", partialCredit=True), ["warning", "partial-without-multiple", "/partialCredit"])
    l("several-correct-single-select", "two-of-five", "two correct choices but only one can be ticked",
      spec("c2 c3", "c1 c2 c3 c4 c5"), ["warning", "several-correct-single-select", "/choices"])
    l("ticking-everything-pays", "three-of-five", "ticking everything earns (3 - 2) / 3",
      partial("c1 c2 c3", "c1 c2 c3 c4 c5"), ["info", "ticking-everything-pays", "/partialCredit"])
    l("ticking-everything-pays", "all-correct", "ticking everything is the right answer",
      partial("c1 c2", "c1 c2"), ["warning", "ticking-everything-pays", "/partialCredit"])
    l("neighbour-choice-pays", "block-of-four", "the marks one line lower earn (3 - 1) / 4",
      partial("c1 c2 c3 c4", "c1 c2 c3 c4 c5 c6 c7 c8", shuffleChoices=False),
      ["warning", "neighbour-choice-pays", "/partialCredit"])
    l("neighbour-choice-pays", "one-exchanged", "shuffled: one right choice exchanged for a wrong one earns (3 - 1) / 4",
      partial("c1 c3 c5 c7", "c1 c2 c3 c4 c5 c6 c7 c8"), ["info", "neighbour-choice-pays", "/partialCredit"])
    l("neighbour-choice-pays", "one-of-two", "of two right choices one exchanged earns nothing",
      partial("c1 c2", "c1 c2 c3 c4 c5"))
    def texts(**contents):
        return [{"id": f"c{at}", "content": text, "correct": at == 1} for at, text in enumerate(contents.values(), 1)]

    def said(right, wrong, feedback, **options):
        chosen = texts(a=right, b=wrong, c="another one")
        chosen[1]["feedback"] = feedback
        return {"type": T, "choices": chosen, **options}

    l("same-choice-twice", "full-stop", "only a full stop tells the right choice from a wrong one",
      {"type": T, "choices": texts(a="The nucleus.", b="The nucleus", c="The membrane")},
      ["warning", "same-choice-twice", "/choices/1/content"])
    l("same-choice-twice", "minus", "a minus sign looks like a hyphen",
      {"type": T, "choices": texts(a="\u22125", b="-5", c="5")}, ["warning", "same-choice-twice", "/choices/1/content"])
    l("equal-choices", "groups", "groups of digits are one number",
      {"type": T, "choices": texts(a="1,000,000", b="10^6", c="10^5")}, ["warning", "equal-choices", "/choices/1/content"])
    l("equal-choices", "one-comma", "one comma may be a decimal one",
      {"type": T, "choices": texts(a="1,000", b="1000", c="100")})
    l("feedback-tells-key", "result", "the feedback of a wrong choice works the right number out",
      said("9", "6", "Not quite: 3 squared is 9."), ["warning", "feedback-tells-key", "/choices/1/feedback"])
    l("feedback-tells-key", "letter", "the choices keep their places, so a letter names one",
      said("Paris", "Rome", "The correct answer is A.", shuffleChoices=False),
      ["warning", "feedback-tells-key", "/choices/1/feedback"],
      ["info", "first-choice-correct", "/shuffleChoices"])
    l("position-word", "feedback", "the choices are shuffled, so a letter names no place",
      said("Paris", "Rome", "The correct answer is B."), ["warning", "position-word", "/choices/1/feedback"])
    l("formula-without-dollars", "beside-formulas", "another choice has its formula between dollars",
      {"type": T, "choices": texts(a="$x$", b="\\frac{1}{2}", c="3")},
      ["warning", "formula-without-dollars", "/choices/1/content"])
    l("formula-without-dollars", "about-latex", "the question may be about LaTeX",
      {"type": T, "choices": texts(a="\\frac{1}{2}", b="\\sqrt{2}", c="3")},
      ["info", "formula-without-dollars", "/choices/0/content"])
    l("everything-correct", "all-or-nothing", "every choice is correct", multi("c1 c2 c3", "c1 c2 c3"),
      ["info", "everything-correct", "/choices"])
    l("guessable-choice", "one-of-two", "a coin earns 0.5", spec("c1", "c1 c2"),
      ["info", "guessable-choice", "/choices"])
    l("guessable-choice", "two-of-four", "two of four earn 0.5 too", two,
      ["info", "guessable-choice", "/choices"], ["warning", "several-correct-single-select", "/choices"])
    told = lambda ids: [dict(choice, content=choice["id"][::-1]) for choice in choices(ids.split()[0], ids)]
    l("telling-id", "words", "ids are public and these tell", {"type": T, "choices": told("correct c2 c3 c4")},
      ["warning", "telling-id", "/choices/0/id"])
    l("telling-id", "wrong-words", "these too", {"type": T, "choices": told("c1 wrong1 wrong-2 c4")},
      ["warning", "telling-id", "/choices/1/id"])
    l("telling-id", "all-alike", "a word that all ids have tells nothing", {"type": T, "choices": told("answer1 answer2 answer3")})
    l("telling-id", "parts-of-words", "`brightness` and `keyboard` only contain such a word",
      spec("brightness", "brightness keyboard wronged good2go"))
    twins = [dict(choice, content="same") if choice["id"] in ("c1", "c3") else choice for choice in choices("c3")]
    l("same-choice-twice", "marked-differently", "two choices say the same, one is right and one is wrong",
      {"type": T, "choices": twins}, ["warning", "same-choice-twice", "/choices/2/content"])
    l("first-choice-correct", "unshuffled", "the first one is right and nothing is shuffled",
      spec("c1", shuffleChoices=False), ["info", "first-choice-correct", "/shuffleChoices"])
    l("first-choice-correct", "shuffled", "nothing to say when the view shuffles", spec("c1"))
    l("no-correct-choice", "lint", "spec errors are findings of lint as well", spec(""),
      ["error", "no-correct-choice", "/choices"])
    l("duplicate-id", "lint", "spec errors are findings of lint as well",
      {"type": T, "choices": choices("c1", "c1 c2 c3") + choices("", "c2")}, ["error", "duplicate-id", "/choices/3/id"],
      ["warning", "same-choice-twice", "/choices/3/content"])

    d = lambda name, why, *rest, **more: book.deliver(f"{T}/deliver", name, why, *rest, **more)
    secret = spec("c2", feedback={"c1": "secret"}, shuffleChoices=False)
    d("allow-list", "neither `correct` nor `feedback`; defaults are written out", secret, view={
        "type": T, "multipleSelect": False, "partialCredit": False, "shuffleChoices": False,
        "choices": [{"id": name, "content": f"content of {name}"} for name in ("c1", "c2", "c3", "c4")]})
    for seed in ("", "learner 7", "learner 8", "säed 🎲"):
        d(f"shuffled-{seed or 'empty-seed'}".replace(" ", "-"), "the order follows from the seed and public content",
          one, seed)
    d("same-for-another-key", "two specs with the same public fields give the same bytes", spec("c4"), "learner 7")
    d("same-for-another-order", "the author's order does not matter when choices are shuffled", swapped, "learner 7")
    d("ten-choices", "ten choices, several right", seventh, "x")
