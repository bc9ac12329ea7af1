"""The ratios between the weights of a metric, from a weighted sample of metrics."""

from __future__ import annotations

import numpy as np

from evenhand.elicitation.inference.quantiles import weighted_intervals
from evenhand.metric import FairMetric, MetricSample
from evenhand.metric.ratios import Places, Ratio, Ratios, among, in_mistakes, shares
from evenhand.typing import Floats


def ratios(metric: FairMetric, sample: MetricSample, level: float, of_trade_off: float) -> Ratios:
    """Return how the weights of a metric compare, with intervals that hold with probability `level` by the sample.

    That of the trade-off is given by itself: it is a weight, too, and has one interval.
    """
    mistakes, violation = (part.reshape(len(part), -1) for part in sample.weights.scaled)
    own_mistakes, own_violation = (part.ravel() for part in metric.weights.scaled)

    def beside(
        one: Floats, others: Floats, own: Floats, own_others: Floats, places: Places, level: float = level
    ) -> tuple[Ratio, ...]:
        first, second = ([place[side] for place in places] for side in (0, 1))
        drawn = shares(one[:, first], others[:, second])
        low, high = np.moveaxis(weighted_intervals(drawn, sample.probability, level), -1, 0)
        more = sample.probability @ ((drawn > 0.5) + 0.5 * (drawn == 0.5))  # one half
        estimates = np.clip(shares(own[first], own_others[second]), low, high)
        return tuple(
            Ratio(*place, *(float(number) for number in numbers))
            for place, *numbers in zip(places, estimates, low, high, np.clip(more, 0.0, 1.0), strict=True)
        )

    def within(weights: Floats, own: Floats) -> tuple[Ratio, ...]:
        return beside(weights, weights, own, own, among(own)) if own.size else ()

    compared = in_mistakes(metric)
    all_mistakes, all_violation = 1 - sample.weights.trade_off[:, None], sample.weights.trade_off[:, None]
    own_share = np.array([metric.trade_off])
    (trade_off,) = beside(all_violation, all_mistakes, own_share, 1 - own_share, [(0, 0)], of_trade_off)
    return Ratios(
        mistakes=within(mistakes, own_mistakes),
        violation=within(violation, own_violation),
        in_mistakes=beside(violation, mistakes, own_violation, own_mistakes, compared) if compared else (),
        trade_off=trade_off,
    )
