"""ordering: equality, correct neighbours, the longest correct subsequence."""

T = "ordering"


def items(ids, **contents):
    return [{"id": name, "content": contents.get(name, f"item {name}")} for name in ids]


def spec(key, credit=None, shown=None, **options):
    """The ids are letters: `key` in the right order, `shown` as the items stand (without it, the key backwards)."""
    document = {"type": T, "items": items(shown or key[::-1]), "correctOrder": list(key), **options}
    if credit:
        document["partialCredit"] = credit
    return document


def order(ids):
    return {"type": T, "order": list(ids)}


def write(book):
    def g(rule, name, why, *rest, **more):
        book.grade(f"{T}/{rule}", name, why, *rest, **more)

    key = "dbac"
    g("none", "equal", "the right order", spec(key), order("dbac"), 1)
    g("none", "swapped", "anything else earns nothing", spec(key), order("bdac"), 0)
    g("none", "reversed", "anything else earns nothing", spec(key), order("cabd"), 0)
    g("none", "author-order-means-nothing", "the order of `items` is not the key", spec(key, shown="abcd"), order("abcd"), 0)
    for name, given, raw, why in [
        ("equal", "dbac", 1, "3 of 3 neighbours"),
        ("rotated", "bacd", "2/3", "ba, ac stay together"),
        ("halves-swapped", "acdb", "2/3", "ac, db stay together; db at the end counts too"),
        ("one-pair", "bdac", "1/3", "only ac: bd is db turned round"),
        ("reversed", "cabd", 0, "turned round no pair counts"),
        ("spread", "adcb", 0, "no neighbours although some are in order"),
    ]:
        g("adjacent_pairs", name, why, spec(key, "adjacent_pairs"), order(given), raw)
    g("adjacent_pairs", "two-items", "n = 2: one pair", spec("ba", "adjacent_pairs"), order("ab"), 0)
    g("adjacent_pairs", "moodle-example", "key 1234, answer 3124: only 12 of three pairs",
      spec("1234", "adjacent_pairs"), order("3124"), "1/3")
    for name, given, raw, why in [
        ("equal", "dbac", 1, "the whole key"),
        ("one-moved-to-the-end", "bacd", "3/4", "bac"),
        ("halves-swapped", "acdb", "1/2", "ac or db"),
        ("reversed", "cabd", "1/4", "one item is always in order"),
        ("gaps-count", "dcba", "3/4", "d, b, a are in the key's order with c between"),
    ]:
        g("longest_subsequence", name, why, spec(key, "longest_subsequence"), order(given), raw)
    g("longest_subsequence", "twelve", "three blocks of four in the wrong order: the longest run is one block",
      spec("abcdefghijkl", "longest_subsequence"), order("ijklefghabcd"), "1/3")
    g("longest_subsequence", "two-reversed", "n = 2: 1/2", spec("ab", "longest_subsequence"), order("ba"), "1/2")

    refused = ("not-a-permutation", "Put every item into the order exactly once.")
    g("not-a-permutation", "too-short", "an item is missing", spec(key), order("dba"), refused=refused)
    g("not-a-permutation", "unknown", "an item nobody knows", spec(key), order("dbax"), refused=refused)
    g("not-a-permutation", "surplus", "an item too many", spec(key), order("dbacx"), refused=refused)
    g("other-type", "matching", "pairs cannot come from this question", spec(key),
      {"type": "matching", "pairs": [{"left": "a", "right": "b"}]},
      refused=("other-type", "This question takes an answer of type ordering, not matching."))
    g("identity", "key-does-not-enter", "the key is not part of the id: same id as none/equal",
      spec("abcd", shown=key[::-1]), order("dbac"), 0)
    g("identity", "author-order-does-not-enter", "nor is the author's order", spec(key, shown="bcda"), order("dbac"), 1)

    e = lambda rule, name, why, *rest: book.error(f"{T}/{rule}", name, why, *rest)
    e("duplicate-id", "items", "an id must name one item", spec("ab", shown="aab"), order("ab"), "spec",
      ["/items/1/id", "duplicate-id"], ["/correctOrder", "order-not-a-permutation"])
    e("order-not-a-permutation", "short", "the key lacks an item", spec("abc", shown="abcd"), order("abcd"), "spec",
      ["/correctOrder", "order-not-a-permutation"])
    e("order-not-a-permutation", "unknown", "the key names an unknown item", spec("abx", shown="abc"), order("abc"), "spec",
      ["/correctOrder", "order-not-a-permutation"])
    e("order-not-a-permutation", "twice", "an item twice in the key is not of the schema's form",
      {**spec("ab"), "correctOrder": ["a", "a"]}, order("ab"), "schema", ["/correctOrder/1", "duplicate-element"])

    l = lambda rule, name, why, *rest: book.lint(f"{T}/{rule}", name, why, *rest)
    l("lint-clean", "none", "four items: a random order earns 1/24", spec(key))
    l("lint-clean", "adjacent", "five items: a random order earns 1/5", spec("dbace", "adjacent_pairs"))
    l("lint-clean", "adjacent-quarter", "four items: 1/4 is the limit", spec(key, "adjacent_pairs"))
    l("numbers-out-of-order", "years-in-brackets", "the years behind the events neither rise nor fall",
      {"type": T, "items": items("kfgz", k="Fall of Rome (476)", f="Hastings (1066)", g="Magna Carta (1215)", z="Verdun (843)"),
       "correctOrder": list("kfgz")}, ["warning", "numbers-out-of-order", "/correctOrder"])
    l("numbers-out-of-order", "years-rise", "years that rise",
      {"type": T, "items": items("zfkg", k="Hastings (1066)", f="Verdun (843)", g="Magna Carta (1215)", z="Fall of Rome (476)"),
       "correctOrder": list("zfkg")})
    l("numbers-out-of-order", "dates-in-two-notations", "a month has the same number as a word and in digits",
      {"type": T, "items": items("kdq", k="1.2.2020", d="31 January 2020", q="2.1.2020"), "correctOrder": list("qdk")})
    l("guessable-order", "two-items", "two items: 1/2", spec("ba"), ["info", "guessable-order", "/partialCredit"])
    l("guessable-order", "adjacent-three", "three items: 1/3", spec("bac", "adjacent_pairs"),
      ["info", "guessable-order", "/partialCredit"])
    l("guessable-order", "longest-run", "five items: a random order earns 0.56", spec("dbace", "longest_subsequence"),
      ["info", "guessable-order", "/partialCredit"], ["info", "reversed-order-pays", "/partialCredit"])
    l("reversed-order-pays", "twelve-items", "the reversed order earns 1/12", spec("lkjihgfedcab", "longest_subsequence"),
      ["info", "guessable-order", "/partialCredit"], ["info", "reversed-order-pays", "/partialCredit"])
    l("telling-id", "sorted", "the ids sort into the key", spec("abcd"), ["warning", "telling-id", "/items"])
    l("telling-id", "backwards", "nor may they be numbered against it", spec("dcba"), ["warning", "telling-id", "/items"])
    words = [{"id": name, "content": name.title()} for name in ("iron", "bronze", "modern")]
    l("telling-id", "words", "words that happen to be sorted are not numbers",
      {"type": T, "items": words, "correctOrder": ["bronze", "iron", "modern"]})
    l("same-item-twice", "lint", "nobody can tell which comes first",
      {**spec(key), "items": items("dbac", a="same", b="same")}, ["warning", "same-item-twice", "/items/2/content"])
    l("duplicate-id", "lint", "spec errors are findings of lint as well", spec("bca", shown="bbca"),
      ["error", "duplicate-id", "/items/1/id"], ["error", "order-not-a-permutation", "/correctOrder"],
      ["warning", "same-item-twice", "/items/1/content"])
    l("order-not-a-permutation", "lint", "spec errors are findings of lint as well", spec("bax", shown="abcd"),
      ["error", "order-not-a-permutation", "/correctOrder"])

    d = lambda name, why, *rest, **more: book.deliver(f"{T}/deliver", name, why, *rest, **more)
    for seed in ("", "1", "2", "3"):
        d(f"shuffled-{seed or 'empty-seed'}", "always shuffled; the order follows from the seed and public content",
          spec("abcdef", "adjacent_pairs", prompt="Sort them"), seed)
    d("author-order", "the author's order does not matter", spec("abcdef", "adjacent_pairs", "badcfe", prompt="Sort them"), "1")
    d("another-key", "nor does the key", spec("fedcba", "adjacent_pairs", prompt="Sort them"), "1")
    d("same-content", "items of the same content are told apart by their ids",
      {**spec("ab"), "items": items("ba", a="x", b="x")}, "s")
