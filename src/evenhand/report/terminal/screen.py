"""The terminal, set up so that nothing a user named is taken for markup, and no encoding can break the output."""

from __future__ import annotations

import io
import sys

from rich.console import Console

# Readable on light and on dark backgrounds; colour never carries a meaning alone.
FAINT = "dim"
BAR = "cyan"
OTHER_BAR = "magenta"
WORSE = "bold red"

WIDEST = 100


def screen() -> Console:
    """Return a console on the standard output; piped into a file it writes plain text, without control codes."""
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    return Console(markup=False, emoji=False, highlight=False)
