"""How few questions, how much noise, how honest: the adaptive method on simulated people (seeded, hidden metrics)."""

import os
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from time import perf_counter
from typing import Any

import numpy as np

from evenhand import FairMetric, GroupRates, Setting, SimulatedOracle, elicit
from evenhand.elicitation.adaptive.answers import HabitPrior
from evenhand.ranking import kendall_tau
from evenhand.rates.vector import Floats

PEOPLE = int(os.environ.get("EVENHAND_BENCH_PEOPLE", "40"))


def made_up_models(setting: Setting, n: int, rng: np.random.Generator) -> dict[str, GroupRates]:
    """Classifiers of different skill, leaning and gaps between groups."""
    k, m = len(setting.classes), len(setting.groups)
    logits = rng.normal(0, 0.7, size=(n, 1, 1, k)) + rng.normal(0, 0.3, size=(n, m, k, k))
    logits += np.eye(k) * rng.uniform(0.5, 2.5, size=(n, 1, 1, 1))
    rates = np.exp(logits)
    rates /= rates.sum(axis=-1, keepdims=True)
    return {f"model {place}": GroupRates(setting=setting, matrix=one) for place, one in enumerate(rates)}


def _person(k: int, m: int, seed: int, noise: dict[str, float]) -> tuple[FairMetric, Callable[..., Any]]:
    rng = np.random.default_rng([seed, k, m])
    truth = FairMetric.random(Setting.random(k, m, rng), rng)
    if "clicker" in noise:
        return truth, lambda *_: bool(rng.random() < 0.5)
    if "prior" in noise:
        lapse, sensitivity, _ = HabitPrior().draw(1, rng)[0]
        flip = 0.5 / (1 + np.exp(-lapse))
        return truth, SimulatedOracle(truth, flip=flip, temperature=float(np.exp(-sensitivity)), random_state=rng)
    return truth, SimulatedOracle(truth, random_state=rng, **noise)  # type: ignore[arg-type]


def weights_of(seed: int, k: int, m: int, questions: int, noise: dict[str, float]) -> tuple[Floats, Floats, float]:
    """Return one person's three errors, which intervals cover the truth, and the slowest twentieth of the questions."""
    truth, oracle = _person(k, m, seed, noise)
    times: list[float] = []
    elicited = elicit(
        oracle,
        truth.setting,
        method="adaptive",
        stop="budget",
        max_questions=questions,
        random_state=seed,
        progress=lambda *_: times.append(perf_counter()),
    )
    intervals = elicited.intervals
    assert intervals is not None  # noqa: S101
    ends = [intervals.misclassification, intervals.violation.reshape(-1, 2), intervals.trade_off[None]]
    low, high = np.concatenate(ends).T
    weights = np.concatenate([truth.misclassification, truth.violation.ravel(), [truth.trade_off]])
    return np.array(elicited.metric.distance(truth)), (low <= weights) & (weights <= high), _p95(times)


def choice_of(seed: int, k: int, m: int, noise: dict[str, float], limit: int, stop: str = "best") -> dict[str, float]:
    """Return how one person's choice among 100 models went."""
    truth, oracle = _person(k, m, seed, noise)
    candidates = made_up_models(truth.setting, 100, np.random.default_rng([seed, 1]))
    times: list[float] = []
    elicited = elicit(
        oracle,
        truth.setting,
        method="adaptive",
        candidates=candidates,
        stop=stop,
        max_questions=limit,
        random_state=seed,
        progress=lambda *_: times.append(perf_counter()),
    )
    costs = np.array([truth.cost(one) for one in candidates.values()])
    found = np.array([elicited.metric.cost(one) for one in candidates.values()])
    assert elicited.best is not None and elicited.attending is not None  # noqa: PT018, S101
    assert elicited.candidate_probabilities is not None  # noqa: S101
    return {
        "questions": elicited.questions,
        "settled": elicited.stopped_because == "best",
        "right": truth.cost(candidates[elicited.best]) - costs.min() <= 0.002,
        "kendall": kendall_tau(costs, found),
        "unreliable": elicited.attending < 0.5,
        "said": max(elicited.candidate_probabilities.values()),
        "p95": _p95(times),
    }


def _p95(times: list[float]) -> float:
    return float(np.quantile(np.diff(times), 0.95)) if len(times) > 1 else 0.0


def everybody(run: Callable[..., Any], people: int, **options: Any) -> list[Any]:
    """Run for many people on two cores."""
    with ProcessPoolExecutor(2) as pool:
        return list(pool.map(partial(run, **options), range(people), chunksize=4))


def run() -> None:
    """Print a table for each promise."""
    print(f"  {PEOPLE} people each. All three errors within a bound; coverage of the 90 % intervals; p95 per question")
    for k, m, questions, noise, bound in (
        (2, 2, 35, {}, 0.02),
        (3, 3, 160, {}, 0.05),
        (2, 2, 45, {"flip": 0.1}, 0.1),
        (2, 2, 90, {"flip": 0.2}, 0.1),
        (2, 2, 30, {"temperature": 0.01}, 0.1),
        (2, 2, 30, {"prior": 1.0}, 0.1),
    ):
        people = max(PEOPLE // 4, 1) if k > 2 else PEOPLE
        results = everybody(weights_of, people, k=k, m=m, questions=questions, noise=noise)
        errors = np.array([error for error, _, _ in results])
        cover = np.mean([inside.mean() for _, inside, _ in results])
        print(
            f"  k{k}m{m} {noise or 'exact'!s:<22} {questions:>3} questions: within {bound} in "
            f"{np.mean(errors.max(axis=1) <= bound):.0%}, p90 {np.quantile(errors, 0.9, axis=0).round(4)}, "
            f"coverage {cover:.3f}, {np.median([p95 for _, _, p95 in results]) * 1000:.0f} ms"
        )
    print("  The best of 100 made-up models at confidence 0.95")
    for k, m in ((2, 2), (2, 4), (3, 2), (3, 4)):
        for noise in ({}, {"flip": 0.1}, {"clicker": 1.0}):
            rows = everybody(choice_of, PEOPLE, k=k, m=m, noise=noise, limit=20 if "clicker" in noise else 60)
            mean = {name: float(np.mean([row[name] for row in rows])) for name in rows[0]}
            right = np.mean([row["right"] for row in rows if row["settled"]] or [np.nan])
            print(
                f"  k{k}m{m} {noise or 'exact'!s:<16} {mean['questions']:5.1f} questions, settled "
                f"{mean['settled']:.0%}, right if settled {right:.0%}, unreliable {mean['unreliable']:.0%}, "
                f"said {mean['said']:.2f}, {mean['p95'] * 1000:.0f} ms"
            )
    print("  Kendall's tau of the ranking with one answer in ten turned around")
    for k, m, questions in ((2, 2, 20), (2, 3, 20), (2, 2, 40), (3, 3, 40)):
        rows = everybody(choice_of, PEOPLE, k=k, m=m, noise={"flip": 0.1}, limit=questions, stop="budget")
        print(f"  k{k}m{m} after {questions} questions: {np.mean([row['kendall'] for row in rows]):.3f}")
