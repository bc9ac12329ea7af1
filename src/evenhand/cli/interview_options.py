"""The options of `evenhand interview`: they define a new interview, and must agree with one that is resumed."""

from __future__ import annotations

import os
import shlex
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from evenhand.cli.own_models import OwnModels
from evenhand.cli.several import names
from evenhand.elicitation.methods import Method, make, method_named
from evenhand.errors import EvenhandError
from evenhand.files import check_place
from evenhand.metric import FairMetric
from evenhand.rates import Setting

if TYPE_CHECKING:
    from evenhand.region import FeasibleRegion
    from evenhand.study import Header

DEFAULT_METHOD = "adaptive"


@dataclass(frozen=True, kw_only=True)
class InterviewOptions:
    """The options on the command line; None if not given."""

    classes: list[str] | None = None
    groups: list[str] | None = None
    people: list[str] | None = None
    method: str | None = None
    tolerance: float | None = None
    radius: float | None = None
    cycles: int | None = None
    equal_pairs: bool | None = None
    max_questions: int | None = None
    interval_width: float | None = None
    region: FeasibleRegion | None = None
    own: OwnModels = field(default_factory=OwnModels)

    @property
    def _of_the_method(self) -> dict[str, Any]:
        names = ("region", "tolerance", "radius", "cycles", "equal_pairs", "max_questions", "interval_width")
        return {name: getattr(self, name) for name in names if getattr(self, name) is not None}

    def check(self) -> None:
        """Refuse options that contradict each other."""
        named = {"--classes": self.classes, "--groups": self.groups, "--people": self.people}
        self.own.check(also=named)
        if self.region is not None and any(named.values()):
            given = next(option for option, value in named.items() if value)
            raise EvenhandError(
                f"{given} was given with --region, which says what classes and groups there are: leave it out"
            )

    def new_header(self, file: Path) -> Header:
        """Return the header of a new interview; refuse missing options."""
        from evenhand.study import Header  # noqa: PLC0415  # not on Windows, unlike the rest

        if self.own.candidates is not None:
            return Header.about(self.own.study(self.method, self._of_the_method))
        return Header(method=self.new_method(file))

    def new_method(self, file: Path) -> Method:
        """Return the method of a new interview about made-up models; refuse missing options."""
        if self.region is not None:
            return self._made(self.region.setting)
        classes, groups = names(self.classes, "--classes"), names(self.groups, "--groups")
        if not classes or not groups:
            missing = " and ".join(
                option for option, given in (("--classes", classes), ("--groups", groups)) if not given
            )
            raise EvenhandError(
                f"there is no interview at {file} yet, and a new one needs {missing}, for example: "
                f"evenhand interview {shlex.quote(str(file))} --classes repays,defaults --groups women,men; or, "
                "about your own models, --candidates"
            )
        return self._made(setting_of(classes, groups, self.people))

    def _made(self, setting: Setting) -> Method:
        name = self.method or DEFAULT_METHOD
        return make(name, setting, method_named(name).for_people(setting) | self._of_the_method)

    def check_against(self, header: Header, file: Path) -> None:
        """Refuse options that differ from those that the interview began with."""
        if self.own.candidates is not None:
            self._check_models(header, file)
        stored = header.method.setting
        classes, groups = [*map(str, stored.classes)], [*map(str, stored.groups)]
        conflicts = [
            (option, repr(",".join(kept)), ",".join(given))
            for option, kept, given in (
                ("--classes", classes, names(self.classes, "--classes")),
                ("--groups", groups, names(self.groups, "--groups")),
            )
            if given and given != kept
        ]
        options = {"method": header.method.name} | header.method.options()
        given_options = ({} if self.method is None else {"method": self.method}) | self._of_the_method
        if self.region is not None and options.get("region") == self.region.to_document():
            del given_options["region"]
        conflicts += [
            (f"--{name.replace('_', '-')}", _as_begun(options, name), str(value))
            for name, value in given_options.items()
            if name not in options or value != options[name]
        ]
        if self.people and not conflicts:
            prevalence = setting_of(classes, groups, self.people).prevalence
            if not np.allclose(prevalence, stored.prevalence, rtol=0, atol=1e-9):
                conflicts.append(("--people", "other numbers", " ".join(self.people)))
        if conflicts:
            listed = "; ".join(f"{option} was {kept}, but received {given!r}" for option, kept, given in conflicts)
            raise EvenhandError(
                f"{file} holds an interview that was begun with other options ({listed}): leave the options out to "
                "resume it, or name another file to begin a new one"
            )

    def _check_models(self, header: Header, file: Path) -> None:
        """Refuse other models and words than those that the interview is about."""
        kept = None if header.study is None else header.study.to_document()
        given = self.own.study(self.method, self._of_the_method).to_document()
        parts = {"candidates": "models"} | ({"words": "words"} if self.own.words else {})
        for part, called in parts.items():
            if kept is None or kept[part] != given[part]:
                raise EvenhandError(
                    f"{file} holds an interview about other {called} than --{part} has: leave the options out to "
                    "resume it, or name another file to begin a new one"
                )


def _as_begun(options: dict[str, Any], name: str) -> str:
    """Say what an option was when the interview began."""
    if name not in options:
        return "no option of its method"
    return "not given" if options[name] is None else repr(str(options[name]))


def setting_of(classes: list[str], groups: list[str], people: list[str] | None) -> Setting:
    """Turn the people of each group and class into the prevalence P(group | class); by default, of equal groups."""
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
    """Raise an error before the first question if the metric cannot be written after the last one."""
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
        except ValueError as error:  # not text, or not a metric
            raise EvenhandError(
                f"--metric {metric} exists and is not a metric, so it is not overwritten: name another file"
            ) from error
