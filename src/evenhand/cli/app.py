"""The `evenhand` command with its subcommands."""

from __future__ import annotations

from importlib.metadata import version
from typing import Annotated

import typer

from evenhand.cli.compare import compare
from evenhand.cli.demo import demo
from evenhand.cli.doctor import doctor
from evenhand.cli.experiments import ranking
from evenhand.cli.export import export
from evenhand.cli.import_ import import_
from evenhand.cli.interview import interview
from evenhand.cli.rank import rank
from evenhand.cli.rates import rates
from evenhand.cli.recover import recover
from evenhand.cli.region import region
from evenhand.cli.report import report
from evenhand.cli.samples import samples
from evenhand.cli.serve import serve
from evenhand.cli.study import study

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Find out which fairness metric people actually hold.",
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"evenhand {version('evenhand')}")
        raise typer.Exit


@app.callback()
def evenhand(
    *,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Find out which fairness metric people actually hold."""
    del version


app.command()(serve)
app.add_typer(study, name="study")
app.command()(demo)
app.command()(interview)
app.command()(rates)
app.command()(rank)
app.command()(report)
app.command()(region)
app.command()(recover)
app.command()(compare)
app.command()(samples)

experiments = typer.Typer(no_args_is_help=True, help="The paper's experiments on real data.")
experiments.command()(ranking)
app.add_typer(experiments, name="experiments")
app.command()(export)
app.command("import")(import_)
app.command()(doctor)
