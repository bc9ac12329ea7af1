"""The output of commands: progress bars, wide tables, and files."""

from __future__ import annotations

import atexit
import json
import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from evenhand.errors import EvenhandError
from evenhand.files import check_place, write_file

if TYPE_CHECKING:
    from rich.console import Console

STDOUT = Path("-")
_UNBROKEN = 100_000
_SECONDS_BETWEEN_LINES = 15


def wide_console() -> Console:
    """Return a console on stdout; where that is no terminal, no line is broken."""
    from evenhand.report.terminal.screen import screen  # noqa: PLC0415  # commands must start quickly

    console = screen()
    if not console.is_terminal:
        console.width = _UNBROKEN
    return console


def say_what_was_written(console: Console, written: Sequence[Path], seconds: float, jobs: int) -> None:
    """Print how long it took and where the files are."""
    console.print(f"\n{seconds:.0f} seconds with {jobs} {'job' if jobs == 1 else 'jobs'}. Written:")
    for path in written:
        console.print(f"  {path}", soft_wrap=True, markup=False)


@contextmanager
def progress_bar(doing: str) -> Iterator[Callable[[float], object]]:
    """Show how far one step is, and yield the function that is told."""
    with progress_bars() as progress:
        yield partial(progress, doing)


@contextmanager
def progress_bars() -> Iterator[Callable[[str, float], object]]:
    """Show how far each step is, and yield the function that is told; say so if the work is interrupted.

    A terminal shows a bar for each step. Where standard error goes elsewhere, it gets a line from time to time.
    """
    from rich.console import Console  # noqa: PLC0415

    console = Console(stderr=True)
    try:
        with _bars(console) if console.is_terminal else _lines() as progress:
            yield progress
    except KeyboardInterrupt:
        typer.echo("Interrupted: no results were written.", err=True)
        raise


@contextmanager
def _bars(console: Console) -> Iterator[Callable[[str, float], object]]:
    from rich.progress import Progress, TaskID  # noqa: PLC0415

    with Progress(console=console, transient=True) as bars:
        tasks: dict[str, TaskID] = {}

        def move(doing: str, share: float) -> None:
            if doing not in tasks:
                tasks[doing] = bars.add_task(doing, total=1.0)
            bars.update(tasks[doing], completed=share)

        yield move


@contextmanager
def _lines() -> Iterator[Callable[[str, float], object]]:
    said = time.monotonic()

    def say(doing: str, share: float) -> None:
        nonlocal said
        if time.monotonic() - said >= _SECONDS_BETWEEN_LINES:
            said = time.monotonic()
            typer.echo(f"{doing}: {share:.0%}", err=True)

    yield say


def make_writable(folder: Path) -> None:
    """Create the folder, or raise an error before the work begins if it is not writable; it does not stay empty."""
    if not folder.exists():
        atexit.register(_remove_if_empty, folder.absolute())
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise EvenhandError(f"cannot make the folder {folder}: {error.strerror or error}") from error
    if not os.access(folder, os.W_OK | os.X_OK):
        raise EvenhandError(f"cannot write to the folder {folder}: permission denied")


def _remove_if_empty(folder: Path) -> None:
    with suppress(OSError):  # it holds results
        folder.rmdir()


def check_output(path: Path | None, *, inputs: Iterable[Path | None] = ()) -> None:
    """Raise an error before the work begins if a file cannot be written, or is an input; `-` always can."""
    if path is not None and path != STDOUT:
        check_place(path, inputs=inputs)


def as_json(value: object) -> str:
    """Return results as a JSON document for people and programs."""
    return json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False)


def write_or_print(path: Path, document: str) -> None:
    """Write a text file, or print it if the path is `-`."""
    if path == STDOUT:
        typer.echo(document)
    else:
        write(path, document)


def write(path: Path, document: str) -> None:
    """Write a text file that ends with a line break."""
    write_file(path, document + "\n")
