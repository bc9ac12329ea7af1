"""Sentences about weights: how many are said, and how many of them are wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache

import numpy as np

from bench.models import real_models
from bench.people import FIRST_PERSON, PEOPLE, Oracle, everybody, person
from evenhand import FairMetric, GroupRates, SimulatedOracle, elicit
from evenhand.metric.ratios import Ratio, Ratios
from evenhand.rates.ties import ROUNDING

KINDS = ("exact", "10 % flips", "20 % flips", "logistic 0.01", "exact, off the prior", "the colleague")
"""The colleague is one for whom only gaps in false positives count."""
_QUESTIONS = 20
_MOST = 0.1


@cache
def _candidates(groups: int) -> dict[str, GroupRates]:
    """Return every fifth of the real models: twenty."""
    return dict(list(real_models(2, groups).items())[::5])


def sentences_of(seed: int, *, kind: str, groups: int, candidates: bool) -> Counter[str] | None:
    """Interview one person; count sentences that compare, and that state a range, and how many of them are wrong."""
    models = _candidates(groups)
    setting = next(iter(models.values())).setting
    if kind == "the colleague":
        only = np.zeros((groups * (groups - 1) // 2, 2))
        only[:, 0] = 1.0
        truth = FairMetric.from_weights(setting, misclassification=[0.0, 0.0], violation=only, trade_off=1.0)
        oracle: Oracle = SimulatedOracle(truth)
    else:
        truth, oracle = person(setting, seed, kind)
    options = {"candidates": models, "stop": "best"} if candidates else {"stop": "budget", "max_questions": _QUESTIONS}
    found = elicit(oracle, setting, method="adaptive", random_state=seed, **options)
    if not found.verdict.decided:
        return None
    assert found.uncertainty is not None  # noqa: S101
    assert found.uncertainty.ratios is not None  # noqa: S101
    return Counter(_judged(found.uncertainty.ratios, truth))


def _judged(said: Ratios, truth: FairMetric) -> Iterator[str]:
    mistakes, violation = (part.ravel() for part in truth.weights.scaled)
    of_all = np.array([truth.trade_off]), np.array([1 - truth.trade_off])
    for ratio, one, other in (
        *((ratio, mistakes, mistakes) for ratio in said.mistakes),
        *((ratio, violation, violation) for ratio in said.violation),
        *((ratio, violation, mistakes) for ratio in said.in_mistakes),
        (said.trade_off, *of_all),
    ):
        yield from _judged_ratio(ratio, float(one[ratio.one]), float(other[ratio.other]))


def _judged_ratio(ratio: Ratio, one: float, other: float) -> Iterator[str]:
    yield "all"
    if ratio.more or ratio.less:
        yield "compared"
        if one <= other + ROUNDING if ratio.more else one >= other - ROUNDING:
            yield "compared wrongly"
    if ratio.told:
        share = one / (one + other) if one + other else 0.5
        yield "with a range"
        if not ratio.low - ROUNDING <= share <= ratio.high + ROUNDING:
            yield "outside the range"


def run() -> None:
    """Print the share of wrong sentences, for each kind of person, with candidates and without."""
    for candidates in (True, False):
        about = "with 20 candidates until the best is settled" if candidates else f"without, {_QUESTIONS} questions"
        print(f"  {PEOPLE} people a line, from {FIRST_PERSON} on; {about}")
        for kind in KINDS:
            for groups in (2, 3):
                found = everybody(sentences_of, kind=kind, groups=groups, candidates=candidates)
                decided = [one for one in found if one is not None]
                said: Counter[str] = sum(decided, Counter())
                wrong = said["compared wrongly"] / max(said["compared"], 1)
                outside = said["outside the range"] / max(said["with a range"], 1)
                most = f"at most {_MOST:.0%} wanted"
                print(
                    f"  {kind:<22} {groups} groups: decided {len(decided)}; of {said['all']} ratios "
                    f"{said['compared']} compared, {wrong:.1%} of them wrong ({most}); "
                    f"{said['with a range']} with a range, {outside:.1%} outside",
                    flush=True,
                )
