"""Collects vectors. Each vector is one decision with its reason."""

from fractions import Fraction

from .canonical import Number, as_written, attempt_id, canonical, read
from .documents import public, result

PENDING = "pending"


class Parts(list):
    """A long text, written as pieces with the number of times that each is repeated."""

    def text(self):
        return "".join(piece * times for piece, times in self)


class Text(str):
    """A document given as its text, because its exact form matters."""


class Book:
    """All vectors, by the folder of their file."""

    def __init__(self):
        self.folders = {}
        self.names = set()

    def _add(self, folder, name, why, kind, fields):
        full = f"{folder}/{name}"
        if full in self.names:
            raise ValueError(f"two vectors are called {full}")
        self.names.add(full)
        line = {"name": full, "why": why, "kind": kind, **fields}
        self.folders.setdefault(folder, []).append(as_written(line))

    @staticmethod
    def _document(field, document):
        """Returns the fields that represent a document in a vector, and its value for the computations here."""
        if isinstance(document, Parts):
            return {field + "Parts": [[piece, times] for piece, times in document]}, document.text()
        if isinstance(document, Text):
            return {field + "Text": str(document)}, str(document)
        return {field: document}, as_written(document)

    def grade(self, folder, name, why, spec, submission, raw=None, *, refused=None, failed=None, feedback=(),
              by="auto", hints=None, used=None, penalty=0, attempt=None, context=None, outcomes=None, cases=None):
        """`raw` is the score before penalties, or PENDING; `refused` is a pair of rule and message; `failed` the
        message of a question that could not be decided. `hints` are the penalties the caller passes; `attempt` wraps
        the submission."""
        fields, spec_text = self._document("spec", spec)
        more, submission_text = self._document("submission", submission)
        if attempt is not None:
            document = {"problemId": "11111111-1111-4111-8111-111111111111",
                        "problemVersionId": "22222222-2222-4222-8222-222222222222", **attempt}
            if used is not None:
                document["hintsUsed"] = used
            document["submission"] = submission
            more = {"attempt": document}
        fields |= more
        context = dict(context or {})
        if hints is not None:
            context["hints"] = {hint: Number(cost) for hint, cost in hints.items()}
        if context:
            fields["context"] = context
        if outcomes is not None:
            fields["outcomes"] = outcomes
        given = context.get("attemptId") or (attempt or {}).get("attemptId")
        identity = given or attempt_id(public(read(spec_text)), read(submission_text))
        if refused:
            fields["refusal"] = refused[0]
            raw, feedback, cases = "error", [("error", refused[1])], None
        elif failed:
            raw, feedback = "error", [("error", failed), *feedback]
        fields["result"] = result(identity, raw, Fraction(penalty), by, context.get("gradedAt"), feedback, cases)
        self._add(folder, name, why, "grade", fields)

    def error(self, folder, name, why, spec, submission, kind, *rules, attempt=None, context=None, outcomes=None):
        """Grading ends in an error of this kind, without a result. `rules` are pairs of pointer and rule, also of
        warnings."""
        fields = self._document("spec", spec)[0]
        if attempt is not None:
            fields["attempt"] = {"problemId": "11111111-1111-4111-8111-111111111111",
                                 "problemVersionId": "22222222-2222-4222-8222-222222222222", **attempt,
                                 "submission": submission}
        else:
            fields |= self._document("submission", submission)[0]
        if context:
            fields["context"] = context
        if outcomes is not None:
            fields["outcomes"] = outcomes
        fields["error"] = {"kind": kind, "rules": [list(rule) for rule in rules]}
        self._add(folder, name, why, "grade", fields)

    def deliver(self, folder, name, why, spec, seed="", view=None):
        """`view` is written out by hand where nothing is shuffled, else computed from the documented shuffle."""
        fields = self._document("spec", spec)[0]
        text = canonical(view if view is not None else public(spec, seed))
        self._add(folder, name, why, "deliver", fields | {"seed": seed, "view": text})

    def lint(self, folder, name, why, spec, *findings):
        """`findings` are all that lint finds, as triples of severity, rule and pointer."""
        fields = self._document("spec", spec)[0]
        self._add(folder, name, why, "lint", fields | {"findings": [list(finding) for finding in findings]})

    def match(self, folder, name, why, matcher, expected, actual, accept, tolerance=None, base64=False):
        fields = {"matcher": matcher, "expected": expected, "actual": actual}
        if base64:
            fields["enc"] = "base64"
        if tolerance:
            fields["floatTolerance"] = Number(tolerance)
        self._add(folder, name, why, "match", fields | {"accept": accept})

    def check(self, folder, name, why, schema, instance, *rules):
        """`rules` are the pairs of pointer and rule that make the document invalid under the schema; without any it is
        valid."""
        fields = {"schema": schema, **self._document("instance", instance)[0]}
        fields |= {"valid": not rules, "rules": [list(rule) for rule in rules]}
        self._add(folder, name, why, "check", fields)
