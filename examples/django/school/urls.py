"""The pages of the school: the admin's, and the interface for learners."""

from django.contrib import admin
from django.urls import include, path

urlpatterns = [
    path("admin/", admin.site.urls),
    path("api/v1/", include("grading.urls")),
]
