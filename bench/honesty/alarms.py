"""Alarms: who is called unreliable, and whether anybody who does not attend gets a best model settled."""

from __future__ import annotations

from collections import Counter

import numpy as np

from bench.honesty.interviews import told_everybody
from bench.models import real_models
from bench.people import FIRST_PERSON, INATTENTIVE, PEOPLE, everybody, person
from evenhand import GroupRates, elicit

AFTER = (20, 30, 45, 90)
"""The numbers of answers after which the verdict on the weights is looked at."""
CANDIDATES = (3, 7, 20, 50, 100)
QUESTIONS = 20
"""How many questions about candidates are asked at most."""
_NOISES = ("exact", "10 % flips", "20 % flips", "logistic 0.003", "logistic 0.01", "logistic 0.03")
_FALSE_ALARMS, _FOUND = 0.05, 0.9
_SETTLED, _FOUND_BY_CANDIDATES, _FALSE_BY_CANDIDATES = 0.1, 0.85, 0.07


def verdict_of(seed: int, *, kind: str, classes: int, models: int) -> tuple[str, bool]:
    """Interview one person about some of the real models; return the verdict, and whether the best was settled."""
    trained = list(real_models(classes, 2).items())
    some = sorted(np.random.default_rng([seed, models]).permutation(len(trained))[:models])
    candidates = {name: GroupRates(setting=one.setting, matrix=one.matrix) for name, one in (trained[n] for n in some)}
    setting = next(iter(candidates.values())).setting
    _, oracle = person(setting, seed, kind)
    found = elicit(
        oracle, setting, method="adaptive", candidates=candidates, max_questions=QUESTIONS, random_state=seed
    )
    return found.verdict.kind, found.stopped_because == "best"


def about_weights() -> None:
    """Print how many are called unreliable, or told that it is not clear yet, after some answers about the weights."""
    print(f"  {PEOPLE} people a line, from {FIRST_PERSON} on; two classes, two groups, no candidates")
    print(f"  called unreliable, and not decided yet, after   {'          '.join(f'{n:>4}' for n in AFTER)}")
    for kind in (*_NOISES, *INATTENTIVE):
        attends = kind in _NOISES
        after = AFTER if attends else AFTER[:2]
        found = told_everybody(kind) if attends else told_everybody(kind, after=after)
        line = [Counter(one[n].verdict for one in found) for n in after]
        cells = [
            f"{count['unreliable answers'] / len(found):>5.0%} {count['too few answers'] / len(found):>5.0%}"
            for count in line
        ]
        print(f"  {kind:<44}   {'   '.join(cells)}", flush=True)
    print(
        f"  wanted: at most {_FALSE_ALARMS:.0%} of those who attend (20 % flips: from 45 on), at least {_FOUND:.0%} of"
    )
    print("  the others by 30")


def about_candidates() -> None:
    """Print how many of each kind get a best model settled, and how many are called unreliable."""
    print(f"\n  {PEOPLE} people a line, from {FIRST_PERSON} on; two groups, at most {QUESTIONS} questions")
    print(f"  {'people':<28} classes  candidates  settled  called unreliable  another rule")
    for kind in ("at random", *INATTENTIVE[1:], "exact", "10 % flips"):
        for classes in (2, 3):
            for models in CANDIDATES if kind in {"at random", "exact", "10 % flips"} else (20,):
                found = everybody(verdict_of, kind=kind, classes=classes, models=models)
                kinds = Counter(verdict for verdict, _ in found)
                settled = np.mean([best for _, best in found])
                unreliable = kinds["unreliable answers"] / len(found)
                other = (kinds["another rule"] + kinds["change of mind"]) / len(found)
                print(
                    f"  {kind:<28} {classes:>7}  {models:>10}  {settled:>7.0%}  {unreliable:>17.0%}  {other:>12.0%}",
                    flush=True,
                )
    print(f"  wanted: of those who do not attend at most {_SETTLED:.0%} settled and {_FOUND_BY_CANDIDATES:.0%} called")
    print(f"  unreliable; of the others at most {_FALSE_BY_CANDIDATES:.0%} called unreliable")


def run() -> None:
    """Print both tables."""
    about_weights()
    about_candidates()
