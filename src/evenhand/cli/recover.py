"""`evenhand recover`: the paper's recovery experiment, and a test of its theorem."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from evenhand.cli.output import as_json, progress_bar, say_what_was_written, wide_console
from evenhand.cli.results import JobsOption, JsonOption, Results
from evenhand.errors import EvenhandError

if TYPE_CHECKING:
    from evenhand.experiments import Recovery, Scaling


def recover(
    *,
    classes: Annotated[
        list[int] | None,
        typer.Option(help="A number of classes k; repeat for more.", show_default="2 to 5"),
    ] = None,
    groups: Annotated[
        list[int] | None,
        typer.Option(help="A number of groups m; repeat for more.", show_default="2 to 5"),
    ] = None,
    oracles: Annotated[int, typer.Option(help="How many random metrics to recover in each cell.")] = 100,
    method: Annotated[
        list[str] | None,
        typer.Option(
            help="paper, least-squares or bisection; repeat for more.", show_default="paper and least-squares"
        ),
    ] = None,
    tolerance: Annotated[float, typer.Option(help="The precision of each search: the paper's ε.")] = 1e-3,
    radius: Annotated[
        float | None,
        typer.Option(
            help="The radius of the sphere; the paper's is 0.2.",
            show_default="0.2, or less if not all points would be rates",
        ),
    ] = None,
    band: Annotated[
        float, typer.Option(help="If two costs differ by at most this, the answer is random: the paper's ε_Ω.")
    ] = 0.0,
    adversarial: Annotated[bool, typer.Option("--adversarial", help="Within the band, always answer wrongly.")] = False,
    flip: Annotated[float, typer.Option(help="The probability that an answer is flipped.")] = 0.0,
    temperature: Annotated[
        float | None, typer.Option(help="Answer by a logistic model of cost differences with this scale.")
    ] = None,
    seed: Annotated[int, typer.Option(help="The seed of the oracles and their wrong answers.")] = 0,
    jobs: JobsOption = None,
    scaling: Annotated[
        bool,
        typer.Option("--scaling", help="Test the theorem instead: errors against ε, ε_Ω, q and m."),
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option(help="The folder for the figure (PNG, SVG) and the JSON.", show_default="recovery"),
    ] = None,
    json_file: JsonOption = None,
) -> None:
    """Recover the metrics of random oracles, as in the paper's Section 6.1, and summarise the errors."""
    from evenhand import experiments  # noqa: PLC0415  # commands must start quickly

    name = "scaling" if scaling else "recovery"
    if scaling and (band, flip, temperature) != (0.0, 0.0, None):
        raise EvenhandError("--scaling sets the noise itself: omit --band, --flip and --temperature")
    if adversarial and not scaling and band == 0:
        raise EvenhandError("--adversarial only affects answers within the band: also set --band above 0")
    options: dict[str, Any] = {"oracles": oracles, "tolerance": tolerance, "radius": radius, "seed": seed}
    given = {"classes": classes, "groups": groups, "methods": method}
    options |= {key: value for key, value in given.items() if value}
    options["jobs"] = experiments.available_cores() if jobs is None else jobs
    noise = experiments.Noise(band=band, adversarial=adversarial, flip=flip, temperature=temperature)

    results = Results(out, json_file, default="recovery")

    started = perf_counter()
    with progress_bar("Asking the oracles") as progress:
        result: Recovery | Scaling
        if scaling:
            result = experiments.measure_scaling(adversarial=adversarial, progress=progress, **options)
        else:
            result = experiments.recover(noise=noise, progress=progress, **options)
    seconds = perf_counter() - started

    document = as_json(result.as_json())
    written: list[Path] = []
    if results.folder is not None:
        from evenhand.experiments import figures  # noqa: PLC0415  # an extra

        figure = (
            figures.scaling_figure(result)
            if isinstance(result, experiments.Scaling)
            else figures.recovery_figure(result)
        )
        written += figures.save(figure, results.folder, name)
    path = results.write(document, name)
    if path is None:
        for note in result.notes:
            typer.echo(f"Note: {note}", err=True)
        return
    _show(result, [*written, path], seconds, options["jobs"])


def _show(result: Recovery | Scaling, written: list[Path], seconds: float, jobs: int) -> None:
    from evenhand.experiments import Recovery, tables  # noqa: PLC0415

    console = wide_console()
    if isinstance(result, Recovery):
        console.print(tables.recovery_table(result))
        for paragraph in tables.observations_list(result):
            console.print(paragraph)
    else:
        console.print(tables.scaling_table(result))
    for note in result.notes:
        console.print(f"\nNote: {note}", style="yellow")
    say_what_was_written(console, written, seconds, jobs)
