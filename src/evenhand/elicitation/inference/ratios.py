"""The ratios between the weights of a metric, from a weighted sample of metrics."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from evenhand.elicitation.inference.quantiles import weighted_quantiles
from evenhand.metric import FairMetric, MetricSample
from evenhand.metric.ratios import Ratio, Ratios
from evenhand.rates.ties import comparable
from evenhand.typing import Floats
from evenhand.wording.vocabulary import Words

_COUNTS = 5e-3
"""A mistake that weighs less than this share of a gap is not what the gap is compared with."""


def ratios(metric: FairMetric, sample: MetricSample, level: float) -> Ratios:
    """Return how the weights of a metric compare, with intervals that hold with probability `level` by the sample."""
    mistakes, violation = (part.reshape(len(part), -1) for part in sample.weights.scaled)
    own_mistakes, own_violation = (part.ravel() for part in metric.weights.scaled)
    dearest, dearest_entry = _dearest(own_mistakes), _dearest(own_violation)

    def beside(
        one: Floats, others: Floats, own: Floats, own_others: Floats, places: list[tuple[int, int]]
    ) -> list[Ratio]:
        first, second = ([place[side] for place in places] for side in (0, 1))
        shares = _shares(one[:, first], others[:, second])
        low, high = weighted_quantiles(shares, sample.probability, ((1 - level) / 2, (1 + level) / 2))
        more = sample.probability @ ((shares > 0.5) + 0.5 * (shares == 0.5))  # one half
        estimates = np.clip(_shares(own[first], own_others[second]), low, high)
        return [
            Ratio(*place, *(float(number) for number in numbers))
            for place, *numbers in zip(places, estimates, low, high, np.clip(more, 0.0, 1.0), strict=True)
        ]

    def among(weights: Floats, own: Floats, most: int) -> tuple[Ratio, ...]:
        places = [(most, other) for other in range(own.size) if other != most]
        return tuple(beside(weights, weights, own, own, places))

    compared_with = list(_compared_with(metric, own_mistakes, own_violation, dearest))
    all_mistakes, all_violation = 1 - sample.weights.trade_off[:, None], sample.weights.trade_off[:, None]
    own_share = np.array([metric.trade_off])
    (trade_off,) = beside(all_violation, all_mistakes, own_share, 1 - own_share, [(0, 0)])
    return Ratios(
        mistakes=among(mistakes, own_mistakes, dearest),
        violation=among(violation, own_violation, dearest_entry) if own_violation.size else (),
        in_mistakes=tuple(beside(violation, mistakes, own_violation, own_mistakes, compared_with)),
        trade_off=trade_off,
    )


def _compared_with(metric: FairMetric, mistakes: Floats, violation: Floats, dearest: int) -> Iterator[tuple[int, int]]:
    """Yield each entry of the violation with the mistake that it is compared with."""
    words = Words.plain(metric.setting)
    about_mistakes = metric.form.columns(words) == words.mistakes
    columns = metric.violation.shape[-1]
    for place, price in enumerate(violation.tolist()):
        own = place % columns
        yield place, own if about_mistakes and mistakes[own] > _COUNTS * price else dearest


def _dearest(weights: Floats) -> int:
    return int(comparable(weights).argmax()) if weights.size else 0


def _shares(one: Floats, other: Floats) -> Floats:
    """Return one / (one + other), which is one half where both are nothing."""
    both = one + other
    return np.asarray(np.where(both > 0, one / np.where(both > 0, both, 1.0), 0.5))
