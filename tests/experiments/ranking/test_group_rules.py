"""Rules of their own for each group make gaps smaller, at a price in mistakes."""

import numpy as np

from evenhand.experiments.ranking.group_rules import decide, tune
from evenhand.experiments.ranking.split import Codes
from evenhand.rates.profile import gaps, off_diagonal
from evenhand.typing import Floats


def sample() -> tuple[Floats, Codes, Codes]:
    rng = np.random.default_rng(0)
    label, group = rng.integers(3, size=3000), rng.integers(2, size=3000)
    # Of the second group less is known, and class 0 is suspected too often.
    scores = rng.normal(size=(3000, 3)) + np.where(group == 0, 2.5, 1.2)[:, None] * np.eye(3)[label]
    scores[group == 1, 0] += 0.8
    odds = np.exp(scores)
    return odds / odds.sum(axis=1, keepdims=True), label, group


def gap_and_mistakes(predicted: Codes, label: Codes, group: Codes) -> tuple[float, float]:
    counts = np.zeros((2, 3, 3))
    np.add.at(counts, (group, label, predicted), 1.0)
    return float(gaps(off_diagonal(counts / counts.sum(2, keepdims=True))).mean()), float(np.mean(predicted != label))


def test_a_larger_penalty_leaves_smaller_gaps() -> None:
    probabilities, label, group = sample()
    found = [
        gap_and_mistakes(decide(probabilities, group, tune(probabilities, label, group, penalty=penalty)), label, group)
        for penalty in (0.0, 1.0, 20.0)
    ]
    gaps, mistakes = zip(*found, strict=True)
    assert gaps[0] > gaps[1] > gaps[2]
    assert mistakes[0] < mistakes[2]


def test_without_a_penalty_tuned_rules_make_no_more_mistakes_than_the_likeliest_class() -> None:
    probabilities, label, group = sample()
    weights = tune(probabilities, label, group, penalty=0.0)
    plain = np.mean(probabilities.argmax(axis=1) != label)
    assert np.mean(decide(probabilities, group, weights) != label) <= plain
