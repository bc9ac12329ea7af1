"""What the commands that use a store have in common: its URL, and opening it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from evenhand.errors import MissingExtraError

if TYPE_CHECKING:
    from evenhand.study.store import Store

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


def open_store(url: str, *, create: bool) -> Store:
    """Open a store, making it where there is none if `create`, or name the extra that this needs."""
    try:
        from evenhand.study.store import Store  # noqa: PLC0415  # seconds matter in a shell
    except ModuleNotFoundError as error:
        raise MissingExtraError(error.name or "sqlalchemy", "web") from error
    return Store(url, create=create)
