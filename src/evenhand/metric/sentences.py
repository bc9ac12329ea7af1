"""A metric in plain sentences: what counts how many times as much as what.

Weights are ratios, so that the sentences are too. The unit is a *point*: one more person of 100 of the same true class.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import comb
from typing import TYPE_CHECKING

import numpy as np

from evenhand.rates.ties import comparable
from evenhand.typing import Floats
from evenhand.wording.names import capitalised
from evenhand.wording.numerals import of_100, points, times
from evenhand.wording.vocabulary import Words

if TYPE_CHECKING:
    from evenhand.metric.fair_metric import FairMetric
    from evenhand.metric.nearest import Near

_MOST = 6
_NOTHING = 5e-3
"""What weighs less than this share of the heaviest is said to count for next to nothing."""
CAVEAT = "This describes preferences; it does not certify that a model is fair."


def sentences(metric: FairMetric, words: Words) -> list[str]:
    """Return what a metric says, a sentence for each thing, in words whose mistakes are noun phrases."""
    return [*_about_the_trade_off(metric), *_about_mistakes(metric, words.mistakes), *_about_gaps(metric, words)]


def nearness(near: Near, models: int = 0) -> str:
    """Say how often the nearest metric with a name decides differently, among these models or made-up ones."""
    return f"The nearest metric with a name is {near.name}: it would decide {decided(near, models)} differently."


def decided(near: Near, models: int = 0) -> str:
    """Return how many comparisons a metric with a name decides differently, and of how many."""
    pairs = comb(models, 2)
    if not pairs:
        return f"{of_100(near.differs)} of 100 comparisons of made-up models"
    number = round(near.differs * pairs) or "none"
    return f"{number} of the {pairs} pairs of models" if pairs > 1 else f"{number} of the one pair of models"


def _about_the_trade_off(metric: FairMetric) -> Iterator[str]:
    gaps = metric.trade_off
    if gaps < _NOTHING:
        yield "Only mistakes count: gaps between groups make next to no difference."
    elif gaps > 1 - _NOTHING:
        yield "Only gaps between groups count: mistakes that are spread equally make next to no difference."
    else:
        leaning = (
            "more weight on mistakes" if gaps < 0.45 else "more weight on gaps" if gaps > 0.55 else "about equal weight"
        )
        yield (
            f"Mistakes and gaps between groups both count, with {leaning}: the trade-off is {gaps:.2f}, where 0 would "
            "mean that only mistakes count and 1 that only gaps do."
        )


def _about_mistakes(metric: FairMetric, names: Sequence[str]) -> Iterator[str]:
    if metric.trade_off > 1 - _NOTHING:
        return
    a = metric.misclassification
    order = np.argsort(-comparable(a), kind="stable").tolist()
    dearest, cheapest = order[0], order[-1]
    if a[cheapest] > 0.98 * a[dearest]:
        yield "All kinds of mistake count alike."
    elif len(order) == 2:
        yield _compared(capitalised(names[dearest]), a[dearest], a[cheapest], names[cheapest])
    else:
        listed = [f"{names[one]} ({_share(a[one], a[dearest])})" for one in order[1:_MOST]]
        yield (
            f"The mistake that counts most is {names[dearest]}; compared with it: {', '.join(listed)}"
            + (f", and {len(order) - _MOST} others less." if len(order) > _MOST else ".")
        )


def _about_gaps(metric: FairMetric, words: Words) -> Iterator[str]:
    if metric.trade_off < _NOTHING:
        return
    names = words.mistakes
    mistakes = (1 - metric.trade_off) * metric.misclassification
    gaps = metric.trade_off * metric.violation
    dearest = float(gaps.max())
    if gaps.min() > 0.98 * dearest and np.ptp(mistakes) < 0.02 * mistakes.max():
        all_alike = "All gaps between groups count alike"
        price = dearest / float(mistakes.max())
        yield f"{all_alike}: one point of gap counts as much as {points(price)} more of a mistake for everybody."
        return
    order = np.argsort(-comparable(gaps), axis=None, kind="stable").tolist()
    said = 0
    for place in order:
        p, one = divmod(place, len(names))
        if said == _MOST or gaps[p, one] < _NOTHING * dearest:
            break
        u, v = words.pairs[p]
        yield _a_gap(f"{u} and {v}", names[one], gaps[p, one], mistakes, names, one)
        said += 1
    left = len(order) - said
    if left:
        yield f"The other {'gap counts' if left == 1 else f'{left} gaps count'} less, or not at all."


def _a_gap(who: str, what: str, price: float, mistakes: Floats, names: Sequence[str], one: int) -> str:
    gap = f"A gap of one point between {who} in {what} counts as much as"
    if mistakes[one] > _NOTHING * price:
        return f"{gap} {points(price / mistakes[one])} more of that mistake for everybody."
    other = int(comparable(mistakes).argmax())
    if mistakes[other] > _NOTHING * price:
        return f"{gap} {points(price / mistakes[other])} more of {names[other]}."
    return f"A gap between {who} in {what} counts, while mistakes hardly do."


def _compared(dear: str, more: float, less: float, cheap: str) -> str:
    if less < _NOTHING * more:
        return f"{dear} counts, while {cheap} counts for next to nothing."
    return f"{dear} counts {times(more / less)} as much as {cheap}."


def _share(weight: float, dearest: float) -> str:
    return "next to nothing" if weight < _NOTHING * dearest else f"{times(weight / dearest)} as much"
