"""Sentences about weights: how many are said, and how many of them are wrong."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

import numpy as np

from bench.models import real_models
from bench.people import FIRST_PERSON, PEOPLE, Oracle, everybody, person
from evenhand import FairMetric, GroupRates, Setting, SimulatedOracle, elicit
from evenhand.metric.sentences import Sentence, Stated
from evenhand.rates.ties import ROUNDING
from evenhand.study.demo.demo import demo_study
from evenhand.wording.vocabulary import Words

KINDS = ("exact", "10 % flips", "20 % flips", "logistic 0.01", "exact, off the prior", "the colleague")
"""The colleague is one for whom only gaps in false positives count."""
_QUESTIONS = 45
ABOUT = {
    "twenty": "20 real models, until the best is settled",
    "demo": "the demo's 21 models, at most 15 questions",
    "weights": f"the weights, {_QUESTIONS} questions",
}
_MOST = 0.1
_WRONG = (("told", "wrong"), ("order", "order wrong"), ("range", "range wrong"))
"""Of all sentences that stated something, those that say which of two counts more, and those that give a range."""


@cache
def twenty(groups: int) -> dict[str, GroupRates]:
    """Return every fifth of the real models: twenty."""
    return dict(list(real_models(2, groups).items())[::5])


def asked(about: str, groups: int) -> tuple[Setting, dict[str, Any]]:
    """Return the setting, and the options of an interview about one of `ABOUT`."""
    if about == "demo":
        study = demo_study()
        kept = {name: value for name, value in study.method.options().items() if value is not None}
        return study.setting, kept | {"candidates": study.candidates}
    models = twenty(groups)
    setting = next(iter(models.values())).setting
    if about == "twenty":
        return setting, {"candidates": models, "stop": "best"}
    return setting, {"stop": "budget", "max_questions": _QUESTIONS}


def sentences_of(seed: int, *, kind: str, groups: int, about: str) -> Counter[str] | None:
    """Interview one person; count sentences that compare, and that state a range, and how many of them are wrong."""
    setting, options = asked(about, groups)
    if kind == "the colleague":
        only = np.zeros((groups * (groups - 1) // 2, 2))
        only[:, 0] = 1.0
        truth = FairMetric.from_weights(setting, misclassification=[0.0, 0.0], violation=only, trade_off=1.0)
        oracle: Oracle = SimulatedOracle(truth)
    else:
        truth, oracle = person(setting, seed, kind)
    found = elicit(oracle, setting, method="adaptive", random_state=seed, **options)
    if not found.verdict.decided:
        return None
    return sum((_judged(sentence, truth) for sentence in found.said(Words.spoken(setting))), Counter())


def _judged(sentence: Sentence, truth: FairMetric) -> Counter[str]:
    """Count a sentence: what it says, and what of it is wrong."""
    if not sentence.states:
        return Counter(open=1)
    ranges = [stated for stated in sentence.states if (stated.low, stated.high) != (0.0, 1.0)]
    orders = [stated for stated in sentence.states if stated.order]
    outside = any(not _in_range(stated, truth) for stated in ranges)
    turned = any(not _in_order(stated, truth) for stated in orders)
    return Counter(
        {
            "told": 1,
            "wrong": int(outside or turned),
            "order": int(bool(orders)),
            "order wrong": int(turned),
            "range": int(bool(ranges)),
            "range wrong": int(outside),
        }
    )


def _share(stated: Stated, truth: FairMetric) -> float:
    """Return how much of both weights together is really the first one's."""
    mistakes, violation = (part.ravel() for part in truth.weights.scaled)
    all_mistakes, all_violation = np.array([1 - truth.trade_off]), np.array([truth.trade_off])
    one, other = {
        "mistakes": (mistakes, mistakes),
        "violation": (violation, violation),
        "in_mistakes": (violation, mistakes),
        "trade_off": (all_violation, all_mistakes),
    }[stated.part]
    first, second = float(one[stated.ratio.one]), float(other[stated.ratio.other])
    return first / (first + second) if first + second else 0.5


def _in_range(stated: Stated, truth: FairMetric) -> bool:
    return stated.low - ROUNDING <= _share(stated, truth) <= stated.high + ROUNDING


def _in_order(stated: Stated, truth: FairMetric) -> bool:
    more = _share(stated, truth) - 0.5
    return more > ROUNDING if stated.order == "more" else more < -ROUNDING


def run() -> None:
    """Print the share of wrong sentences, for each kind of person, with candidates and without."""
    for about, words in ABOUT.items():
        print(f"  {PEOPLE} people a line, from {FIRST_PERSON} on; about {words}")
        print(f"  {'people':<22} groups  decided  sentences  wrong   orders  wrong   ranges  wrong   not known")
        for kind in KINDS:
            for groups in (2,) if about == "demo" else (2, 3):
                found = everybody(sentences_of, kind=kind, groups=groups, about=about)
                decided = [one for one in found if one is not None]
                number: Counter[str] = sum(decided, Counter())
                cells = [f"{number[what]:>6}  {number[wrong] / max(number[what], 1):>6.1%}" for what, wrong in _WRONG]
                print(
                    f"  {kind:<22} {groups:>6}  {len(decided):>7}   {'  '.join(cells)}  {number['open']:>8}", flush=True
                )
    print(f"  wanted: at most {_MOST:.0%} of the sentences wrong")
