"""`evenhand compare`: how many questions the methods need, and how much noise they tolerate."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter
from typing import Annotated

import typer

from evenhand.cli.output import as_json, progress_bar, say_what_was_written, wide_console
from evenhand.cli.results import JobsOption, JsonOption, Results


def compare(
    *,
    classes: Annotated[list[int], typer.Option(help="A number of classes k; repeat for more.")] = [2],  # noqa: B006
    groups: Annotated[list[int], typer.Option(help="A number of groups m; repeat for more.")] = [2],  # noqa: B006
    flip: Annotated[
        list[float], typer.Option(help="The probability that an answer is flipped; repeat for more values.")
    ] = [0.0, 0.1],  # noqa: B006
    band: Annotated[
        list[float], typer.Option(help="If two costs differ by at most this, the answer is random; repeat for more.")
    ] = [0.0],  # noqa: B006
    budget: Annotated[
        list[int], typer.Option(help="After how many questions to stop the adaptive method; repeat for more.")
    ] = [10, 20, 40, 80],  # noqa: B006
    respondents: Annotated[int, typer.Option(help="How many simulated respondents to interview, of each kind.")] = 20,
    seed: Annotated[int, typer.Option(help="The seed of the respondents and their wrong answers.")] = 0,
    jobs: JobsOption = None,
    out: Annotated[
        Path | None,
        typer.Option(help="The folder for the figure (PNG, SVG) and the JSON.", show_default="comparison"),
    ] = None,
    json_file: JsonOption = None,
) -> None:
    """Interview the same simulated respondents by every method, and compare errors and questions."""
    from evenhand import experiments  # noqa: PLC0415  # commands must start quickly

    results = Results(out, json_file, default="comparison")
    cores = experiments.available_cores() if jobs is None else jobs

    started = perf_counter()
    with progress_bar("Interviewing") as progress:
        attempts = experiments.compare(
            classes=classes,
            groups=groups,
            flips=flip,
            bands=band,
            budgets=budget,
            respondents=respondents,
            seed=seed,
            jobs=cores,
            progress=progress,
        )
    seconds = perf_counter() - started

    document = as_json({"attempts": [one.as_json() for one in attempts]})
    written: list[Path] = []
    if results.folder is not None:
        from evenhand.experiments import figures  # noqa: PLC0415  # an extra

        written += figures.save(figures.comparison_figure(attempts), results.folder, "comparison")
    path = results.write(document, "comparison")
    if path is None:
        return
    from evenhand.experiments import tables  # noqa: PLC0415

    console = wide_console()
    console.print(tables.comparison_table(attempts))
    say_what_was_written(console, [*written, path], seconds, cores)
