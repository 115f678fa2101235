"""The interface for learners."""

from django.urls import path

from . import views

urlpatterns = [
    path("problems/<uuid:problem_id>", views.problem, name="problem"),
    path("problems/<uuid:problem_id>/hints/<str:name>", views.hint, name="hint"),
    path("problems/<uuid:problem_id>/attempts", views.attempts, name="attempts"),
    path("attempts/<uuid:attempt_id>", views.attempt, name="attempt"),
]
