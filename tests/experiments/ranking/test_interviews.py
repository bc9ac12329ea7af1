"""Interviews about a pool's models: kept, the same wherever they are held, and held again when anything is another."""

from __future__ import annotations

from pathlib import Path

import joblib
import numpy as np
import pytest

from evenhand import GroupRates, Setting
from evenhand.experiments.ranking import interviews
from evenhand.experiments.ranking.crowd import Crowd

BUDGETS = (2, 4)


def crowd(seed: int = 0) -> Crowd:
    setting = Setting.random(2, 2, random_state=1)
    profiles = np.random.default_rng(1).random((6, 2, 2)) / 2
    rates = {f"model {place}": GroupRates.from_vector(setting, one) for place, one in enumerate(profiles)}
    return Crowd.random("made up", rates, 2, seed)


def ask(
    cache: Path, people: Crowd, flips: tuple[float, ...] = (0.0,)
) -> dict[tuple[str, float], interviews.CrowdScores]:
    return interviews.ask(
        [people], budgets=BUDGETS, flips=flips, seed=0, cache=cache, jobs=None, progress=lambda _: None
    )


def numbers(asked: dict[tuple[str, float], interviews.CrowdScores]) -> list[list[float]]:
    return [
        [*one.scores[2].kendall, *one.scores[4].kendall, *one.to_best.questions, *one.to_best.excess]
        for one in asked.values()
    ]


def test_an_interview_is_the_same_wherever_it_is_held_and_is_kept(tmp_path: Path) -> None:
    alone = ask(tmp_path / "alone", crowd())
    with joblib.parallel_config(backend="threading", n_jobs=2):
        together = ask(tmp_path / "together", crowd())
    again = ask(tmp_path / "alone", crowd())
    assert numbers(alone) == numbers(together) == numbers(again)
    assert (alone["made up", 0.0].kept, again["made up", 0.0].kept) == (0, 2)
    assert not list(tmp_path.rglob("*.part"))


def test_other_people_other_errors_or_other_code_are_asked_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def keys(people: Crowd, flip: float) -> set[str]:
        return {
            interviews.Person("made up", place, metric, people.rates, flip, 0).key(BUDGETS)
            for place, metric in enumerate(people.metrics)
        }

    every = [keys(crowd(0), 0.0), keys(crowd(1), 0.0), keys(crowd(0), 0.1)]
    monkeypatch.setattr(interviews, "code_of_interviews", lambda: "another version")
    every.append(keys(crowd(0), 0.0))
    assert len(set.union(*every)) == 8


@pytest.mark.parametrize("damaged", [b"", b"[" * 100_000], ids=["empty", "deep"])
def test_a_damaged_interview_is_held_again(tmp_path: Path, damaged: bytes) -> None:
    before = ask(tmp_path, crowd())
    for path, damage in zip(tmp_path.rglob("*.json"), (damaged, b'{"orders": [[0]]}'), strict=True):
        path.write_bytes(damage)
    after = ask(tmp_path, crowd())
    assert after["made up", 0.0].kept == 0
    assert numbers(after) == numbers(before)


def test_the_order_after_few_answers_does_not_depend_on_how_many_follow() -> None:
    people = crowd()
    person = interviews.Person("made up", 0, people.metrics[0], people.rates, 0.1, 0)
    assert interviews.interview(person, (2, 5)).orders[0] == interviews.interview(person, (2, 3)).orders[0]


def test_a_share_of_right_choices_counts_models_that_are_as_good_as_the_best() -> None:
    found = interviews.ToBest(np.array([5.0, 7.0, 9.0, 60.0]), np.array([1.0, 1, 1, 0]), np.array([0, 0.001, 0.1, 0]))
    summed = found.as_json()
    assert (summed["right"], summed["exactly"], summed["settled"]) == (0.75, 0.5, 0.75)
    assert (summed["mean"], summed["median"]) == (20.25, 8)
