"""The adaptive method on simulated respondents: questions, noise, calibration and time, against what we promise."""

from collections.abc import Callable, Iterator
from itertools import pairwise
from time import process_time
from typing import Any

import numpy as np

from bench.models import real_models
from bench.people import PEOPLE, everybody, person
from evenhand import GroupRates, Setting, elicit
from evenhand.elicitation.thresholds import STOPPING
from evenhand.ranking import kendall_tau
from evenhand.typing import Floats


class Stopwatch:
    """Measures the processor time of each question, without that of the oracle."""

    def __init__(self, oracle: Callable[..., Any]) -> None:
        self.seconds: list[float] = []
        self._oracle, self._since = oracle, process_time()

    def __call__(self, first: GroupRates, second: GroupRates) -> Any:
        """Let the oracle answer while the clock is stopped."""
        self.seconds.append(process_time() - self._since)
        answer = self._oracle(first, second)
        self._since = process_time()
        return answer


def weights_of(seed: int, k: int, m: int, questions: int, noise: str) -> tuple[Floats, list[float]]:
    """Return a respondent's three errors, and the time of each question."""
    truth, oracle = person(Setting.random(k, m, np.random.default_rng([seed, k, m])), seed, noise)
    timed = Stopwatch(oracle)
    elicited = elicit(
        timed, truth.setting, method="adaptive", stop="budget", max_questions=questions, random_state=seed
    )
    return np.array(elicited.metric.distance(truth)), timed.seconds


def choice_of(
    seed: int,
    *,
    k: int,
    m: int,
    noise: str,
    limit: int,
    stop: str = "best",
    models: int = 100,
    error: float | None = None,
) -> dict[str, Any]:
    """Interview one respondent about trained models: all 100, or a random subset per respondent.

    `error` is given where it is known how often they err, and that they attend.
    """
    trained = list(real_models(k, m).items())
    some = sorted(np.random.default_rng([seed, models]).permutation(len(trained))[:models])
    candidates = {name: GroupRates(setting=one.setting, matrix=one.matrix) for name, one in (trained[n] for n in some)}
    truth, oracle = person(next(iter(candidates.values())).setting, seed, noise)
    timed = Stopwatch(oracle)
    elicited = elicit(
        timed,
        truth.setting,
        method="adaptive",
        candidates=candidates,
        stop=stop,
        max_questions=limit,
        random_state=seed,
        error=error,
    )
    costs = np.array([truth.cost(one) for one in candidates.values()])
    choice = elicited.choice
    assert choice is not None  # noqa: S101
    places = [choice.ranking.index(name) for name in candidates]
    return {
        "questions": elicited.questions,
        "settled": elicited.stopped_because == "best",
        "right": truth.cost(candidates[choice.best]) - costs.min() <= STOPPING.indifferent,
        "kendall": kendall_tau(costs, places),
        "unreliable": any("unreliable" in warning for warning in elicited.warnings),
        "probabilities": np.array([*choice.probabilities.values()]),
        "as good": costs - costs.min() <= STOPPING.indifferent,
        "seconds": timed.seconds,
        "left": [(question.left, elicited.questions - n) for n, (question, _) in enumerate(elicited.history)],
    }


def _line(what: str, promised: str, measured: str) -> None:
    print(f"  {what:<66} {promised:>12} {measured}")


def _milliseconds(seconds: list[float]) -> str:
    return f"{1000 * float(np.quantile(seconds, 0.95)):.0f} ms"


def weights() -> None:
    """Print how well the weights are recovered."""
    for k, m, questions, noise, bound, share in (
        (2, 2, 35, "exact", 0.02, "≥ 90 %"),
        (3, 3, 160, "exact", 0.05, "≥ 90 %"),
        (2, 2, 45, "10 % flips", 0.1, "≥ 90 %"),
        (2, 2, 90, "20 % flips", 0.1, "≥ 90 %"),
    ):
        results = everybody(weights_of, PEOPLE, k=k, m=m, questions=questions, noise=noise)
        errors = np.array([error for error, _ in results])
        within = np.mean(errors.max(axis=1) <= bound)
        typical = ", ".join(f"{error:.3f}" for error in np.quantile(errors, 0.9, axis=0))
        what = f"k{k}m{m} {noise}, {questions} questions: all errors within {bound}"
        _line(what, share, f"{within:.0%} (nine in ten have a, B, λ within {typical})")
        if noise == "exact":
            times = [one for _, seconds in results for one in seconds]
            _line(f"k{k}m{m}: processor time for a question, no candidates", "", f"p95 {_milliseconds(times)}")


def best() -> None:
    """Print the questions and the share right for the best of 100 models, also for inattentive respondents."""
    said: list[tuple[Floats, Floats]] = []
    lefts: list[tuple[int, int]] = []
    for k, promised in ((2, {"exact": 9, "10 % flips": 14}), (3, {"exact": 13, "10 % flips": 19})):
        for noise, at_most in promised.items():
            for m in (2, 4):
                rows = everybody(choice_of, PEOPLE, k=k, m=m, noise=noise, limit=60)
                questions = np.mean([row["questions"] for row in rows])
                right = np.mean([row["right"] for row in rows])
                what = f"k{k}m{m} {noise}: the best of 100, at confidence 0.95"
                _line(what, f"≤ {at_most}, ≥ 95 %", f"{questions:.1f} questions, right {right:.1%}")
                said += [(row["probabilities"], row["as good"]) for row in rows]
                lefts += [pair for row in rows for pair in row["left"]]
        for m in (2, 4):
            rows = everybody(choice_of, PEOPLE, k=k, m=m, noise="at random", limit=20)
            settled, unreliable = (np.mean([row[name] for row in rows]) for name in ("settled", "unreliable"))
            _line(f"k{k}m{m} inattentive people, 20 questions: called unreliable", "≥ 90 %", f"{unreliable:.0%}")
            _line(f"k{k}m{m} inattentive people, 20 questions: get a best model settled", "≤ 10 %", f"{settled:.0%}")
    for models in (3, 7, 20):
        rows = everybody(choice_of, PEOPLE, k=2, m=2, noise="at random", limit=20, models=models)
        settled = np.mean([row["settled"] for row in rows])
        _line(f"k2m2 inattentive people, 20 questions: get the best of {models} settled", "", f"{settled:.0%}")
    _reliability(said)
    _questions_left(lefts)


def _reliability(said: list[tuple[Floats, Floats]]) -> None:
    print("  Probability that a model is as good as the best, and the share that were (exact and 10 % flips):")
    probability, truly = (np.concatenate(column) for column in zip(*said, strict=True))
    for low, high in _ranges([0.02, 0.1, 0.3, 0.5, 0.7, 0.9, 0.97, 1.0001]):
        inside = (probability >= low) & (probability < high)
        if inside.any():
            told, found = probability[inside].mean(), truly[inside].mean()
            print(f"    {low:.2f}–{min(high, 1):.2f}  said {told:.2f}  were {found:.2f}  ({inside.sum()} models)")


def _questions_left(lefts: list[tuple[int, int]]) -> None:
    print("  Questions left: predicted, and true (median, and the middle 80 %):")
    told, true = np.array(lefts).T
    for low, high in _ranges([1, 3, 6, 11, 21, 61]):
        inside = (told >= low) & (told < high)
        if inside.any():
            middle, least, most = np.quantile(true[inside], [0.5, 0.1, 0.9])
            print(f"    said {low:.0f}–{high - 1:.0f}: {middle:.0f} ({least:.0f}–{most:.0f})")


def _ranges(ends: list[float]) -> Iterator[tuple[float, float]]:
    return pairwise(ends)


def ranking() -> None:
    """Print how well the order of 100 trained models is found with one answer in ten flipped."""
    for k, m, questions, at_least in ((2, 2, 20, 0.93), (2, 3, 20, 0.88), (2, 2, 40, 0.95), (3, 2, 40, 0.95)):
        rows = everybody(choice_of, PEOPLE, k=k, m=m, noise="10 % flips", limit=questions, stop="budget")
        kendall = np.mean([row["kendall"] for row in rows])
        _line(f"k{k}m{m} 10 % flips: Kendall's τ after {questions} questions", f"≥ {at_least}", f"{kendall:.3f}")


def time() -> None:
    """Print the time per question on one core, and whether later questions take disproportionately long."""
    for k, bar in ((2, "≤ 60 ms"), (3, "≤ 150 ms")):
        rows = everybody(choice_of, PEOPLE, k=k, m=k, noise="exact", limit=60)
        times = [one for row in rows for one in row["seconds"]]
        _line(f"k{k}m{k}: processor time for a question, 100 candidates", bar, f"p95 {_milliseconds(times)}")
    _, seconds = weights_of(0, 5, 5, 40, "exact")
    _line("k5m5: processor time for a question", "≤ 1500 ms", f"p95 {_milliseconds(seconds)}")
    _, seconds = weights_of(0, 2, 2, 240, "10 % flips")
    early, late = (float(np.mean(part)) for part in (seconds[20:60], seconds[200:240]))
    _line("k2m2: question 220 beside question 40", "≤ 5.5 times", f"{late / early:.1f} times as long")


def run() -> None:
    """Print each promise with the measurement."""
    print(f"  {PEOPLE} people a line (EVENHAND_BENCH_PEOPLE)\n")
    _line("", "promised", "measured")
    for part in (weights, best, ranking, time):
        part()
