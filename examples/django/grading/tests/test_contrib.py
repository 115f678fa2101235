"""The promises of `fablegrade.contrib.django`, tested on the tables of this project."""

from __future__ import annotations

import io
import json
import uuid
from decimal import Decimal
from typing import Any
from unittest import mock

from django.core import checks
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.test import TestCase, TransactionTestCase
from django.utils import timezone
from fablegrade import AttemptResult

from ..models import Attempt, Problem, ProblemVersion
from .questions import CODE, FREE_TEXT, NUMERIC
from .test_api import Learner, publish

RIGHT = {"type": "code", "language": "python", "source": "print(int(input()) + 1)"}
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
