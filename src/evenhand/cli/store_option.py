"""What commands that use a store share: its URL, and the error if an extra is missing."""

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
        help="Where to store answers: sqlite:///FILE or postgresql+psycopg://USER:PASSWORD@HOST/DATABASE.",
    ),
]


@contextmanager
def needs_extra(name: str) -> Iterator[None]:
    """Turn a failed import into an error that names the extra to install."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise MissingExtraError(error.name or name, name) from error
