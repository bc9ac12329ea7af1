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


def printable(text: str) -> str:
    r"""Write out what would steer a terminal, whoever named it: control characters, direction marks, line ends.

    >>> printable("a\x1b[31mb")
    'a\\x1b[31mb'
    """
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def screen() -> Console:
    """Return a console on the standard output; piped into a file it writes plain text, without control codes."""
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    return Console(markup=False, emoji=False, highlight=False)
