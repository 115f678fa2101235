"""expression: the three kinds of comparison, the rules about symbols and functions, the view."""

from .canonical import Number as N

T = "expression"


def spec(canonical="x+1", equivalence="symbolic", **options):
    return {"type": T, "canonical": canonical, "equivalence": equivalence, **options}


def write(book):
    d = lambda name, why, *rest, **more: book.deliver(f"{T}/deliver", name, why, *rest, **more)
    filled = {"type": T, "equivalence": "symbolic", "samplePoints": 20, "tolerance": N("0.000001"),
              "forbidConstantAnswer": True}
    d("allow-list", "no canonical expression; defaults are written out", spec(), "s", view=filled)
    d("another-key", "the key does not matter", spec("\\frac{1}{x}"), "s", view=filled)
    d("everything-public", "all public fields", spec(
        equivalence="numeric_sampling", samplePoints=N("5.0"), tolerance=N("1e-3"), allowedFunctions=["sin", "ln"],
        forbidConstantAnswer=False, variables=[{"name": "x"}, {"name": "n", "domain": {
            "min": 1, "integer": True, "exclude": [N("2.50")]}}]), "s",
      view={"type": T, "equivalence": "numeric_sampling", "samplePoints": 5, "tolerance": N("0.001"),
            "allowedFunctions": ["sin", "ln"], "forbidConstantAnswer": False, "variables": [{"name": "x"}, {
                "name": "n", "domain": {"min": 1, "max": 10, "integer": True, "exclude": [N("2.5")]}}]})
    def say(latex):
        return {"type": T, "latex": latex}

    def g(rule, name, why, *rest, **more):
        book.grade(f"{T}/{rule}", name, why, *rest, **more)

    for name, key, answer, raw, why in [
        ("same", "x+1", "x+1", 1, "the key itself"), ("commuted", "x+1", "1+x", 1, "order of a sum"),
        ("expanded", "(x+1)^2", "x^2+2x+1", 1, "the same polynomial"),
        ("other", "(x+1)^2", "x^2+1", 0, "differs at x = 1"),
        ("cancelled", "\\frac{x^2-1}{x-1}", "x+1", 1, "equal wherever both are defined"),
        ("pythagoras", "1+y", "\\sin^2 x+\\cos^2 x+y", 1, "an identity of functions"),
        ("decimal", "0.5x", "\\frac{x}{2}", 1, "decimals are exact fractions"),
        ("root-of-square", "x", "\\sqrt{x^2}", 0, "the root of a square is |x|"),
        ("near", "x", "1.0000000001x", 0, "no tolerance: close is not equal"),
    ]:
        g("symbolic", name, why, spec(key), say(answer), raw)
    positive = [{"name": "x", "domain": {"min": 0}}]
    g("symbolic", "domain-asked", "on a domain x >= 0 the root of a square is x", spec("x", variables=positive),
      say("\\sqrt{x^2}"), 1)
    for name, key, answer, raw, why in [
        ("same", "x+1", "x+1", 1, "the same form"), ("blanks", "x+1", " x + 1 ", 1, "blanks are not part of the form"),
        ("expanded", "(x+1)^2", "x^2+2x+1", 0, "equal, but of another form"),
        ("dfrac", "\\frac{1}{2}", "\\dfrac12", 1, "the size of a fraction is not part of the form"),
    ]:
        g("literal", name, why, spec(key, "literal"), say(answer), raw)
    sampled = lambda key, **options: spec(key, "numeric_sampling", **options)
    g("numeric-sampling", "same", "equal at every point", sampled("x^2-1"), say("(x-1)(x+1)"), 1)
    g("numeric-sampling", "within", "|a-b| <= tol * max(1, |a|, |b|)", sampled("x"), say("1.0000001x"), 1)
    g("numeric-sampling", "outside", "a millionth is not a thousandth", sampled("x"), say("1.001x"), 0)
    g("numeric-sampling", "wider", "the author's tolerance", sampled("x", tolerance=N("0.001")), say("1.0009x"), 1)
    for name, key, answer, raw in [
        ("named", "x=1.414", "x=1.4142", 1), ("unnamed", "x=1.414", "1.4142", 1), ("set", "\\{1.414,-1.414\\}", "\\{-1.4142,1.4142\\}", 1),
        ("point", "(1.414,2)", "(1.4142,2)", 1), ("interval", "[0,1.414]", "[0,1.4142]", 1), ("line", "y=1.414x+2", "y=1.4142x+2", 1),
        ("outside-a-set", "\\{1.414,2\\}", "\\{1.42,2\\}", 0), ("outside-a-point", "(1.414,2)", "(1.414,2.01)", 0),
        ("small-sign", "x>0.0000001", "x<0.0000001", 0),
    ]:
        g("numeric-sampling", f"parts-{name}", "each part within the tolerance", sampled(key, tolerance=N("0.001")),
          say(answer), raw)
    g("numeric-sampling", "half-undefined", "undefined at more than 5 % of the points", sampled("x^2"),
      say("\\sqrt{x}^4"), 0)
    g("numeric-sampling", "too-few-points", "fewer than 5 points where the key has a value: nobody can decide",
      sampled("\\sqrt{-1-x^2}"), say("x"),
      failed="Your formula could not be compared for certain. Try to write it in a simpler form.")

    listed = [{"name": "x"}]
    g("symbols", "not-listed", "a symbol outside `variables` is incorrect, by the learner's own name",
      spec("2x", variables=listed), say("2y"), 0, feedback=[("hint", "The symbol y does not occur in this question.")])
    g("symbols", "all-free", "without `variables` every symbol is a variable", spec("2x"), say("2y"), 0)
    g("functions", "not-allowed", "a function outside `allowedFunctions`, named", spec("2x", allowedFunctions=["cos"]),
      say("2x+\\sin x-\\sin x"), 0, feedback=[("hint", "The function sin may not be used here.")])
    g("functions", "allowed", "one that is listed", spec("\\cos x", allowedFunctions=["cos"]), say("\\cos(x)"), 1)
    g("constant", "forbidden", "a constant where the key has variables", spec("2x"), say("7"), 0,
      feedback=[("hint", "The answer must depend on the variables.")])
    g("constant", "allowed", "unless the author allows it", spec("2x", forbidConstantAnswer=False), say("7"), 0)
    g("constant", "unnamed", "a solution need not contain what it is solved for", spec("x=3"), say("3"), 1)
    g("constant", "void", "without a variable in the key the rule is void", spec("\\frac{1}{2}"), say("0.5"), 1)
    g("letters", "word", "a word is a product of letters, and looks the same when printed", spec("2v"), say("velocity"), 0,
      feedback=[("info", "Letters without spaces were read as a product of variables.")])
    comma = "The comma was read as separating several values. Write decimals with a point."
    g("comma", "decimal", "a decimal comma separates values", spec("3.14"), say("3,14"), 0, feedback=[("hint", comma)])
    g("comma", "braces", "in braces it is a decimal comma", spec("3.14"), say("3{,}14"), 1)
    g("comma", "several-asked", "where several values are asked for the hint would mislead", spec("3,15"), say("3,14"), 0,
      feedback=[("info", "Your formula was read as 3, 14; check that this is what you meant.")])
    g("identity", "key-does-not-enter", "the key is not part of the id: same id as symbolic/same", spec("x+2"), say("x+1"), 0)

    e = lambda rule, name, why, spec, *rules: book.error(f"{T}/{rule}", name, why, spec, say("x"), "spec", *rules)
    l = lambda rule, name, why, *rest: book.lint(f"{T}/{rule}", name, why, *rest)
    within = lambda **domain: [{"name": "x", "domain": domain}]
    for rule, why, document, pointer in [
        ("unreadable-canonical", "nobody can read the key", spec("\\frac{x}{"), "/canonical"),
        ("duplicate-variable", "a variable twice", spec("x", variables=[{"name": "x"}, {"name": "x"}]), "/variables/1/name"),
        ("min-above-max", "an empty domain", spec("x", variables=within(min=5, max=3)), "/variables/0/domain/min"),
        ("min-above-max-default", "above the default maximum of 10", spec("x", variables=within(min=11)),
         "/variables/0/domain/min"),
        ("empty-domain", "all integers are excluded", spec("x", variables=within(min=1, max=2, integer=True, exclude=[1, 2])),
         "/variables/0/domain"),
        ("unlisted-variable", "the key uses a symbol that learners may not", spec("x+y", variables=listed), "/variables"),
    ]:
        folder = rule.replace("-default", "")
        e(folder, rule, why, document, [pointer, folder])
        l(folder, f"lint-{rule}", "spec errors are findings of lint as well", document, ["error", folder, pointer])
    l("lint-clean", "plain", "nothing to say", spec("x+1"))
    l("canonical-uses-forbidden-function", "lint", "the author uses what learners may not",
      spec("\\sin x", allowedFunctions=["cos"]), ["warning", "canonical-uses-forbidden-function", "/allowedFunctions"])
    l("samples-nowhere", "lint", "the key has no value anywhere on the domain", sampled("\\sqrt{-1-x^2}"),
      ["warning", "samples-nowhere", "/variables"])
    l("canonical-ambiguous", "lint", "1/2x may be read in two ways", spec("1/2x"), ["warning", "canonical-ambiguous", "/canonical"])
    for name, key in [("times", "2\times x"), ("theta", "\theta+1"), ("rho", "\rho g"), ("nu", "x+\nu")]:
        l("lost-backslash", name, "in JSON a single backslash makes a control character", spec(key),
          ["warning", "lost-backslash", "/canonical"])
    l("lost-backslash", "lines", "a text of several lines is not an accident", spec("x\n\t+y"))
    l("sampling-unused", "tolerance", "without sampling there is no tolerance", spec("3.5", tolerance=N("0.001")),
      ["warning", "sampling-unused", "/tolerance"])
    l("sampling-unused", "points", "nor are there points", spec("x", "literal", samplePoints=50),
      ["warning", "sampling-unused", "/samplePoints"])
    l("canonical-constant", "lint", "x - x + 5 does not depend on x", spec("x-x+5"),
      ["warning", "canonical-constant", "/forbidConstantAnswer"])
    l("always-true", "inequality", "a square is never negative", spec("x^2\\ge0"), ["warning", "always-true", "/canonical"])
    l("never-true", "lint", "no number is its own successor", spec("x=x+1"), ["warning", "never-true", "/canonical"])
    l("exclusions-tell", "lint", "the excluded values are the poles", spec("\\frac{1}{x-2}", variables=within(exclude=[2])),
      ["info", "exclusions-tell", "/variables/0/domain/exclude"])

    book.grade(f"{T}/other-type", "numeric", "a number cannot come from this question", spec(),
               {"type": "numeric", "value": 1},
               refused=("other-type", "This question takes an answer of type expression, not numeric."))
