"""Coverage of the intervals of costs, and detection of rules outside the family, both by simulation."""

import os
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import product

import numpy as np

from evenhand import FairMetric, GroupRates, Setting, SimulatedOracle, elicit, rank
from evenhand.elicitation import Oracle
from evenhand.elicitation.other_rules import answers_by_rule, other_rules

SAMPLES = int(os.environ.get("EVENHAND_BENCH_SAMPLES", "400"))
PEOPLE = int(os.environ.get("EVENHAND_BENCH_PEOPLE", "40"))


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
        low, high = rank(metric, {"model": measured})[0].interval
        hits += low <= metric.cost(GroupRates(setting=metric.setting, matrix=truth)) <= high
    return hits / SAMPLES


def noticed(seed: int, rule: str | None, flip: float) -> str:
    """Return the rule reported to fit better after 30 questions, or a dash."""
    rng = np.random.default_rng([seed, 7])
    setting = Setting.random(2, 2 + seed % 2, rng)
    oracle: Oracle = (
        SimulatedOracle(FairMetric.random(setting, rng), flip=flip, random_state=rng)
        if rule is None
        else answers_by_rule(setting, rule)
    )
    elicited = elicit(oracle, setting, method="adaptive", stop="budget", max_questions=30, random_state=seed)
    assert elicited.reliability is not None  # noqa: S101
    rules = other_rules(elicited.history, elicited.metric, elicited.reliability.predictive)
    return rules[0].name if rules else "–"


def run() -> None:
    """Print the lowest and the highest coverage, and which rules were detected."""
    cells = list(product(((2, 2), (2, 4), (3, 3), (3, 5), (5, 5)), (20, 100, 1000), (0.0, 0.1, 0.3, 1.0)))
    with ProcessPoolExecutor(2) as pool:
        coverage = list(pool.map(held, *zip(*((k, m, people, gap) for (k, m), people, gap in cells), strict=True)))
        print(
            f"  95 % intervals of costs held in {min(coverage):.1%} to {max(coverage):.1%} of {SAMPLES} samples, over "
            f"{len(cells)} combinations of classes, groups, people and gaps"
        )
        for rule, flip in (
            (None, 0.0),
            (None, 0.1),
            ("demographic parity", 0.0),
            ("the worst-off group", 0.0),
            ("the widest gap", 0.0),
            ("predictive parity", 0.0),
        ):
            said = Counter(pool.map(partial(noticed, rule=rule, flip=flip), range(PEOPLE)))
            print(f"  {PEOPLE} people who follow {rule or f'a metric, {flip:.0%} flipped'}: {dict(said)}")
