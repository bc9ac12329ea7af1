"""Coverage of the intervals of costs, by simulation."""

import os
from concurrent.futures import ProcessPoolExecutor
from itertools import product

import numpy as np

from evenhand import FairMetric, GroupRates, Setting, rank

SAMPLES = int(os.environ.get("EVENHAND_BENCH_SAMPLES", "400"))


def held(k: int, m: int, people: int, gap: float) -> float:
    """Return how often the 95 % interval of a cost contains the true cost."""
    rng = np.random.default_rng([k, m, people, int(10 * gap)])
    hits = 0
    for _ in range(SAMPLES):
        metric = FairMetric.random(Setting.random(k, m, rng), rng)
        logits = rng.normal(0, 0.5, size=(1, k, k)) + np.eye(k) * rng.uniform(0.5, 4) + gap * rng.normal(size=(m, k, k))
        truth = np.exp(logits) / np.exp(logits).sum(axis=-1, keepdims=True)
        sizes = np.maximum(8, metric.setting.prevalence * people * m).round()
        counts = rng.multinomial(sizes.astype(int), truth)
        measured = GroupRates(setting=metric.setting, matrix=counts / sizes[..., None], sizes=sizes)
        interval = rank(metric, {"model": measured})[0].interval
        assert interval is not None  # noqa: S101  # the rates have sizes
        low, high = interval
        hits += low <= metric.cost(GroupRates(setting=metric.setting, matrix=truth)) <= high
    return hits / SAMPLES


def run() -> None:
    """Print the lowest and the highest coverage."""
    cells = list(product(((2, 2), (2, 4), (3, 3), (3, 5), (5, 5)), (20, 100, 1000), (0.0, 0.1, 0.3, 1.0)))
    with ProcessPoolExecutor(2) as pool:
        coverage = list(pool.map(held, *zip(*((k, m, people, gap) for (k, m), people, gap in cells), strict=True)))
        print(
            f"  95 % intervals of costs held in {min(coverage):.1%} to {max(coverage):.1%} of {SAMPLES} samples, over "
            f"{len(cells)} combinations of classes, groups, people and gaps"
        )
