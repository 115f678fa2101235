"""The interface for learners, through Django's test client."""

from __future__ import annotations

import json
import uuid
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from typing import Any

from django.contrib.auth import get_user_model
from django.core.exceptions import ValidationError
from django.db import IntegrityError, connection, transaction
from django.test import Client, TestCase, TransactionTestCase
from django.utils import timezone
from fablegrade import AttemptResult, Grader

from ..models import Attempt, Hint, Problem, ProblemVersion
from .questions import CANARY, CHOICE, CODE, EXPRESSION, FULL_MARKS, NUMERIC, OTHERS, secrets


def publish(spec: dict[str, Any] | str, **hints: str) -> ProblemVersion:
    problem = Problem.objects.create(title="a problem")
    text = spec if isinstance(spec, str) else json.dumps(spec)
    version = ProblemVersion.objects.create(problem=problem, number=1, spec=text)
    for name, penalty in hints.items():
        Hint.objects.create(version=version, name=name, text=f"the text of {name}", penalty=Decimal(penalty))
    problem.current = version
    problem.full_clean()
    problem.save()
    return version


class Learner:
    """A signed-in browser."""

    def __init__(self, name: str = "learner") -> None:
        self.user, _ = get_user_model().objects.get_or_create(username=name)
        self.client = Client()
        self.client.force_login(self.user)

    def post(self, version: ProblemVersion, body: Any) -> Any:
        body = body if isinstance(body, (str, bytes)) else json.dumps(body)
        return self.client.post(f"/api/v1/problems/{version.problem_id}/attempts", body, content_type="application/json")

    def attempt(self, version: ProblemVersion, submission: Any, **more: Any) -> Any:
        return self.post(version, envelope(version, submission, **more))

    def get(self, path: str) -> Any:
        return self.client.get(f"/api/v1/{path}")


def envelope(version: ProblemVersion, submission: Any, **more: Any) -> dict[str, Any]:
    ids = {"problemId": str(version.problem_id), "problemVersionId": str(version.pk)}
    return {**ids, "submission": submission, **more}


def findings(response: Any) -> list[tuple[str, str]]:
    return [(finding["pointer"], finding["rule"]) for finding in response.json()["findings"]]


class Grading(TestCase):
    """Attempts and their results."""

    def setUp(self) -> None:
        self.learner = Learner()

    def test_every_type_is_graded_and_kept(self) -> None:
        for spec, submission in FULL_MARKS:
            with self.subTest(spec["type"]):
                version = publish(spec)
                response = self.learner.attempt(version, submission)
                self.assertEqual(response.status_code, 201, response.content)
                result = AttemptResult.from_json(response.content)
                self.assertEqual((result.verdict, result.score), ("correct", 1.0))
                row = Attempt.objects.get(pk=result.attempt_id)
                self.assertEqual((row.verdict, row.score, row.learner), ("correct", 1.0, self.learner.user))
                self.assertEqual(row.result.encode(), response.content)
                self.assertEqual(json.loads(row.document)["submission"], submission)
                self.assertEqual(self.learner.get(f"attempts/{row.pk}").content, response.content)

    def test_the_result_is_what_the_engine_says(self) -> None:
        version = publish(CHOICE)
        response = self.learner.attempt(version, {"type": "multiple_choice", "selectedChoiceIds": ["b"]})
        result = AttemptResult.from_json(response.content)
        context = {"attemptId": result.attempt_id, "gradedAt": result.graded_at, "hints": {}}
        again = Grader(CHOICE).grade({"type": "multiple_choice", "selectedChoiceIds": ["b"]}, context=context)
        self.assertEqual(again.to_json().encode(), response.content)

    def test_every_digit_of_a_number_counts_and_stays(self) -> None:
        tolerance = '{"mode":"absolute","amount":1e-30}'
        version = publish('{"type":"numeric","answer":{"value":0.10000000000000000000001,"tolerance":%s}}' % tolerance)
        body = json.dumps(envelope(version, {"type": "numeric", "value": 0})).replace('"value": 0', '"value": 0.10000000000000000000001')
        self.assertEqual(self.learner.post(version, body).json()["verdict"], "correct")
        self.assertEqual(Attempt.objects.get().document, body)
        self.assertEqual(self.learner.attempt(version, {"type": "numeric", "value": 0.1}).json()["verdict"], "incorrect")

    def test_code_waits_until_it_is_run(self) -> None:
        version = publish(CODE)
        response = self.learner.attempt(version, {"type": "code", "language": "python", "source": "print(2)"})
        self.assertEqual((response.status_code, response.json()["verdict"]), (201, "pending"))
        self.assertIsNone(Attempt.objects.get().score)

    def test_a_submission_that_no_page_sends_gets_a_message_and_no_score(self) -> None:
        version = publish(CHOICE)
        response = self.learner.attempt(version, {"type": "multiple_choice", "selectedChoiceIds": ["zzz"]})
        self.assertEqual((response.status_code, response.json()["verdict"]), (201, "error"))
        self.assertTrue(response.json()["feedback"][0]["message"])

    def test_hints_cost_what_their_author_says(self) -> None:
        version = publish(NUMERIC, h1="0.25", h2="0.1", h3="0.7")
        right = {"type": "numeric", "value": 418.25}
        for used, score in ([], 1), (["h1"], 0.75), (["h1", "h2"], 0.65), (["h1", "h2", "h3"], 0.2), (["nobody"], 1):
            with self.subTest(used):
                response = self.learner.attempt(version, right, hintsUsed=used)
                self.assertEqual((response.json()["verdict"], response.json()["score"]), ("correct", score))

    def test_a_revealed_hint_costs_even_if_the_browser_is_silent(self) -> None:
        version = publish(NUMERIC, h1="0.25", h2="0.5")
        url = f"/api/v1/problems/{version.problem_id}/hints/h1"
        for _ in range(2):
            self.assertEqual(self.learner.client.post(url).json(), {"id": "h1", "text": "the text of h1", "penalty": 0.25})
        response = self.learner.attempt(version, {"type": "numeric", "value": 418.25})
        self.assertEqual((response.json()["score"], response.json()["scorePenaltyApplied"]), (0.75, 0.25))
        other = Learner("another")
        self.assertEqual(other.attempt(version, {"type": "numeric", "value": 418.25}).json()["score"], 1)
        missing = self.learner.client.post(f"/api/v1/problems/{version.problem_id}/hints/h9")
        self.assertEqual((missing.status_code, findings(missing)), (404, [("", "not-found")]))

    def test_an_attempt_that_is_sent_again_is_counted_once(self) -> None:
        version, name = publish(NUMERIC), str(uuid.uuid4())
        first = self.learner.attempt(version, {"type": "numeric", "value": 1}, attemptId=name)
        again = self.learner.attempt(version, {"type": "numeric", "value": 418.25}, attemptId=name)
        self.assertEqual((first.status_code, again.status_code), (201, 200))
        self.assertEqual(first.content, again.content)
        self.assertEqual(Attempt.objects.count(), 1)
        stolen = Learner("another").attempt(version, {"type": "numeric", "value": 1}, attemptId=name)
        self.assertEqual((stolen.status_code, findings(stolen)), (409, [("/attemptId", "attempt-id-taken")]))
        self.assertEqual(Learner("another").get(f"attempts/{name}").status_code, 404)


class Refusals(TestCase):
    """Bad requests get findings and store nothing."""

    def setUp(self) -> None:
        self.learner, self.version = Learner(), publish(NUMERIC)

    def tearDown(self) -> None:
        self.assertEqual(Attempt.objects.count(), 0)

    def test_bad_requests_get_400_with_every_finding(self) -> None:
        good = json.dumps(envelope(self.version, {"type": "numeric", "value": 1}))
        for body, expected in [
            ("", [("", "json-syntax")]),
            ("{", [("", "json-syntax")]),
            (b"\xff", [("", "invalid-utf8")]),
            ("[]", [("", "wrong-type")]),
            (good[:-1] + ',"problemId":1}', [("/problemId", "duplicate-key")]),
            (good.replace('"value": 1', '"value": "one", "score": 1'), [("/submission/value", "wrong-type"), ("/submission/score", "unknown-field")]),
            (good.replace('"value": 1', '"value": NaN'), [("/submission/value", "json-syntax")]),
            (good[:-1] + ',"verdict":"correct"}', [("/verdict", "unknown-field")]),
            (good[:-1] + ',"hintsUsed":["h","h"]}', [("/hintsUsed/1", "duplicate-element")]),
            ("[" * 1000, [("", "too-deep")]),
        ]:
            with self.subTest(body[:80]):
                response = self.learner.post(self.version, body)
                self.assertEqual(response.status_code, 400, response.content)
                rules = [rule for _, rule in expected]
                self.assertEqual(sorted(rule for _, rule in findings(response)), sorted(rules))
                if len(body) < 500 and rules[0] not in ("json-syntax", "too-deep"):
                    self.assertEqual(sorted(findings(response)), sorted(expected))
                for finding in response.json()["findings"]:
                    self.assertEqual(set(finding), {"severity", "rule", "pointer", "message", "help"})

    def test_a_long_body_is_refused(self) -> None:
        response = self.learner.post(self.version, b" " * (2 << 20))
        self.assertEqual((response.status_code, findings(response)), (400, [("", "too-large")]))

    def test_another_version_is_a_conflict(self) -> None:
        body = {**envelope(self.version, {"type": "numeric", "value": 1}), "problemVersionId": str(uuid.uuid4())}
        response = self.learner.post(self.version, body)
        self.assertEqual(response.status_code, 409)
        self.assertEqual([rule for _, rule in findings(response)], ["other-version"])

    def test_another_problem_is_refused(self) -> None:
        body = {**envelope(self.version, {"type": "numeric", "value": 1}), "problemId": str(uuid.uuid4())}
        response = self.learner.post(self.version, body)
        self.assertEqual((response.status_code, findings(response)), (400, [("/problemId", "other-problem")]))

    def test_strangers_and_other_methods(self) -> None:
        url = f"/api/v1/problems/{self.version.problem_id}"
        self.assertEqual(Client().get(url).status_code, 401)
        self.assertEqual(Client().post(f"{url}/attempts", "{}", content_type="application/json").status_code, 401)
        self.assertEqual(self.learner.client.get(f"{url}/attempts").status_code, 405)
        self.assertEqual(self.learner.get(f"problems/{uuid.uuid4()}").status_code, 404)
        strict = Client(enforce_csrf_checks=True)
        strict.force_login(self.learner.user)
        self.assertEqual(strict.post(f"{url}/attempts", "{}", content_type="application/json").status_code, 403)


class Secrecy(TestCase):
    """No response contains a key."""

    def test_no_answer_has_the_key(self) -> None:
        learner = Learner()
        wrong: dict[str, Any] = {
            "multiple_choice": {"selectedChoiceIds": ["zzz"]},
            "numeric": {"value": -1},
            "ordering": {"order": ["i3", "i2", "i1", "i0"]},
            "matching": {"pairs": [{"left": "l0", "right": "r1"}]},
            "expression": {"latex": "7"},
            "code": {"language": "python", "source": "print(0)"},
            "free_text": {"content": "words"},
            "widget": {"state": {}},
        }
        for spec in [spec for spec, _ in FULL_MARKS] + OTHERS:
            with self.subTest(spec["type"]):
                version = publish(spec, h1="0.5")
                submission = {"type": spec["type"], **wrong[spec["type"]]}
                answers = [
                    learner.get(f"problems/{version.problem_id}"),
                    learner.attempt(version, submission),
                    learner.attempt(version, {**submission, "unknown": 1}),
                    learner.attempt(version, {"type": "numeric", "value": 3}),
                    learner.post(version, {**envelope(version, submission), "problemVersionId": str(uuid.uuid4())}),
                    learner.post(version, "{"),
                ]
                self.assertEqual(answers[0].status_code, 200)
                for answer in answers:
                    sent = answer.content.decode() + str(answer.headers)
                    for secret in secrets(spec):
                        self.assertNotIn(secret, sent.replace('": ', '":').replace(", ", ","))
                        self.assertNotIn(secret, sent)
                    self.assertNotIn("the text of h1", sent)

    def test_the_feedback_of_a_selected_choice_is_meant_for_the_learner(self) -> None:
        response = Learner().attempt(publish(CHOICE), {"type": "multiple_choice", "selectedChoiceIds": ["b"]})
        self.assertIn(f"{CANARY} wrong", response.content.decode())
        self.assertNotIn(f"{CANARY} right", response.content.decode())

    def test_a_learner_sees_the_same_order_again_and_others_another_one(self) -> None:
        spec = {"type": "ordering", "items": [{"id": f"i{at}", "content": at} for at in range(12)],
                "correctOrder": [f"i{at}" for at in range(12)]}
        version = publish(spec)
        path = f"problems/{version.problem_id}"
        seen = [Learner(name).get(path).json()["view"] for name in ("ann", "ann", "bob")]
        self.assertEqual(seen[0], seen[1])
        self.assertNotEqual(seen[0], seen[2])


class Models(TestCase):
    """Values that the tables refuse."""

    def test_a_spec_that_nobody_can_answer_is_not_kept(self) -> None:
        problem = Problem.objects.create(title="p")
        for spec in ("{", "{}", '{"type":"multiple_choice","choices":[{"id":"a","content":1,"correct":false}]}'):
            with self.assertRaises(ValidationError) as raised:
                ProblemVersion.objects.create(problem=problem, number=1, spec=spec)
            self.assertIn("[", str(raised.exception))

    def test_a_version_never_changes(self) -> None:
        version = publish(NUMERIC)
        version.spec = json.dumps(CHOICE)
        with self.assertRaises(ValidationError):
            version.save()

    def test_the_current_version_is_of_the_problem(self) -> None:
        version, other = publish(NUMERIC), publish(CHOICE)
        version.problem.current = other
        with self.assertRaises(ValidationError):
            version.problem.full_clean()

    def test_the_database_knows_which_scores_there_are(self) -> None:
        version, user = publish(NUMERIC), Learner().user
        for verdict, score in (("correct", None), ("pending", 1.0), ("correct", 1.5), ("great", 1.0)):
            with self.assertRaises(IntegrityError), transaction.atomic():
                Attempt.objects.create(id=uuid.uuid4(), version=version, learner=user, received=timezone.now(),
                                       document="{}", result="{}", verdict=verdict, score=score)

    def test_there_is_one_migration_and_it_is_complete(self) -> None:
        from django.core.management import call_command
        from django.db.migrations.loader import MigrationLoader

        call_command("makemigrations", check=True, dry_run=True, verbosity=0)
        self.assertEqual([name for app, name in MigrationLoader(connection).disk_migrations if app == "grading"], ["0001_initial"])


class Admin(TestCase):
    """The author's pages."""

    def setUp(self) -> None:
        self.author = get_user_model().objects.create_superuser("author")
        self.client.force_login(self.author)

    def test_the_pages_are_there(self) -> None:
        version = publish(EXPRESSION, h1="0.5")
        Learner().attempt(version, {"type": "expression", "latex": "x+1"}, hintsUsed=["h1"])
        attempt = Attempt.objects.get()
        for page, text in [
            ("problem/", "a problem"),
            (f"problem/{version.problem_id}/change/", "a problem v1"),
            ("problemversion/", "expression"),
            (f"problemversion/{version.pk}/change/", "What a learner sees"),
            ("attempt/", "correct"),
            (f"attempt/{attempt.pk}/change/", "score 1 - 1/2 for hints"),
        ]:
            with self.subTest(page):
                self.assertContains(self.client.get(f"/admin/grading/{page}"), text)

    def test_a_bad_spec_is_shown_with_its_findings(self) -> None:
        problem = Problem.objects.create(title="p")
        inline = {"hints-TOTAL_FORMS": "0", "hints-INITIAL_FORMS": "0"}
        form = {"problem": str(problem.pk), "number": "1", **inline}
        page = self.client.post("/admin/grading/problemversion/add/", {**form, "spec": '{"type":"numeric"}'})
        self.assertContains(page, "missing-field")
        self.assertEqual(ProblemVersion.objects.count(), 0)
        done = self.client.post("/admin/grading/problemversion/add/", {**form, "spec": json.dumps(NUMERIC)})
        self.assertEqual((done.status_code, ProblemVersion.objects.count()), (302, 1))

    def test_attempts_cannot_be_touched(self) -> None:
        version = publish(NUMERIC)
        Learner().attempt(version, {"type": "numeric", "value": 1})
        attempt = Attempt.objects.get()
        page = f"/admin/grading/attempt/{attempt.pk}"
        self.assertEqual(self.client.post(f"{page}/change/", {"verdict": "correct"}).status_code, 403)
        self.assertEqual(self.client.post(f"{page}/delete/", {"post": "yes"}).status_code, 403)
        self.assertEqual(self.client.get("/admin/grading/attempt/add/").status_code, 403)


class Together(TransactionTestCase):
    """Requests that arrive at the same time."""

    def test_the_same_attempt_from_two_tabs(self) -> None:
        if connection.vendor == "sqlite":
            self.skipTest("an SQLite database in memory belongs to one thread")
        version, learner = publish(NUMERIC), Learner()
        body = envelope(version, {"type": "numeric", "value": 418.25}, attemptId=str(uuid.uuid4()))

        def post(_: int) -> tuple[int, bytes]:
            client = Client()
            client.cookies = learner.client.cookies
            response = client.post(f"/api/v1/problems/{version.problem_id}/attempts", json.dumps(body), content_type="application/json")
            connection.close()
            return response.status_code, response.content

        with ThreadPoolExecutor(4) as pool:
            answers = list(pool.map(post, range(8)))
        self.assertEqual(sorted(status for status, _ in answers), [200] * 7 + [201])
        self.assertEqual(len({content for _, content in answers}), 1)
        self.assertEqual(Attempt.objects.count(), 1)
