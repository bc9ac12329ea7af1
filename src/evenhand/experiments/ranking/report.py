"""A short Markdown report on the ranking experiment: claim by claim, then the numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from evenhand.experiments.ranking.experiment import ANSWERS, RankingResult, method_in_words
from evenhand.experiments.ranking.scores import MEASURES


def markdown(result: RankingResult, *, command: str, seconds: float, jobs: int) -> str:
    """Return the report; `command`, `seconds` and `jobs` say how it was made."""
    return "\n".join(_paragraphs(result, command, seconds, jobs))


def _paragraphs(result: RankingResult, command: str, seconds: float, jobs: int) -> Iterator[str]:
    yield "# Ranking real classifiers by elicited metrics\n"
    yield (
        f"{result.classifiers} classifiers on each data set, ranked by {result.metrics} hidden metrics, and by what "
        f"each method estimates them to be. Made by `{command}` in {seconds:.0f} seconds with {jobs} "
        f"{'job' if jobs == 1 else 'jobs'}; {result.kept}.\n"
    )
    yield "![NDCG, Kendall's τ-b and the weighted τ of every method on every data set](ranking.svg)\n"
    yield "## The paper's findings, and ours\n"
    for claim, verdicts in groupby(result.verdicts, key=lambda verdict: verdict.claim):
        yield f"**{claim}.**\n"
        for verdict in verdicts:
            yield f"- {verdict.dataset}: {'holds' if verdict.holds else '**does not hold**'}. {verdict.found}."
        yield ""
    yield "## Agreement with the true order\n"
    yield (
        "Mean / median (5th percentile) over the metrics. The weighted τ is Shieh's: a pair of models in places i and "
        "j of the true order has weight 1/i · 1/j.\n"
    )
    for one in result.ranked:
        yield f"### {one.name}\n"
        yield from _table(
            ("method", "questions", *MEASURES.values()),
            (
                (method_in_words(method), f"{scores.questions:,}", *map(_spread, _summaries(scores.as_json())))
                for method, scores in one.scores.items()
            ),
        )
    if any(one.to_best for one in result.ranked):
        yield "## Questions to the best model\n"
        yield (
            "The adaptive method asks until it settles on a model, or gives up after 60 questions. A model is as good "
            "as the best if it costs at most 0.002 more.\n"
        )
        yield from _table(
            ("data set", "answers", "mean", "median", "p5 to p95", "settled", "as good as the best", "the best"),
            (
                (
                    one.name,
                    ANSWERS[answers],
                    f"{summed['mean']:.1f}",
                    f"{summed['median']:.0f}",
                    f"{summed['p5']:.0f} to {summed['p95']:.0f}",
                    *(f"{100 * summed[share]:.0f} %" for share in ("settled", "right", "exactly")),
                )
                for one in result.ranked
                for answers, summed in ((answers, found.as_json()) for answers, found in one.to_best.items())
            ),
        )
    if result.transported:
        yield "## Metrics elicited on one data set rank the models of another\n"
        yield (
            "Mean Kendall's τ-b with the true order. So that a metric fits both data sets, there are two groups: men "
            "and women on default and adult; the colours of wine; mostly White communities and others on crime.\n"
        )
        yield from _table(
            ("elicited on", "ranks models of", "method", "moved", "elicited there"),
            (
                (
                    one.source,
                    one.target,
                    one.method,
                    f"{one.away.mean('kendall'):.4f}",
                    f"{one.at_home.mean('kendall'):.4f}",
                )
                for one in result.transported
            ),
        )
    for note in result.notes:
        yield f"Note: {note}.\n"


def _summaries(summed: dict[str, dict[str, float]]) -> Iterator[dict[str, float]]:
    return (summed[measure] for measure in MEASURES)


def _spread(summed: dict[str, float]) -> str:
    return f"{summed['mean']:.4f} / {summed['median']:.4f} ({summed['p5']:.3f})"


def _table(headings: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    yield f"| {' | '.join(headings)} |"
    yield f"|{' --- |' * len(headings)}"
    for row in rows:
        yield f"| {' | '.join(row)} |"
    yield ""
