"""What is said about the answers at the end."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from tests.elicitation.adaptive_people import SETTING, TRUTH, models

from evenhand import (
    FairMetric,
    Finding,
    GroupRates,
    Setting,
    SimulatedOracle,
    elicit,
)
from evenhand.elicitation.adaptive.transcript import Transcript
from evenhand.elicitation.finding import VERDICTS
from evenhand.elicitation.question import SKIP
from evenhand.report.reliability import diagnostics, steadiness
from evenhand.wording.numerals import percent


@pytest.mark.parametrize("pattern", ["random", "always the first", "alternating", "always undecided"])
def test_somebody_who_does_not_attend_is_hardly_ever_believed(pattern: str) -> None:
    """One in ten may pass for a person, by chance: of eight, two at the very most; all others are found out."""
    believed = 0
    for seed in range(8):
        rng = np.random.default_rng(seed)
        asked = iter(range(1000))

        def inattentive(*_: GroupRates, rng: np.random.Generator = rng, asked: Iterator[int] = asked) -> bool | None:
            n = next(asked)
            return {
                "random": bool(rng.random() < 0.5),
                "always the first": True,
                "alternating": n % 2 == 0,
                "always undecided": None,
            }[pattern]

        elicited = elicit(
            inattentive,
            SETTING,
            method="adaptive",
            candidates=models(SETTING, 20, seed),
            max_questions=20,
            random_state=seed,
        )
        if not elicited.verdict.decided:
            assert elicited.stopped_because == "budget"
        else:
            believed += 1
    assert believed <= 2


def test_few_people_tested_means_uncertain_whatever_the_answers() -> None:
    few = models(SETTING, 5, 3)
    many, little = (
        {
            name: GroupRates(setting=SETTING, matrix=one.matrix, counts=None, sizes=np.full((2, 2), float(size)))
            for name, one in few.items()
        }
        for size in (10_000_000, 12)
    )
    sure, unsure = (
        elicit(SimulatedOracle(TRUTH), SETTING, method="adaptive", candidates=candidates, random_state=0)
        for candidates in (many, little)
    )
    assert sure.choice is not None
    assert unsure.choice is not None
    assert max(sure.choice.probabilities.values()) > 0.9
    assert max(unsure.choice.probabilities.values()) < 0.9
    assert any("few people" in warning for warning in unsure.warnings)


@pytest.mark.parametrize(
    ("options", "missing"),
    [({"candidates": models(SETTING, 20, 0)}, "settled which model is the best"), ({}, "as narrow as asked")],
)
def test_questions_that_run_out_are_told(options: dict[str, Any], missing: str) -> None:
    elicited = elicit(SimulatedOracle(TRUTH), SETTING, method="adaptive", max_questions=2, random_state=0, **options)
    assert elicited.stopped_because == "budget"
    assert any("ran out before" in warning and missing in warning for warning in elicited.warnings)


def test_the_favourite_of_the_few_people_warning_is_the_one_that_is_named() -> None:
    """The better one by the rates as measured was measured on so few people that the other is likelier to be it."""
    sizes = (14.0, 10_000.0)
    near = [np.array([[0.7, 0.3], [0.3, 0.7]]), np.array([[0.67, 0.33], [0.33, 0.67]])]
    candidates = {
        f"tested on {size:.0f}": GroupRates(
            setting=SETTING, matrix=np.stack([matrix, matrix]), sizes=np.full((2, 2), size)
        )
        for matrix, size in zip(near, sizes, strict=True)
    }
    elicited = elicit(SimulatedOracle(TRUTH), SETTING, method="adaptive", candidates=candidates, random_state=0)
    assert elicited.best == "tested on 14"
    assert elicited.choice is not None
    assert elicited.choice.probabilities["tested on 10000"] > 0.5
    (said,) = [warning for warning in elicited.warnings if "few people" in warning]
    assert "a larger test set" in said
    assert elicited.choice.tested_certainty == elicited.choice.probabilities[elicited.choice.best]
    assert (
        elicited.choice.sentences()[1]
        == f"Allowing for the small test set: {percent(elicited.choice.tested_certainty)}."
    )


@pytest.mark.parametrize("seed", range(4))
def test_somebody_who_names_the_worse_one_is_asked_whether_they_do(seed: int) -> None:
    """Their answers fit a metric at the edge of all metrics, and so well that nothing else seems odd about them."""
    setting = Setting.random(2, 2, seed)
    truth = FairMetric.random(setting, seed)

    def said(oracle: Callable[..., Any]) -> str:
        return str(elicit(oracle, setting, method="adaptive", stop="budget", max_questions=25, random_state=seed))

    assert "sides swapped" in said(lambda a, b: bool(truth.cost(a) > truth.cost(b)))
    assert "sides swapped" not in said(SimulatedOracle(truth))
    assert "sides swapped" not in said(SimulatedOracle(truth, flip=0.2, random_state=seed))
    assert "sides swapped" not in said(SimulatedOracle(truth, flip=0.5, random_state=seed))


@pytest.mark.parametrize(("trade_off", "free"), [(0.0, "gaps between groups"), (1.0, "mistakes")])
def test_what_does_not_matter_is_named(trade_off: float, free: str) -> None:
    truth = FairMetric.from_weights(SETTING, misclassification=[1, 2], violation=[[2, 1]], trade_off=trade_off)
    elicited = elicit(
        SimulatedOracle(truth), SETTING, method="adaptive", stop="budget", max_questions=40, random_state=1
    )
    assert [warning for warning in elicited.warnings if "hardly depend" in warning] == [
        f"The answers hardly depend on {free}, so the weights of {free} could not be learned."
    ]


def test_the_best_is_certain_only_as_far_as_somebody_attends() -> None:
    rng = np.random.default_rng(0)
    elicited = elicit(
        lambda *_: bool(rng.random() < 0.5),
        SETTING,
        method="adaptive",
        candidates=models(SETTING, 8, 0),
        stop="budget",
        max_questions=15,
        random_state=0,
    )
    assert elicited.reliability is not None
    assert elicited.choice is not None
    assert elicited.choice.best_certainty is not None
    assert elicited.choice.best_certainty <= elicited.reliability.attending < 0.75


def test_models_that_are_alike_are_equally_likely_to_be_the_best() -> None:
    one, worse = GroupRates.uniform(SETTING), GroupRates(setting=SETTING, matrix=np.full((2, 2, 2), 0.5)[:, ::-1])
    other = models(SETTING, 1, 0)["model 0"]
    elicited = elicit(
        SimulatedOracle(TRUTH),
        SETTING,
        method="adaptive",
        candidates={"a": other, "b": other, "c": one, "d": worse},
        max_questions=6,
        random_state=0,
    )
    assert elicited.choice is not None
    assert elicited.choice.probabilities["a"] == pytest.approx(elicited.choice.probabilities["b"])
    assert elicited.choice.probabilities["a"] > 0.9, "both are the best"


def test_candidates_all_alike_are_called_so() -> None:
    alike = dict.fromkeys(("one", "two"), GroupRates.uniform(SETTING))
    elicited = elicit(
        SimulatedOracle(TRUTH), SETTING, method="adaptive", candidates=alike, max_questions=2, random_state=0
    )
    assert any("same rates" in warning for warning in elicited.warnings)


def test_few_answers_are_called_few_and_odd_ones_odd() -> None:
    """What it says depends on what speaks against the answers: their number, their pattern, or that nobody chose."""

    def said(oracle: Callable[..., bool | None], questions: int) -> str:
        elicited = elicit(oracle, SETTING, method="adaptive", stop="budget", max_questions=questions, random_state=0)
        return str(elicited)

    assert "So few answers" in said(SimulatedOracle(TRUTH), 6)
    assert "Warning" not in said(SimulatedOracle(TRUTH), 60)
    assert "Neither was preferred in 8 of 8 answers" in said(lambda *_: None, 8)
    assert "So few answers" in said(SimulatedOracle(TRUTH, flip=0.5, random_state=3), 1)
    inattentive = [SimulatedOracle(TRUTH, flip=0.5, random_state=seed) for seed in range(8)]
    assert sum("may be random" in said(one, 30) for one in inattentive) >= 4


def _found(oracle: Callable[..., Any], questions: int, **options: Any) -> Finding:
    return elicit(oracle, SETTING, method="adaptive", stop="budget", max_questions=questions, random_state=0, **options)


@pytest.mark.parametrize(
    ("kind", "oracle", "questions"),
    [
        ("decided", SimulatedOracle(TRUTH), 60),
        ("no answers", lambda *_: SKIP, 4),
        ("too few answers", SimulatedOracle(TRUTH), 2),
        ("undecided answers", lambda *_: None, 8),
        ("swapped answers", lambda a, b: bool(TRUTH.cost(a) > TRUTH.cost(b)), 25),
        ("unreliable answers", SimulatedOracle(TRUTH, flip=0.5, random_state=0), 30),
    ],
)
def test_the_verdict_says_whether_and_why_nothing_should_be_decided(
    kind: str, oracle: Callable[..., Any], questions: int
) -> None:
    found = _found(oracle, questions)
    assert found.verdict.kind == kind
    assert kind in VERDICTS
    assert found.verdict.decided is (kind == "decided")
    assert bool(found.verdict.reason) is bool(found.verdict.advice) is (kind != "decided")
    assert found.doubts == (found.warnings if kind == "decided" else found.warnings[1:])


def test_repeats_that_never_agreed_are_told_without_a_percentage(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Transcript, "consistency", property(lambda _: 0.0))
    found = _found(SimulatedOracle(TRUTH, flip=0.5, random_state=0), 30)
    assert found.reliability is not None
    repeats = found.reliability.repeats
    assert f"None of the {repeats} repeated questions got the same answer." in found.warnings


def test_how_often_repeats_agreed_is_one_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Transcript, "consistency", property(lambda _: 2 / 7))
    found = _found(SimulatedOracle(TRUTH, flip=0.5, random_state=0), 30)
    told = [line for line in (*found.warnings, *steadiness(found.reliability)) if "got the same answer" in line]
    assert found.reliability is not None
    same, repeats = f"{round(2 / 7 * found.reliability.repeats)}", f"{found.reliability.repeats}"
    assert [re.findall(r"\d+", line)[:2] for line in told] == [[same, repeats], [repeats, same]]


@pytest.mark.parametrize("questions", [4, 30])
def test_how_random_the_answers_may_be_and_how_likely_they_are_not_make_a_hundred(questions: int) -> None:
    found = _found(SimulatedOracle(TRUTH, flip=0.5, random_state=0), questions)
    (random,) = re.findall(r"random \(probability (\d+)%\)", found.verdict.reason)
    (attending,) = re.findall(r"follow a metric at all is (\d+)%", " ".join(diagnostics(found)))
    assert int(random) + int(attending) == 100


def test_the_text_of_a_result_leads_with_the_verdict_and_names_no_favourite() -> None:
    found = _found(SimulatedOracle(TRUTH), 2, candidates=models(SETTING, 5, 0))
    first, second, *_ = str(found).splitlines()
    assert second == f"{found.verdict.reason} {found.verdict.advice}"
    assert "model " not in str(found)
    assert first == "From 2 questions by method='adaptive':"
