"""`evenhand samples`: compares metrics elicited on finite samples with those elicited on the population."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter
from typing import Annotated

import typer

from evenhand.cli.output import as_json, make_writable, progress_bar, say_what_was_written, wide_console, write


def samples(
    *,
    size: Annotated[
        list[int], typer.Option(help="A number of people in the sample; repeat for several sizes of sample.")
    ] = [300, 1000, 3000, 10_000, 30_000],  # noqa: B006
    method: Annotated[list[str], typer.Option(help="paper, least-squares or bisection; repeat for more.")] = [  # noqa: B006
        "paper",
        "bisection",
    ],
    respondents: Annotated[int, typer.Option(help="How many simulated respondents to interview.")] = 10,
    seed: Annotated[int, typer.Option(help="The seed of the population, the samples and the respondents.")] = 0,
    out: Annotated[Path, typer.Option(help="The folder for the figure (PNG, SVG) and the JSON.")] = Path("samples"),
) -> None:
    """Interview the same simulated respondents about rates on larger and larger samples, and on the population."""
    from evenhand import experiments  # noqa: PLC0415  # commands must start quickly
    from evenhand.experiments import figures, tables  # noqa: PLC0415

    make_writable(out)
    started = perf_counter()
    with progress_bar("Interviewing") as progress:
        results = experiments.samples(sizes=size, methods=method, respondents=respondents, seed=seed, progress=progress)
    seconds = perf_counter() - started
    written = figures.save(figures.samples_figure(results), out, "samples")
    path = out / "samples.json"
    write(path, as_json({"samples": [one.as_json() for one in results]}))
    console = wide_console()
    console.print(tables.samples_table(results))
    say_what_was_written(console, [*written, path], seconds, 1)
