"""A program that holds short interviews of every kind, and prints their questions, answers and findings as JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
from tests.region.made_up import people

from evenhand import FairMetric, FeasibleRegion, GroupRates, Setting, SimulatedOracle, elicit, rank
from evenhand.elicitation import Elicited

_SEARCHES: dict[str, dict[str, Any]] = {
    "paper": {"method": "paper", "cycles": 1, "tolerance": 0.2},
    "least-squares": {"method": "least-squares", "cycles": 1, "tolerance": 0.2},
    "bisection": {"method": "bisection", "tolerance": 0.01},
    "bisection of equal pairs": {"method": "bisection", "tolerance": 0.01, "equal_pairs": True},
}
_FEW: dict[str, Any] = {"method": "adaptive", "max_questions": 6, "random_state": 0}


def _models(setting: Setting, rng: np.random.Generator) -> dict[str, GroupRates]:
    """Draw models, of which two are the same, two are rounded, and two differ in who gets the same mistakes."""
    k, m = len(setting.classes), len(setting.groups)
    matrices = (np.eye(k) + rng.dirichlet(np.ones(k), size=(8, m, k))) / 2
    matrices[1] = matrices[0]
    matrices[2:4] = np.round(matrices[2:4] * 200) / 200
    matrices[2:4] /= matrices[2:4].sum(axis=-1, keepdims=True)
    matrices[5] = matrices[4, ::-1]
    return {f"model {place}": GroupRates(setting=setting, matrix=matrix) for place, matrix in enumerate(matrices)}


def interviews() -> Iterator[tuple[str, FairMetric, dict[str, GroupRates], dict[str, Any]]]:
    """Yield for each interview a name, who answers, the models, and the options."""
    for k, m in product((2, 3), (2, 3, 4, 5)):
        rng = np.random.default_rng([k, m])
        chances, _, group = people(k, m, 30 * m, k)
        region = FeasibleRegion.from_scores(chances, sensitive_features=group)
        for where, setting in (("anywhere", Setting.random(k, m, rng)), ("in a region", region.setting)):
            within = {} if where == "anywhere" else {"region": region}
            candidates = _models(setting, rng)
            about = {"candidates": candidates}
            # Which whole people are within reach of three classes takes longer to find out than all else here.
            adaptive: dict[str, dict[str, Any]] = {"weights": {} if within and k > 2 else {"out_of": 100}}
            if within:
                adaptive["best"] = about
            else:
                adaptive["best"] = about | {"out_of": 100, "visible": 0.02}
                adaptive["ranking"] = about | {"stop": "ranking"}
            kinds = _SEARCHES | {kind: _FEW | options for kind, options in adaptive.items()}
            for kind, options in kinds.items():
                truth = FairMetric.random(setting, rng)
                yield f"{kind}, k = {k}, m = {m}, {where}", truth, candidates, options | within


def _told(elicited: Elicited, candidates: dict[str, GroupRates]) -> dict[str, Any]:
    metric, ranking = elicited.metric, rank(elicited, candidates)
    found = [metric.misclassification, metric.violation, metric.trade_off, [row.cost for row in ranking]]
    found += [row.place_probabilities or [] for row in ranking]
    if (intervals := elicited.intervals) is not None:
        found += [intervals.misclassification, intervals.violation, intervals.trade_off]
    if (told := elicited.reliability) is not None:
        found += [told.predictive, told.lapse_rate, told.attending, told.misfit]
    if (choice := elicited.choice) is not None:
        found += [list(choice.probabilities.values()), choice.best_certainty, choice.ranking_certainty]
    return {
        "questions": [[question.first.tolist(), question.second.tolist()] for question, _ in elicited.history],
        "answers": [answer for _, answer in elicited.history],
        "found": np.concatenate([np.ravel(np.asarray(part, dtype=np.float64)) for part in found]).tolist(),
        "said": [ranking.names, elicited.best, elicited.ranking, elicited.stopped_because, elicited.warnings],
        "left": [question.left for question, _ in elicited.history],
    }


if __name__ == "__main__":
    held = {
        name: _told(elicit(SimulatedOracle(truth), truth.setting, **options), candidates)
        for name, truth, candidates, options in interviews()
    }
    json.dump(held, sys.stdout)
