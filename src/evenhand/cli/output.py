"""What the experiments' commands have in common: a progress bar, a wide table, files that can be written."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from evenhand.errors import EvenhandError
from evenhand.files import write_file

if TYPE_CHECKING:
    from rich.console import Console

STDOUT = Path("-")
_READABLE_WIDTH = 100


def wide_console() -> Console:
    """Return a console on stdout that leaves tables room even where there is no terminal."""
    from rich.console import Console  # noqa: PLC0415  # seconds matter in a shell

    console = Console(highlight=False)
    if not console.is_terminal:
        console.width = max(console.width, _READABLE_WIDTH)
    return console


def say_what_was_written(console: Console, written: Sequence[Path], seconds: float, jobs: int) -> None:
    """Close with how long it took and where the files are."""
    console.print(f"\n{seconds:.0f} seconds with {jobs} {'job' if jobs == 1 else 'jobs'}. Written:")
    for path in written:
        console.print(f"  {path}", soft_wrap=True, markup=False)


@contextmanager
def progress_bar(doing: str) -> Iterator[Callable[[float], object]]:
    """Show a bar on the terminal, if there is one, and yield the function that moves it."""
    with progress_bars() as progress:
        yield partial(progress, doing)


@contextmanager
def progress_bars() -> Iterator[Callable[[str, float], object]]:
    """Show a bar for each thing that is done, and yield the function that moves the bar of one of them."""
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import Progress, TaskID  # noqa: PLC0415

    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bars:
        tasks: dict[str, TaskID] = {}

        def move(doing: str, share: float) -> None:
            if doing not in tasks:
                tasks[doing] = bars.add_task(doing, total=1.0)
            bars.update(tasks[doing], completed=share)

        yield move


def make_writable(folder: Path) -> None:
    """Find out now, and not after the work is done, that results cannot be written."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise EvenhandError(f"cannot make the folder {folder}: {error.strerror or error}") from error
    if not os.access(folder, os.W_OK | os.X_OK):
        raise EvenhandError(f"cannot write to the folder {folder}: permission denied")


def write(path: Path, document: str) -> None:
    """Write a text file that ends with a line break."""
    write_file(path, document + "\n")
