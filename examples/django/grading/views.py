"""The interface for learners: JSON in, JSON out. No response contains a spec or a key."""

from __future__ import annotations

import functools
import json
import uuid
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from django.core.exceptions import RequestDataTooBig
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST
from fablegrade import FablegradeError, MismatchError

from .models import Attempt, Hint, Problem, ProblemVersion, RevealedHint

View = Callable[..., HttpResponse]


def refused(status: int, rule: str, message: str, help: str, pointer: str = "") -> JsonResponse:
    """Returns an error response in the form of the engine's findings."""
    finding = {"severity": "error", "rule": rule, "pointer": pointer, "message": message, "help": help}
    return JsonResponse({"findings": [finding]}, status=status)


def interface(view: View) -> View:
    """Allows only signed-in learners, and turns errors into responses with findings: 409 for another version, else 400
    or 404."""

    @functools.wraps(view)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not request.user.is_authenticated:
            return refused(401, "not-signed-in", "this needs a learner", "sign in first")
        try:
            return view(request, *args, **kwargs)
        except FablegradeError as error:
            status = 409 if isinstance(error, MismatchError) else 400
            findings = [finding._replace(pointer=finding.pointer.removeprefix("/attempt")) for finding in error.findings]
            return JsonResponse({"findings": [finding.to_dict() for finding in findings]}, status=status)
        except RequestDataTooBig:
            return refused(400, "too-large", "the request is longer than the limit", "send a smaller document")
        except (Problem.DoesNotExist, Hint.DoesNotExist, Attempt.DoesNotExist):
            return refused(404, "not-found", "there is no such thing here", "check the address")

    return answer


def current(problem_id: uuid.UUID) -> ProblemVersion:
    """Returns the version that learners see."""
    problem = Problem.objects.select_related("current").get(pk=problem_id)
    if problem.current is None:
        raise Problem.DoesNotExist
    return problem.current


def user_id(request: HttpRequest) -> uuid.UUID:
    """Returns a UUID for the learner, which is part of the seed of views."""
    return uuid.uuid5(uuid.NAMESPACE_URL, f"school:learner:{request.user.pk}")


@require_GET
@interface
def problem(request: HttpRequest, problem_id: uuid.UUID) -> HttpResponse:
    """Returns the question as this learner sees it, and the hints with their penalties."""
    version = current(problem_id)
    # The same learner sees the same order on every visit.
    view = version.grader.deliver(f"{version.pk}:{user_id(request)}")
    hints = [{"id": hint.name, "penalty": float(hint.penalty)} for hint in version.hints.all()]
    document = {"problemId": str(problem_id), "problemVersionId": str(version.pk), "hints": hints, "view": view.to_dict()}
    return JsonResponse(document)


@require_POST
@interface
def hint(request: HttpRequest, problem_id: uuid.UUID, name: str) -> HttpResponse:
    """Reveals a hint, which counts as used from now on."""
    found = Hint.objects.get(version=current(problem_id), name=name)
    RevealedHint.objects.get_or_create(hint=found, learner=request.user)
    return JsonResponse({"id": found.name, "text": found.text, "penalty": float(found.penalty)})


@require_POST
@interface
def attempts(request: HttpRequest, problem_id: uuid.UUID) -> HttpResponse:
    """Grades an Attempt document: 201 with the AttemptResult.

    A hint counts as used if the document lists it or if it was revealed here. Sending an `attemptId` again returns the
    first result again (200), so a browser that did not get the response can repeat the request.
    """
    version, body = current(problem_id), request.body
    penalties = {hint.name: hint.penalty for hint in version.hints.all()}
    received = timezone.now()
    context: dict[str, Any] = {"problemVersionId": str(version.pk), "hints": penalties}
    # Refuses everything but an attempt at this version, for example duplicate keys, before any part of it is used.
    version.grader.grade(attempt=body, context=context)
    document = json.loads(body, parse_float=Decimal)
    if uuid.UUID(document["problemId"]) != problem_id:
        return refused(400, "other-problem", "this is an attempt at another problem", "send it there", "/problemId")
    revealed = RevealedHint.objects.filter(learner=request.user, hint__version=version)
    used = {*document.get("hintsUsed", []), *revealed.values_list("hint__name", flat=True)} & penalties.keys()
    attempt_id = uuid.UUID(document["attemptId"]) if "attemptId" in document else uuid.uuid4()
    row = Attempt(
        id=attempt_id, version=version, learner=request.user, received=received, document=body.decode(),
        hints_used=sorted(used),
    )
    row.grade(graded_at=received)
    try:
        with transaction.atomic():
            row.save(force_insert=True)
    except IntegrityError:
        return again(request, version, attempt_id)
    return HttpResponse(row.result, content_type="application/json", status=201)


def again(request: HttpRequest, version: ProblemVersion, attempt_id: uuid.UUID) -> HttpResponse:
    """Returns the result of an attempt that was sent before."""
    known = Attempt.objects.filter(pk=attempt_id, learner=request.user, version=version).first()
    if known is None:
        return refused(409, "attempt-id-taken", "another attempt has this id", "choose a new one", "/attemptId")
    return HttpResponse(known.result, content_type="application/json")


@require_GET
@interface
def attempt(request: HttpRequest, attempt_id: uuid.UUID) -> HttpResponse:
    """Returns the result of one of the learner's own attempts."""
    row = Attempt.objects.get(pk=attempt_id, learner=request.user)
    return HttpResponse(row.result, content_type="application/json")
