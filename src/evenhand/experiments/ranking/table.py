"""Tables of the ranking experiment for the terminal."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from evenhand.experiments.ranking.estimates import BASELINES
from evenhand.experiments.ranking.experiment import ANSWERS, DatasetResult, RankingResult, method_in_words
from evenhand.experiments.ranking.scores import MEASURES
from evenhand.experiments.tables import COLOURS, table
from evenhand.report.terminal.fitted_table import FittedTable

_ALL_SCORES, _WITH_MEDIANS = 142, 91
"""The widths, in characters, of a table with all measures and statistics, and of one without NDCG by place and p5."""


def ranking_tables(result: RankingResult, *, width: int) -> Iterator[RenderableType]:
    """Yield tables of the scores on each data set, the questions to the best model and the transport, and the claims.

    If the screen is too narrow (`width` in characters), the tables have fewer columns instead of truncated numbers.
    """
    for place, one in enumerate(result.ranked):
        if place:
            yield Text()
        yield _scores(one, width)
    if width < _ALL_SCORES:
        yield Text("NDCG by place and more statistics are in the JSON; a wider window shows them here.", style="dim")
    if any(one.to_best for one in result.ranked):
        yield Text()
        yield _to_best(result)
    if result.transported:
        yield Text()
        yield _transported(result)
    yield from _claims(result)


def _scores(one: DatasetResult, width: int) -> FittedTable:
    headings = {"ndcg": "NDCG", "ndcg_by_place": "by place", "kendall": "τ-b", "weighted_kendall": "weighted τ"}
    measures = [measure for measure in MEASURES if width >= _ALL_SCORES or measure != "ndcg_by_place"]
    statistics = ("mean", "median", "p5")[: 1 + (width >= _WITH_MEDIANS) + (width >= _ALL_SCORES)]
    heads = [f"{headings[measure]}\n{statistic}" for measure in measures for statistic in statistics]
    methods = list(one.scores)
    rows = []
    for method in methods:
        summed = one.scores[method].as_json()
        values = [summed[measure][statistic] for measure in measures for statistic in statistics]
        rows.append((method_in_words(method), f"{summed['questions']:,}", *(f"{value:.3f}" for value in values)))
    return table(
        ["\nmethod", "\nquestions", *heads],
        rows,
        names=("\nmethod",),
        keys=1,
        title=f"{one.name}: agreement with the true order",
        sections=[_section(method) for method in methods],
    )


def _section(method: str) -> tuple[bool, bool]:
    return method in BASELINES, method.startswith("adaptive")


def _to_best(result: RankingResult) -> FittedTable:
    rows = []
    for one in result.ranked:
        for answers, found in one.to_best.items():
            summed = found.as_json()
            rows.append(
                (
                    one.name,
                    ANSWERS[answers],
                    f"{summed['mean']:.1f}",
                    *(f"{summed[statistic]:.0f}" for statistic in ("median", "p5", "p95")),
                    *(f"{100 * summed[share]:.0f} %" for share in ("settled", "right", "exactly")),
                )
            )
    return table(
        ["data set", "answers", "mean", "median", "p5", "p95", "settled", "as good as\nthe best", "the best"],
        rows,
        names=("data set", "answers"),
        keys=2,
        title="Questions until the adaptive method settles on the best model",
    )


def _transported(result: RankingResult) -> FittedTable:
    rows = [
        (
            one.source,
            one.target,
            one.method,
            f"{one.away.mean('kendall'):.4f}",
            f"{one.at_home.mean('kendall'):.4f}",
        )
        for one in result.transported
    ]
    return table(
        ["elicited\non", "ranks\nmodels of", "\nmethod", "\nmoved", "elicited\nthere"],
        rows,
        names=("elicited\non", "ranks\nmodels of", "\nmethod"),
        keys=3,
        title="Metrics elicited on one data set rank the models of another: mean Kendall's τ-b",
    )


def _claims(result: RankingResult) -> Iterator[RenderableType]:
    yield Text("\nThe paper's findings, and ours", style="bold")
    for claim, verdicts in groupby(result.verdicts, key=lambda verdict: verdict.claim):
        yield Text(f"\n{claim}.", style="bold")
        findings = Table.grid(padding=(0, 2, 0, 0))
        for verdict in verdicts:
            holds = Text("holds" if verdict.holds else "does not hold", style=COLOURS[verdict.holds])
            findings.add_row(f"   {verdict.dataset}", holds, verdict.found)
        yield findings
