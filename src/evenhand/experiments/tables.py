"""Tables of the experiments' results for a terminal of a hundred columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

import numpy as np
from rich import box
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from evenhand.experiments.compare import Attempt
from evenhand.experiments.recovery import Recovery
from evenhand.experiments.rows import SYMBOLS
from evenhand.experiments.samples import SampleSize
from evenhand.experiments.scaling import Scaling
from evenhand.wording.numerals import plural

COLOURS = {True: "green", False: "red", None: "yellow"}


def recovery_table(recovery: Recovery) -> Table:
    """Return the grid: questions, and mean, median and 95th percentile of the three errors."""
    cell = recovery.rows[0].cell
    table = plain_table(
        f"Errors in thousandths; {cell.oracles} oracles in each cell, ε = {cell.tolerance:g}{cell.noise}"
    )
    for heading in ("k", "m"):
        table.add_column(f"\n{heading}", justify="right")
    table.add_column("\nmethod")
    table.add_column("\nquestions", justify="right")
    for symbol in SYMBOLS.values():
        for first_line, heading in ((f"{symbol}:", "mean"), ("", "median"), ("", "p95")):
            table.add_column(f"{first_line}\n{heading}", justify="right")
    for _, of_k in groupby(recovery.rows, key=lambda row: row.classes):
        for row in of_k:
            errors = [_thousandths(value) for summary in row.summaries.values() for value in summary]
            table.add_row(str(row.classes), str(row.groups), row.method, f"{row.questions:,}", *errors)
        table.add_section()
    return table


def samples_table(results: Sequence[SampleSize]) -> Table:
    """Return the distance between metrics elicited on samples and on the population, by size and method."""
    interviews = results[0].distances.shape[1]
    each = plural(interviews, "interview")
    table = plain_table(f"Distance from the metric of the population, in thousandths; {each} each")
    table.add_column("method")
    table.add_column("people in the sample", justify="right")
    for symbol in SYMBOLS.values():
        table.add_column(f"{symbol}: median", justify="right")
    for method, of_method in groupby(results, key=lambda one: one.method):
        for one in of_method:
            medians = [_thousandths(float(value)) for value in np.median(one.distances, axis=1)]
            table.add_row(method, f"{one.people_in_sample:,}", *medians)
        table.add_section()
    return table


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


def scaling_table(scaling: Scaling) -> Table:
    """Return the fitted slopes and the theorem's exponents."""
    table = plain_table(f"Slopes of the median error on logarithmic axes; {scaling.base.oracles} oracles at each point")
    table.caption = (
        "A slope is “within” if its 95 % interval reaches the theorem's exponent; “within at the end” means that this "
        "is so for the last three points, which are closest to the limit in the theorem's O(·), but not for all points."
    )
    table.caption_justify = "left"
    for heading in ("error in", "against", "method", "slope [95 %]", "last 3 points", "theorem", "verdict"):
        table.add_column(heading.replace(" [", " \\["), no_wrap=heading != "verdict")
    for _, slopes in groupby(scaling.slopes, key=lambda slope: slope.quantity):
        for slope in slopes:
            sign = "≥" if slope.quantity.vanishing else "≤"
            table.add_row(
                SYMBOLS[slope.part],
                slope.quantity.symbol,
                slope.method,
                str(slope.exponent or "–"),
                str(slope.at_the_end or "–"),
                f"{sign} {slope.quantity.allowed[slope.part]:g}",
                Text(slope.verdict, style=COLOURS[slope.within or slope.within_at_the_end]),
            )
        table.add_section()
    return table


def comparison_table(attempts: Sequence[Attempt]) -> Table:
    """Return a comparison of the methods: questions, median errors, and the 90th percentile of the largest error."""
    table = plain_table(f"Errors in thousandths; {attempts[0].errors.shape[1]} respondents each")
    for heading in ("k", "m", "flip", "band"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("method", no_wrap=True)
    table.add_column("questions", justify="right", no_wrap=True)
    for symbol in SYMBOLS.values():
        table.add_column(f"median {symbol}", justify="right")
    table.add_column("p90 of largest", justify="right")
    table.add_column("limit", justify="right")
    table.caption = (
        "The limit is the number of questions that any method needs to determine every weight to within the median of "
        "the largest error, given the probability of flipped answers."
    )
    table.caption_justify = "left"
    for kind, of_kind in groupby(attempts, key=lambda one: (one.classes, one.groups, one.noise, one.method)):
        k, m, noise, method = kind
        for one in of_kind:
            table.add_row(
                str(k),
                str(m),
                f"{noise.flip:g}",
                f"{noise.band:g}",
                method,
                f"{one.questions:,}",
                *(_thousandths(float(median)) for median in np.median(one.errors, axis=1)),
                _thousandths(float(np.quantile(one.largest, 0.9))),
                f"{one.limit:.0f}",
            )
        table.add_section()
    return table


def plain_table(title: str) -> Table:
    """Return an empty table with a title and few lines."""
    return Table(title=title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))


def _thousandths(error: float) -> str:
    thousandths = 1000 * error
    return f"{thousandths:.{2 if thousandths < 10 else 1 if thousandths < 100 else 0}f}"  # at most four characters
