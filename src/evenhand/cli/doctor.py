"""`evenhand doctor`: checks a store, and whether its log was changed."""

from __future__ import annotations

from typing import Annotated

import typer

from evenhand.cli.store_option import DEFAULT_STORE, StoreUrl, needs_extra
from evenhand.errors import EvenhandError


def doctor(
    *,
    store: StoreUrl = DEFAULT_STORE,
    head: Annotated[
        str | None, typer.Option(metavar="PLACE:HASH", help="A head noted earlier: check that the log still has it.")
    ] = None,
) -> None:
    """Check versions, store, tables, disk and the log's hash chain; exit with status 1 if something is wrong."""
    with needs_extra("web"):
        from evenhand.study.checkup import Check, examine, programs  # noqa: PLC0415  # commands must start quickly
    from rich.text import Text  # noqa: PLC0415

    from evenhand.display.names import printable  # noqa: PLC0415
    from evenhand.report.terminal.screen import WORSE, screen  # noqa: PLC0415

    console = screen()

    def show(check: Check) -> bool:
        mark = ("✓ ", "green") if check.passed else ("✗ ", WORSE)
        console.print(Text.assemble(mark, (f"{check.name:<11}", "bold"), printable(check.text)), soft_wrap=True)
        return check.passed

    passed = [show(check) for check in programs()]
    try:
        passed += [show(check) for check in examine(store, noted=head)]
    except EvenhandError as error:
        passed += [show(Check("store", False, str(error)))]
    if not all(passed):
        raise typer.Exit(1)
