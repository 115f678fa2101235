"""widget: states are compared as JSON, or with a JSON Schema; the widget's own verdict does not count."""

from .book import Parts
from .canonical import Number as N, read

T = "widget"
NOT = ("info", "The state of the widget is not the expected one.")


def spec(validator, **options):
    return {"type": T, "widgetName": "number-line", "widgetVersion": "1.2.3", "validator": validator, **options}


def equals(state):
    return spec({"kind": "state_equals", "expectedState": read(state) if isinstance(state, str) else state})


def schema(rules, **options):
    return spec({"kind": "state_schema", "stateSchema": rules}, **options)


def say(state):
    return {"type": T, "state": read(state) if isinstance(state, str) else state}


def write(book):
    def g(rule, name, why, spec, submission, raw=None, **more):
        if raw == 0:
            more.setdefault("feedback", [NOT])
        book.grade(f"{T}/{rule}", name, why, spec, submission, raw, **more)

    want = equals('{"points":[1,2.5],"mode":"a","on":true,"none":null}')
    for name, why, state, raw in [
        ("same", "deep equality", '{"points":[1,2.5],"mode":"a","on":true,"none":null}', 1),
        ("key-order", "the order of keys is free", '{"none":null,"on":true,"mode":"a","points":[1,2.5]}', 1),
        ("number-text", "1 = 1.0 and 2.5 = 25e-1", '{"points":[1.0,25e-1],"mode":"a","on":true,"none":null}', 1),
        ("array-order", "arrays are ordered", '{"points":[2.5,1],"mode":"a","on":true,"none":null}', 0),
        ("surplus-key", "a key too many", '{"points":[1,2.5],"mode":"a","on":true,"none":null,"x":1}', 0),
        ("missing-key", "null is not absent", '{"points":[1,2.5],"mode":"a","on":true}', 0),
        ("boolean-is-no-number", "1 is not true", '{"points":[1,2.5],"mode":"a","on":1,"none":null}', 0),
        ("string-is-no-number", '"1" is not 1', '{"points":["1",2.5],"mode":"a","on":true,"none":null}', 0),
        ("near", "no slack for fractions", '{"points":[1,2.5000000000000001],"mode":"a","on":true,"none":null}', 0),
        ("verdict-inside", "what the widget says about itself is not believed", '{"correct":true,"score":1}', 0),
        ("empty", "the empty state", "{}", 0),
    ]:
        g("state_equals", name, why, want, say(state), raw)
    g("state_equals", "big-integers", "integers are exact", equals('{"n":9007199254740993}'), say('{"n":9007199254740992}'), 0)
    box = schema({"type": "object", "required": ["x"], "properties": {"x": {"type": "number", "minimum": 0, "maximum": 1}}})
    for name, why, state, raw in [
        ("inside", "the state validates", '{"x":0.5}', 1), ("bound", "bounds are inclusive", '{"x":1.0}', 1),
        ("outside", "the state does not validate: a general message, never the rule", '{"x":1.5}', 0),
        ("missing", "a required property is missing", "{}", 0),
        ("more", "further properties are free unless the schema forbids them", '{"x":0,"correct":true}', 1)]:
        g("state_schema", name, why, box, say(state), raw)
    local = schema({"$defs": {"n": {"type": "integer"}}, "required": ["a"], "properties": {"a": {"$ref": "#/$defs/n"}}})
    g("state_schema", "local-reference", "references inside the schema work; 3.0 is an integer", local, say('{"a":3.0}'), 1)
    g("state_schema", "local-reference-fails", "and refuse", local, say('{"a":3.5}'), 0)
    tree = schema({"type": "object", "properties": {"next": {"$ref": "#"}}, "additionalProperties": False})
    g("state_schema", "recursive", "a schema may refer to itself", tree, say('{"next":{"next":{}}}'), 1)
    g("state_schema", "pattern", "patterns are those of a linear-time engine",
      schema({"required": ["s"], "properties": {"s": {"pattern": "^(a+)+$"}}}), say({"s": "a" * 40 + "b"}), 0)

    over = Parts([['{"type":"widget","state":{"s":"', 1], ["x", 32_768 - 8 + 1], ['"}}', 1]])
    g("state-too-large", "one-byte-over", "at most 32,768 bytes of compact JSON", box, over,
      refused=("state-too-large", "The widget's state has 32769 bytes; at most 32768 can be graded."))
    g("state-too-large", "bound", "32,768 bytes fit", equals({"s": ""}),
      Parts([['{"type":"widget","state":{"s":"', 1], ["x", 32_768 - 8], ['"}}', 1]]), 0)
    g("state-too-large", "blanks-do-not-count", "the compact form counts, not the text that was sent", equals({"s": ""}),
      Parts([['{"type":"widget","state":{', 1], [" ", 40_000], ['"s":""}}', 1]]), 1)
    g("other-type", "multiple-choice", "a choice cannot come from this question", box,
      {"type": "multiple_choice", "selectedChoiceIds": ["a"]},
      refused=("other-type", "This question takes an answer of type widget, not multiple_choice."))
    g("identity", "validator-does-not-enter", "the validator is secret: same id as state_schema/inside", equals('{"x":0.5}'),
      say('{"x":0.5}'), 1)
    g("identity", "params-enter", "params are public",
      spec({"kind": "state_equals", "expectedState": {}}, params={"b": N("1.50"), "a": []}), say({}), 1)

    e = lambda rule, name, why, *rest: book.error(f"{T}/{rule}", name, why, *rest)
    at = "/validator/stateSchema"
    far = {"$ref": "https://example.org/schema.json"}
    loose = {"type": 3}
    look = {"properties": {"s": {"pattern": "(?=a)b"}}}
    # Sixteen levels that each refer twice to the next: 65,536 copies of the leaf.
    wide = {"$ref": "#/$defs/l0", "$defs": {
        **{f"l{n}": {"allOf": [{"$ref": f"#/$defs/l{n + 1}"}, {"$ref": f"#/$defs/l{n + 1}"}]} for n in range(16)},
        "l16": {"type": "object"}}}
    for rule, name, why, rules in [
        ("remote-reference", "url", "nothing is fetched", far),
        ("remote-reference", "nested", "wherever the reference stands", {"properties": {"a": {"items": far}}}),
        ("remote-reference", "relative", "a relative file is remote too", {"$ref": "other.json#/x"}),
        ("unusable-schema", "type", "a keyword of the wrong type", loose),
        ("unusable-schema", "look-around", "patterns need a linear-time engine", look),
        ("unusable-schema", "missing-definition", "a reference to nothing", {"$ref": "#/$defs/none"}),
        ("schema-too-large", "doubling", "references that double sixteen times", wide),
        ("endless-reference", "root", "the schema applies itself to the same value", {"allOf": [{"$ref": "#"}]}),
    ]:
        e(rule, name, why, schema(rules), say({}), "spec", [at, rule])
    e("unknown-validator", "builtin", "the host has not registered it", spec({"kind": "builtin", "name": "no_such_check"}),
      say({}), "spec", ["/validator/name", "unknown-validator"])
    e("unknown-validator", "kind", "there are three kinds", spec({"kind": "magic"}), say({}), "schema",
      ["/validator/kind", "unknown-word"])
    head = ('{"type":"widget","widgetName":"w","widgetVersion":"1.0.0","validator":{"kind":"state_equals",'
            '"expectedState":{"s":"')
    e("expected-state-too-large", "one-byte-over", "nobody can send such a state",
      Parts([[head, 1], ["x", 32_768 - 8 + 1], ['"}}}', 1]]), say({}), "spec",
      ["/validator/expectedState", "expected-state-too-large"])

    l = lambda rule, name, why, *rest: book.lint(f"{T}/{rule}", name, why, *rest)
    l("lint-clean", "schema", "nothing to say", box)
    l("lint-clean", "equals", "nothing to say", equals('{"a":1}'))
    l("exact-fraction", "lint", "a fraction must be hit exactly", equals('{"a":[{"b":0.5}]}'),
      ["warning", "exact-fraction", "/validator/expectedState"])
    l("params-tell", "lint", "the parameters are the expected state",
      spec({"kind": "state_equals", "expectedState": {"a": 1}}, params={"a": N("1.0")}), ["warning", "params-tell", "/params"])
    l("params-tell", "named", "a parameter is named like the solution and has a value of the state",
      spec({"kind": "state_equals", "expectedState": {"a": 4}}, params={"max": 10, "answer": 4}), ["warning", "params-tell", "/params"])
    l("params-tell", "other-value", "another number under that name is none",
      spec({"kind": "state_equals", "expectedState": {"a": 4}}, params={"max": 10, "answer": 7}))
    l("empty-state-passes", "lint", "sending nothing earns everything", schema({"type": "object"}),
      ["warning", "empty-state-passes", at])
    l("remote-reference", "lint", "spec errors are findings of lint as well", schema(far), ["error", "remote-reference", at])
    l("unusable-schema", "lint", "spec errors are findings of lint as well", schema(loose), ["error", "unusable-schema", at])
    l("endless-reference", "lint", "spec errors are findings of lint as well", schema({"$ref": "#"}), ["error", "endless-reference", at])
    l("schema-too-large", "lint", "spec errors are findings of lint as well", schema(wide), ["error", "schema-too-large", at])
    l("unknown-validator", "lint", "spec errors are findings of lint as well", spec({"kind": "builtin", "name": "no_such_check"}),
      ["info", "unknown-validator", "/validator/name"])
    l("expected-state-too-large", "lint", "spec errors are findings of lint as well",
      Parts([[head, 1], ["x", 32_768 - 8 + 1], ['"}}}', 1]]), ["error", "expected-state-too-large", "/validator/expectedState"])

    d = lambda name, why, *rest, **more: book.deliver(f"{T}/deliver", name, why, *rest, **more)
    plain = {"type": T, "widgetName": "number-line", "widgetVersion": "1.2.3"}
    d("allow-list", "no validator", box, "s", view=plain)
    d("builtin", "a view needs no registered validator", spec({"kind": "builtin", "name": "no_such_check", "config": {"k": 1}}),
      "s", view=plain)
    d("params", "params as canonical JSON", spec({"kind": "builtin", "name": "x"}, params=read('{"b":1.50,"a":[1e2]}')), "s",
      view={**plain, "params": {"a": [100], "b": N("1.5")}})
