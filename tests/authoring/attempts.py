"""Attempts: ids, versions, time, hints. The questions are as simple as possible."""

T = "attempt"
KEY = {"type": "numeric", "answer": {"value": 4}}
HALF = {"type": "multiple_choice", "multipleSelect": True, "partialCredit": True, "choices": [
    {"id": name, "content": name, "correct": name in "ab"} for name in "abcd"]}
RIGHT, WRONG = {"type": "numeric", "value": 4}, {"type": "numeric", "value": 5}
ONE = {"type": "multiple_choice", "selectedChoiceIds": ["a"]}
ID = "33333333-3333-4333-8333-333333333333"
OTHER = "44444444-4444-4444-8444-44444444444A"


def write(book):
    def g(rule, name, why, *rest, **more):
        book.grade(f"{T}/{rule}", name, why, *rest, **more)

    known = {"h1": "0.1", "h2": "0.25", "h3": "0.5", "h4": "0.5"}
    g("hints", "one", "1 - 0.1", KEY, RIGHT, 1, attempt={}, used=["h1"], hints=known, penalty="1/10")
    g("hints", "two", "1 - 0.35: penalties add up exactly", KEY, RIGHT, 1, attempt={}, used=["h2", "h1"], hints=known,
      penalty="7/20")
    g("hints", "at-most-0.8", "0.1 + 0.5 + 0.5 is limited to 0.8", KEY, RIGHT, 1, attempt={}, used=["h1", "h3", "h4"],
      hints=known, penalty="4/5")
    g("hints", "verdict-from-raw", "the verdict comes from the score before hints", HALF, ONE, "1/2", attempt={},
      used=["h2"], hints=known, penalty="1/4")
    g("hints", "never-below-zero", "0.5 - 0.8: only 0.5 is taken", HALF, ONE, "1/2", attempt={}, used=["h3", "h4"],
      hints=known, penalty="4/5")
    g("hints", "incorrect", "where there is nothing, nothing is taken", KEY, WRONG, 0, attempt={}, used=["h1"], hints=known,
      penalty="1/10")
    g("hints", "default-penalty", "the caller says nothing about hints: a tenth each", KEY, RIGHT, 1, attempt={},
      used=["x", "y", "z"], penalty="3/10")
    g("hints", "eight-defaults", "eight hints are limited to 0.8", KEY, RIGHT, 1, attempt={}, used=list("abcdefgh"),
      penalty="4/5")
    g("hints", "unknown", "the caller names the hints and this is none: it costs nothing", KEY, RIGHT, 1, attempt={},
      used=["nobody"], hints=known)
    g("hints", "free", "a hint may be free: no penalty is told", KEY, RIGHT, 1, attempt={}, used=["f"], hints={"f": "0"})
    g("hints", "not-used", "named but not used", KEY, RIGHT, 1, attempt={}, used=[], hints=known)
    g("hints", "none-named", "an empty list of hints: whatever is used is unknown", KEY, RIGHT, 1, attempt={}, used=["h1"],
      hints={})
    g("hints", "bare-submission", "without an attempt every named hint counts as used", KEY, RIGHT, 1,
      hints={"h1": "0.1", "h2": "0.2"}, penalty="3/10")
    g("hints", "thirds", "2/3 - 0.1 is rounded once", {
        "type": "matching", "left": [{"id": i, "content": i} for i in "abc"], "right": [{"id": i, "content": i} for i in "xyz"],
        "correctPairs": [{"left": l, "right": r} for l, r in zip("abc", "xyz")]},
      {"type": "matching", "pairs": [{"left": "a", "right": "x"}, {"left": "b", "right": "y"}]}, "2/3", attempt={},
      used=["h"], penalty="1/10")
    g("hints", "refused", "a refused submission costs nothing", KEY, ONE, attempt={}, used=["h1"], hints=known,
      refused=("other-type", "This question takes an answer of type numeric, not multiple_choice."))
    g("identity", "given", "an attempt's own id is kept as it is written", KEY, RIGHT, 1, attempt={"attemptId": ID.upper()})
    g("identity", "context-first", "the caller's id comes before the attempt's", KEY, RIGHT, 1, attempt={"attemptId": ID},
      context={"attemptId": OTHER})
    g("identity", "derived", "else it is derived from the question's public fields and the submission", KEY, RIGHT, 1,
      attempt={})
    g("identity", "same-for-everybody", "the learner does not enter: same id", KEY, RIGHT, 1,
      attempt={"userId": ID, "timeSpentSeconds": 7, "submittedAt": "2026-03-01T09:30:00Z",
               "clientContext": {"locale": "de", "platform": "pwa", "offlineQueued": True}})
    g("graded-at", "given", "the caller's time is shown as given", KEY, RIGHT, 1, context={"gradedAt": "2026-03-01t09:30:00.25+01:00"})
    g("graded-at", "not-given", "the engine reads no clock", KEY, RIGHT, 1, attempt={"submittedAt": "2026-03-01T09:30:00Z"})
    g("other-version", "same", "the version the spec belongs to, in any case of letters", KEY, RIGHT, 1, attempt={
        "problemVersionId": OTHER.lower()}, context={"problemVersionId": OTHER})
    book.error(f"{T}/other-version", "differs", "an attempt at another version is not graded with this spec", KEY, RIGHT,
               "mismatch", ["/problemVersionId", "other-version"], attempt={}, context={"problemVersionId": OTHER})
    g("other-version", "bare-submission", "a bare submission has no version to compare", KEY, RIGHT, 1,
      context={"problemVersionId": OTHER})
