"""The order of the candidates, and the best of them: the probabilities told, and the shares that are right."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bench.honesty.sentences import asked
from bench.people import FIRST_PERSON, PEOPLE, everybody, person
from evenhand import GroupRates, elicit
from evenhand.elicitation.thresholds import STOPPING

KINDS = ("exact", "10 % flips", "logistic 0.01")
_ABOUT = ("demo", "twenty")
_WITHIN = 0.05
"""How far the probability told may be from the share that is right, on average over people."""


@dataclass(frozen=True)
class Told:
    """What one person is told, and what is true by their own metric."""

    pairs_told: float
    pairs_right: float
    """The share of pairs of candidates in the order that the person's own costs give them."""
    best_told: float
    best_right: bool
    """Whether the favourite is as good as the best."""
    missed: float
    """How much more the favourite costs than the best."""


def told_of(seed: int, *, kind: str, about: str) -> Told | None:
    """Interview one person until the best is settled; return what they are told if anything should be decided."""
    setting, options = asked(about, 2)
    truth, oracle = person(setting, seed, kind)
    found = elicit(oracle, setting, method="adaptive", random_state=seed, **options)
    choice = found.choice
    if not found.verdict.decided or choice is None:
        return None
    candidates: dict[str, GroupRates] = options["candidates"]
    costs = np.array([truth.cost(candidates[name]) for name in choice.ranking])
    first, second = np.triu_indices(len(costs), 1)
    missed = float(truth.cost(candidates[choice.best]) - costs.min())
    return Told(
        pairs_told=choice.ranking_certainty or 0.0,
        pairs_right=float((costs[first] <= costs[second]).mean()),
        best_told=choice.best_certainty or 0.0,
        best_right=missed <= STOPPING.indifferent,
        missed=missed,
    )


def run() -> None:
    """Print both probabilities beside the shares."""
    print(f"  {PEOPLE} people a line, from {FIRST_PERSON} on; until the best is settled")
    print("  about             people         decided  pairs: told  right   as good as the best: told  right")
    for about in _ABOUT:
        for kind in KINDS:
            found = [one for one in everybody(told_of, kind=kind, about=about) if one is not None]
            means = [
                np.mean([getattr(one, name) for one in found])
                for name in ("pairs_told", "pairs_right", "best_told", "best_right")
            ]
            cells = "{:>11.0%}  {:>5.0%}   {:>25.0%}  {:>5.0%}".format(*means)
            print(f"  {about:<17} {kind:<14} {len(found):>7} {cells}", flush=True)
    print(f"  wanted: told within {_WITHIN:.0%} of right")
