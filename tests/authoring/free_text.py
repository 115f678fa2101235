"""free_text: never graded by the engine alone; words, formulas, checklists."""

from .book import PENDING

T = "free_text"


def spec(mode, **options):
    return {"type": T, "gradingMode": mode, **options}


def say(content, checks=None):
    document = {"type": T, "content": content}
    if checks is not None:
        document["selfAssessment"] = checks
    return document


def words(count):
    return " ".join(["word"] * count)


def write(book):
    def g(rule, name, why, *rest, **more):
        book.grade(f"{T}/{rule}", name, why, *rest, **more)

    three = spec("self_assess", selfAssessChecklist=["one", "two", "three"])
    g("pending", "peer", "waits for a peer", spec("peer_review"), say("text"), PENDING, by="peer")
    g("pending", "reviewer", "waits for a reviewer", spec("reviewer"), say("text"), PENDING, by="reviewer")
    g("pending", "self-without-checklist", "without a checklist nothing can be ticked", spec("self_assess"), say("text"),
      PENDING, by="self")
    g("pending", "self-without-assessment", "the learner has not ticked yet", three, say("text"), PENDING, by="self")
    g("pending", "checks-in-another-mode", "ticks count in self_assess mode only",
      spec("reviewer", selfAssessChecklist=["one"]), say("text", [True, True]), PENDING, by="reviewer")
    g("pending", "no-penalty", "hints cost nothing where there is no score", spec("reviewer"), say("text"), PENDING,
      by="reviewer", hints={"h": "0.2"})
    g("pending", "empty-text", "without minWords even an empty text is handed on", spec("reviewer"), say(""), PENDING,
      by="reviewer")
    for name, checks, raw in [("all", [True] * 3, 1), ("one-of-three", [False, True, False], "1/3"),
                              ("none", [False] * 3, 0), ("missing-are-unchecked", [True, True], "2/3"),
                              ("no-entries", [], 0)]:
        g("self-assessed", name, "checked lines / lines of the checklist", three, say("text", checks), raw, by="self")
    g("too-many-checks", "four-of-three", "more ticks than lines cannot be sent", three, say("text", [True] * 4), by="self",
      refused=("too-many-checks", "There are more checks than lines in the checklist."))
    g("too-many-checks", "no-checklist", "nor any tick without a checklist", spec("self_assess"), say("text", [False]),
      by="self", refused=("too-many-checks", "There are more checks than lines in the checklist."))

    ten = spec("reviewer", minWords=3, maxWords=10)
    g("too-few-words", "two", "below minWords", ten, say("two words"), by="reviewer",
      refused=("too-few-words", "Minimum number of words: 3; yours: 2."))
    g("too-few-words", "bound", "minWords is inclusive", ten, say("now three words"), PENDING, by="reviewer")
    g("too-many-words", "eleven", "above maxWords", ten, say(words(11)), by="reviewer",
      refused=("too-many-words", "Maximum number of words: 10; yours: 11."))
    g("too-many-words", "bound", "maxWords is inclusive", ten, say(words(10)), PENDING, by="reviewer")

    def counted(name, why, content, count):
        """Shows the number of words in the message of a question that requires more words."""
        g("words", name, why, spec("reviewer", minWords=5000), say(content), by="reviewer",
          refused=("too-few-words", f"Minimum number of words: 5000; yours: {count}."))

    counted("uax29", "the example of UAX #29", 'The quick (“brown”) fox can’t jump 32.3 feet, right?', 9)
    counted("punctuation", "punctuation is not a word", "— … ! ? * &", 0)
    counted("hyphen", "a hyphen separates, an apostrophe does not", "well-known o'clock", 3)
    counted("inline-math", "one formula in dollars is one word", "so $x^2 + 1$ grows", 3)
    counted("display-math", "as is one in \\[ \\] or $$", "\\[a b c\\] and $$d e$$ and \\(f\\)", 5)
    counted("prices", "dollars before blanks are money", "costs $5 and $6 each", 5)
    counted("math-node", "a node with latex is one word", [{"text": "Let"}, {"latex": "x + y"}, {"text": "be small"}], 4)
    counted("code-block", "code blocks count none",
            [{"type": "codeBlock", "content": [{"text": "let x = 1"}]}, {"text": "that is it"}], 3)
    counted("attributes", "only text, value, latex, content and children are text",
            {"type": "p", "title": "three more words", "children": [{"value": "two words", "href": "a b"}]}, 2)
    counted("null", "content may be any JSON", None, 0)
    counted("ideographs", "ideographs are words of their own, as UAX #29 has it without a dictionary", "日本", 2)

    plain = spec("reviewer", allowMath=False)
    g("math-not-allowed", "inline", "a formula where none is allowed", plain, say("it is $x^2$"), by="reviewer",
      refused=("math-not-allowed", "Write without formulas."))
    g("math-not-allowed", "node", "also as a node", plain, say([{"type": "math", "value": "x"}]), by="reviewer",
      refused=("math-not-allowed", "Write without formulas."))
    g("math-not-allowed", "prices", "prices are not formulas", plain, say("it costs $5"), PENDING, by="reviewer")
    g("other-type", "code", "a program cannot come from this question", plain,
      {"type": "code", "language": "c", "source": "int main;"}, by="reviewer",
      refused=("other-type", "This question takes an answer of type free_text, not code."))

    e = lambda rule, name, why, *rest: book.error(f"{T}/{rule}", name, why, *rest)
    e("min-above-max", "words", "no text fits", spec("reviewer", minWords=50, maxWords=20), say("x"), "spec",
      ["/minWords", "min-above-max"])
    g("min-above-max", "equal", "min = max asks for an exact count", spec("reviewer", minWords=10, maxWords=10),
      say(words(10)), PENDING, by="reviewer")
    l = lambda rule, name, why, *rest: book.lint(f"{T}/{rule}", name, why, *rest)
    rubric = [{"criterion": "clear", "points": 3}]
    l("lint-clean", "reviewer", "nothing to say", spec("reviewer", rubric=rubric))
    l("lint-clean", "self", "nothing to say", three)
    l("min-above-max", "lint", "spec errors are findings of lint as well",
      spec("reviewer", minWords=50, maxWords=20, rubric=rubric), ["error", "min-above-max", "/minWords"])
    l("no-checklist", "absent", "nobody can assess themselves", spec("self_assess"),
      ["warning", "no-checklist", "/selfAssessChecklist"])
    l("no-checklist", "empty", "an empty list is none", spec("self_assess", selfAssessChecklist=[]),
      ["warning", "no-checklist", "/selfAssessChecklist"])
    l("checklist-unused", "lint", "a checklist in another mode", spec("peer_review", selfAssessChecklist=["x"], rubric=rubric),
      ["warning", "checklist-unused", "/selfAssessChecklist"])
    l("no-rubric", "lint", "reviewers without a rubric", spec("peer_review"), ["warning", "no-rubric", "/rubric"])
    l("no-rubric", "reviewer", "a reviewer may know", spec("reviewer"), ["info", "no-rubric", "/rubric"])
    book.deliver(f"{T}/deliver", "no-secrets", "a free-text question has no secret field",
                 spec("reviewer", minWords=2, rubric=[{"criterion": "c", "points": 2, "description": "d"}]), "s",
                 view={"type": T, "gradingMode": "reviewer", "minWords": 2, "allowMath": True,
                       "rubric": [{"criterion": "c", "points": 2, "description": "d"}]})
    book.deliver(f"{T}/deliver", "checklist", "the checklist is public", three, "s",
                 view={"type": T, "gradingMode": "self_assess", "allowMath": True,
                       "selfAssessChecklist": ["one", "two", "three"]})
