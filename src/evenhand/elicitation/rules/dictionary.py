"""The rules that answers are compared with: some outside the family of metrics, and simple ones inside it.

A rule outside the family can look like a metric near a corner of it, and the reverse: who minds only one gap also keeps
"no gap above one point". So the simplest metrics of the family stand beside the rules (`simple_metrics`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import combinations, permutations, product

from evenhand.elicitation.rules.criteria import Criterion
from evenhand.elicitation.rules.rule import DecisionRule, Rules
from evenhand.elicitation.thresholds import MISFIT
from evenhand.rates import Setting

_STUDIES = 64
"""How many settings have their rules kept for the next interview."""


@lru_cache(_STUDIES)
def outside(setting: Setting, *, counted: bool) -> Mapping[str, Rules]:
    """Return rules outside the family by what they are about; `counted` says that the population is known."""
    kinds = range(len(setting.mistakes))
    many = len(setting.groups) > 2
    error = _errors(setting, counted=counted)
    worst = [Criterion("worst-off group"), *(Criterion("worst-off group of one kind", kind) for kind in kinds)]
    widest = [Criterion("widest gap")]
    of_one = [Criterion("widest gap of one kind" if many else "gaps of one kind", kind) for kind in kinds]
    parity = [Criterion("demographic parity"), Criterion("predictive parity")]
    gaps = [Criterion("gaps"), *(Criterion("gaps of one kind", kind) for kind in kinds)]
    everything = [*error, *worst[:1], *widest, *gaps, *parity]
    limits = [
        *product([*widest, *of_one, *parity], MISFIT.gap_limits),
        *product(worst, MISFIT.error_limits),
    ]
    by_kind = {
        "worst-off group": tuple(_with_error(worst, error)),
        "widest gap": tuple(_with_error([*widest, *(of_one if many else [])], error)),
        "demographic parity": tuple(_with_error(parity[:1], error)),
        "predictive parity": tuple(_with_error(parity[1:], error)),
        "limit": tuple(DecisionRule("limit", first, second, most) for (first, most), second in product(limits, error)),
        "limit, then the rest": tuple(
            DecisionRule("limit, then the rest", first, second, most)
            for (first, most), second in product(limits, error)
        ),
        "order": tuple(
            DecisionRule("order", first, second, least)
            for (first, second), least in product(permutations(everything, 2), MISFIT.tolerances)
        ),
    }
    return {kind: Rules(rules) for kind, rules in by_kind.items()}


@lru_cache(_STUDIES)
def simple_metrics(setting: Setting) -> Rules:
    """Return the simplest metrics of the family: one or two kinds of mistake, one of gap, or one of each."""
    kinds = range(len(setting.mistakes))
    mistakes = [Criterion("mistakes"), *(Criterion("mistakes of one kind", kind) for kind in kinds)]
    gaps = [Criterion("gaps"), *(Criterion("gaps of one kind", kind) for kind in kinds)]
    alone = [DecisionRule("cost", one) for one in [*mistakes, *gaps]]
    two = (
        DecisionRule("cost", one, other, share)
        for (one, other), share in product(combinations(mistakes[1:], 2), MISFIT.shares_of_two)
    )
    together = (
        DecisionRule("cost", gap, mistake, share) for gap, mistake, share in product(gaps, mistakes, MISFIT.shares)
    )
    return Rules((*alone, *two, *together))


def _errors(setting: Setting, *, counted: bool) -> list[Criterion]:
    """Return what "plain error" may mean: all mistakes alike, mistakes of one kind, or wrong decisions."""
    kinds = [Criterion("mistakes of one kind", kind) for kind in range(len(setting.mistakes))]
    return [Criterion("mistakes"), *kinds, *([Criterion("wrong decisions")] if counted else [])]


def _with_error(criteria: list[Criterion], errors: list[Criterion]) -> Iterator[DecisionRule]:
    """Yield each criterion alone, and with plain error beside it."""
    for criterion in criteria:
        yield DecisionRule("cost", criterion)
        yield from (
            DecisionRule("cost", criterion, error, share)
            for error, share in product(errors, MISFIT.shares)
            if share < 1
        )
