"""All subcommands of `evenhand`, put together."""

from __future__ import annotations

import typer

from evenhand.cli.compare import compare
from evenhand.cli.demo import demo
from evenhand.cli.interview import interview
from evenhand.cli.recover import recover

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Find out which fairness metric people actually hold.",
)
app.command()(demo)
app.command()(interview)
app.command()(recover)
app.command()(compare)
