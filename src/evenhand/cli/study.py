"""`evenhand study`: drafts a study from a file of predictions, and puts it into a store; `invitations` has the rest."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from evenhand.cli.invitations import Slug, close, invitations, invite, open_, opened, revoke
from evenhand.cli.output import STDOUT, check_output, wide_console, write_or_print
from evenhand.cli.predictions import GroupOption, LabelOption, WeightOption
from evenhand.cli.region import read_region
from evenhand.cli.several import of_option
from evenhand.cli.store_option import DEFAULT_STORE, StoreUrl, needs_extra
from evenhand.wording.numerals import plural

study = typer.Typer(no_args_is_help=True, help="Ask your own people about your own models.")


@study.command()
def draft(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="CSV, TSV, Parquet, Arrow or JSON lines.")],
    *,
    label: LabelOption = "label",
    model: Annotated[
        list[str],
        typer.Option(
            "--model",
            metavar="COLUMN",
            callback=of_option,
            help="The column of a model's predictions. For more models: a,b or wildcards, 'model_*'.",
        ),
    ] = ["model*"],  # noqa: B006
    group: GroupOption = ["group"],  # noqa: B006
    weight: WeightOption = None,
    region: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.json", help="Ask about what is within reach, too: a file of `evenhand region --json`."
        ),
    ] = None,
    slug: Annotated[
        str | None, typer.Option(help="The name in its address. Default: the name of the file that is written.")
    ] = None,
    title: Annotated[str | None, typer.Option(help="The question that the study is about.")] = None,
    out: Annotated[Path, typer.Option(metavar="FILE.toml", help="Where to write it; - prints it.")] = STDOUT,
) -> None:
    """Write a first draft of a study, with words guessed for every group, class and mistake.

    For example: evenhand study draft predictions.csv --label repaid --group sex --model 'model_*' --out loans.toml
    """
    from evenhand.rates.files import Columns  # noqa: PLC0415  # commands must start quickly
    from evenhand.study.draft import OPTIONS, TITLE, drafted, slug_of  # noqa: PLC0415

    check_output(out, inputs=[file, region])
    rates = Columns(label, model, group, weight).rates([file])
    named = slug or slug_of((file if out == STDOUT else out).name)
    options = OPTIONS if region is None else {**OPTIONS, "region": read_region(region)}
    made = drafted(rates, label=label, group=group, slug=named, title=title or TITLE, options=options)
    write_or_print(out, made.to_toml().rstrip())
    if out != STDOUT:
        typer.echo(f"Written: {out}, with {plural(len(rates), 'model')}.")
        typer.echo(f"Change its words, then put it into the store: evenhand study add {out}")


@study.command()
def add(
    file: Annotated[Path, typer.Argument(metavar="FILE.toml", help="As `evenhand study draft` writes it.")],
    *,
    store: StoreUrl = DEFAULT_STORE,
) -> None:
    """Check a study's file, and put the study into a store; if it is there already, as a new version."""
    with needs_extra("web"):
        from evenhand.study.store import Store  # noqa: PLC0415
    from evenhand.study.study import Study  # noqa: PLC0415

    read = Study.from_file(file)
    with Store(store) as opened:
        known = read.slug in opened.studies()
        changed = opened.put_study(read)
    if not changed:
        typer.echo(f"The study {read.slug} is in {opened.database.name} already, as it is in this file.")
    elif known:
        typer.echo(f"The study {read.slug} has a new version. Interviews go on with the one that they began with.")
    else:
        typer.echo(f"The study {read.slug} is in {opened.database.name}, at the address /{read.slug}.")


STUDIES = (
    *("study", "title", "open to"),
    *("models", "groups", "classes", "invited", "begun", "finished", "answers"),
)


@study.command("list")
def list_(*, store: StoreUrl = DEFAULT_STORE) -> None:
    """List the studies of a store, and how far they have come."""
    from evenhand.report.terminal.lists import listing  # noqa: PLC0415

    with opened(store) as there:
        studies, progress = there.studies(), {one.slug: one for one in there.overview()}
    rows = []
    for slug, one in studies.items():
        here = progress[slug]
        who = "nobody" if here.closed else "anyone" if here.anyone else "invited"
        numbers = (len(one.candidates), len(one.setting.groups), len(one.setting.classes))
        rows.append((slug, one.title, who, *numbers, here.invited, here.begun, here.finished, here.answers))
    table = listing(STUDIES, rows, words=STUDIES[:3])
    wide_console().print(table if studies else "There is no study yet: `evenhand study add` adds one.")


@study.command()
def show(slug: Slug, *, store: StoreUrl = DEFAULT_STORE) -> None:
    """Print a study as the file that `evenhand study add` takes."""
    with opened(store) as there:
        typer.echo(there.study(slug).to_toml().rstrip())


study.command()(invite)
study.command()(invitations)
study.command()(revoke)
study.command()(close)
study.command("open")(open_)
