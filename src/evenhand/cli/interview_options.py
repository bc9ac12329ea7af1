"""The options of `evenhand interview`: they begin a new interview, and may not contradict one that is resumed."""

from __future__ import annotations

import os
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from evenhand.checks.messages import listed, shown
from evenhand.elicitation import SEARCHES, AdaptivePlan, Plan
from evenhand.errors import EvenhandError
from evenhand.files import check_place
from evenhand.metric import FairMetric
from evenhand.rates import Setting
from evenhand.rates.rounding import OUT_OF

if TYPE_CHECKING:
    from evenhand.study import Header

DEFAULT_TOLERANCE = 0.1  # for a person; the paper's 0.001 is for machines
_VISIBLE = 0.02
"""Two people of 100: who is asked to compare models by the adaptive method sees at least this difference."""


@dataclass(frozen=True, kw_only=True)
class InterviewOptions:
    """What was given on the command line; None is what was not."""

    classes: list[str] | None = None
    groups: list[str] | None = None
    people: list[str] | None = None
    method: str | None = None
    tolerance: float | None = None
    radius: float | None = None
    cycles: int | None = None
    equal_pairs: bool | None = None
    max_questions: int | None = None

    @property
    def _of_the_plan(self) -> dict[str, str | float | int | bool]:
        names = ("method", "tolerance", "radius", "cycles", "equal_pairs", "max_questions")
        return {name: getattr(self, name) for name in names if getattr(self, name) is not None}

    def new_plan(self, file: Path) -> Plan | AdaptivePlan:
        """Return the plan of a new interview, or say what is missing."""
        classes, groups = names(self.classes, "--classes"), names(self.groups, "--groups")
        if not classes or not groups:
            missing = " and ".join(
                option for option, given in (("--classes", classes), ("--groups", groups)) if not given
            )
            raise EvenhandError(
                f"there is no interview at {file} yet, and a new one needs {missing}, for example: "
                f"evenhand interview {shlex.quote(str(file))} --classes repays,defaults --groups women,men"
            )
        setting = setting_of(classes, groups, self.people)
        return self._adaptive(setting) if self.method == "adaptive" else self._search(setting)

    def _adaptive(self, setting: Setting) -> AdaptivePlan:
        if self.cycles is not None:
            raise EvenhandError("--cycles is about searches, and --method adaptive makes none: leave it out")
        given = {name: value for name, value in self._of_the_plan.items() if name != "method"}
        options: dict[str, Any] = {"tolerance": DEFAULT_TOLERANCE} | given
        return AdaptivePlan(setting=setting, people=OUT_OF, visible=_VISIBLE, **options)

    def _search(self, setting: Setting) -> Plan:
        if self.method is not None and self.method not in SEARCHES:
            every = listed((*SEARCHES, "adaptive"))
            raise EvenhandError(f"--method must be one of {every}, but received {shown(self.method)}")
        if self.max_questions is not None:
            raise EvenhandError(
                "--max-questions is for --method adaptive: how many questions a search has is decided by --tolerance"
            )
        options: dict[str, Any] = {"tolerance": DEFAULT_TOLERANCE}
        if len(setting.classes) == 2 and self.method != "bisection":
            # There is only one angle then, and every further cycle asks the very same questions again.
            options["cycles"] = 1
        return Plan(setting=setting, **(options | self._of_the_plan))

    def check_against(self, header: Header, file: Path) -> None:
        """Refuse options that differ from those that the interview was begun with."""
        stored = header.plan.setting
        classes, groups = [*map(str, stored.classes)], [*map(str, stored.groups)]
        conflicts = [
            (option, ",".join(kept), ",".join(given))
            for option, kept, given in (
                ("--classes", classes, names(self.classes, "--classes")),
                ("--groups", groups, names(self.groups, "--groups")),
            )
            if given and given != kept
        ]
        options = header.kind.options()
        conflicts += [
            (f"--{name.replace('_', '-')}", str(options.get(name, "no option of this method")), str(value))
            for name, value in self._of_the_plan.items()
            if name not in options or value != options[name]
        ]
        if self.people and not conflicts:
            prevalence = setting_of(classes, groups, self.people).prevalence
            if not np.allclose(prevalence, stored.prevalence, rtol=0, atol=1e-9):
                conflicts.append(("--people", "other numbers", " ".join(self.people)))
        if conflicts:
            listed = "; ".join(f"{option} was {kept!r}, but received {given!r}" for option, kept, given in conflicts)
            raise EvenhandError(
                f"{file} holds an interview that was begun with other options ({listed}): leave the options out to "
                "resume it, or name another file to begin a new one"
            )


def names(given: list[str] | None, option: str) -> list[str]:
    """Read names from one option with commas, or from an option repeated for each name."""
    if not given:
        return []
    listed = [name.strip() for name in (given[0].split(",") if len(given) == 1 else given)]
    if "" in listed:
        raise EvenhandError(f"{option} has an empty name in {', '.join(map(repr, listed))}: every one needs a name")
    return listed


def setting_of(classes: list[str], groups: list[str], people: list[str] | None) -> Setting:
    """Turn the people of each group and class into the prevalence P(group | class); equal groups, if not given."""
    equal = Setting(classes, groups, np.full((len(groups), len(classes)), 1 / len(groups)))
    if not people:
        return equal
    counts: dict[str, list[float]] = {}
    for text in people:
        group, _, numbers = text.rpartition("=")
        row = _positive_numbers(numbers)
        if group not in groups or len(row) != len(classes):
            example = f"{groups[0]}=" + ",".join(["100"] * len(classes))
            raise EvenhandError(
                f"--people {text!r} is not one of the groups {', '.join(map(repr, groups))} followed by = and "
                f"{len(classes)} positive numbers, one for each of the classes {', '.join(map(repr, classes))}; "
                f"for example: --people {shlex.quote(example)}"
            )
        if group in counts:
            raise EvenhandError(f"--people names the group {group!r} twice: give each group once")
        counts[group] = row
    absent = [group for group in groups if group not in counts]
    if absent:
        raise EvenhandError(f"--people says nothing of {', '.join(map(repr, absent))}: give every group once, or none")
    rows = np.array([counts[group] for group in groups])
    rows /= rows.max(axis=0)
    return Setting(classes, groups, rows / rows.sum(axis=0))


def _positive_numbers(text: str) -> list[float]:
    try:
        numbers = [float(number) for number in text.split(",")]
    except ValueError:
        return []
    return numbers if all(0 < number < float("inf") for number in numbers) else []


def check_metric_file(metric: Path, answers: Path) -> None:
    """Find out before the first question whether the metric can be written after the last."""
    try:
        check_place(metric)
    except EvenhandError as error:
        raise EvenhandError(f"--metric {metric} cannot be used: {error}") from error
    if os.path.realpath(metric) == os.path.realpath(answers):
        raise EvenhandError(f"--metric {metric} is the file of answers itself: name another file")
    if metric.exists():
        try:
            FairMetric.from_json(metric.read_text(encoding="utf-8"))
        except OSError as error:
            raise EvenhandError(f"--metric {metric} cannot be used: {error.strerror}") from error
        except ValueError as error:  # not even text, or not a metric
            raise EvenhandError(
                f"--metric {metric} exists and is not a metric, so it is not overwritten: name another file"
            ) from error
