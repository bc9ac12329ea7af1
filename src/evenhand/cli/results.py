"""What the experiments' commands share: two options, and where the figure and the JSON go."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from evenhand.cli.output import STDOUT, check_output, make_writable, write_or_print

JobsOption = Annotated[
    int | None,
    typer.Option("--jobs", help="How many cores to use; the results stay the same.", show_default="all"),
]
JsonOption = Annotated[
    Path | None,
    typer.Option("--json", help="Write the JSON to this file instead; - prints it, and nothing else."),
]


class Results:
    """Where results go; the constructor raises an error if they cannot be written there.

    Attributes
    ----------
    folder
        The folder for the figure; None if only the JSON is wanted, on standard output.
    """

    def __init__(self, out: Path | None, json_file: Path | None, *, default: str) -> None:
        self._printed = json_file == STDOUT
        self._json_file = json_file
        self.folder = out or (None if self._printed else Path(default))
        if self.folder is not None:
            import evenhand.experiments.figures  # noqa: F401, PLC0415  # an extra: if missing, say so before the work

            make_writable(self.folder)
        check_output(json_file)

    def write(self, document: str, name: str) -> Path | None:
        """Write the JSON and return its path, or print it and return None."""
        path = self._json_file or Path(self.folder or ".") / f"{name}.json"
        write_or_print(path, document)
        return None if self._printed else path
