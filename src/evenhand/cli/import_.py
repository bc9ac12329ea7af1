"""`evenhand import`: a study that was exported, with all its interviews."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from evenhand.cli.store_option import DEFAULT_STORE, StoreUrl, needs_extra
from evenhand.errors import EvenhandError


def import_(
    file: Annotated[Path, typer.Argument(metavar="FILE.json", help="What `evenhand export` wrote.")],
    *,
    store: StoreUrl = DEFAULT_STORE,
) -> None:
    """Add a study that was exported, with all its answers; what is there already stays as it is."""
    with needs_extra("web"):
        from evenhand.study.exchange import add_export, read_export  # noqa: PLC0415  # seconds matter in a shell
        from evenhand.study.store import Store  # noqa: PLC0415
    try:
        document = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise EvenhandError(f"cannot read {file}: {getattr(error, 'strerror', None) or error}") from error
    exported = read_export(document)  # before a store is made for it
    with Store(store) as opened:
        added = add_export(opened, exported)
    known = f"; {added.known} interviews were there already" if added.known else ""
    typer.echo(f"Study {added.slug!r}: {added.interviews} interviews with {added.answers} answers added{known}.")
