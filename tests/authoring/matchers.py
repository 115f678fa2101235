"""The five matchers."""

import base64


def write(book):
    def table(matcher, rows, **more):
        for name, why, expected, actual, accept, *tolerance in rows:
            book.match(f"matcher/{matcher}", name, why, matcher, expected, actual, accept,
                       tolerance[0] if tolerance else None, **more)

    table("exact", [
        ("equal", "equal bytes", "a b\n", "a b\n", True),
        ("final-line-feed", "the final line feed counts", "a b\n", "a b", False),
        ("crlf", "line ends count", "a\n", "a\r\n", False),
        ("empty", "nothing is nothing", "", "", True),
        ("normal-form", "composed and decomposed é are different bytes", "é", "e\u0301", False),
    ])
    table("trimmed_lines", [
        ("equal", "equal lines", "a\nb\n", "a\nb\n", True),
        ("no-final-line-feed", "the final line feed does not count", "a\nb\n", "a\nb", True),
        ("blanks-at-line-ends", "SP TAB CR VT FF at line ends do not count", "a\nb\n", "a \t\r\nb\u000b\u000c\n", True),
        ("empty-lines-at-the-end", "nor do empty lines at the end", "a\n", "a\n\n \n\t\n", True),
        ("leading-blanks", "blanks at line starts count", "a\n", " a\n", False),
        ("inner-empty-line", "inner empty lines count", "a\nb\n", "a\n\nb\n", False),
        ("leading-empty-line", "as do empty lines at the start", "a\n", "\na\n", False),
        ("inner-blanks", "inner blanks count", "a b\n", "a  b\n", False),
        ("lone-cr", "a lone CR is not a line end", "a\nb\n", "a\rb\n", False),
        ("no-break-space", "a no-break space is not a blank", "a\n", "a\u00a0\n", False),
        ("both-empty", "only blanks are nothing", "", " \n\n", True),
        ("case", "letters are compared exactly", "Yes\n", "yes\n", False),
    ])
    table("tokens", [
        ("blanks", "any run of the six ASCII blanks separates", "1 2\n3", "\t1\r\n2\u000b\u000c3 \n", True),
        ("line-breaks-vanish", "line breaks are blanks", "1 2 3", "1\n2\n3\n", True),
        ("split", "tokens are not joined", "12", "1 2", False),
        ("surplus", "no token more", "1 2", "1 2 3", False),
        ("missing", "no token less", "1 2", "1", False),
        ("no-break-space", "a no-break space separates nothing", "1 2", "1\u00a02", False),
        ("number-text", "tokens are text: 1.0 is not 1", "1", "1.0", False),
        ("empty", "no tokens equal no tokens", "", " \n", True),
    ])
    table("float_tolerance", [
        ("absolute", "|e-a| <= tol, inclusive, in exact decimals", "0.3", "0.31", True, "0.01"),
        ("absolute-above", "a hair more is too much", "0.3", "0.310000000000000000001", False, "0.01"),
        ("relative", "or |e-a| <= tol * |e|", "700", "707", True, "0.01"),
        ("relative-above", "a hair more is too much", "700", "707.0000000000000000001", False, "0.01"),
        ("relative-to-expected", "relative to the expected, not to the actual number", "707", "699.93", True, "0.01"),
        ("default", "one millionth without a tolerance", "1", "1.000001", True),
        ("default-above", "and no more", "1", "1.0000011", False),
        ("forms", "all forms of decimal numbers", "1e2 +.5 5. -0", "100 0.5 5.0 0", True),
        ("token-count", "the number of tokens must be the same", "1 2", "1 2 3", False),
        ("words-exact", "a token that is not a number must be equal", "x=1", "x=1.0000001", False),
        ("nan-word", "nan is a word: equal to itself", "nan", "nan", True),
        ("inf-word", "inf is a word, not a number", "inf", "infinity", False),
        ("hex", "hexadecimal is a word", "16", "0x10", False),
        ("number-for-word", "a number where a word is expected", "abc", "1", False),
        ("word-for-number", "a word where a number is expected", "1", "abc", False),
        ("sign", "the sign counts", "100", "-100", False),
        ("lines", "lines are blanks", "1\n2\n", "1 2", True),
        ("zero", "around zero only the absolute tolerance helps", "0", "0.01", True, "0.01"),
    ])
    table("json", [
        ("key-order", "key order is free, blanks do not count", '{"a":1,"b":[1,2]}', ' { "b" : [1, 2], "a": 1 }\n', True),
        ("array-order", "array order counts", "[1,2]", "[2,1]", False),
        ("number-text", "1 = 1.0 = 1e0", "[1,1,1]", "[1,1.0,1e0]", True),
        ("big-integers", "integers are exact", "9007199254740993", "9007199254740992", False),
        ("boolean", "a boolean is not a number", "1", "true", False),
        ("string", "a string is not a number", "1", '"1"', False),
        ("null", "null is not absent", '{"a":null}', "{}", False),
        ("empty-array-object", "an empty array is not an empty object", "[]", "{}", False),
        ("duplicate-keys", "duplicate keys are rejected", '{"a":1}', '{"a":1,"a":1}', False),
        ("nan", "NaN is not JSON", "1", "NaN", False),
        ("trailing-text", "one value only", "1", "1 2", False),
        ("lone-surrogate", "lone surrogates are rejected", '"x"', '"\\ud800"', False),
        ("escapes", "an escaped letter is the letter", '"é"', '"\\u00e9"', True),
        ("surrogate-pair", "a pair of surrogates is one character", '"🎈"', '"\\ud83c\\udf88"', True),
        ("empty", "an empty text is not a value", "1", "", False),
        ("tolerance", "a tolerance holds for numbers", "[0.3]", "[0.31]", True, "0.01"),
        ("tolerance-absent", "without one numbers are exact", "[0.3]", "[0.30000000001]", False),
        ("depth-128", "128 levels are read", "[" * 128 + "]" * 128, "[" * 128 + "]" * 128, True),
        ("depth-129", "129 are not", "[" * 129 + "]" * 129, "[" * 129 + "]" * 129, False),
        ("wide-numbers", "outputs may leave the range of doubles", "1e400", "10e399", True),
    ])
    encode = lambda text: base64.b64encode(text).decode()
    for matcher in ("exact", "trimmed_lines", "tokens", "float_tolerance"):
        table(matcher, [
            ("bytes-equal", "any bytes are compared", encode(b"\xff\x00\n"), encode(b"\xff\x00\n"), True),
            ("bytes-differ", "never decoded lossily: two invalid bytes differ", encode(b"\xff"), encode(b"\xfe"), False),
        ], base64=True)
    table("json", [("invalid-utf8", "JSON is UTF-8", encode(b'"x"'), encode(b'"\xff"'), False)], base64=True)
