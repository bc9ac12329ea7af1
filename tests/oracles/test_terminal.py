"""A person at the terminal: what they are shown, what they may type, and what is made of it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from evenhand import SKIP, EvenhandError, FairMetric, GroupRates, Setting, SimulatedOracle, elicit
from evenhand.elicitation import Answer
from evenhand.oracles import TerminalOracle
from evenhand.oracles.terminal import Key, read_key
from evenhand.typing import Floats
from evenhand.wording.comparison import Comparison, Count, Rounding, who_is_in_the_groups
from evenhand.wording.numerals import as_people

SETTING = Setting(["repays", "defaults"], ["women", "men"], [[0.45, 0.3], [0.55, 0.7]])


def rates(*women_then_men: float) -> GroupRates:
    return GroupRates.from_vector(SETTING, np.array(women_then_men).reshape(2, 2))


def profiles() -> st.SearchStrategy[GroupRates]:
    return arrays(np.float64, (2, 2), elements=st.floats(0, 1)).map(lambda p: GroupRates.from_vector(SETTING, p))


def columns(comparison: Comparison) -> list[list[str]]:
    """What the screen says of A, and what it says of B."""
    counts = [count for mistake in comparison.mistakes for count in mistake.groups]
    return [[count.texts[side] + count.more[side] for count in counts] for side in (0, 1)]


@given(profiles(), profiles(), st.floats(0, 1))
@settings(max_examples=150, deadline=None)
def test_two_different_models_never_look_the_same(one: GroupRates, two: GroupRates, closeness: float) -> None:
    near = GroupRates.from_vector(SETTING, one.vector + closeness**9 * (two.vector - one.vector))
    assume(np.abs(near.vector - one.vector).max() > 1e-9)
    comparison = Comparison.of(one, near)
    a, b = columns(comparison)
    assert a != b
    assert not comparison.same
    assert str(comparison) != str(Comparison.of(near, one))


@given(profiles(), profiles())
@settings(deadline=None)
def test_whole_people_are_shown_where_the_models_differ_by_at_least_one(one: GroupRates, two: GroupRates) -> None:
    assume(np.abs(one.vector - two.vector).max() >= 0.01)
    assert Comparison.of(one, two).rounding.people == 0


def test_as_many_decimals_are_shown_as_the_difference_needs() -> None:
    comparison = Comparison.of(rates(0.5, 0.2, 0.5, 0.2), rates(0.5004, 0.2, 0.5, 0.2))
    assert comparison.rounding == Rounding(people=2, differences=3)
    assert columns(comparison) == [["50.00", "50.00", "20.00", "20.00"], ["50.04+0.040", "50.00", "20.00", "20.00"]]


def test_the_same_model_twice_is_said_to_be_the_same() -> None:
    assert "either answer will do" in str(Comparison.of(rates(0.1, 0.2, 0.3, 0.4), rates(0.1, 0.2, 0.3, 0.4)))


def test_a_difference_smaller_than_a_person_is_not_hidden_beside_a_larger_one() -> None:
    women, men = Comparison.of(rates(0.3, 0.2, 0.5, 0.2), rates(0.5, 0.2, 0.503, 0.2)).mistakes[0].groups
    assert (women.texts, women.more) == (("30", "50"), ("", "+20"))
    assert (men.texts, men.more) == (("50", "50"), ("", "+<1"))


def test_the_gap_is_how_far_the_groups_are_apart_within_one_model() -> None:
    gap = Comparison.of(rates(0.3, 0.2, 0.5, 0.2), rates(0.9, 0.2, 0.9004, 0.2)).mistakes[0].gap
    assert (gap.texts, gap.more) == (("20", "<1"), ("+20", ""))


@given(profiles(), profiles())
@settings(deadline=None)
def test_what_is_marked_as_more_never_has_the_smaller_number(one: GroupRates, two: GroupRates) -> None:
    for mistake in Comparison.of(one, two).mistakes:
        for count in (*mistake.groups, mistake.gap):
            a, b = (float(text.strip("<>")) for text in count.texts)
            assert a >= b or not count.more[0]
            assert b >= a or not count.more[1]


def by_marks(count: Count) -> float:
    a, b = (float(mark.lstrip("+<") or 0) for mark in count.more)
    return a - b


def by_numbers(count: Count) -> float:
    a, b = (float(text.lstrip("<>")) for text in count.texts)
    return a - b


def share_of_answers_turned_around(difference: Callable[[Count], float]) -> float:
    """How often somebody consistent answers otherwise because they see rounded people instead of exact rates."""
    turned = []
    for seed in range(12):
        truth = FairMetric.random(SETTING, seed)
        of_mistakes = (1 - truth.trade_off) * truth.misclassification * SETTING.tau
        weights = np.vstack([of_mistakes, truth.trade_off * truth.violation]).T

        def answer(first: GroupRates, second: GroupRates, *, truth: FairMetric, weights: Floats) -> bool:
            seen = [
                [difference(count) for count in (*mistake.groups, mistake.gap)]
                for mistake in Comparison.of(first, second).mistakes
            ]
            prefers_first = bool((weights * np.array(seen)).sum() < 0)
            turned.append(prefers_first != (truth.cost(first) < truth.cost(second)))
            return prefers_first

        elicit(partial(answer, truth=truth, weights=weights), SETTING, method="paper", tolerance=0.1, cycles=1)
    return float(np.mean(turned))


def test_differences_to_two_digits_keep_answers_that_whole_people_would_turn_around() -> None:
    assert share_of_answers_turned_around(by_marks) < 0.05
    assert share_of_answers_turned_around(by_numbers) > 0.1


@pytest.mark.parametrize(("people", "text"), [(0.0, "0"), (0.3, "<1"), (0.5, "1"), (99.6, ">99"), (100.0, "100")])
def test_nobody_and_everybody_are_only_said_if_it_is_so(people: float, text: str) -> None:
    assert as_people(people, 0) == text


def test_who_is_in_the_groups_is_told_for_each_class() -> None:
    assert who_is_in_the_groups(SETTING) == [
        "Of 100 people who are “repays”: 45 women, 55 men",
        "Of 100 people who are “defaults”: 30 women, 70 men",
    ]


def test_what_cannot_be_understood_is_answered_with_what_is_possible() -> None:
    typed = iter(["", "yes\x1b[2J", " B "])
    said: list[str] = []
    assert read_key(lambda: next(typed), said.append, (Key.A, Key.B)) is Key.B
    assert said == [
        "Nothing was typed. Possible here: a (prefer A), b (prefer B).",
        "'yes\\x1b[2J' is not an answer. Possible here: a (prefer A), b (prefer B).",
    ]


@pytest.mark.parametrize("interruption", [EOFError, KeyboardInterrupt])
def test_the_end_of_the_input_and_ctrl_c_quit_where_quitting_is_possible(interruption: type[BaseException]) -> None:
    def read() -> str:
        raise interruption

    assert read_key(read, lambda _: None, tuple(Key)) is Key.QUIT
    with pytest.raises(interruption):
        read_key(read, lambda _: None, (Key.A, Key.B))


def test_an_ended_input_is_an_error_that_points_to_the_resumable_interview() -> None:
    def read(prompt: str) -> str:
        raise EOFError

    with pytest.raises(EvenhandError, match=r"before question 1 was answered.*evenhand interview"):
        TerminalOracle(read=read, write=lambda _: None)(rates(0.1, 0.2, 0.3, 0.4), rates(0.2, 0.1, 0.3, 0.4))


def test_undecided_answers_are_offered_where_they_mean_something() -> None:
    typed = iter(["=", "s", "=", "a"])
    said: list[str] = []
    pair = rates(0.1, 0.2, 0.3, 0.4), rates(0.2, 0.1, 0.3, 0.4)
    adaptive = TerminalOracle(read=lambda _: next(typed), write=said.append, random_state=0, undecided=True)
    assert adaptive(*pair) is None
    assert adaptive(*pair) is SKIP
    searching = TerminalOracle(read=lambda _: next(typed), write=said.append, random_state=0)
    assert searching(*pair) in {True, False}
    assert "'=' is not an answer" in said[-1]


def test_whoever_answers_at_the_terminal_is_understood_whatever_the_sides() -> None:
    truth = FairMetric.random(SETTING, 7)
    shown: list[str] = []
    asked: list[tuple[GroupRates, GroupRates]] = []

    def read(prompt: str) -> str:
        first, second = asked[-1]
        first_is_a = shown[-1].endswith(str(Comparison.of(first, second)))
        return "a" if (truth.cost(first) < truth.cost(second)) == first_is_a else "b"

    person = TerminalOracle(read=read, write=shown.append, random_state=0)

    def oracle(first: GroupRates, second: GroupRates) -> Answer:
        asked.append((first, second))
        return person(first, second)

    elicited = elicit(oracle, SETTING, method="paper", tolerance=0.25)
    assert elicited.metric == elicit(SimulatedOracle(truth), SETTING, method="paper", tolerance=0.25).metric
    assert person.questions == elicited.questions
    sides = [shown.endswith(str(Comparison.of(*pair))) for shown, pair in zip(shown[1:], asked, strict=True)]
    assert 0.35 < np.mean(sides) < 0.65
