"""Misfit: how often people who follow another rule, or change their mind, are told so; and how often others are."""

from __future__ import annotations

from collections import Counter

import numpy as np

from bench.people import FIRST_PERSON, NOISES, PEOPLE, everybody, person
from bench.rule_followers import AFTER_THE_TEST, RULES, follower
from evenhand import Setting, elicit

QUESTIONS = 45
_POWER, _FALSE_ALARMS = 0.6, 0.05
_OUTSIDE = (
    ("lexicographic", 2),
    ("no gap above five points", 2),
    ("no gap above five points, 10 % flips", 2),
    ("worst group", 2),
    ("worst group", 3),
    ("change of mind", 2),
)
_AFTER = tuple((rule, groups) for rule in AFTER_THE_TEST for groups in (2, 3))
_INSIDE = (*((noise, 2) for noise in NOISES), ("exact", 3), ("10 % flips", 3), ("exact, off the prior", 2))


def judged(seed: int, *, kind: str, groups: int, classes: int = 2) -> tuple[bool, str]:
    """Interview one person; return whether they are told of another rule, and of which kind."""
    setting = Setting.random(classes, groups, np.random.default_rng([seed, classes, groups]))
    follows = kind.partition(", ")[0] in {*RULES, "change of mind"}
    oracle = follower(setting, seed, kind) if follows else person(setting, seed, kind)[1]
    found = elicit(oracle, setting, method="adaptive", stop="budget", max_questions=QUESTIONS, random_state=seed)
    assert found.reliability is not None  # noqa: S101
    rule = found.reliability.other_rule
    return found.verdict.kind in {"another rule", "change of mind"}, "" if rule is None else rule.name


def run() -> None:
    """Print the power, and the share of false alarms."""
    print(f"  {PEOPLE} people a line, from {FIRST_PERSON} on; two classes, {QUESTIONS} questions")
    print(f"  {'people':<40} groups  told  wanted")
    for cells, wanted in (
        (_OUTSIDE, f"at least {_POWER:.0%}"),
        (_AFTER, "written after the test"),
        (_INSIDE, f"at most {_FALSE_ALARMS:.0%}"),
    ):
        for kind, groups in cells:
            found = everybody(judged, kind=kind, groups=groups)
            told = [name for alarm, name in found if alarm]
            print(f"  {kind:<40} {groups:>6}  {len(told) / len(found):>4.0%}  {wanted}", flush=True)
            for name, times in Counter(told).most_common(2):
                print(f"      {times} × {name}")
