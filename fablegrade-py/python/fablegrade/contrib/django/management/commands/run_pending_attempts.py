"""The worker: runs the programs of pending attempts."""

from __future__ import annotations

import time
from argparse import ArgumentParser
from typing import Any

from django.apps import apps
from django.core.management.base import BaseCommand, CommandError
from django.db import connections, router, transaction

from fablegrade import FablegradeError, Runner, SandboxError

from ...models import AttemptMixin


class Command(BaseCommand):
    """Runs the programs of pending attempts in the sandbox and stores their results."""

    help = "Runs the programs of pending attempts in the sandbox and stores their results."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Adds the options: which attempts, how many, and whether to wait for more."""
        parser.add_argument("models", nargs="*", metavar="app.Model", help="Models of attempts (default: all)")
        parser.add_argument("--limit", type=int, help="Stop after this many attempts")
        parser.add_argument("--wait", type=float, metavar="SECONDS", help="Check again after this many seconds instead of exiting")
        parser.add_argument("--parallel", type=int, help="Cases that run at once")
        parser.add_argument(
            "--unsandboxed", action="store_true", help="Without a sandbox: programs may do whatever this user can"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Runs pending attempts until none is left or the limit is reached. With `--wait`, waits for new ones."""
        models = self._models(options["models"])
        runner = Runner(parallel=options["parallel"], unsandboxed=options["unsandboxed"])
        if runner.trouble is not None:
            raise CommandError(f"nothing can be run here: {runner.trouble}; `fablegrade doctor` shows what is missing")
        limit = options["limit"]
        done = 0
        while limit is None or done < limit:
            for model in models:
                done += self._run_waiting(model, runner, None if limit is None else limit - done)
            if options["wait"] is None or done == limit:
                break
            time.sleep(options["wait"])
        if options["verbosity"] > 0:
            self.stdout.write(f"{done} attempts were run")

    def _models(self, labels: list[str]) -> list[type[AttemptMixin]]:
        if not labels:
            return [model for model in apps.get_models() if issubclass(model, AttemptMixin)]
        try:
            models = [apps.get_model(label) for label in labels]
        except (LookupError, ValueError) as error:
            raise CommandError(f"{error}; name models as `app.Model`") from error
        for model in models:
            if not issubclass(model, AttemptMixin):
                raise CommandError(f"{model._meta.label} is not an AttemptMixin")
        return models

    def _run_waiting(self, model: type[AttemptMixin], runner: Runner, limit: int | None) -> int:
        """Runs the attempts that are pending now, until `limit` results are stored; returns the number of results."""
        alias = router.db_for_write(model)
        pending = model._base_manager.using(alias).filter(verdict="pending").order_by("pk")
        done = 0
        for key in list(pending.values_list("pk", flat=True)):
            if limit is not None and done >= limit:
                break
            done += self._run_one(pending.filter(pk=key), alias, runner)
        return done

    def _run_one(self, query: Any, alias: str, runner: Runner) -> bool:
        """Runs an attempt unless another worker has locked it; returns whether a result was stored."""
        features = connections[alias].features
        with transaction.atomic(using=alias):
            if features.has_select_for_update:
                query = query.select_for_update(skip_locked=features.has_select_for_update_skip_locked)
            attempt = query.first()
            if attempt is None:
                return False
            try:
                # Free texts wait for human graders.
                if attempt.grader.type != "code":
                    return False
                result = attempt.run(runner)
            except SandboxError as error:
                message = f"attempt {attempt.pk}: {error.cause}"
                if runner.trouble is not None:
                    raise CommandError(message) from error
                # The cause can be this program, so the attempt stays pending and the others are run.
                self.stderr.write(message)
                return False
            except FablegradeError as error:
                self.stderr.write(f"attempt {attempt.pk}: {error}")
                return False
            attempt.save(update_fields=["result", "verdict", "score"])
        self.stdout.write(f"{attempt.pk}: {result.verdict}")
        return True
