"""Writes `fablegrade.documents`, the TypedDicts of all documents, from the JSON Schemas.

    python fablegrade-py/tests/typed_documents.py            write
    python fablegrade-py/tests/typed_documents.py --check    check whether the module is up to date
"""

from __future__ import annotations

import json
import keyword
import re
import sys
import textwrap
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
MODULE = ROOT / "fablegrade-py/python/fablegrade/documents.py"

Schema = dict[str, Any]

HEAD = '''"""The documents as types, for editors and type checkers: what a question, an answer or a result may hold.

They are generated from the JSON Schemas. At run time a document is a dict like any other:

>>> from fablegrade import Grader
>>> from fablegrade.documents import NumericSpec
>>> spec: NumericSpec = {"type": "numeric", "answer": {"value": 4}}
>>> Grader(spec).type
'numeric'

A misspelt field or word is an error of the type checker, before anything runs. Limits (how many choices, how long a text)
are checked by `Grader`, not by types. A document that is only known as `dict[str, object]` goes through JSON, or
`typing.cast`.
"""

# ruff: noqa: E501

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Literal, TypedDict, Union

Json = Union[None, bool, int, float, Decimal, str, Sequence["Json"], Mapping[str, "Json"]]
"""Any JSON value."""

Number = Union[int, float, Decimal]
"""A number; a `Decimal` counts with all its digits."""
'''

# Classes for parts that have no name in the schemas.
NAMES = {
    "NumericSpecAnswerValueTolerance": "Tolerance",
    "NumericSpecAnswerValue": "NumericValue",
    "NumericSpecAnswerMax": "NumericRange",
    "WidgetSpecValidatorStateEquals": "StateEqualsValidator",
    "WidgetSpecValidatorStateSchema": "StateSchemaValidator",
    "WidgetSpecValidatorBuiltin": "BuiltinValidator",
    "SuiteViewPublic": "PublicSuiteView",
    "SuiteViewHidden": "HiddenSuiteView",
    "CodeSpecStarterCode": "StarterCode",
    "CodeViewStarterCode": "StarterCode",
}

# Documents that do not have their own schema.
TAIL = '''
class Context(TypedDict, total=False):
    """Facts beyond the answer: the engine has no clock and no memory."""

    attemptId: str
    """The attempt's id, a UUID; without one it is derived from the question and the answer."""
    gradedAt: str
    """When it is graded (RFC 3339)."""
    problemVersionId: str
    """The version of the problem that the question belongs to: attempts at another one are refused."""
    hints: Mapping[str, Number]
    """What each hint costs, in [0, 1]."""
    locale: str
    """The language of messages to the learner, such as "de" (default "en")."""
    shuffleSeed: str
    """The seed that the view was delivered under."""


Text = Union[str, bytes, bytearray, memoryview]
"""A document as JSON text."""
'''


class Writer:
    """Converts schemas to classes with unique names."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.names: list[str] = []
        self.texts: dict[str, str] = {}

    def add(self, name: str, text: str) -> None:
        before = self.texts.get(name)
        if before is None:
            self.texts[name] = text
            self.names.append(name)
            self.lines.append(text)
        elif before != text:
            raise SystemExit(f"two documents are called {name}")

    def kind(self, schema: Schema, name: str, definitions: dict[str, Schema], prefix: str) -> str:
        """Returns the type of a schema's values. Classes for its parts get names that start with `name`."""
        if "$ref" in schema:
            target = schema["$ref"].rsplit("/", 1)[1]
            return self.whole(prefix + target, definitions[target], definitions, prefix)
        if "const" in schema:
            return f"Literal[{json.dumps(schema['const'])}]"
        if "enum" in schema:
            return "Literal[" + ", ".join(json.dumps(word) for word in schema["enum"] if word is not None) + "]"
        if "oneOf" in schema:
            return self.union([self.kind(one, branch(name, one, at), definitions, prefix) for at, one in enumerate(schema["oneOf"])])
        match schema.get("type"):
            case "object" if schema.get("properties"):
                return self.structure(name, schema, definitions, prefix)
            case "object":
                values = schema.get("additionalProperties")
                inner = self.kind(values, name + "Value", definitions, prefix) if isinstance(values, dict) else "Json"
                return f"Mapping[str, {inner}]"
            case "array":
                items = schema.get("items")
                return f"Sequence[{self.kind(items, singular(name), definitions, prefix) if items else 'Json'}]"
            case "string":
                return "str"
            case "boolean":
                return "bool"
            case "integer":
                return "int"
            case "number":
                return "Number"
            case list() as several:
                return self.union([self.kind({**schema, "type": one}, name, definitions, prefix) for one in several])
            case "null":
                return "None"
        return "Json"

    def union(self, kinds: list[str]) -> str:
        kinds = list(dict.fromkeys(kinds))
        return kinds[0] if len(kinds) == 1 else f"Union[{', '.join(kinds)}]"

    def whole(self, name: str, schema: Schema, definitions: dict[str, Schema], prefix: str) -> str:
        """Declares a type for a schema, and returns its name."""
        if schema.get("type") == "object" and schema.get("properties"):
            return self.structure(name, schema, definitions, prefix)
        kind = self.kind(schema, name, definitions, prefix)
        if name not in self.texts:
            self.add(name, f"\n{name} = {kind}\n" + docstring(schema.get("description", ""), ""))
        return name

    def structure(self, name: str, schema: Schema, definitions: dict[str, Schema], prefix: str) -> str:
        """Declares a class for an object. The optional fields are in a subclass of the class with the required ones."""
        inner_name, name = name, NAMES.get(name, name)
        if name in self.texts:
            return name
        required = set(schema.get("required", []))
        given: list[str] = []
        absent: list[str] = []
        # Fields that are not identifiers (`$schema`) only occur in files, not in programs.
        fields = {field: inner for field, inner in schema["properties"].items() if field.isidentifier() and not keyword.iskeyword(field)}
        rest = {field: inner for field, inner in schema["properties"].items() if field not in fields and field != "$schema"}
        if rest:
            return self.functional(name, schema, definitions, prefix)
        for field in sorted(fields, key=lambda field: (field != "type", field)):
            inner = fields[field]
            line = f"    {field}: {self.kind(inner, inner_name + field[0].upper() + field[1:], definitions, prefix)}\n"
            (given if field in required else absent).append(line + docstring(inner.get("description", ""), "    "))
        about = docstring(schema.get("description", ""), "    ")
        if given and absent:
            base = f"\n\nclass _{name}(TypedDict):\n" + "".join(given)
            self.add(name, base + f"\n\nclass {name}(_{name}, total=False):\n" + (about + "\n" if about else "") + "".join(absent))
        else:
            total = "" if given else ", total=False"
            self.add(name, f"\n\nclass {name}(TypedDict{total}):\n" + (about + "\n" if about else "") + "".join(given or absent))
        return name

    def functional(self, name: str, schema: Schema, definitions: dict[str, Schema], prefix: str) -> str:
        """Works like `structure` for objects with field names that are not identifiers."""
        required = set(schema.get("required", []))
        parts: dict[bool, list[str]] = {True: [], False: []}
        for field, inner in sorted(schema["properties"].items()):
            stem = re.sub(r"\W", "", field)
            kind = self.kind(inner, name + stem[0].upper() + stem[1:], definitions, prefix)
            parts[field in required].append(f'        "{field}": {kind!r},\n')
        base = f'\n_{name} = TypedDict(\n    "_{name}",\n    {{\n' + "".join(parts[True]) + "    },\n)\n"
        rest = f'_{name}Rest = TypedDict(\n    "_{name}Rest",\n    {{\n' + "".join(parts[False]) + "    },\n    total=False,\n)\n"
        about = docstring(schema.get("description", "") or f"A document with the fields of `{name}`.", "    ")
        self.add(name, base + rest + f"\n\nclass {name}(_{name}, _{name}Rest):\n" + about)
        return name


def docstring(text: str, indent: str) -> str:
    if not text:
        return ""
    mark = 'r"""' if "\\" in text else '"""'
    whole = f"{indent}{mark}{text}\"\"\""
    if len(whole) <= 120:
        return whole + "\n"
    lines = textwrap.wrap(text, 115, initial_indent=indent + mark, subsequent_indent=indent)
    return "\n".join(lines) + f'\n{indent}"""\n'


def singular(name: str) -> str:
    return name[:-1] if name.endswith("s") and not name.endswith("ss") else name + "Item"


def branch(name: str, schema: Schema, at: int) -> str:
    """Returns the name of a branch, from the word that distinguishes it from the others, or from its first field."""
    properties = schema.get("properties", {})
    words = [str(inner["const"]) for inner in properties.values() if "const" in inner]
    stem = words[0] if words else next(iter(sorted(schema.get("required", []))), str(at))
    return name + "".join(part[0].upper() + part[1:] for part in re.split(r"\W|_", stem) if part)


def by_type(writer: Writer, document: str, suffix: str, prefix: str = "") -> None:
    """Declares a document that has one of the eight question types."""
    schema = json.loads((ROOT / f"schemas/{document}.json").read_text("utf-8"))
    definitions = schema.get("$defs", {})
    names = []
    for one in schema["oneOf"]:
        word = one["properties"]["type"]["const"]
        name = "".join(part.capitalize() for part in word.split("_")) + suffix
        names.append(writer.structure(name, one, definitions, prefix))
    writer.add(document, f"\n{document} = Union[{', '.join(names)}]\n" + docstring("One of the eight question types, identified by `type`.", ""))


def module() -> str:
    """The text of the module."""
    writer = Writer()
    by_type(writer, "AnswerSpec", "Spec")
    by_type(writer, "Submission", "Submission")
    by_type(writer, "DeliveryView", "View")
    for document in ["Attempt", "AttemptResult"]:
        schema = json.loads((ROOT / f"schemas/{document}.json").read_text("utf-8"))
        # The field `submission` of an attempt has the type `Submission`.
        definitions = {name: inner for name, inner in schema.get("$defs", {}).items() if name != "Submission"}
        if "submission" in schema["properties"]:
            schema["properties"]["submission"] = {"$ref": "#/$defs/Submission"}
            definitions["Submission"] = {}
        name = "AttemptResultDocument" if document == "AttemptResult" else document
        writer.structure(name, schema, definitions, "")
    for file, name, prefix in [
        ("flowmcp-grading-entry.schema", "FlowmcpGradingEntry", "Flowmcp"),
        ("formspec-determination.schema", "FormspecDetermination", "Formspec"),
    ]:
        schema = json.loads((ROOT / f"schemas/{file}.json").read_text("utf-8"))
        writer.structure(name, schema, schema.get("$defs", {}), prefix)
    names = sorted([*writer.names, "Context", "Json", "Number", "Text"])
    exported = "\n__all__ = [\n" + "".join(f'    "{name}",\n' for name in names) + "]\n"
    text = HEAD + exported + "".join(writer.lines) + "\n" + TAIL
    return re.sub(r"\n{4,}", "\n\n\n", text)


if __name__ == "__main__":
    new = module()
    if "--check" in sys.argv[1:]:
        sys.exit(0 if MODULE.read_text("utf-8") == new else f"{MODULE.name} is not what the schemas give; run {Path(__file__).name}")
    MODULE.write_text(new, encoding="utf-8")
