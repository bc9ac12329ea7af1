"""Which structure of the weights the answers support, by marginal likelihood (Bayes factors: Kass & Raftery 1995).

A metric with fewer free weights can explain fewer strings of answers, and so gives those it can a higher probability:
simple structures win where they fit, with no penalty set by hand.

References
----------
R. E. Kass, A. E. Raftery (1995): Bayes factors. Journal of the American Statistical Association 90, 773–795.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import inf
from typing import Any

import numpy as np

from evenhand.checks.arrays import whole_number
from evenhand.checks.messages import expect, listed, shown
from evenhand.elicitation.history import checked_history
from evenhand.elicitation.inference.features import Pairs
from evenhand.elicitation.inference.likelihood import code_of
from evenhand.elicitation.inference.model import AnswerModel
from evenhand.elicitation.inference.posterior import Posterior
from evenhand.elicitation.inference.sampler import random_numbers, refined_sweeps
from evenhand.elicitation.procedure import seed_of
from evenhand.elicitation.question import History
from evenhand.errors import EvenhandError
from evenhand.metric.prior import Prior
from evenhand.rates import Setting

_KNOWN = ("equal_pairs", "gaps_in", "cost_order", "misclassification", "violation")


def compare_structures(
    setting: Setting,
    history: History,
    structures: Mapping[str, Mapping[str, Any]] | None = None,
    *,
    particles: int = 2000,
    random_state: int = 0,
) -> dict[str, float]:
    """Return the probability of each structure given the answers, if all were equally probable before.

    Parameters
    ----------
    setting
        The classes and groups that the metric is about.
    history
        The questions and answers of an interview: `elicited.history`.
    structures
        Name → the options of `elicit` that say what is known: `equal_pairs`, `gaps_in`, `cost_order`,
        `misclassification`, `violation`. By default every weight is free, or all pairs of groups weigh alike, or gaps
        matter in one kind of mistake only.
    particles
        How many particles stand for each structure: more are more exact, and slower.
    random_state
        Draws them.

    Examples
    --------
    >>> from evenhand import FairMetric, Setting, SimulatedOracle, compare_structures, elicit
    >>> setting = Setting.random(2, 3, random_state=1)
    >>> alike = FairMetric.from_weights(
    ...     setting, misclassification=[1.0, 2.0], violation=[[3.0, 1.0]] * 3, trade_off=0.5
    ... )
    >>> answers = elicit(
    ...     SimulatedOracle(alike), setting, method="adaptive", stop="budget", max_questions=40, random_state=1
    ... )
    >>> support = compare_structures(setting, answers.history)
    >>> max(support, key=support.get)
    'equal pairs'
    """
    expect(setting, "setting", Setting)
    named = _usual(setting) if structures is None else structures
    if not isinstance(named, Mapping) or len(named) < 2:
        raise EvenhandError(
            f"structures must map at least two names to options, so that there is something to compare, but received "
            f"{shown(named)}"
        )
    seed = seed_of(whole_number(random_state, "random_state", 0))  # None would compare otherwise each time
    evidence = []
    for name, options in named.items():
        if not isinstance(options, Mapping) or not set(options) <= set(_KNOWN):
            raise EvenhandError(f"structure {name!r} must hold options among {listed(_KNOWN)}, but is {options!r}")
        prior = Prior.of(setting, **options)
        evidence.append(log_evidence(AnswerModel(prior), history, setting, particles=particles, seed=seed))
    odds = np.exp(np.array(evidence) - max(evidence))
    return dict(zip(named, (odds / odds.sum()).tolist(), strict=True))


def log_evidence(model: AnswerModel, history: History, setting: Setting, *, particles: int, seed: int) -> float:
    """Return the log of the marginal likelihood of the answers of a history."""
    posterior, rng = replayed(model, history, setting, particles=particles, seed=seed), random_numbers(seed, 0, "weigh")
    if not posterior.answered:
        return 0.0
    sweeps = refined_sweeps(model.size, posterior.answered)
    return posterior.moved(particles, sweeps, inf, rng).weighed(rng).log_evidence


def replayed(
    model: AnswerModel, history: History, setting: Setting, *, particles: int, seed: int, effort: float = 1.0
) -> Posterior:
    """Return the posterior after the answers of a history, with particles that are moved so many times as long."""
    rng = random_numbers(seed, 0, "prior")
    posterior = Posterior.without_answers(model, particles=particles, rng=rng, effort=effort)
    for step, (question, answer) in enumerate(checked_history(history, setting), 1):
        if (code := code_of(answer)) is not None:
            pair = Pairs.between(question.first[None], question.second[None], setting)
            posterior = posterior.updated(pair, code, random_numbers(seed, step, "learn"))
    return posterior


def _usual(setting: Setting) -> dict[str, dict[str, Any]]:
    """Return the structures that people often have."""
    usual: dict[str, dict[str, Any]] = {"every weight free": {}}
    if len(setting.pairs) > 1:
        usual["equal pairs"] = {"equal_pairs": True}
    for true, predicted in setting.mistakes:
        usual[f"gaps in {true} taken for {predicted} only"] = {"gaps_in": [(true, predicted)]}
    return usual
