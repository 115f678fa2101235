"""The promises of `fablegrade.contrib.django`, tested on the tables of this project."""

from __future__ import annotations

import io
import json
import uuid
from datetime import datetime
from decimal import Decimal
from typing import Any
from types import SimpleNamespace
from unittest import mock

from django.core import checks
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.test import TestCase, TransactionTestCase, override_settings
from django.utils import timezone
from fablegrade import AttemptResult, FablegradeError, SandboxError
from fablegrade.contrib.django.fields import SpecField

from ..models import Attempt, Problem, ProblemVersion
from .questions import CODE, FREE_TEXT, NUMERIC
from .test_api import Learner, publish

RIGHT = {"type": "code", "language": "python", "source": "print(int(input()) + 1)"}
FOUR = {"type": "numeric", "value": 4}
WRONG = {"type": "code", "language": "python", "source": "print(7)"}
SUM = {
    "type": "code",
    "languages": ["python"],
    "limits": {},
    "testSuites": [{"name": "all", "visibility": "public", "cases": [{"input": "1\n", "expected": "2\n"}]}],
}


def keep(version: ProblemVersion, submission: Any) -> Attempt:
    attempt = Attempt(version=version, learner=Learner().user, received=timezone.now(), document=submission)
    attempt.grade()
    attempt.save()
    return attempt


class Fields(TestCase):
    """Documents are kept as the texts that were received."""

    def test_errors_stand_at_the_field(self) -> None:
        version = ProblemVersion(problem=Problem.objects.create(title="p"), number=1, spec='{"type":"numeric"}')
        with self.assertRaises(ValidationError) as cleaned:
            version.full_clean()
        self.assertIn("missing-field", cleaned.exception.message_dict["spec"][0])
        with self.assertRaises(ValidationError) as saved, transaction.atomic():
            version.save()
        self.assertIn("missing-field", saved.exception.message_dict["spec"][0])
        self.assertFalse(ProblemVersion.objects.exists())

    def test_a_value_is_written_as_json_with_every_digit(self) -> None:
        version = ProblemVersion(problem=Problem.objects.create(title="p"), number=1)
        version.spec = {"type": "numeric", "answer": {"value": Decimal("0.10000000000000000000001")}}
        version.save()
        stored = ProblemVersion.objects.get().spec
        self.assertEqual((stored, version.spec), ('{"type":"numeric","answer":{"value":0.10000000000000000000001}}', stored))

    def test_no_database_refuses_a_null_character(self) -> None:
        version = publish(FREE_TEXT)
        attempt = keep(version, '{"type":"free_text","content":"a\\u0000b"}')
        again = Attempt.objects.get(pk=attempt.pk)
        self.assertEqual(again.submission()["content"], "a\0b")
        self.assertEqual(AttemptResult.from_json(again.result).verdict, "pending")
        other = keep(version, {"type": "free_text", "content": "a\0b"})
        self.assertEqual(Attempt.objects.get(pk=other.pk).submission(), again.submission())

    def test_what_is_no_document_is_refused_at_the_field(self) -> None:
        loop: list[Any] = []
        loop.append(loop)
        for wrong, message in ((b"\xff", "UTF-8"), ({1}, "not-json"), (loop, "too-deep"), (["x" * (8 << 20)], "too-large")):
            with self.subTest(message):
                version = ProblemVersion(problem=Problem.objects.create(title="p"), number=1, spec=wrong)
                for refuse in (version.full_clean, version.save):
                    with self.assertRaises(ValidationError) as refused, transaction.atomic():
                        refuse()
                    self.assertIn(message, refused.exception.message_dict["spec"][0])

    def test_a_question_may_be_left_out(self) -> None:
        field = SpecField(blank=True, null=True, name="spec")
        field.set_attributes_from_name("spec")
        for absent in ("", None):
            self.assertEqual(field.clean(absent, None), absent)
            self.assertEqual(field.pre_save(SimpleNamespace(spec=absent), True), absent)
        with self.assertRaises(ValidationError):
            SpecField(name="spec").clean("", None)
        problem = Problem.objects.create(title="p")
        with self.assertRaises(ValidationError), transaction.atomic():
            ProblemVersion.objects.create(problem=problem, number=1, spec="")

    def test_a_document_that_cannot_be_read_is_refused_by_grading(self) -> None:
        envelope = {"problemId": str(uuid.uuid4()), "problemVersionId": str(uuid.uuid4()), "submission": FOUR}
        twice = json.dumps(envelope)[:-1] + f', "submission": {json.dumps({**FOUR, "value": 5})}}}'
        version = publish(NUMERIC)
        for document, rule in (
            ("[" * 100_000, "too-deep"),
            (b"[" * 100_000, "too-deep"),
            (b"\xff", "invalid-utf8"),
            ("{", "json-syntax"),
            (twice, "duplicate-key"),
            ({**envelope, "score": 1}, "unknown-field"),
            ({**envelope, "submission": {**FOUR, "score": 1}}, "unknown-field"),
        ):
            with self.subTest(rule):
                attempt = Attempt(version=version, learner=Learner().user, received=timezone.now(), document=document)
                with self.assertRaises(FablegradeError) as refused:
                    attempt.grade()
                self.assertEqual(refused.exception.rule, rule)
        for document in ("[" * 100_000, b"\xff", "{"):
            with self.assertRaises(ValueError):
                Attempt(document=document).submission()
        self.assertEqual(Attempt(document=json.dumps(envelope)).submission(), FOUR)
        self.assertEqual(keep(version, envelope).verdict, "incorrect")

    @override_settings(USE_TZ=False, TIME_ZONE="Europe/Berlin")
    def test_a_time_without_a_zone_is_in_the_current_one(self) -> None:
        attempt = Attempt(version=publish(NUMERIC), document=FOUR)
        self.assertIsNotNone(attempt.grade().graded_at)
        graded = attempt.grade(graded_at=datetime(2026, 7, 1, 12, 0))
        self.assertEqual(graded.graded_at, "2026-07-01T12:00:00+02:00")

    def test_equal_answers_have_ids_of_their_own(self) -> None:
        version = publish(NUMERIC)
        one, other = (keep(version, {"type": "numeric", "value": 1}) for _ in range(2))
        self.assertNotEqual(one.pk, other.pk)
        self.assertEqual(AttemptResult.from_json(one.result).attempt_id, str(one.pk))


class StoredQuestions(TestCase):
    """`manage.py check --database default`."""

    def found(self) -> list[checks.CheckMessage]:
        return checks.run_checks(tags=[checks.Tags.database], databases=["default"])

    def test_a_good_question_is_not_mentioned(self) -> None:
        publish(NUMERIC)
        self.assertEqual(self.found(), [])

    def test_a_question_that_may_be_left_out_is_not_mentioned(self) -> None:
        version = publish(NUMERIC)
        # The query bypasses the field, which would refuse the spec.
        ProblemVersion.objects.filter(pk=version.pk).update(spec="")
        self.assertEqual([message.id for message in self.found()], ["fablegrade.W001"])
        with mock.patch.object(ProblemVersion._meta.get_field("spec"), "blank", True):
            self.assertEqual(self.found(), [])

    def test_questions_that_cannot_be_graded_are_named(self) -> None:
        bad, doubtful = publish(NUMERIC), publish(NUMERIC)
        versions = ProblemVersion.objects
        versions.filter(pk=bad.pk).update(spec='{"type":"numeric"}')
        lost = {"type": "expression", "canonical": "2\times x", "equivalence": "symbolic"}
        # The query bypasses the field, which would refuse the first spec.
        versions.filter(pk=doubtful.pk).update(spec=json.dumps(lost))
        found = {message.id: message for message in self.found()}
        self.assertEqual(set(found), {"fablegrade.W001", "fablegrade.W002"})
        self.assertIn(f"grading.ProblemVersion.spec of {bad.pk}: the document: ", found["fablegrade.W001"].msg)
        self.assertIn("[lost-backslash]", found["fablegrade.W002"].msg)
        self.assertIn('r"', found["fablegrade.W002"].hint or "")

    def test_an_empty_database_can_be_migrated(self) -> None:
        call_command("migrate", verbosity=0)
        self.assertIn("grading_problemversion", connection.introspection.table_names())


class Worker(TransactionTestCase):
    """`manage.py run_pending_attempts`."""

    def run_pending(self, *arguments: str) -> str:
        out = io.StringIO()
        call_command("run_pending_attempts", *arguments, stdout=out, stderr=out)
        return out.getvalue()

    def test_programs_that_wait_are_run_and_words_are_left_to_people(self) -> None:
        version = publish(SUM)
        right, wrong = keep(version, RIGHT), keep(version, WRONG)
        words = keep(publish(FREE_TEXT), {"type": "free_text", "content": "words"})
        self.assertEqual({right.verdict, wrong.verdict, words.verdict}, {"pending"})
        out = self.run_pending()
        self.assertIn("2 attempts were run", out)
        kept = {attempt.pk: attempt for attempt in Attempt.objects.all()}
        self.assertEqual((kept[right.pk].verdict, kept[right.pk].score), ("correct", 1.0))
        self.assertEqual((kept[wrong.pk].verdict, kept[wrong.pk].score), ("incorrect", 0.0))
        self.assertEqual(kept[words.pk].verdict, "pending")
        self.assertEqual(AttemptResult.from_json(kept[right.pk].result).attempt_id, str(right.pk))
        self.assertIn("0 attempts were run", self.run_pending("grading.Attempt"))

    def test_a_question_that_no_longer_compiles_does_not_stop_the_worker(self) -> None:
        broken = publish(SUM)
        first, second = keep(broken, RIGHT), keep(publish(SUM), RIGHT)
        # Of two attempts, the worker runs the one with the smaller id first.
        Attempt.objects.filter(pk=first.pk).delete()
        first.pk = uuid.UUID(int=0)
        first.save(force_insert=True)
        # The query bypasses the field, which would refuse the spec.
        ProblemVersion.objects.filter(pk=broken.pk).update(spec=json.dumps({**SUM, "testSuites": []}))
        out = self.run_pending()
        self.assertIn(f"attempt {first.pk}: ", out)
        self.assertIn("/testSuites", out)
        self.assertIn("1 attempts were run", out)
        kept = dict(Attempt.objects.values_list("pk", "verdict"))
        self.assertEqual(kept, {first.pk: "pending", second.pk: "correct"})

    def test_a_program_that_cannot_be_run_does_not_stop_the_worker(self) -> None:
        version = publish(SUM)
        attempts = sorted((keep(version, RIGHT) for _ in range(2)), key=lambda attempt: attempt.pk)
        result = AttemptResult.from_json(attempts[0].result)

        class Host:
            """A runner that fails once."""

            trouble: str | None = None
            runs = 0

            def grade(self, grader: Any, submission: Any, *, context: Any) -> AttemptResult:
                self.runs += 1
                if self.runs == 1:
                    raise SandboxError("no memory", result)
                return grader.grade(submission, outcomes=[{"suite": "all", "caseIndex": 0, "end": "exited", "exitCode": 0, "stdout": "2"}])

        command = "fablegrade.contrib.django.management.commands.run_pending_attempts.Runner"
        with mock.patch(command, return_value=Host()):
            out = self.run_pending()
        self.assertIn(f"attempt {attempts[0].pk}: no memory", out)
        self.assertIn("1 attempts were run", out)
        kept = dict(Attempt.objects.values_list("pk", "verdict"))
        self.assertEqual(kept, {attempts[0].pk: "pending", attempts[1].pk: "correct"})

    def test_a_limit_and_a_wrong_model(self) -> None:
        version = publish(CODE)
        for _ in range(2):
            keep(version, WRONG)
        self.assertIn("1 attempts were run", self.run_pending("--limit", "1"))
        self.assertEqual(Attempt.objects.filter(verdict="pending").count(), 1)
        with mock.patch("time.sleep", side_effect=AssertionError("it waits after the last attempt")):
            self.assertIn("1 attempts were run", self.run_pending("--limit", "1", "--wait", "1"))
        with self.assertRaisesRegex(CommandError, "is not an AttemptMixin"):
            self.run_pending("grading.Problem")
