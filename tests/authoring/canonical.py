"""Canonical JSON, digests and ids, implemented from the documentation, not from the engine's code."""

import hashlib
import json
import re
import uuid


class Number:
    """A JSON number as it is written: `1.0`, `1e-7`, `2432902008176640001`."""

    def __init__(self, text):
        text = str(text)
        match = re.fullmatch(r"(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?", text)
        if not match:
            raise ValueError(f"not a number: {text}")
        self.text = text
        sign, whole, fraction, power = match.groups()
        digits = whole + (fraction or "")
        self.exponent = int(power or 0) - len(fraction or "")
        self.coefficient = int(sign + digits)
        while self.coefficient and self.coefficient % 10 == 0:
            self.coefficient //= 10
            self.exponent += 1
        if not self.coefficient:
            self.exponent = 0

    def canonical(self):
        """Returns the number in the notation of ECMAScript, but with all its digits."""
        sign = "-" if self.coefficient < 0 else ""
        digits = str(abs(self.coefficient))
        if digits == "0":
            return "0"
        count, point = len(digits), len(str(abs(self.coefficient))) + self.exponent
        if count <= point <= 21:
            return sign + digits + "0" * (point - count)
        if 0 < point <= 21:
            return sign + digits[:point] + "." + digits[point:]
        if -6 < point <= 0:
            return sign + "0." + "0" * -point + digits
        mantissa = digits[0] + ("." + digits[1:] if count > 1 else "")
        return f"{sign}{mantissa}e{'+' if point > 0 else '-'}{abs(point - 1)}"


def read(text):
    """Parses JSON and keeps the notation of its numbers."""
    return json.loads(text, parse_int=Number, parse_float=Number)


def string(text):
    escapes = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
    return '"' + "".join(escapes.get(c, f"\\u{ord(c):04x}" if c < " " else c) for c in text) + '"'


def _write(value, number, order):
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, Number)):
        return number(value)
    if isinstance(value, str):
        return string(value)
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(_write(item, number, order) for item in value) + "]"
    if isinstance(value, dict):
        fields = (f"{string(key)}:{_write(value[key], number, order)}" for key in order(value))
        return "{" + ",".join(fields) + "}"
    raise TypeError(type(value))


def canonical(value):
    """Returns the unique text of a value: keys ordered by UTF-16 code units, no whitespace, numbers as
    `Number.canonical`."""
    return _write(
        value,
        lambda n: (n if isinstance(n, Number) else Number(n)).canonical(),
        lambda fields: sorted(fields, key=lambda key: key.encode("utf-16-be")),
    )


def as_written(value):
    """Returns JSON with keys in the author's order and numbers as written."""
    return _write(value, lambda n: n.text if isinstance(n, Number) else str(n), list)


# The namespace of the ids of questions; `fablegrade-core/src/grader.rs` names the same one.
NAMESPACE = uuid.UUID("8c0f2b5e-6d7a-5f41-9e3b-6a1dc4f70e92")


def _name_based(namespace, name):
    digest = hashlib.sha1(namespace.bytes + name.encode("utf-8")).digest()
    return uuid.UUID(bytes=digest[:16], version=5)


def attempt_id(projection, submission):
    """Returns the id of a submission without metadata: a UUID v5 in the namespace of the question's public fields."""
    question = _name_based(NAMESPACE, canonical(projection))
    return str(_name_based(question, canonical(submission)))


def sort_by_public(items):
    return sorted(items, key=lambda item: canonical([item["content"], item["id"]]).encode("utf-8"))


def shuffle(seed, label, items):
    """Fisher-Yates over the sorted public content, driven by SHA-256 in counter mode, with rejection."""
    items = sort_by_public(items)
    texts = [canonical([item["content"], item["id"]]).encode("utf-8") for item in items]
    key = hashlib.sha256()
    for part in [b"fablegrade shuffle 1", seed.encode("utf-8"), label.encode("utf-8"), *texts]:
        key.update(len(part).to_bytes(8, "big") + part)
    key, counter = key.digest(), 0
    for last in range(len(items) - 1, 0, -1):
        bound = last + 1
        # The greatest multiple of `bound` that is not above 2^64 - 1.
        limit = (2**64 - 1) // bound * bound
        drawn = None
        while drawn is None:
            block = hashlib.sha256(key + counter.to_bytes(8, "big")).digest()
            counter += 1
            words = [int.from_bytes(block[at : at + 8], "big") for at in range(0, 32, 8)]
            drawn = next((word % bound for word in words if word < limit), None)
        items[last], items[drawn] = items[drawn], items[last]
    return items
