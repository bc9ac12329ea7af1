"""The `evenhand` command: one file per subcommand."""

from __future__ import annotations

import io
import sys


def main() -> None:
    """Run the command line, and print an `EvenhandError` as one line without a traceback."""
    from evenhand.errors import EvenhandError, MissingExtraError  # noqa: PLC0415  # commands must start quickly

    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # replace characters that the terminal's encoding lacks
    try:
        try:
            from evenhand.cli.app import app  # noqa: PLC0415  # needs an extra
        except ModuleNotFoundError as error:
            raise MissingExtraError(error.name or "typer", "cli") from error
        app()
    except EvenhandError as error:
        sys.exit(f"evenhand: {error}")
