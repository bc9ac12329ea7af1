"""The `evenhand` command: one file per subcommand."""

from __future__ import annotations

import errno
import io
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager

_CANNOT_BE_WRITTEN = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO}


def main() -> None:
    """Run the command line, and print an `EvenhandError` as one line without a traceback."""
    with _ended_by_the_system():
        from evenhand.errors import EvenhandError, MissingExtraError  # noqa: PLC0415  # commands must start quickly
    for number in (signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)):
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _end)
    if not os.environ.get("COLUMNS", "").strip("0"):
        os.environ.pop("COLUMNS", None)  # tables that are no columns wide would show nothing
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # replace characters that the terminal's encoding lacks
    try:
        try:
            with _ended_by_the_system():
                from evenhand.cli.app import app  # noqa: PLC0415  # needs an extra
        except ModuleNotFoundError as error:
            raise MissingExtraError(error.name or "typer", "cli") from error
        app()
    except EvenhandError as error:
        sys.exit(f"evenhand: {error}")
    except OSError as error:
        # Whatever opens a file says what is wrong with it: what remains is standard output.
        if error.filename is not None or error.errno not in _CANNOT_BE_WRITTEN:
            raise
        _forget_output()
        sys.exit(f"evenhand: the output cannot be written: {error.strerror}")


@contextmanager
def _ended_by_the_system() -> Iterator[None]:
    """Let Ctrl-C end the process as it ends programs that are not in Python: some modules cannot be interrupted."""
    before = signal.getsignal(signal.SIGINT)
    if before is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _end(number: int, _: object) -> None:
    """End as on an error, so that no draft of a file stays behind, and no worker."""
    sys.exit(128 + number)


def _forget_output() -> None:
    """Drop what is left to print: Python would try once more at its end."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.__stdout__.fileno() if sys.__stdout__ is not None else 1)
