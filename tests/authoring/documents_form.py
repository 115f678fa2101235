"""The form of documents: documents that the reader refuses, by rule."""

from .book import Parts, Text

UUID = "11111111-1111-4111-8111-111111111111"


def write(book):
    def c(rule, name, why, schema, instance, *rules):
        book.check(f"document/{rule}", name, why, schema, instance, *rules)

    choice = lambda **more: {"type": "multiple_choice", "choices": [
        {"id": "a", "content": "A", "correct": True, **more}, {"id": "b", "content": "B", "correct": False}]}
    number = lambda text: Text('{"type":"numeric","value":' + text + "}")
    attempt = lambda **more: {"problemId": UUID, "problemVersionId": UUID,
                              "submission": {"type": "numeric", "value": 1}, **more}
    S, A = "Submission", "AnswerSpec"

    c("json-syntax", "empty", "an empty text", S, Text(""), ["", "json-syntax"])
    c("json-syntax", "cut", "a text that ends too early", S, Text('{"type":"numeric","value":1'), ["/value", "json-syntax"])
    c("json-syntax", "trailing", "text after the end", S, Text('{"type":"numeric","value":1} x'), ["", "json-syntax"])
    c("json-syntax", "comma", "a comma too many", S, Text('{"type":"numeric","value":1,}'), ["", "json-syntax"])
    for name, text in [("nan", "NaN"), ("infinity", "-Infinity"), ("leading-zero", "01"), ("plus", "+1"), ("bare-point", "1."),
                       ("hex", "0x1")]:
        c("json-syntax", name, f"`{text}` is not a JSON number", S, number(text), ["/value", "json-syntax"])
    c("json-syntax", "lone-surrogate", "a lone surrogate is not a character", S,
      Text('{"type":"expression","latex":"\\ud800"}'), ["/latex", "json-syntax"])
    c("json-syntax", "control-character", "control characters must be escaped", S,
      Text('{"type":"expression","latex":"a\tb"}'), ["/latex", "json-syntax"])
    c("number-range", "overflow", "1e400 is outside double precision", S, number("1e400"), ["/value", "number-range"])
    c("number-range", "underflow", "1e-400 would become zero", S, number("-1e-400"), ["/value", "number-range"])
    c("number-range", "zero", "0e999 is zero", S, number("0e999"))
    c("number-range", "largest", "the largest double", S, number("1.7976931348623157e308"))
    c("number-range", "smallest", "the smallest double", S, number("5e-324"))
    c("number-too-long", "fraction", "more than 1,100 characters", S,
      Parts([['{"type":"numeric","value":0.', 1], ["1", 1099], ["}", 1]]), ["/value", "number-too-long"])
    c("number-too-long", "bound", "1,100 characters are read", S, Parts([['{"type":"numeric","value":0.', 1], ["1", 1098], ["}", 1]]))
    c("duplicate-key", "top", "which one counts?", S, Text('{"type":"numeric","value":1,"value":1}'), ["/value", "duplicate-key"])
    c("duplicate-key", "escaped", "an escaped key is the same key", S, Text('{"type":"numeric","value":1,"v\\u0061lue":1}'),
      ["/value", "duplicate-key"])
    c("duplicate-key", "inside-content", "in every object, opaque ones too", A,
      Text('{"type":"multiple_choice","choices":[{"id":"a","content":{"x/y":1,"x/y":2},"correct":true},'
           '{"id":"b","content":"","correct":false}]}'), ["/choices/0/content/x~1y", "duplicate-key"])
    c("too-deep", "arrays", "more than 128 levels", S,
      Parts([['{"type":"widget","state":{"a":', 1], ["[", 127], ["]", 127], ["}}", 1]]), ["", "too-deep"])
    c("too-deep", "ten-thousand", "nesting costs nothing", S, Parts([["[", 10_000]]), ["", "too-deep"])
    c("too-deep", "bound", "128 levels are read", S,
      Parts([['{"type":"widget","state":{"a":', 1], ["[", 126], ["]", 126], ["}}", 1]]))
    c("too-large", "nine-mebibytes", "more than 8 MiB", S, Parts([[" ", 9 << 20], ["1", 1]]), ["", "too-large"])

    c("wrong-type", "document", "a document is an object", S, Text("[]"), ["", "wrong-type"])
    c("wrong-type", "type", "`type` is a word", S, {"type": 1}, ["/type", "wrong-type"])
    c("wrong-type", "string-for-number", "a number in quotes is a string", S, {"type": "numeric", "value": "1"}, ["/value", "wrong-type"])
    c("wrong-type", "null", "null is not absent", S, {"type": "numeric", "value": 1, "unit": None}, ["/unit", "wrong-type"])
    c("wrong-type", "boolean", "1 is not a boolean", A, choice(correct=1), ["/choices/0/correct", "wrong-type"])
    c("wrong-type", "state", "a state is an object", S, {"type": "widget", "state": []}, ["/state", "wrong-type"])
    c("wrong-type", "id", "an id is a string", S, {"type": "ordering", "order": ["a", 2]}, ["/order/1", "wrong-type"])
    c("wrong-type", "list", "a list is an array", S, {"type": "ordering", "order": "ab"}, ["/order", "wrong-type"])
    c("wrong-type", "uuid", "a UUID is a string", "Attempt", attempt(userId=7), ["/userId", "wrong-type"])
    c("wrong-type", "date-time", "a date-time is a string", "Attempt", attempt(submittedAt=1700000000), ["/submittedAt", "wrong-type"])
    c("unknown-word", "type", "no such type", S, {"type": "essay", "text": ""}, ["/type", "unknown-word"])
    c("unknown-word", "language", "no such language", S, {"type": "code", "language": "perl", "source": "x"}, ["/language", "unknown-word"])
    c("missing-field", "type", "nothing can be said without a type", S, {}, ["", "missing-field"])
    c("missing-field", "several", "all findings at once", S, {"type": "code"}, ["", "missing-field"], ["", "missing-field"])
    c("missing-field", "nested", "the pointer names the object that lacks it", A,
      {"type": "multiple_choice", "choices": [{"id": "a", "content": "A"}, {"id": "b", "content": "B", "correct": True}]},
      ["/choices/0", "missing-field"])
    c("unknown-field", "top", "misspelled fields are not ignored", S, {"type": "numeric", "value": 1, "units": "m"}, ["/units", "unknown-field"])
    c("unknown-field", "nested", "in every object of the format", A, choice(**{"weight/": 2}), ["/choices/0/weight~1", "unknown-field"])
    c("unknown-field", "free-in-content", "content is opaque", A, choice(content={"anything": {"goes": [1]}}))
    c("not-an-integer", "fraction", "2.5 points", A, Text(
        '{"type":"free_text","gradingMode":"reviewer","rubric":[{"criterion":"c","points":2.5}]}'),
      ["/rubric/0/points", "not-an-integer"])
    c("not-an-integer", "twenty-point-zero", "20.0 and 2e1 are integers", A,
      Text('{"type":"free_text","gradingMode":"reviewer","rubric":[{"criterion":"c","points":20.0},{"criterion":"d","points":2e1}]}'))
    c("out-of-range", "above", "an integer above its bound", A, {"type": "free_text", "gradingMode": "reviewer", "minWords": 5001},
      ["/minWords", "out-of-range"])
    c("out-of-range", "below", "an integer below its bound", A, {"type": "free_text", "gradingMode": "reviewer", "maxWords": 9},
      ["/maxWords", "out-of-range"])
    c("out-of-range", "huge", "an integer no machine word holds", "Attempt", attempt(timeSpentSeconds=10**30),
      ["/timeSpentSeconds", "out-of-range"])
    c("out-of-range", "tolerance-zero", "a tolerance is above zero", A, {"type": "numeric", "answer": {
        "value": 1, "tolerance": {"mode": "absolute", "amount": 0}}}, ["/answer/tolerance/amount", "out-of-range"])
    c("out-of-range", "tolerance-large", "a bound is compared exactly", A,
      Text('{"type":"expression","canonical":"x","equivalence":"symbolic","tolerance":0.0010000000000000000001}'),
      ["/tolerance", "out-of-range"])
    c("out-of-range", "score", "a score is at most 1", "AttemptResult", Text(
        '{"attemptId":"' + UUID + '","verdict":"correct","gradedBy":"auto","score":1.0000000000000000001}'),
      ["/score", "out-of-range"])
    c("text-length", "too-long", "more than 30 characters", S, {"type": "numeric", "value": 1, "unit": "m" * 31}, ["/unit", "text-length"])
    c("text-length", "code-points", "characters are code points: 30 emoji fit", S, {"type": "numeric", "value": 1, "unit": "😀" * 30})
    c("text-length", "empty", "an empty formula", S, {"type": "expression", "latex": ""}, ["/latex", "text-length"])
    c("list-length", "too-few", "one choice is none", A, {"type": "multiple_choice", "choices": [
        {"id": "a", "content": "A", "correct": True}]}, ["/choices", "list-length"])
    c("list-length", "too-many", "at most ten ids", S, {"type": "multiple_choice", "selectedChoiceIds": list("abcdefghijk")},
      ["/selectedChoiceIds", "list-length"])
    c("list-length", "none-selected", "nothing selected is not an answer", S, {"type": "multiple_choice", "selectedChoiceIds": []},
      ["/selectedChoiceIds", "list-length"])
    c("duplicate-element", "ids", "an id twice", S, {"type": "multiple_choice", "selectedChoiceIds": ["a", "b", "a"]},
      ["/selectedChoiceIds/2", "duplicate-element"])
    c("duplicate-element", "hints", "a hint twice", "Attempt", attempt(hintsUsed=["h", "h"]), ["/hintsUsed/1", "duplicate-element"])
    c("duplicate-element", "languages", "a language twice", A, {"type": "code", "languages": ["c", "c"], "limits": {}, "testSuites": [
        {"name": "s", "visibility": "public", "cases": [{"input": "", "expected": ""}]}]}, ["/languages/1", "duplicate-element"])
    for name, bad in [("blank", "a b"), ("umlaut", "ä"), ("empty", ""), ("line-feed", "a\n"), ("long", "x" * 33)]:
        c("id-form", name, "an id has 1 to 32 ASCII letters, digits, `_` or `-`", S, {"type": "ordering", "order": ["ok", bad]},
          ["/order/1", "id-form"])
    c("id-form", "bounds", "32 characters; hints may have 64", "Attempt", attempt(
        hintsUsed=["h" * 64], submission={"type": "ordering", "order": ["x" * 32, "-"]}))
    for name, bad in [("braces", "{" + UUID + "}"), ("no-hyphens", UUID.replace("-", "")), ("urn", "urn:uuid:" + UUID),
                      ("letter", UUID[:-1] + "g")]:
        c("uuid-form", name, "a UUID has 8-4-4-4-12 hexadecimal digits", "Attempt", attempt(attemptId=bad), ["/attemptId", "uuid-form"])
    c("uuid-form", "upper-case", "in any case of letters", "Attempt", attempt(attemptId="AAAAAAAA-1111-4111-8111-11111111111F"))
    for name, bad in [("no-offset", "2026-03-01T09:30:00"), ("blank", "2026-03-01 09:30:00Z"), ("february-30", "2026-02-30T00:00:00Z"),
                      ("hour-24", "2026-03-01T24:00:00Z"), ("no-seconds", "2026-03-01T09:30Z"), ("leap-second-at-noon", "2026-03-01T12:00:60Z")]:
        c("date-time-form", name, "an instant of RFC 3339", "Attempt", attempt(submittedAt=bad), ["/submittedAt", "date-time-form"])
    for name, good in [("leap-day", "2024-02-29T00:00:00Z"), ("leap-second", "2016-12-31T23:59:60Z"), ("fraction-and-offset",
                       "2026-03-01T09:30:00.123456789-11:30"), ("lower-case", "2026-03-01t09:30:00z")]:
        c("date-time-form", name, "an instant of RFC 3339", "Attempt", attempt(submittedAt=good))
    for name, bad in [("digit-first", "2x"), ("empty", ""), ("long", "x" * 17), ("greek", "α")]:
        c("name-form", name, "a variable is a letter and up to 15 letters, digits or `_`", A, {
            "type": "expression", "canonical": "x", "equivalence": "symbolic", "variables": [{"name": bad}]},
          ["/variables/0/name", "name-form"])
    c("name-form", "function", "a function may start with `_` but not with a digit", A, {
        "type": "code", "languages": ["c"], "limits": {}, "harness": {"mode": "function", "functionName": "1f"}, "testSuites": [
            {"name": "s", "visibility": "public", "cases": [{"input": "[]", "expected": ""}]}]},
      ["/harness/functionName", "name-form"])
    widget = lambda **more: {"type": "widget", "widgetName": "w", "widgetVersion": "1.0.0",
                             "validator": {"kind": "builtin", "name": "b"}, **more}
    c("name-form", "validator", "a validator's name is lower case", A, widget(validator={"kind": "builtin", "name": "B"}),
      ["/validator/name", "name-form"])
    for bad in ("Upper", "two--hyphens", "-edge", "under_score", ""):
        c("widget-name-form", bad or "empty", "lower-case words and digits joined by single hyphens", A, widget(widgetName=bad),
          ["/widgetName", "widget-name-form"])
    for bad in ("1.0", "1.0.0-beta", "v1.0.0", "1.0.٣"):
        c("widget-version-form", bad, "three numbers of ASCII digits", A, widget(widgetVersion=bad), ["/widgetVersion", "widget-version-form"])
    c("widget-version-form", "long-numbers", "numbers of any length", A, widget(widgetVersion="2026.0.123456789012345678901"))
    c("content-size", "above", "content has at most 256 KiB of JSON", S,
      Parts([['{"type":"free_text","content":"', 1], ["x", 262_144 - 1], ['"}', 1]]), ["/content", "content-size"])
    c("content-size", "bound", "256 KiB fit", S, Parts([['{"type":"free_text","content":"', 1], ["x", 262_144 - 2], ['"}', 1]]))
    c("content-depth", "above", "content nests at most 32 levels", S,
      Parts([['{"type":"free_text","content":', 1], ["[", 33], ["]", 33], ["}", 1]]), ["/content", "content-depth"])
    c("content-depth", "bound", "32 levels fit; brackets in strings are text", S,
      Parts([['{"type":"free_text","content":', 1], ["[", 32], ['"[[[["', 1], ["]", 32], ["}", 1]]))
    c("several", "all-at-once", "a document tells everything that is wrong with it", A, {
        "type": "multiple_choice", "partialCredit": "yes", "extra": 1, "choices": [
            {"id": "a b", "content": "A", "correct": True}, {"content": "B", "correct": None, "x": 1}]},
      ["/partialCredit", "wrong-type"], ["/choices/0/id", "id-form"], ["/choices/1", "missing-field"],
      ["/choices/1/correct", "wrong-type"], ["/choices/1/x", "unknown-field"], ["/extra", "unknown-field"])
    c("valid", "attempt", "every field of an attempt", "Attempt", attempt(
        attemptId=UUID, userId=UUID, submittedAt="2026-03-01T09:30:00Z", timeSpentSeconds=86_400, hintsUsed=["h-1", "h_2"],
        clientContext={"locale": "de-CH", "platform": "web", "offlineQueued": False}))
    c("valid", "result", "every field of a result", "AttemptResult", Text(
        '{"attemptId":"' + UUID + '","verdict":"partial","score":0.5,"scorePenaltyApplied":0.8,"gradedBy":"self",'
        '"gradedAt":"2026-03-01T09:30:00Z","feedback":[{"message":"m"},{"message":"","severity":"hint"}],"codeResults":'
        '[{"suite":"s","caseIndex":0,"caseName":"n","verdict":"passed","timeMs":1,"memoryKb":2,"stderrExcerpt":"e",'
        '"diffExcerpt":"d"}]}'))
