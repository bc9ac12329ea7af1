"""`evenhand export`: writes a study with all its interviews to one JSON file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from evenhand.checks.messages import listed, shown
from evenhand.cli.output import STDOUT, check_output, write_or_print
from evenhand.cli.store_option import DEFAULT_STORE, StoreUrl, needs_extra
from evenhand.errors import EvenhandError


def export(
    study: Annotated[
        str | None, typer.Argument(metavar="STUDY", help="The name in its address. Default: the only study.")
    ] = None,
    file: Annotated[Path, typer.Argument(metavar="FILE.json", help="Where to write it; - prints it.")] = STDOUT,
    *,
    store: StoreUrl = DEFAULT_STORE,
) -> None:
    """Write a study with all its answers to one JSON file, which `evenhand import` reads."""
    with needs_extra("web"):
        from evenhand.study.exchange import export_study  # noqa: PLC0415  # commands must start quickly
        from evenhand.study.store import Store  # noqa: PLC0415
    with Store(store, create=False) as opened:
        check_output(file, inputs=[opened.database.file])
        slugs = list(opened.studies())
        if not slugs:
            raise EvenhandError("this store has no study yet: `evenhand serve` or `evenhand import` adds one")
        if study is None and len(slugs) != 1:
            raise EvenhandError(f"this store has {len(slugs)} studies ({listed(slugs)}): name one")
        if study is not None and study not in slugs:
            raise EvenhandError(f"this store has no study {shown(study)}, but {listed(slugs)}")
        document = export_study(opened, slugs[0] if study is None else study)
        for sentence in opened.breaks():
            typer.echo(f"evenhand: {sentence}; `evenhand doctor` says more", err=True)
    write_or_print(file, document)
    if file != STDOUT:
        typer.echo(f"Written: {file}")
