"""What the commands that use a store have in common: its URL, and the extra that they need."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import typer

from evenhand.errors import MissingExtraError

DEFAULT_STORE = "sqlite:///evenhand.db"

StoreUrl = Annotated[
    str,
    typer.Option(
        "--store",
        metavar="URL",
        envvar="EVENHAND_STORE",
        help="Where answers are kept: sqlite:///FILE or postgresql+psycopg://USER:PASSWORD@HOST/DATABASE.",
    ),
]


@contextmanager
def needs_extra(name: str) -> Iterator[None]:
    """Name the extra that brings what cannot be imported."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise MissingExtraError(error.name or name, name) from error
