"""The command `fablegrade` for use in a terminal; `fablegrade --help` lists its subcommands."""

from __future__ import annotations

import signal
import sys

from . import _fablegrade

__all__ = ["main"]


def main() -> None:
    """Runs the command with the arguments of this process, and exits with its exit code."""
    run = getattr(_fablegrade, "run_command", None)
    if run is None:
        sys.exit("this build of the package has no command; build it with the feature `command`")
    # Python's own handler runs only between Python instructions, and the native command executes none.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.exit(run(["fablegrade", *sys.argv[1:]]))


if __name__ == "__main__":
    main()
