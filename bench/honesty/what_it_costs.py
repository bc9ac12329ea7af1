"""What honest intervals and alarms cost: questions to the best of 100 models, and errors of the weights."""

from __future__ import annotations

import numpy as np

from bench.adaptive import choice_of
from bench.honesty.interviews import told_everybody
from bench.people import FIRST_PERSON, NOISES, PEOPLE, everybody


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


def run() -> None:
    """Print the questions to the best, and the share of small errors of the weights."""
    _to_the_best()
    print("  people        k  m  answers   all three errors within 0.1 (wanted)   within 0.02")
    for kind, answers, wanted in (("10 % flips", 45, "92 %"), ("20 % flips", 90, "88 %"), ("exact", 35, "–")):
        worst = np.array([one[answers].errors.max() for one in told_everybody(kind)])
        print(
            f"  {kind:<12}  2  2  {answers:>7}   {np.mean(worst <= 0.1):>6.1%} ({wanted})"
            f"                   {np.mean(worst <= 0.02):>6.1%}",
            flush=True,
        )
