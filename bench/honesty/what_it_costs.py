"""What honest intervals and alarms cost: questions to the best of 100 models, and errors of the weights."""

from __future__ import annotations

import numpy as np

from bench.adaptive import choice_of
from bench.honesty.interviews import told_everybody
from bench.people import FIRST_PERSON, NOISES, PEOPLE, everybody, person
from evenhand import Setting, elicit


def _to_the_best() -> None:
    """Print the questions to the best of 100 real models, also where it is known how often somebody errs."""
    print(f"  {PEOPLE} people a line, from {FIRST_PERSON} on; the best of 100 models at confidence 0.95")
    print("  people        error     k  m  questions (most wanted)   right (≥ 95 % wanted)")
    for k, most in ((2, {"exact": "9.5", "10 % flips": "14.5"}), (3, {"exact": "–", "10 % flips": "–"})):
        for kind, wanted in most.items():
            for error in (None, NOISES[kind].get("flip", 0.0)):
                rows = everybody(choice_of, k=k, m=2, noise=kind, limit=60, error=error)
                questions = [row["questions"] for row in rows]
                right = np.mean([row["right"] for row in rows])
                print(
                    f"  {kind:<12}  {'unknown' if error is None else 'known':<8} {k:>2}  2  {np.mean(questions):>5.1f}"
                    f" ± {np.std(questions) / len(rows) ** 0.5:.1f} ({wanted if error is None else '–'})"
                    f"          {right:.1%}",
                    flush=True,
                )


def to_narrow_intervals(seed: int, *, kind: str) -> tuple[int, bool]:
    """Interview one person until all intervals are narrow; return the number of questions, and whether they are."""
    setting = Setting.random(2, 2, np.random.default_rng([seed, 2, 2]))
    _, oracle = person(setting, seed, kind)
    found = elicit(oracle, setting, method="adaptive", random_state=seed)
    return found.questions, found.stopped_because == "weights"


def _to_the_weights() -> None:
    """Print how many questions it takes until every interval is narrow, with the default budget."""
    print("  people          k  m  questions until all intervals are narrow (80 at most)   and how many get there")
    for kind in ("exact", "10 % flips", "20 % flips", "logistic 0.003"):
        found = np.array(everybody(to_narrow_intervals, kind=kind), dtype=np.float64)
        print(f"  {kind:<14}  2  2  {found[:, 0].mean():>5.1f}  {found[:, 1].mean():>5.0%}", flush=True)


def run() -> None:
    """Print the questions to the best and to narrow intervals, and the share of small errors of the weights."""
    _to_the_best()
    _to_the_weights()
    print("  people        k  m  answers   all three errors within 0.1 (wanted)   within 0.02")
    for kind, answers, wanted in (("10 % flips", 45, "92 %"), ("20 % flips", 90, "88 %"), ("exact", 35, "–")):
        worst = np.array([one[answers].errors.max() for one in told_everybody(kind)])
        print(
            f"  {kind:<12}  2  2  {answers:>7}   {np.mean(worst <= 0.1):>6.1%} ({wanted})"
            f"                   {np.mean(worst <= 0.02):>6.1%}",
            flush=True,
        )
