"""The time of one LPME question per oracle, alone and in a batch of 100, without the oracle's own time."""

import time

import numpy as np

from evenhand.elicitation import linear, misclassification
from evenhand.metric import MetricBatch
from evenhand.region import common_sphere


def microseconds(classes: int, oracles: int) -> tuple[float, float]:
    """Return our time and the oracles' time, per question and oracle: the best of three runs."""
    hidden = MetricBatch.random(classes, 3, oracles, np.random.default_rng(0))
    best = (np.inf, np.inf)
    for _ in range(3):
        lpme = misclassification(lambda: linear(common_sphere(classes), 1e-3, batch=(oracles,)), groups=3)
        asked, theirs = 0, 0.0
        start = time.perf_counter()
        question = next(lpme)
        while True:
            asked += 1
            before = time.perf_counter()
            answer = hidden.cost_of_profiles(question.first) < hidden.cost_of_profiles(question.second)
            theirs += time.perf_counter() - before
            try:
                question = lpme.send(answer)
            except StopIteration:
                break
        ours = time.perf_counter() - start - theirs
        scale = 1e6 / asked / oracles
        best = min(best, (ours * scale, theirs * scale))
    return best


def run() -> None:
    """Print the times per question."""
    for classes in (2, 3, 5):
        alone, _ = microseconds(classes, 1)
        batch, theirs = microseconds(classes, 100)
        print(
            f"  k={classes}: {alone:6.1f} µs alone, {batch:.2f} µs in a batch of 100 ({alone / batch:.0f}× less)"
            f"; the simulated oracle itself takes {theirs:.2f} µs"
        )
