"""To go on from a snapshot leads to what a replay leads to, to the last bit."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from evenhand import FairMetric, GroupRates, Setting, SimulatedOracle
from evenhand.elicitation import Adaptive, Finding, Method, Question
from evenhand.elicitation.adaptive.remembering import FORM, learned_from, snapshot_of
from evenhand.elicitation.methods import make
from evenhand.elicitation.procedure import ask
from evenhand.elicitation.question import SKIP, Answer
from evenhand.elicitation.thresholds import SAMPLER

TWO, THREE = Setting.random(2, 2, random_state=1), Setting.random(3, 3, random_state=1)


def models(setting: Setting, n: int = 6, sizes: float | None = None) -> dict[str, GroupRates]:
    profiles = np.random.default_rng(3).integers(5, 30, size=(n, *setting.tau.shape)) / 100
    rates = [GroupRates.from_vector(setting, profile) for profile in profiles]
    counts = None if sizes is None else np.full((len(setting.groups), len(setting.classes)), sizes)
    return {
        f"model {place}": GroupRates(setting=setting, matrix=one.matrix, sizes=counts)
        for place, one in enumerate(rates)
    }


ADAPTIVE: dict[str, dict[str, Any]] = {
    "best of some models": {"candidates": models(TWO, sizes=200.0), "max_questions": 12},
    "their order": {"candidates": models(TWO), "stop": "ranking", "max_questions": 10},
    "three classes": {"candidates": models(THREE), "max_questions": 9, "out_of": 100},
    "all weights": {"max_questions": 10, "stop": "weights"},
    "a budget": {"max_questions": 9, "stop": "budget", "visible": 0.02, "out_of": 100},
    "known errors": {"max_questions": 9, "error": 0.1, "equal_pairs": True},
}


def adaptive(kind: str) -> Adaptive:
    return Adaptive(setting=THREE if kind == "three classes" else TWO, **ADAPTIVE[kind])


def method_of(kind: str) -> Method:
    return make("bisection", TWO, {"tolerance": 0.1}) if kind == "bisection" else adaptive(kind)


@pytest.mark.parametrize("kind", [*ADAPTIVE, "bisection"])
def test_a_snapshot_and_a_replay_lead_to_the_same_questions_and_the_same_finding(kind: str) -> None:
    method = method_of(kind)
    oracle = SimulatedOracle(FairMetric.random(method.setting, 4), flip=0.1, random_state=5)
    history: list[tuple[Question, Answer]] = []
    outcome, snapshot = method.reached(history, seed=7)
    while isinstance(outcome, Question):
        answer: Answer = ask(oracle, outcome, method.setting)
        if method.undecided and len(history) in {2, 5}:
            answer = None if len(history) == 2 else SKIP
        history.append((outcome, answer))
        replayed = method.reached(history, seed=7).outcome
        outcome, snapshot = method.reached(history, seed=7, snapshot=snapshot)
        if isinstance(outcome, Finding):
            assert isinstance(replayed, Finding)
            assert outcome.metric == replayed.metric
            assert (outcome.choice, outcome.reliability, outcome.verdict, outcome.warnings) == (
                (replayed.choice, replayed.reliability, replayed.verdict, replayed.warnings)
            )
        else:
            assert isinstance(replayed, Question)
            np.testing.assert_array_equal(outcome.first, replayed.first)
            np.testing.assert_array_equal(outcome.second, replayed.second)
            assert (outcome.part, outcome.left) == (replayed.part, replayed.left)
    assert len(history) > 5


def test_a_procedure_in_one_piece_asks_the_same() -> None:
    method = adaptive("best of some models")
    first, reached = next(method.procedure(seed=7)), method.reached([], seed=7).outcome
    assert isinstance(reached, Question)
    assert np.array_equal(first.first, reached.first)


def differences(one: Any, other: Any, where: str = "learned") -> list[str]:
    """Return where two objects differ, field by field."""
    if isinstance(one, np.ndarray):
        other_array: NDArray[Any] = other
        same = one.dtype == other_array.dtype and one.shape == other_array.shape and one.tobytes() == other.tobytes()
        return [] if same else [where]
    if type(one) is not type(other):
        return [where]
    if isinstance(one, tuple):
        if len(one) != len(other):
            return [where]
        return [
            found
            for n, pair in enumerate(zip(one, other, strict=True))
            for found in differences(*pair, f"{where}[{n}]")
        ]
    if is_dataclass(one) and type(one).__eq__ is object.__eq__:
        return [
            found
            for field in fields(one)
            for found in differences(getattr(one, field.name), getattr(other, field.name), f"{where}.{field.name}")
        ]
    return [] if one == other or one is other else [where]


def test_no_field_of_what_was_learned_is_forgotten() -> None:
    method = adaptive("three classes")
    history: list[tuple[Question, Answer]] = []
    for answer in (True, None, False, SKIP, True, True):
        outcome = method.reached(history, seed=7).outcome
        assert isinstance(outcome, Question)
        history.append((outcome, answer))
    interviewer = method.interviewer(7)
    learned = interviewer.learned(history)
    again = learned_from(snapshot_of(learned), interviewer, len(history))
    assert differences(learned, again) == []


def test_a_snapshot_of_another_point_setting_version_or_threshold_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    two, three = (adaptive(kind).interviewer(7) for kind in ("all weights", "three classes"))
    held = snapshot_of(two.learned())
    assert learned_from(held, two, 0) is not None
    assert learned_from(held, two, 1) is None
    assert learned_from(held, three, 0) is None
    assert learned_from(b"\x80\x04." + held, two, 0) is None
    for cut in (0, 10, 40, 60, len(held) - 8, len(held) - 1):
        assert learned_from(held[:cut], two, 0) is None
    other_thresholds = replace(FORM, thresholds=(SAMPLER._replace(far=0.4),))
    monkeypatch.setattr("evenhand.elicitation.adaptive.remembering.FORM", other_thresholds)
    assert learned_from(held, two, 0) is None
    later = replace(FORM)  # what it is stamped with is worked out anew
    monkeypatch.setattr("evenhand.elicitation.snapshots.version", lambda _: "99.0")
    monkeypatch.setattr("evenhand.elicitation.adaptive.remembering.FORM", later)
    assert learned_from(held, two, 0) is None


def test_a_new_kind_of_part_is_refused_when_it_is_written() -> None:
    two = adaptive("all weights").interviewer(7)
    with pytest.raises(TypeError, match="Setting has no place in a snapshot: name it in the form"):
        snapshot_of(replace(two.learned(), stopped_because=TWO))  # type: ignore[arg-type]
