"""The `evenhand` command: one file per subcommand."""

from __future__ import annotations

import io
import sys


def main() -> None:
    """Run the command line, and turn an `EvenhandError` into one plain sentence."""
    from evenhand.errors import EvenhandError, MissingExtraError  # noqa: PLC0415  # seconds matter in a shell

    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # no encoding can break the output
    try:
        try:
            from evenhand.cli.app import app  # noqa: PLC0415  # needs an extra
        except ModuleNotFoundError as error:
            raise MissingExtraError(error.name or "typer", "cli") from error
        app()
    except EvenhandError as error:
        sys.exit(f"evenhand: {error}")
