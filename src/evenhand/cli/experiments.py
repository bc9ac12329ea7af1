"""`evenhand experiments ranking`: the paper's experiment on ranking real classifiers, with our methods added."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from time import perf_counter
from typing import Annotated

import typer

from evenhand.cli.output import as_json, make_writable, progress_bars, say_what_was_written, wide_console, write
from evenhand.cli.results import JobsOption, JsonOption, Results


def ranking(
    more: Annotated[list[str] | None, typer.Argument(metavar="[DATASETS]...", hidden=True)] = None,
    *,
    datasets: Annotated[
        list[str] | None,
        typer.Option(
            help="default, adult, wine or crime; repeat for more, or separate them by commas.", show_default="all"
        ),
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option(
            help="The folder with the raw data files.", show_default="EVENHAND_DATA; otherwise downloaded from UCI"
        ),
    ] = None,
    metrics: Annotated[int, typer.Option(help="How many hidden metrics to rank by for each data set.")] = 100,
    classifiers: Annotated[int, typer.Option(help="How many classifiers to rank for each data set.")] = 100,
    budget: Annotated[
        list[int],
        typer.Option(help="After how many questions to score the adaptive method's ranking; repeat for more."),
    ] = [10, 20, 40],  # noqa: B006
    no_interviews: Annotated[
        bool, typer.Option("--no-interviews", help="Skip the adaptive method, which takes most of the time.")
    ] = False,
    seed: Annotated[int, typer.Option(help="The seed of classifiers, metrics and wrong answers.")] = 0,
    jobs: JobsOption = None,
    cache: Annotated[
        Path | None,
        typer.Option(
            help="The folder that caches predictions and interviews.",
            show_default="EVENHAND_CACHE, otherwise the system's cache",
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(help="The folder for the figure (PNG, SVG), the report and the JSON.", show_default="ranking"),
    ] = None,
    json_file: JsonOption = None,
) -> None:
    """Rank real classifiers by hidden, elicited and default metrics, as in the paper's Section 6.2."""
    from evenhand.experiments import available_cores, figures  # noqa: PLC0415  # commands must start quickly
    from evenhand.experiments.cache import cache_folder  # noqa: PLC0415
    from evenhand.experiments.datasets import NAMES  # noqa: PLC0415
    from evenhand.experiments.ranking.experiment import rank_models  # noqa: PLC0415
    from evenhand.experiments.ranking.figure import ranking_figure  # noqa: PLC0415
    from evenhand.experiments.ranking.report import markdown  # noqa: PLC0415
    from evenhand.experiments.ranking.table import ranking_tables  # noqa: PLC0415

    named = [name for given in [*(datasets or []), *(more or [])] for name in given.split(",") if name]
    results = Results(out, json_file, default="ranking")
    kept = cache or cache_folder()
    make_writable(kept)
    cores = available_cores() if jobs is None else jobs

    started = perf_counter()
    with progress_bars() as progress:
        result = rank_models(
            named or NAMES,
            data=data,
            metrics=metrics,
            classifiers=classifiers,
            budgets=[] if no_interviews else budget,
            cache=kept,
            seed=seed,
            jobs=cores,
            progress=progress,
        )
    seconds = perf_counter() - started

    document = as_json(result.as_json())
    written: list[Path] = []
    if results.folder is not None:
        written += figures.save(ranking_figure(result), results.folder, "ranking")
        command = shlex.join(["evenhand", *sys.argv[1:]])
        written.append(results.folder / "ranking.md")
        write(written[-1], markdown(result, command=command, seconds=seconds, jobs=cores))
    path = results.write(document, "ranking")
    if path is None:
        return
    console = wide_console()
    for part in ranking_tables(result, width=console.width):
        console.print(part)
    for note in result.notes:
        console.print(f"\nNote: {note}.", style="yellow")
    console.print(f"\n{result.kept[0].upper()}{result.kept[1:]}.")
    say_what_was_written(console, [*written, path], seconds, cores)
