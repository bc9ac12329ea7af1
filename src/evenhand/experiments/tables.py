"""Tables of the experiments' results for a terminal."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import groupby, pairwise

import numpy as np
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from evenhand.experiments.compare import Attempt
from evenhand.experiments.recovery import Recovery
from evenhand.experiments.rows import SYMBOLS
from evenhand.experiments.samples import SampleSize
from evenhand.experiments.scaling import Scaling
from evenhand.report.terminal.fitted_table import Column, FittedTable
from evenhand.wording.numerals import plural

COLOURS = {True: "green", False: "red", None: "yellow"}


def recovery_table(recovery: Recovery) -> FittedTable:
    """Return the grid: questions, and mean, median and 95th percentile of the three errors."""
    cell = recovery.rows[0].cell
    heads = [f"{symbol}\n{heading}" for symbol in SYMBOLS.values() for heading in ("mean", "median", "p95")]
    rows = [
        (
            str(row.classes),
            str(row.groups),
            row.method,
            f"{row.questions:,}",
            *(_thousandths(value) for summary in row.summaries.values() for value in summary),
        )
        for row in recovery.rows
    ]
    return table(
        ["\nk", "\nm", "\nmethod", "\nquestions", *heads],
        rows,
        names=("\nmethod",),
        keys=3,
        title=f"Errors in thousandths; {cell.oracles} oracles in each cell, ε = {cell.tolerance:g}{cell.noise}",
        sections=[row.classes for row in recovery.rows],
    )


def samples_table(results: Sequence[SampleSize]) -> FittedTable:
    """Return the distance between metrics elicited on samples and on the population, by size and method."""
    interviews = results[0].distances.shape[1]
    return table(
        ["method", "people in the sample", *(f"{symbol}: median" for symbol in SYMBOLS.values())],
        [
            (
                one.method,
                f"{one.people_in_sample:,}",
                *(_thousandths(float(value)) for value in np.median(one.distances, axis=1)),
            )
            for one in results
        ],
        names=("method",),
        keys=2,
        title=f"Distance from the metric of the population, in thousandths; {plural(interviews, 'interview')} each",
        sections=[one.method for one in results],
    )


def observations_list(recovery: Recovery) -> Iterator[RenderableType]:
    """Return the paper's observations one by one, each with our measurements and a verdict."""
    if any(found.classes is None or found.groups is None for found in recovery.observations):
        yield Text(f"\nThe paper's observations cannot be checked. {recovery.observations[0].why}")
        return
    yield Text("\nThe paper's observations, and our measurements", style="bold")
    yield Text(
        "Numbers are p in error ∝ kᵖ or mᵖ with its 95 % interval; there is a trend if the interval excludes 0.",
        style="dim",
    )
    for number, (claim, of_claim) in enumerate(groupby(recovery.observations, key=lambda found: found.claim), 1):
        yield Text(f"\n{number}. {claim.text}", style="bold")
        findings = Table.grid(padding=(0, 2, 0, 0))
        for observation in of_claim:
            findings.add_row(
                f"   {observation.method}",
                f"{observation.statistic}s",
                Text(observation.verdict, style=COLOURS[observation.holds]),
                "\n".join(filter(None, [*observation.trends, observation.why])),
            )
        yield findings


def scaling_table(scaling: Scaling) -> FittedTable:
    """Return the fitted slopes and the theorem's exponents."""
    rows = [
        (
            SYMBOLS[slope.part],
            slope.quantity.symbol,
            slope.method,
            str(slope.exponent or "–"),
            str(slope.at_the_end or "–"),
            f"{'≥' if slope.quantity.vanishing else '≤'} {slope.quantity.allowed[slope.part]:g}",
            Text(slope.verdict, style=COLOURS[slope.within or slope.within_at_the_end]),
        )
        for slope in scaling.slopes
    ]
    heads = ["error in", "against", "method", "slope [95 %]", "last 3 points", "theorem", "verdict"]
    return table(
        heads,
        rows,
        names=("error in", "against", "method", "verdict"),
        keys=3,
        title=f"Slopes of the median error on logarithmic axes; {scaling.base.oracles} oracles at each point",
        caption="A slope is “within” if its 95 % interval reaches the theorem's exponent; “within at the end” means "
        "that this is so for the last three points, which are closest to the limit in the theorem's O(·), but not for "
        "all points.",
        sections=[slope.quantity for slope in scaling.slopes],
    )


def comparison_table(attempts: Sequence[Attempt]) -> FittedTable:
    """Return a comparison of the methods: questions, median errors, and the 90th percentile of the largest error."""
    rows = [
        (
            str(one.classes),
            str(one.groups),
            f"{one.noise.flip:g}",
            f"{one.noise.band:g}",
            one.method,
            f"{one.questions:,}",
            *(_thousandths(float(median)) for median in np.median(one.errors, axis=1)),
            _thousandths(float(np.quantile(one.largest, 0.9))),
            f"{one.limit:.0f}",
        )
        for one in attempts
    ]
    medians = (f"median\n{symbol}" for symbol in SYMBOLS.values())
    return table(
        ["\nk", "\nm", "\nflip", "\nband", "\nmethod", "\nquestions", *medians, "p90 of\nlargest", "\nlimit"],
        rows,
        names=("\nmethod",),
        keys=5,
        title=f"Errors in thousandths; {attempts[0].errors.shape[1]} respondents each",
        caption="The limit is the number of questions that any method needs to determine every weight to within the "
        "median of the largest error, given the probability of flipped answers.",
        sections=[(one.classes, one.groups, one.noise) for one in attempts],
    )


def table(
    heads: Sequence[str],
    rows: Sequence[Sequence[str | Text]],
    *,
    names: Collection[str],
    keys: int,
    title: str,
    caption: str = "",
    sections: Sequence[object] = (),
) -> FittedTable:
    """Return a table from its rows; there is a gap wherever the section of a row is not that of the next."""
    columns = [
        Column(head, cells, name=head in names) for head, cells in zip(heads, zip(*rows, strict=True), strict=True)
    ]
    ends = frozenset(row for row, (one, other) in enumerate(pairwise(sections)) if one != other)
    return FittedTable(columns, title=title, caption=caption, keys=keys, ends=ends)


def _thousandths(error: float) -> str:
    thousandths = 1000 * error
    return f"{thousandths:.{2 if thousandths < 10 else 1 if thousandths < 100 else 0}f}"  # at most four characters
