"""matching: pairs, partial credit, many to one."""

T = "matching"


def side(ids, word, **contents):
    return [{"id": name, "content": contents.get(name, f"{word} {name}")} for name in ids.split()]


def pairs(text):
    return [dict(zip(("left", "right"), pair.split("-"))) for pair in text.split()]


def spec(key="a-z b-x c-y", left="a b c", right="w x y z", **options):
    return {"type": T, "left": side(left, "left"), "right": side(right, "right"), "correctPairs": pairs(key), **options}


def say(text):
    return {"type": T, "pairs": pairs(text)}


def write(book):
    def g(rule, name, why, *rest, **more):
        book.grade(f"{T}/{rule}", name, why, *rest, **more)

    three = spec()
    g("partial", "all", "3 / max(3, 3)", three, say("a-z b-x c-y"), 1)
    g("partial", "order-means-nothing", "the order of the pairs means nothing", three, say("c-y a-z b-x"), 1)
    g("partial", "one-wrong", "2 / 3", three, say("a-z b-x c-w"), "2/3")
    g("partial", "one-missing", "2 / max(3, 2): a pair left out earns nothing", three, say("a-z b-x"), "2/3")
    g("partial", "one-only", "1 / 3", three, say("b-x"), "1/3")
    g("partial", "none", "0 / 3", three, say("a-x b-z"), 0)
    g("partial", "duplicates-collapse", "the same pair twice counts once", three, say("a-z a-z b-x c-y"), 1)
    g("partial", "duplicate-of-a-wrong-one", "also when it is wrong", three, say("a-x a-x"), 0)
    two = spec("a-z b-x")
    g("partial", "distractor-paired", "c has no partner: pairing it makes it 2 / max(2, 3)", two, say("a-z b-x c-y"), "2/3")
    g("partial", "distractor-left-alone", "leaving it alone is right", two, say("a-z b-x"), 1)
    strict = spec(partialCredit=False)
    g("all-or-nothing", "all", "set equality", strict, say("b-x a-z c-y"), 1)
    g("all-or-nothing", "one-missing", "one missing: nothing", strict, say("a-z b-x"), 0)
    g("all-or-nothing", "one-wrong", "one wrong: nothing", strict, say("a-z b-x c-w"), 0)
    g("all-or-nothing", "surplus", "a pair too many: nothing", spec("a-z b-x", partialCredit=False), say("a-z b-x c-y"), 0)
    many = spec("a-x b-x c-y", allowManyToOne=True)
    g("many-to-one", "all", "two left items share a partner", many, say("a-x b-x c-y"), 1)
    g("many-to-one", "all-on-one", "putting everything on one partner earns its hits", many, say("a-x b-x c-x"), "2/3")

    twice = ("left-used-twice", "Give each item on the left one partner only.")
    g("left-used-twice", "two-partners", "a left item with two partners", three, say("a-z a-x"), refused=twice)
    g("left-used-twice", "also-many-to-one", "also when a right item may have several", many, say("a-x a-y"), refused=twice)
    g("right-used-twice", "shared", "a right item may be used once", three, say("a-z b-z"),
      refused=("right-used-twice", "Use each item on the right once only."))
    unknown = ("unknown-item", "A pair names an item that is not part of this question.")
    g("unknown-item", "left", "an unknown left id", three, say("q-z"), refused=unknown)
    g("unknown-item", "right", "an unknown right id", three, say("a-q"), refused=unknown)
    g("unknown-item", "wrong-side", "an id of the other side", three, say("z-a"), refused=unknown)
    g("other-type", "widget", "a widget's state cannot come from this question", three, {"type": "widget", "state": {}},
      refused=("other-type", "This question takes an answer of type matching, not widget."))
    g("identity", "key-does-not-enter", "the key is not part of the id: same id as partial/all", spec("a-w b-x c-y"),
      say("a-z b-x c-y"), "2/3")
    g("identity", "order-of-pairs-enters", "the submission is taken as sent: another id than partial/all", three,
      say("b-x a-z c-y"), 1)

    e = lambda rule, name, why, *rest: book.error(f"{T}/{rule}", name, why, *rest)
    e("duplicate-id", "both-sides", "an id must name one item of its side", spec("a-x b-y", "a b a", "x y x"), say("a-x"),
      "spec", ["/left/2/id", "duplicate-id"], ["/right/2/id", "duplicate-id"])
    g("duplicate-id", "across-sides", "the sides have ids of their own", spec("a-a b-b", "a b", "b a c"), say("a-a b-b"), 1)
    e("unknown-item", "key", "the key names items nobody knows", spec("a-z q-x c-q"), say("a-z"), "spec",
      ["/correctPairs/1/left", "unknown-item"], ["/correctPairs/2/right", "unknown-item"],
      ["/left/1", "left-without-partner"])
    e("left-paired-twice", "key", "a left item with two partners in the key", spec("a-x a-y b-z", "a b"), say("a-x"), "spec",
      ["/correctPairs/1/left", "left-paired-twice"])
    e("right-paired-twice", "key", "a right item with two partners in the key", spec("a-x b-x", "a b"), say("a-x"), "spec",
      ["/correctPairs/1/right", "right-paired-twice"])

    l = lambda rule, name, why, *rest: book.lint(f"{T}/{rule}", name, why, *rest)
    l("lint-clean", "four-right", "one in four by chance", three)
    l("left-without-partner", "lint", "c has no partner", two, ["warning", "left-without-partner", "/left/2"])
    l("guessable-matching", "three-three", "one in three by chance", spec(right="x y z"),
      ["info", "guessable-matching", "/right"])
    l("guessable-matching", "two-two", "a coin", spec("a-y b-x", "a b", "x y"), ["warning", "guessable-matching", "/right"])
    l("guessable-matching", "two-classes", "three items in two classes", spec("a-x b-y c-x", "a b c", "x y", allowManyToOne=True),
      ["info", "guessable-matching", "/right"])
    l("guessable-matching", "all-or-nothing", "without partial credit the last pair is still left over",
      spec(right="x y z", partialCredit=False), ["info", "last-pair-by-elimination", "/right"])
    l("telling-id", "same-ids", "partners have the same id", spec("a-a b-b c-c", right="a b c d"),
      ["warning", "telling-id", "/correctPairs"])
    twins = {**three, "left": side("a b c", "left", a="same", b="same"), "right": side("w x y z", "r", w="q", z="q")}
    l("same-item-twice", "both-sides", "items that say the same cannot be told apart", twins,
      ["warning", "same-item-twice", "/left/1/content"], ["warning", "same-item-twice", "/right/3/content"])
    l("duplicate-id", "lint", "spec errors are findings of lint as well", spec("a-x b-y", "a b", "w x y z w"),
      ["error", "duplicate-id", "/right/4/id"], ["warning", "same-item-twice", "/right/4/content"])
    l("unknown-item", "lint", "spec errors are findings of lint as well", spec("a-x b-y c-q"),
      ["error", "unknown-item", "/correctPairs/2/right"])
    l("left-paired-twice", "lint", "spec errors are findings of lint as well", spec("a-x a-y b-z c-w"),
      ["error", "left-paired-twice", "/correctPairs/1/left"])
    l("right-paired-twice", "lint", "spec errors are findings of lint as well", spec("a-x b-x c-y"),
      ["error", "right-paired-twice", "/correctPairs/1/right"])

    d = lambda name, why, *rest, **more: book.deliver(f"{T}/deliver", name, why, *rest, **more)
    for seed in ("", "1", "learner"):
        d(f"shuffled-{seed or 'empty-seed'}", "both sides are shuffled, each in its own way", spec(prompt="Match"), seed)
    d("another-key", "the key does not matter", spec("a-w b-y c-x", prompt="Match"), "1")
    d("author-order", "nor does the author's order", spec(left="c b a", right="z w y x", prompt="Match"), "1")
