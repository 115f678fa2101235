"""code: results from outcomes; no program is run here."""

import base64

from .book import PENDING
from .canonical import Number as N

T = "code"


def case(expected="1\n", given="", **options):
    return {"input": given, "expected": expected, **options}


def suite(name, visibility, *cases):
    return {"name": name, "visibility": visibility, "cases": list(cases)}


def spec(*suites, **options):
    return {"type": T, "languages": ["python", "c"], "testSuites": list(suites), "limits": {}, **options}


def program(source="print(1)", language="python"):
    return {"type": T, "language": language, "source": source}


def ran(name, index, stdout="", end="exited", **more):
    outcome = {"suite": name, "caseIndex": index, "end": end, **more}
    if stdout:
        outcome["stdout"] = stdout
    return outcome


def told(name, index, verdict, **more):
    return {"suite": name, "caseIndex": index, "verdict": verdict, **more}


PUBLIC, HIDDEN = suite("samples", "public", case()), suite("hidden", "hidden", case("2\n", "x"), case("3\n", "y"))


def write(book):
    def g(rule, name, why, *rest, **more):
        book.grade(f"{T}/{rule}", name, why, *rest, **more)

    both = spec(PUBLIC, HIDDEN)
    g("pending", "not-run", "without outcomes nobody knows", both, program(), PENDING)
    g("pending", "no-penalty", "hints cost nothing before there is a score", both, program(), PENDING, hints={"h": "0.2"})

    right = [ran("samples", 0, "1\n"), ran("hidden", 0, "2\n"), ran("hidden", 1, "3\n")]
    passed = [told("samples", 0, "passed"), told("hidden", 0, "passed"), told("hidden", 1, "passed")]
    g("score", "all-passed", "3 of 3 points", both, program(), 1, outcomes=right, cases=passed)
    g("score", "order-of-outcomes", "outcomes may come in any order; results follow the spec", both, program(), 1,
      outcomes=right[::-1], cases=passed)
    g("score", "one-hidden-failed", "2 of 3 points; of the hidden case only the verdict shows", both, program(), "2/3",
      outcomes=[right[0], right[1], ran("hidden", 1, "4\n", stderr="secret", timeMs=5, memoryKb=7)],
      cases=[passed[0], passed[1], told("hidden", 1, "failed")])
    g("score", "nothing-passed", "0 of 3", both, program(), 0,
      outcomes=[ran("samples", 0, "0\n"), ran("hidden", 0), ran("hidden", 1)],
      cases=[told("samples", 0, "failed", diffExcerpt=(
          "line 1, character 1:\n  expected: 1\n  found:    0\n            ^")),
          told("hidden", 0, "failed"), told("hidden", 1, "failed")])
    weighted = spec(suite("s", "hidden", case(points=3), case("2", "b", points=100), case("3", "c")))
    g("score", "points-weigh", "3 of 104 points", weighted, program(), "3/104",
      outcomes=[ran("s", 0, "1"), ran("s", 1, "x"), ran("s", 2, "y")],
      cases=[told("s", 0, "passed"), told("s", 1, "failed"), told("s", 2, "failed")])
    g("score", "hint-penalty", "hints take from the score: 2/3 - 0.25", both, program(), "2/3", hints={"h": "0.25"},
      penalty="1/4", outcomes=[right[0], right[1], ran("hidden", 1)],
      cases=[passed[0], passed[1], told("hidden", 1, "failed")])
    named = spec(suite("samples", "public", case(name="first")))
    g("score", "public-case-in-full", "a public case shows name, time, memory and what the program complained", named,
      program(), 1, outcomes=[ran("samples", 0, "1\n", stderr="careful", timeMs=12, memoryKb=3456)],
      cases=[told("samples", 0, "passed", caseName="first", timeMs=12, memoryKb=3456, stderrExcerpt="careful")])
    g("score", "skipped", "a case left out earns nothing and is not listed", both, program(), "1/3",
      outcomes=[right[0], ran("hidden", 0, end="skipped"), ran("hidden", 1, end="skipped")], cases=passed[:1])
    g("score", "stderr-cut", "an excerpt has at most 4,096 code points", named, program(), 1,
      outcomes=[ran("samples", 0, "1\n", stderr="e" * 5000)],
      cases=[told("samples", 0, "passed", caseName="first", stderrExcerpt="e" * 4095 + "…")])

    one = spec(suite("s", "hidden", case()))
    for end, verdict, why, more in [
        ("exited", "runtime_error", "a non-zero exit, even if the text matches", {"exitCode": 3}),
        ("signalled", "runtime_error", "a signal, even if the text matches", {"signal": 11}),
        ("timeout", "timeout", "too slow, even if the text matches", {}),
        ("memory_exceeded", "memory_exceeded", "too much memory, even if the text matches", {}),
        ("output_limit", "output_limit", "too much output, even if it begins well", {}),
    ]:
        g("case-verdicts", verdict if end != "signalled" else "signal", why, one, program(), 0,
          outcomes=[ran("s", 0, "1\n", end, **more)], cases=[told("s", 0, verdict)])
    g("case-verdicts", "exit-code-zero", "exit code 0 is a good end", one, program(), 1,
      outcomes=[ran("s", 0, "1\n", exitCode=0)], cases=[told("s", 0, "passed")])
    g("case-verdicts", "compile-error", "every case compile_error, incorrect, the message once", both, program(), 0,
      outcomes=[ran("samples", 0, end="compile_error", message="line 1: syntax\n"),
                ran("hidden", 0, end="compile_error", message="line 1: syntax\n"),
                ran("hidden", 1, end="compile_error", message="line 1: syntax\n")],
      feedback=[("error", "The program does not compile:\nline 1: syntax")],
      cases=[told("samples", 0, "compile_error"), told("hidden", 0, "compile_error"), told("hidden", 1, "compile_error")])
    g("case-verdicts", "compile-error-without-message", "a compiler that says nothing", one, program(), 0,
      outcomes=[ran("s", 0, end="compile_error")], feedback=[("error", "The program does not compile:\nno message")],
      cases=[told("s", 0, "compile_error")])
    sorry = "The program could not be run safely. This is not your fault; please try again."
    g("case-verdicts", "sandbox-error", "any sandbox error: verdict error, no score, although another case passed", both,
      program(), failed=sorry, hints={"h": "0.2"},
      outcomes=[right[0], ran("hidden", 0, end="sandbox_error", message="/run/secret"), right[2]],
      cases=[passed[0], told("hidden", 0, "sandbox_error"), passed[2]])
    g("case-verdicts", "unsandboxed", "a run without isolation is told", one, program(), 1,
      outcomes=[ran("s", 0, "1\n", isolation="unsandboxed")], cases=[told("s", 0, "passed")],
      feedback=[("info", "The program was run without a sandbox.")])

    def shown(name, why, expected, stdout, excerpt, base=None, **options):
        outcome = ran("p", 0, stdout)
        if base is not None:
            outcome["stdoutBase64"] = base64.b64encode(base).decode()
        result = told("p", 0, "failed", diffExcerpt=excerpt) if excerpt else told("p", 0, "passed")
        g("public-difference", name, why, spec(suite("p", "public", case(expected, **options))), program(),
          0 if excerpt else 1, outcomes=[outcome], cases=[result])

    shown("second-line", "the first line that differs, with a mark below the first different character",
          "one\ntwo three\n", "one \ntwo four\n",
          "line 2, character 5:\n  expected: two three\n  found:    two four\n                ^")
    shown("output-ends", "the output is too short", "1\n2\n", "1\n", "line 2: the output ends, expected:\n  2")
    shown("more-output", "the output is too long", "1\n", "1\n2\n", "line 2: nothing more was expected, found:\n  2")
    shown("token", "under `tokens` the token is named", "1 2 3", "1 2 4", "token 3:\n  expected: 3\n  found:    4",
          matcher="tokens")
    shown("token-missing", "a missing token", "1 2 3", "1 2", "token 3:\n  expected: 3\n  found:    (end of output)",
          matcher="tokens")
    shown("number", "under `float_tolerance` the largest error is told", "1 2", "1.25 2", (
        "number 1:\n  expected: 1\n  found:    1.25\n  largest error: 0.25"), matcher="float_tolerance")
    shown("json-value", "under `json` the place in the expected value", '{"a":[1,2]}', '{"a":[1,3]}',
          "at /a/1:\n  expected: 2\n  found:    3", matcher="json")
    shown("json-no-json", "under `json` an output that is none", "1", "one", "The output is not one JSON value.",
          matcher="json")
    shown("tab", "control characters are shown as symbols", "a b\n", "a\tb\n",
          "line 1, character 2:\n  expected: a b\n  found:    a→b\n             ^", matcher="exact")
    shown("bytes", "outputs are bytes: invalid UTF-8 is shown replaced, and compared as it is", "é\n", "",
          "line 1, character 1:\n  expected: é\n  found:    \ufffd\n            ^", base=b"\xe9\n")

    calls = {"mode": "function", "functionName": "f"}

    def called(name, why, expected, returned, raw, **options):
        outcome = ran("s", 0, "printed by the way")
        if returned is not None:
            outcome["returned"] = returned
        g("function-mode", name, why, spec(suite("s", "hidden", case(expected, "[1]", **options)), harness=calls), program(),
          raw, outcomes=[outcome], cases=[told("s", 0, "passed" if raw else "failed")])

    called("compact", "an expected JSON text is rewritten compactly before it is compared", "[1, 2.0]", "[1,2]", 1)
    called("key-order", "as are its keys", '{"b": 1, "a": 2}', '{"a":2,"b":1}', 1)
    called("strings", "strings stay strings", '"1"', "1", 0)
    called("not-json", "an expected text that is not JSON is compared as it is", "one", '"one"', 0)
    called("printed-does-not-count", "what was printed does not count", "printed by the way", None, 0)
    called("nothing-returned", "no value came back", "null", None, 0)
    called("null-returned", "null is a value", "null", "null", 1)
    called("json-matcher", "deep comparison with a tolerance", '{"x":0.3}', '{"x":0.301}', 1, matcher="json",
           floatTolerance=N("0.01"))
    called("garbage", "a returned text that is not a single JSON value", "1", "1 2", 0)
    g("function-mode", "public-nothing-returned", "the learner is told", spec(
        suite("s", "public", case("1", "[]")), harness=calls), program(), 0, outcomes=[ran("s", 0)],
      cases=[told("s", 0, "failed", diffExcerpt="The function returned no value.")])

    g("language-not-offered", "rust", "a language the question does not take", both, program("fn main(){}", "rust"),
      refused=("language-not-offered", "This question takes python, c, not rust."))
    g("language-not-offered", "with-outcomes", "refused also when it was run", one, program("x", "go"),
      refused=("language-not-offered", "This question takes python, c, not go."), outcomes=[ran("s", 0, "1\n")])
    small = spec(PUBLIC, limits={"sourceKb": 1})
    g("source-too-long", "one-byte-over", "sourceKb counts KiB of UTF-8", small, program("é" * 512 + "x"),
      refused=("source-too-long", "The source has more than 1 KiB."))
    g("source-too-long", "bound", "1,024 bytes fit", small, program("é" * 512), PENDING)
    g("other-type", "free-text", "prose cannot come from this question", both, {"type": "free_text", "content": "print(1)"},
      refused=("other-type", "This question takes an answer of type code, not free_text."))
    g("identity", "hidden-cases-do-not-enter", "hidden cases are secret: same id as pending/not-run",
      spec(PUBLIC, suite("hidden", "hidden", case("9"))), program(), PENDING)
    g("identity", "public-cases-enter", "public cases are public",
      spec(suite("samples", "public", case("1")), HIDDEN), program(), PENDING)

    e = lambda rule, name, why, *rest, **more: book.error(f"{T}/{rule}", name, why, *rest, **more)
    e("duplicate-suite", "two", "results name their suite", spec(PUBLIC, suite("samples", "hidden", case())), program(),
      "spec", ["/testSuites/1/name", "duplicate-suite"])
    e("function-name-missing", "absent", "the function to call is not named", spec(suite("s", "hidden", case("1", "[]")),
      harness={"mode": "function"}), program(), "spec", ["/harness", "function-name-missing"])
    e("arguments-not-an-array", "two-cases", "arguments are a JSON array", spec(
        suite("s", "hidden", case("1", "[1]"), case("1", '{"a":1}'), case("1", "1 2")), harness=calls), program(), "spec",
      ["/testSuites/0/cases/1/input", "arguments-not-an-array"], ["/testSuites/0/cases/2/input", "arguments-not-an-array"])
    e("expected-not-json", "text", "nothing can match", spec(suite("s", "hidden", case("one", matcher="json"))), program(),
      "spec", ["/testSuites/0/cases/0/expected", "expected-not-json"])
    e("case-missing", "one", "every case needs an outcome", both, program(), "mismatch", ["", "case-missing"],
      outcomes=right[:2])
    e("case-missing", "all", "an empty list is a list", both, program(), "mismatch", ["", "case-missing"], outcomes=[])
    e("case-twice", "one", "one outcome per case", both, program(), "mismatch", ["/3", "case-twice"],
      outcomes=right + right[:1])
    e("unknown-case", "suite", "a suite nobody knows", both, program(), "mismatch", ["/3", "unknown-case"],
      outcomes=right + [ran("other", 0)])
    e("unknown-case", "index", "a case nobody knows", both, program(), "mismatch", ["/3", "unknown-case"],
      outcomes=right + [ran("samples", 1)])
    e("base64-form", "outcome", "bytes that are not text come as base64", one, program(), "schema",
      ["/0/stdoutBase64", "base64-form"], outcomes=[{**ran("s", 0), "stdoutBase64": "/w="}])
    e("text-and-base64", "stdout", "an output is a text or bytes, not both", one, program(), "schema",
      ["/0/stdoutBase64", "text-and-base64"], outcomes=[{**ran("s", 0), "stdout": "1", "stdoutBase64": "MQ=="}])
    e("outcomes-unused", "numeric", "outcomes belong to programs", {"type": "numeric", "answer": {"value": 1}},
      {"type": "numeric", "value": 1}, "mismatch", ["", "outcomes-unused"], outcomes=[ran("s", 0)])

    l = lambda rule, name, why, *rest: book.lint(f"{T}/{rule}", name, why, *rest)
    l("lint-clean", "public-and-hidden", "nothing to say", both)
    l("duplicate-suite", "lint", "spec errors are findings of lint as well",
      spec(PUBLIC, suite("samples", "hidden", case("2\n", "x"))), ["error", "duplicate-suite", "/testSuites/1/name"])
    l("function-name-missing", "lint", "spec errors are findings of lint as well",
      spec(suite("s", "hidden", case("7", "[0]"), case("900", "[5]")), harness={"mode": "function"}),
      ["error", "function-name-missing", "/harness"])
    l("arguments-not-an-array", "lint", "spec errors are findings of lint as well",
      spec(suite("s", "hidden", case("1", "1"), case("2000", "[1]")), harness=calls),
      ["error", "arguments-not-an-array", "/testSuites/0/cases/0/input"])
    l("expected-not-json", "lint", "spec errors are findings of lint as well",
      spec(suite("s", "hidden", case("1", matcher="json"), case("x", "b", matcher="json"))),
      ["error", "expected-not-json", "/testSuites/0/cases/1/expected"])
    pair = (case("1", "a"), case("2", "b"))
    l("starter-code-unused", "lint", "starter code for a language that is not offered",
      spec(suite("s", "hidden", *pair), starterCode={"python": "", "rust": ""}),
      ["warning", "starter-code-unused", "/starterCode/rust"])
    l("exact-without-newline", "lint", "most programs print a final line feed",
      spec(suite("s", "hidden", case("1", "a", matcher="exact"), case("2\n", "b", matcher="exact"))),
      ["warning", "exact-without-newline", "/testSuites/0/cases/0/expected"])
    l("tolerance-unused", "lint", "trimmed_lines knows no tolerance",
      spec(suite("s", "hidden", case("1", "a", floatTolerance=N("0.001")), pair[1])),
      ["warning", "tolerance-unused", "/testSuites/0/cases/0/floatTolerance"])
    l("literal-line-feed", "cases", "a backslash and a letter between what were lines",
      spec(PUBLIC, suite("h", "hidden", case("7", "2\\n3 4"), case("6", "3\n1 2 3"))),
      ["warning", "literal-line-feed", "/testSuites/1/cases/0/input"])
    l("literal-line-feed", "expected", "the output too",
      spec(PUBLIC, suite("h", "hidden", case("a\\nb\\n", "1"), case("c", "2"))),
      ["warning", "literal-line-feed", "/testSuites/1/cases/0/expected"])
    l("literal-line-feed", "meant", "paths, patterns and quoted texts keep their backslashes",
      spec(PUBLIC, suite("h", "hidden", case("new", "C:\\new"), case("'\\n'", "a\\n+b"))))
    l("literal-line-feed", "starter", "the starter code is one line",
      spec(PUBLIC, suite("h", "hidden", case("x", "1"), case("y", "2")), starterCode={"python": "n = int(input())\\nprint(0)"}),
      ["warning", "literal-line-feed", "/starterCode/python"])
    l("expected-above-output-limit", "lint", "nobody can write so much",
      spec(suite("s", "hidden", case("x" * 1025, "a"), pair[1]), limits={"outputKb": 1}),
      ["warning", "expected-above-output-limit", "/testSuites/0/cases/0/expected"])
    l("hidden-equals-public", "lint", "the hidden case is not a secret",
      spec(suite("p", "public", *pair), suite("h", "hidden", case("3", "c"), pair[0])),
      ["info", "hidden-equals-public", "/testSuites/1/cases/1"])
    l("hidden-equals-public", "all", "every hidden case is known, blanks at the ends aside",
      spec(suite("p", "public", *pair), suite("h", "hidden", case("1", "a\n"))), ["warning", "hidden-equals-public", "/testSuites/1/cases/0"])
    l("same-case-twice", "lint", "twice the same hidden case", spec(suite("h", "hidden", *pair, pair[0])),
      ["info", "same-case-twice", "/testSuites/0/cases/2"])
    l("empty-output-passes", "lint", "a program that does nothing passes",
      spec(suite("h", "hidden", case(" \n", "a"), pair[1])), ["warning", "empty-output-passes", "/testSuites/0/cases/0/expected"])
    l("weak-matcher", "lint", "tokens does not see lines", spec(suite("h", "hidden", case("1\n2\n", "a", matcher="tokens"), pair[1])),
      ["info", "weak-matcher", "/testSuites/0/cases/0/matcher"])
    l("constant-output-passes", "lint", "a program that ignores its input passes",
      spec(suite("h", "hidden", case("1", "a"), case("1", "b"))), ["warning", "constant-output-passes", "/testSuites"])
    l("function-name-reserved", "lint", "`lambda` is a word of Python, not of C",
      spec(suite("s", "hidden", case("1", "[3]"), case("900", "[4]")), harness={**calls, "functionName": "lambda"}),
      ["warning", "function-name-reserved", "/harness/functionName"])
    typed = lambda *given, languages=("python", "java", "go", "c", "cpp", "rust"): spec(
        suite("s", "hidden", *given), harness=calls, languages=[*languages])
    x = lambda name, why, of, *found: l("not-expressible", name, why, of, *[
        ["warning", "not-expressible", f"/testSuites/0/cases/{at}"] for at in found])
    x("scalars-and-arrays", "every language has numbers, truth values, strings and arrays of them",
      typed(case("1", '[1, "a", true, [1.5], ["b"], []]'), case("2", '[2.5, "", false, [], [], []]')))
    x("objects-and-nested-arrays", "C has neither; C++ and Rust have both",
      typed(case("1", '[{"a": 1}, [[1], []]]'), case("2", "[{}, [[2]]]")), "0/input")
    x("mixed-fields", "only languages without types for the fields of an object hold them",
      typed(case("1", '[{"a": 1, "b": "x"}]'), case("2", '[{"a": 1}]')), *["0/input"] * 3)
    x("tuples", "an array of several kinds is a tuple, if it always has the same parts",
      typed(case("1", '[[1, "x"]]'), case("2", '[[2, "y"]]'), languages=["cpp", "rust"]))
    x("tuples-of-two-lengths", "no tuple has three parts here and two there",
      typed(case("1", '[[1, "x"]]'), case("2", '[[2, "y", 3]]'), languages=["cpp", "rust"]), "1/input", "1/input")
    x("null", "optional in C++ and Rust, not in C", typed(case("1", "[1]"), case("2", "[null]")), "1/input")
    x("kinds-differ-between-cases", "a parameter has one type for all cases",
      typed(case("1", "[1]"), case("2", '["1"]')), *["1/input"] * 3)
    x("numbers-of-arguments", "Java overloads; C, C++, Rust and Go do not fit", typed(case("1", "[1]"), case("2", "[1, 2]")),
      *["1/input"] * 4)
    x("nul", "a string of C ends at U+0000", typed(case("1", '["a\\u0000b"]'), case("2", '["c"]')), "0/input")
    x("value-in-c", "C returns no objects", typed(case('{"a":1}', "[1]"), case('{"a":2}', "[2]")), "0/expected")
    x("value-null-in-c", "a string that is a null pointer", typed(case("null", "[1]"), case('"a"', "[2]"), languages=["c"]))
    x("nine-arguments", "Rust's functions are called with at most eight",
      typed(case("1", "[1,2,3,4,5,6,7,8,9]"), case("2", "[9,8,7,6,5,4,3,2,1]")), "0/input")
    x("stdin-is-text", "programs that read standard input read anything",
      spec(suite("s", "hidden", case("1", "[[[1]]]"), case("2", "{}")), languages=["c"]))
    l("no-hidden-suite", "lint", "a table of answers passes", spec(suite("p", "public", *pair)),
      ["info", "no-hidden-suite", "/testSuites"])

    d = lambda name, why, *rest, **more: book.deliver(f"{T}/deliver", name, why, *rest, **more)
    limits = {"timeMsPerCase": 2000, "memoryMb": 128, "outputKb": 64, "sourceKb": 64}
    d("hidden-lose-their-cases", "hidden suites keep name and visibility; defaults are written out", both, "s", view={
        "type": T, "languages": ["python", "c"], "harness": {"mode": "stdin_stdout"}, "limits": limits, "testSuites": [
            {"name": "samples", "visibility": "public",
             "cases": [{"input": "", "expected": "1\n", "matcher": "trimmed_lines", "points": 1}]},
            {"name": "hidden", "visibility": "hidden"}]})
    d("everything-public", "all public fields", spec(
        suite("p", "public", case("1", "[]", name="n", matcher="float_tolerance", floatTolerance=N("1e-3"), points=5,
                                  timeoutMs=100)),
        harness=calls, starterCode={"c": "int"}, limits={"memoryMb": N("16.0")}), "s", view={
            "type": T, "languages": ["python", "c"], "harness": calls, "starterCode": {"c": "int"},
            "limits": {**limits, "memoryMb": 16}, "testSuites": [{"name": "p", "visibility": "public", "cases": [
                {"name": "n", "input": "[]", "expected": "1", "matcher": "float_tolerance", "floatTolerance": N("0.001"),
                 "points": 5, "timeoutMs": 100}]}]})
