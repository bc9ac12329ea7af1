"""Misfit: how often people who follow another rule, or change their mind, are told so; and how often others are."""

from __future__ import annotations

from collections import Counter

import numpy as np

from bench.honesty.interviews import told_everybody
from bench.people import FIRST_PERSON, NOISES, PEOPLE, everybody
from bench.rule_followers import AFTER_THE_TEST, follower
from evenhand import Setting, elicit

QUESTIONS = 45
_USUAL_GROUPS = 2
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


_TOLD = {"another rule", "change of mind"}


def judged(seed: int, *, kind: str, groups: int, classes: int = 2) -> tuple[bool, str]:
    """Interview one who is outside the family; return whether they are told of another rule, and of which kind."""
    setting = Setting.random(classes, groups, np.random.default_rng([seed, classes, groups]))
    oracle = follower(setting, seed, kind)
    found = elicit(oracle, setting, method="adaptive", stop="budget", max_questions=QUESTIONS, random_state=seed)
    assert found.reliability is not None  # noqa: S101
    rule = found.reliability.other_rule
    return found.verdict.kind in _TOLD, "" if rule is None else rule.name


def _power() -> None:
    for cells, wanted in ((_OUTSIDE, f"at least {_POWER:.0%}"), (_AFTER, "written after the test")):
        for kind, groups in cells:
            found = everybody(judged, kind=kind, groups=groups)
            told = [name for alarm, name in found if alarm]
            print(f"  {kind:<40} {groups:>6}  {len(told) / len(found):>4.0%}  {wanted}", flush=True)
            for name, times in Counter(told).most_common(2):
                print(f"      {times} × {name}")


def _false_alarms() -> None:
    for kind, groups in _INSIDE:
        found = told_everybody(kind) if groups == _USUAL_GROUPS else told_everybody(kind, m=groups, after=(QUESTIONS,))
        alarms = np.mean([one[QUESTIONS].verdict in _TOLD for one in found])
        print(f"  {kind:<40} {groups:>6}  {alarms:>4.1%}  at most {_FALSE_ALARMS:.0%}", flush=True)


def run() -> None:
    """Print the power, and the share of false alarms."""
    print(f"  {PEOPLE} people a line, from {FIRST_PERSON} on; two classes, {QUESTIONS} questions")
    print(f"  {'people':<40} groups  told  wanted")
    _power()
    _false_alarms()
