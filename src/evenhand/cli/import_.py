"""`evenhand import`: adds an exported study with all its interviews to a store."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from evenhand.cli.store_option import DEFAULT_STORE, StoreUrl, needs_extra
from evenhand.errors import EvenhandError


def import_(
    file: Annotated[Path, typer.Argument(metavar="FILE.json", help="A file that `evenhand export` wrote.")],
    *,
    store: StoreUrl = DEFAULT_STORE,
) -> None:
    """Add an exported study with all its answers; interviews that the store already has stay unchanged."""
    with needs_extra("web"):
        from evenhand.study.exchange import add_export, read_export  # noqa: PLC0415  # commands must start quickly
        from evenhand.study.store import Store  # noqa: PLC0415
    try:
        document = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise EvenhandError(f"cannot read {file}: {getattr(error, 'strerror', None) or error}") from error
    exported = read_export(document)  # before the store is created
    with Store(store) as opened:
        added = add_export(opened, exported)
    known = f"; {added.known} interviews were already there" if added.known else ""
    typer.echo(f"Study {added.slug!r}: {added.interviews} interviews with {added.answers} answers added{known}.")
