"""`evenhand region`: what is within reach of scores in a file, as a picture, in words and in numbers."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from evenhand.cli.output import STDOUT, check_output, wide_console, write_or_print
from evenhand.cli.predictions import GroupOption, LabelOption, WeightOption
from evenhand.cli.several import of_option
from evenhand.display.names import printable, shown_names
from evenhand.errors import EvenhandError, MissingExtraError
from evenhand.files import check_place, write_file

if TYPE_CHECKING:
    from rich.console import RenderableType

    from evenhand.rates import GroupRates
    from evenhand.region import Containment, FeasibleRegion
    from evenhand.region.calibration import GroupCalibration


def region(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="CSV, TSV, Parquet, Arrow or JSON lines.")],
    *,
    label: LabelOption = "label",
    score: Annotated[
        list[str],
        typer.Option(
            "--score",
            metavar="COLUMN",
            callback=of_option,
            help="The column of the probabilities of the last class or, as a,b,c, of each class in sorted order. If a "
            "name has a comma, repeat the option.",
        ),
    ] = ["score*"],  # noqa: B006
    group: GroupOption = ["group"],  # noqa: B006
    weight: WeightOption = None,
    prediction: Annotated[
        list[str] | None,
        typer.Option(
            "--prediction",
            metavar="COLUMN",
            callback=of_option,
            help="Also the predictions of a model, to see whether it is within reach. For more models: a,b or "
            "wildcards, 'model_*'. If a name has a comma, repeat the option.",
        ),
    ] = None,
    as_given: Annotated[
        bool, typer.Option("--as-given", help="The scores are calibrated in every group: take them as they are.")
    ] = False,
    picture: Annotated[
        Path | None, typer.Option(metavar="FILE.png", help="Draw it: a name that ends in .png, .svg or .pdf.")
    ] = None,
    json_file: Annotated[
        Path | None,
        typer.Option(
            "--json", help="Write it, its people counted in cells, for `evenhand interview --region`; - prints it."
        ),
    ] = None,
) -> None:
    """Say which rates are within reach of your scores in each group, and which sphere of them all groups can reach.

    For example: evenhand region scores.csv --label repaid --group sex --score p_repaid --picture region.png
    """
    from evenhand.rates.files import Columns  # noqa: PLC0415  # commands must start quickly
    from evenhand.region.table import region_from_file  # noqa: PLC0415

    check_output(json_file, inputs=[file])
    if picture is not None:
        check_place(picture, inputs=[file])
    found = region_from_file(file, label=label, scores=score, group=group, weight=weight, calibrate=not as_given)
    models = Columns(label, prediction, group, weight).rates([file], found.setting) if prediction else {}
    if picture is not None:
        _draw(found, models, picture)
    if json_file is not None:
        write_or_print(json_file, found.to_json())
    if json_file != STDOUT:
        console = wide_console()
        for part in _said(found, models):
            console.print(part)
        for path in (picture, json_file):
            if path is not None:
                console.print(f"Written: {printable(str(path))}", soft_wrap=True, markup=False)


def read_region(path: Path) -> FeasibleRegion:
    """Read a region that this command wrote."""
    from evenhand.region import FeasibleRegion  # noqa: PLC0415

    try:
        return FeasibleRegion.from_json(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise EvenhandError(f"the region {path} cannot be read: {error.strerror or error}") from error
    except ValueError as error:  # not text, or not a region
        raise EvenhandError(f"the region {path} cannot be read: {error}") from error


def _draw(found: FeasibleRegion, models: Mapping[str, GroupRates], path: Path) -> None:
    try:
        import matplotlib as mpl  # noqa: PLC0415  # an extra, and slow to import
    except ModuleNotFoundError as error:
        raise MissingExtraError("matplotlib", "figures") from error
    drawn = io.BytesIO()
    try:
        with mpl.rc_context({"backend": "agg"}):  # no window, whatever the user's own choice is
            figure = found.plot(models).figure
            figure.savefig(drawn, format=path.suffix[1:] or None)  # type: ignore[union-attr]  # never part of another figure
    except ValueError as error:
        raise EvenhandError(f"the picture {path} cannot be written: {error}") from error
    write_file(path, drawn.getvalue())


def _said(found: FeasibleRegion, models: Mapping[str, GroupRates]) -> Iterator[RenderableType]:
    groups = shown_names(found.setting.groups)
    yield calibration_table(found.calibration, groups)
    yield ""
    sphere = found.sphere()
    upper = "" if sphere.upper is None else f", and none larger than {sphere.upper:.4f}"
    yield f"All groups can reach a sphere of radius {sphere.radius:.4f} around the uniform classifier{upper}."
    for warning in found.warnings:
        yield f"! {printable(warning)}"
    if models:
        yield ""
    for name, rates in models.items():
        yield f"{printable(name)}: {_reached(found.contains(rates), groups)}."


def calibration_table(calibration: Sequence[GroupCalibration], groups: Sequence[str]) -> RenderableType:
    """Return a table of how each group was calibrated, and how well."""
    from evenhand.report.terminal.lists import listing  # noqa: PLC0415

    return listing(
        ("group", "calibrated", "people", "off", "by chance"),
        [
            (group, one.how, f"{one.people:,.0f}", f"{one.error:.1%}", f"{one.by_chance:.1%}")
            for group, one in zip(groups, calibration, strict=True)
        ],
        words=("group", "calibrated"),
        caption="off: how far probabilities are off on average; by chance: how far right ones would seem to be",
    )


def _reached(contained: Containment, groups: tuple[str, ...]) -> str:
    if contained:
        return "within reach"
    far = contained.farthest
    away = f"{contained.distance[far]:.4f} out of reach in the group {groups[far]}"
    if contained.by_chance:
        return f"within reach but for chance ({away})"
    return f"{away}, which chance does not explain"
