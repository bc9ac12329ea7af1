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
from evenhand.wording.numerals import as_much, of_100, points
from evenhand.wording.vocabulary import Words

if TYPE_CHECKING:
    from evenhand.metric.fair_metric import FairMetric
    from evenhand.metric.nearest import Near

_MOST = 6
_ALIKE = 0.98
"""What weighs more than this share of the heaviest is said to count alike."""
_NOTHING = 5e-3
"""What weighs less than this share of the heaviest is said to count for next to nothing."""
POINT = "A point is one person of 100 in the same class."
CAVEAT = "This describes preferences; it does not certify that a model is fair."


def sentences(metric: FairMetric, words: Words) -> list[str]:
    """Return what a metric says, a sentence for each thing, in words whose mistakes are noun phrases."""
    about = (_about_the_trade_off, _about_mistakes, _about_the_violation)
    return [sentence for some in about for sentence in some(metric, words)]


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


def _about_the_trade_off(metric: FairMetric, _: Words) -> Iterator[str]:
    trade_off, unfair = metric.trade_off, metric.form.title
    if trade_off < _NOTHING:
        yield f"The cost lies almost wholly in mistakes, not in {unfair}."
    elif trade_off > 1 - _NOTHING:
        yield f"The cost lies almost wholly in {unfair}, not in mistakes as such."
    else:
        leaning = (
            "more weight on mistakes"
            if trade_off < 0.45
            else f"more weight on {unfair}"
            if trade_off > 0.55
            else "about equal weight"
        )
        yield (
            f"Mistakes and {unfair} both count, with {leaning}: the trade-off is {trade_off:.2f}, on a scale from 0 "
            f"(only mistakes) to 1 (only {unfair})."
        )
        if metric.width is not None:
            yield f"What is unfair counts beyond a width of {points(100 * metric.width)}."


def _about_mistakes(metric: FairMetric, words: Words) -> Iterator[str]:
    if metric.trade_off > 1 - _NOTHING:
        return
    a, names = metric.misclassification, words.mistakes
    order = np.argsort(-comparable(a), kind="stable").tolist()
    dearest, cheapest = order[0], order[-1]
    if a[cheapest] > _ALIKE * a[dearest]:
        yield "All kinds of mistake count alike."
    elif len(order) == 2:
        yield _compared(capitalised(names[dearest]), a[dearest], a[cheapest], names[cheapest])
    else:
        listed = [f"{names[one]} ({_share(a[one], a[dearest])})" for one in order[1:_MOST]]
        yield (
            f"The mistake that counts most is {names[dearest]}; compared with it: {', '.join(listed)}"
            + (f", and {len(order) - _MOST} others less." if len(order) > _MOST else ".")
        )


def _about_the_violation(metric: FairMetric, words: Words) -> Iterator[str]:
    if metric.trade_off < _NOTHING:
        return
    mistakes, violation = metric.weights.scaled
    dearest = float(violation.max())
    if violation.size > 1 and violation.min() > _ALIKE * dearest and np.ptp(mistakes) < (1 - _ALIKE) * mistakes.max():
        price = points(dearest / float(mistakes.max()))
        alike = f"Every weight of {metric.form.title} is the same"
        yield f"{alike}: one point counts as much as {price} more of a mistake for everybody."
        return
    order = np.argsort(-comparable(violation), axis=None, kind="stable").tolist()
    said = 0
    for place in order:
        row, column = divmod(place, violation.shape[1])
        if said == _MOST or violation[row, column] < _NOTHING * dearest:
            break
        what = capitalised(metric.form.phrase(row, column, words))
        same = column if metric.form.columns(words) == words.mistakes else None
        yield _in_mistakes(what, violation[row, column], mistakes, words.mistakes, same)
        said += 1
    left = len(order) - said
    if left:
        yield f"The other {'one counts' if left == 1 else f'{left} count'} less, or not at all."


def _in_mistakes(what: str, price: float, mistakes: Floats, names: Sequence[str], same: int | None) -> str:
    """Say what one point of what is unfair is worth in points of a mistake: of the same mistake if it is about one."""
    if same is not None and mistakes[same] > _NOTHING * price:
        return f"{what} counts as much as {points(price / mistakes[same])} more of that mistake for everybody."
    other = int(comparable(mistakes).argmax())
    if mistakes[other] > _NOTHING * price:
        return f"{what} counts as much as {points(price / mistakes[other])} more of {names[other]}."
    return f"{what} counts, while mistakes hardly do."


def _compared(dear: str, more: float, less: float, cheap: str) -> str:
    if less < _NOTHING * more:
        return f"{dear} counts, while {cheap} counts for next to nothing."
    return f"{dear} counts {as_much(more / less)} as {cheap}."


def _share(weight: float, dearest: float) -> str:
    return "next to nothing" if weight < _NOTHING * dearest else as_much(weight / dearest)
