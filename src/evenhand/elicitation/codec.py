"""Findings as JSON documents: logged, exported and sent alike, and read back by later versions."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict
from typing import Any, TypeVar, cast

import numpy as np

from evenhand.checks.arrays import float_array, number, whole_number
from evenhand.checks.documents import Format, checked_fields
from evenhand.checks.messages import expect, listed, shown
from evenhand.checks.text import any_text, check_writable
from evenhand.elicitation.finding import (
    VERDICTS,
    Choice,
    Finding,
    Intervals,
    OtherRule,
    Reliability,
    Uncertainty,
    Verdict,
)
from evenhand.errors import EvenhandError
from evenhand.metric import FairMetric
from evenhand.metric.ratios import Ratio, Ratios
from evenhand.rates import Setting
from evenhand.rates.ties import ROUNDING
from evenhand.typing import Floats

FINDING_FORMAT = Format(
    name="evenhand.finding",
    what="finding",
    fields=("metric", "verdict", "warnings", "stopped_because", "uncertainty", "choice", "reliability"),
)

_VERDICT = ("kind", "reason", "advice")
_UNCERTAINTY = ("level", "intervals", "ratios")
_RATIOS = ("mistakes", "violation", "in_mistakes", "trade_off")
_RATIO = ("one", "other", "share", "low", "high", "probability")
_INTERVALS = ("misclassification", "violation", "trade_off")
_CHOICE = ("best", "best_certainty", "probabilities", "ranking", "ranking_certainty")
_RELIABILITY = (
    "attending",
    "lapse_rate",
    "lapse_interval",
    "predictive",
    "misfit",
    "other_rule",
    "consistency",
    "repeats",
)
_OTHER_RULE = ("name", "agrees", "answers")

T = TypeVar("T")


def finding_document(finding: Finding) -> dict[str, Any]:
    """Return a finding as JSON holds it; the sample is left out, since the answers give it again."""
    return FINDING_FORMAT.write(
        metric=json.loads(finding.metric.to_json()),
        verdict=asdict(finding.verdict),
        warnings=list(finding.warnings),
        stopped_because=finding.stopped_because,
        uncertainty=None if finding.uncertainty is None else _uncertainty_document(finding.uncertainty),
        choice=None if finding.choice is None else _choice_document(finding.choice),
        reliability=None if finding.reliability is None else _reliability_document(finding.reliability),
    )


def read_finding(document: object, setting: Setting | None = None) -> Finding:
    """Read a finding back, or say what is wrong with it; with a setting, one about anything else is refused."""
    fields = FINDING_FORMAT.read(document)
    metric = FairMetric.from_json(json.dumps(fields["metric"]))
    if setting is not None and metric.setting != setting:
        raise EvenhandError("its metric is about other classes, groups or another prevalence than the questions are")
    return Finding(
        metric=metric,
        verdict=_read_verdict(fields["verdict"]),
        warnings=_texts(fields["warnings"], "warnings"),
        stopped_because=_unless_none(fields["stopped_because"], lambda value: any_text(value, "stopped_because")),
        uncertainty=_unless_none(fields["uncertainty"], lambda value: _read_uncertainty(value, metric)),
        choice=_unless_none(fields["choice"], _read_choice),
        reliability=_unless_none(fields["reliability"], _read_reliability),
    )


def _read_verdict(value: object) -> Verdict:
    fields = checked_fields(value, "verdict", _VERDICT)
    kind = next((kind for kind in VERDICTS if kind == fields["kind"]), None)
    if kind is None:
        raise EvenhandError(f"the kind of a verdict must be one of {listed(VERDICTS)}, but is {shown(fields['kind'])}")
    return Verdict(kind=kind, **{name: any_text(fields[name], name) for name in ("reason", "advice")})


def _uncertainty_document(uncertainty: Uncertainty) -> dict[str, Any]:
    intervals = uncertainty.intervals
    return {
        "level": uncertainty.level,
        "intervals": {name: np.asarray(getattr(intervals, name)).tolist() for name in _INTERVALS},
        "ratios": None if uncertainty.ratios is None else asdict(uncertainty.ratios),
    }


def _read_uncertainty(value: object, metric: FairMetric) -> Uncertainty:
    fields = checked_fields(value, "uncertainty", _UNCERTAINTY)
    intervals = checked_fields(fields["intervals"], "intervals", _INTERVALS)
    ends = {name: _ends(intervals[name], name, np.shape(getattr(metric, name))) for name in _INTERVALS}
    return Uncertainty(
        level=_probability(fields["level"], "level"),
        intervals=Intervals(**ends),
        ratios=_unless_none(fields["ratios"], lambda value: _read_ratios(value, metric)),
    )


def _read_ratios(value: object, metric: FairMetric) -> Ratios:
    fields = checked_fields(value, "ratios", _RATIOS)
    mistakes, violation = metric.misclassification.size, metric.violation.size

    def several(name: str, one: int, other: int) -> tuple[Ratio, ...]:
        expect(fields[name], name, list)
        return tuple(_read_ratio(each, one, other) for each in fields[name])

    return Ratios(
        mistakes=several("mistakes", mistakes, mistakes),
        violation=several("violation", violation, violation),
        in_mistakes=several("in_mistakes", violation, mistakes),
        trade_off=_read_ratio(fields["trade_off"], 1, 1),
    )


def _read_ratio(value: object, ones: int, others: int) -> Ratio:
    fields = checked_fields(value, "a ratio", _RATIO)

    def place(name: str, weights: int) -> int:
        found = whole_number(fields[name], name, 0)
        if found >= weights:
            raise EvenhandError(f"{name} must be a place among {weights} weights, counted from 0, but is {found}")
        return found

    share, low, high, probability = (_probability(fields[name], name) for name in _RATIO[2:])
    return Ratio(place("one", ones), place("other", others), share, low, high, probability)


def _choice_document(choice: Choice) -> dict[str, Any]:
    return {
        "best": choice.best,
        "best_certainty": choice.best_certainty,
        "probabilities": dict(choice.probabilities),
        "ranking": list(choice.ranking),
        "ranking_certainty": choice.ranking_certainty,
    }


def _read_choice(value: object) -> Choice:
    fields = checked_fields(value, "choice", _CHOICE)
    expect(fields["probabilities"], "probabilities", dict)
    choice = Choice(
        best=_candidate(fields["best"], "best"),
        best_certainty=_unless_none(fields["best_certainty"], lambda value: _probability(value, "best_certainty")),
        probabilities={
            _candidate(name, "a name"): _probability(value, f"the probability of {shown(name)}")
            for name, value in fields["probabilities"].items()
        },
        ranking=tuple(_candidate(name, "ranking") for name in _list(fields["ranking"], "ranking")),
        ranking_certainty=_unless_none(
            fields["ranking_certainty"], lambda value: _probability(value, "ranking_certainty")
        ),
    )
    for name, models in (("ranking", list(choice.ranking)), ("probabilities", list(choice.probabilities))):
        if models and (choice.best not in models or len(set(models)) < len(models)):
            raise EvenhandError(
                f"{name} must have each candidate once, and among them the best, {shown(choice.best)}, but has "
                f"{listed(models)}: was the file edited?"
            )
    if choice.ranking and choice.probabilities and set(choice.ranking) != set(choice.probabilities):
        raise EvenhandError("ranking and probabilities are of different candidates: was the file edited?")
    return choice


def _reliability_document(reliability: Reliability) -> dict[str, Any]:
    return {
        "attending": reliability.attending,
        "lapse_rate": reliability.lapse_rate,
        "lapse_interval": list(reliability.lapse_interval),
        "predictive": list(reliability.predictive),
        "misfit": reliability.misfit,
        "other_rule": None if reliability.other_rule is None else asdict(reliability.other_rule),
        "consistency": reliability.consistency,
        "repeats": reliability.repeats,
    }


def _read_reliability(value: object) -> Reliability:
    fields = checked_fields(value, "reliability", _RELIABILITY)
    expect(fields["predictive"], "predictive", list)
    return Reliability(
        attending=_probability(fields["attending"], "attending"),
        lapse_rate=_probability(fields["lapse_rate"], "lapse_rate"),
        lapse_interval=_read_lapse_interval(fields["lapse_interval"]),
        predictive=tuple(_probability(value, "predictive") for value in fields["predictive"]),
        misfit=number(fields["misfit"], "misfit", "a number from 0 on", lambda value: value >= 0),
        other_rule=_unless_none(fields["other_rule"], _read_other_rule),
        consistency=_unless_none(fields["consistency"], lambda value: _probability(value, "consistency")),
        repeats=whole_number(fields["repeats"], "repeats", 0),
    )


def _read_other_rule(value: object) -> OtherRule:
    fields = checked_fields(value, "other_rule", _OTHER_RULE)
    return OtherRule(
        name=any_text(fields["name"], "name"),
        agrees=_unless_none(fields["agrees"], lambda agrees: whole_number(agrees, "agrees", 0)),
        answers=whole_number(fields["answers"], "answers", 0),
    )


def _read_lapse_interval(value: object) -> tuple[float, float]:
    low, high = _ends(value, "lapse_interval", ()).tolist()
    return low, high


def _ends(value: Any, name: str, shape: tuple[int, ...]) -> Floats:
    ends = float_array(value, f"intervals of {name}", (*shape, 2), "from and to")
    low, high = ends[..., 0], ends[..., 1]
    if not ((low >= -ROUNDING) & (low <= high) & (high <= 1 + ROUNDING)).all():
        raise EvenhandError(f"intervals of {name} must go from one number to a larger one, both from 0 to 1")
    return ends


def _probability(value: object, name: str) -> float:
    return number(value, name, "a number from 0 to 1", lambda value: -ROUNDING <= value <= 1 + ROUNDING)


def _texts(value: object, name: str) -> tuple[str, ...]:
    return tuple(any_text(one, name) for one in _list(value, name))


def _list(value: object, name: str) -> list[object]:
    expect(value, name, list)
    return cast("list[object]", value)


def _candidate(value: object, name: str) -> str:
    """Return the name of a candidate, with any characters: it is made printable where it is shown."""
    expect(value, name, str)
    check_writable(str(value), name)
    return str(value)


def _unless_none(value: object, read: Callable[[object], T]) -> T | None:
    return None if value is None else read(value)
