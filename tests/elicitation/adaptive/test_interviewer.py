"""Which questions are asked: repeats, rounding, and no question twice."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, pairwise

import numpy as np
import pytest
from tests.elicitation.adaptive_people import SETTING, TRUTH, models

from evenhand import (
    GroupRates,
    Question,
    SimulatedOracle,
    elicit,
    next_question,
)
from evenhand.elicitation import Finding
from evenhand.elicitation.adaptive import interviewer
from evenhand.elicitation.adaptive.candidates import Candidates
from evenhand.elicitation.adaptive.interviewer import _own_pairs
from evenhand.elicitation.inference.model import AnswerModel
from evenhand.elicitation.inference.posterior import Posterior
from evenhand.elicitation.methods.adaptive import Adaptive
from evenhand.elicitation.thresholds import QUESTIONS
from evenhand.metric.prior import Prior
from evenhand.metric.weights import Dimensions


@pytest.mark.parametrize("candidates", [None, models(SETTING, 20, 0)])
def test_of_every_eight_questions_one_is_an_earlier_one(
    candidates: dict[str, GroupRates] | None,
) -> None:
    elicited = elicit(
        SimulatedOracle(TRUTH),
        SETTING,
        method="adaptive",
        candidates=candidates,
        stop="budget",
        max_questions=24,
        random_state=0,
    )
    asked = [question for question, _ in elicited.history]
    repeats = [n for n, question in enumerate(asked) if question.part == "repeat"]
    assert [n // 8 for n in repeats] == [0, 1, 2]
    for n in repeats:
        pairs = [{question.first.tobytes(), question.second.tobytes()} for question in asked]
        assert pairs[n] in pairs[: n - 4], "at least four others stand between, or somebody would remember it"
        assert pairs[n] not in pairs[n - 4 : n]
    assert elicited.reliability is not None
    assert elicited.reliability.repeats == 3
    assert elicited.reliability.consistency == 1.0


def test_a_repeat_may_come_before_it_must() -> None:
    """While attention is in doubt, an earlier question may show it as well as any."""
    early = 0
    for seed in range(4):
        elicited = elicit(
            SimulatedOracle(TRUTH, flip=0.2, random_state=seed),
            SETTING,
            method="adaptive",
            stop="budget",
            max_questions=32,
            random_state=seed,
        )
        places = [n for n, (question, _) in enumerate(elicited.history) if question.part == "repeat"]
        early += sum(place % 8 < 7 for place in places)
    assert early >= 2


def test_no_other_question_comes_twice_however_few_the_candidates() -> None:
    """With wrong answers the same pair of a few candidates would seem useful to ask again and again."""
    for seed in range(3):
        elicited = elicit(
            SimulatedOracle(TRUTH, flip=0.2, random_state=seed),
            SETTING,
            method="adaptive",
            candidates=models(SETTING, 3, seed),
            stop="budget",
            max_questions=40,
            out_of=100,
            random_state=seed,
        )
        seen = set()
        for question, _ in elicited.history:
            pair = frozenset((question.first.tobytes(), question.second.tobytes()))
            assert (pair in seen) == (question.part == "repeat")
            seen.add(pair)


def test_a_person_is_shown_whole_people_that_can_be_told_apart() -> None:
    elicited = elicit(
        SimulatedOracle(TRUTH),
        SETTING,
        method="adaptive",
        stop="budget",
        max_questions=15,
        out_of=100,
        visible=0.05,
        random_state=0,
    )
    for question, _ in elicited.history:
        for profile in (question.first, question.second):
            assert profile * 100 == pytest.approx(np.rint(profile * 100), abs=1e-9)
        assert np.abs(question.first - question.second).max() >= 0.05 - 1e-9


def test_people_who_err_are_asked_what_shows_that_they_attend() -> None:
    """Questions that tell most about the weights are close, and answers to them look random."""
    settled = 0
    for seed in range(4):
        oracle = SimulatedOracle(TRUTH, flip=0.1, random_state=seed)
        elicited = elicit(oracle, SETTING, method="adaptive", interval_width=0.25, random_state=seed)
        settled += elicited.stopped_because == "weights" and not elicited.warnings
        if elicited.stopped_because == "weights":
            assert elicited.intervals is not None
            assert np.ptp(elicited.intervals.trade_off) <= 0.25, "as it is told, which allows for nobody attending"
    assert settled >= 3


def test_where_there_is_nothing_new_to_ask_no_question_comes_twice_in_a_row() -> None:
    elicited = elicit(
        SimulatedOracle(TRUTH), SETTING, method="adaptive", stop="budget", max_questions=30, out_of=4, random_state=0
    )
    asked = [question for question, _ in elicited.history]
    for before, after in pairwise(asked):
        assert not (np.array_equal(before.first, after.first) and np.array_equal(before.second, after.second))
        assert not np.array_equal(after.first, after.second)
    done = next_question(SETTING, elicited.history, stop="budget", max_questions=30, out_of=4)
    assert isinstance(done, Finding)


def test_the_same_question_but_for_the_last_digit_is_the_same() -> None:
    elicited = elicit(
        SimulatedOracle(TRUTH),
        SETTING,
        method="adaptive",
        stop="budget",
        max_questions=24,
        visible=0.3,
        random_state=5,
    )
    new = [question for question, _ in elicited.history if question.part == "adaptive"]
    asked = [(question.first, question.second) for question in new]
    for one, other in combinations(asked, 2):
        assert max(np.abs(one[side] - other[side]).max() for side in (0, 1)) > 1e-9


@pytest.mark.parametrize("rule", [lambda n: n >= 0, lambda n: n % 2 == 0, lambda n: n % 3 > 0])
def test_the_evidence_of_attention_is_a_martingale_for_those_who_look_at_the_page_alone(
    rule: Callable[[int], bool],
) -> None:
    reached = []
    for seed in range(20):
        interviewer = Adaptive(setting=SETTING, particles=100, stop="budget", max_questions=9).interviewer(seed)
        learned = interviewer.learned()
        for n in range(9):
            learned = interviewer.after(learned, interviewer.question(learned), rule(n))
        reached.append(learned.beliefs.attention.bayes_factor)
    assert np.mean(reached) <= 1 + 3 * np.std(reached) / np.sqrt(len(reached))


def test_the_sides_of_new_questions_and_of_repeats_are_drawn() -> None:
    left = {"adaptive": 0, "repeat": 0}
    asked = dict.fromkeys(left, 0)
    for seed in range(20):
        elicited = elicit(
            SimulatedOracle(TRUTH),
            SETTING,
            method="adaptive",
            stop="budget",
            max_questions=16,
            particles=100,
            random_state=seed,
        )
        for n, (question, answer) in enumerate(elicited.history):
            asked[question.part] += 1
            earlier = [one for one, _ in elicited.history[:n]]
            same = any(np.array_equal(question.first, one.first) for one in earlier)
            left[question.part] += same if question.part == "repeat" else bool(answer)
    for part, n in asked.items():
        assert abs(left[part] - n / 2) < 3 * np.sqrt(n) / 2, part


def test_where_the_same_two_come_again_at_once_the_answer_says_nothing_about_attention() -> None:
    """Their sides cannot be drawn, since the same question may not come twice in a row."""
    (asked,) = elicit(
        SimulatedOracle(TRUTH), SETTING, method="adaptive", stop="budget", max_questions=1, random_state=0
    ).history
    again = Question(asked[0].second, asked[0].first)
    interviewer = Adaptive(setting=SETTING).interviewer(0)
    once, twice = (interviewer.learned(history).beliefs for history in ([asked], [asked, (again, not asked[1])]))
    assert once.attention.bayes_factor == twice.attention.bayes_factor
    assert twice.attention.counts.tolist() == [True, False]
    assert not np.array_equal(once.probability, twice.probability), "but about the weights it does"


def test_a_question_holds_its_own_two_profiles_and_no_more() -> None:
    asked = next_question(SETTING, [])
    assert isinstance(asked, Question)
    assert asked.first.base is None
    assert asked.second.base is None


def test_no_pair_of_candidates_is_considered_both_ways_round() -> None:
    """Such twins have the same utility but for rounding, which differs from machine to machine."""
    candidates = Candidates.of(models(SETTING, 6, 0), SETTING)
    model = AnswerModel(Prior(dimensions=Dimensions(2, 1, 2)))
    posterior = Posterior.without_answers(model, particles=200, rng=np.random.default_rng(0))
    firsts, seconds = _own_pairs(candidates, posterior, np.random.default_rng(0))
    pairs = {frozenset((first.tobytes(), second.tobytes())) for first, second in zip(firsts, seconds, strict=True)}
    assert len(pairs) == len(firsts) == 15


def test_models_that_differ_by_just_what_can_be_seen_are_asked_about() -> None:
    def wrong(share: float) -> GroupRates:
        return GroupRates(setting=SETTING, matrix=np.array([[[1 - share, share], [share, 1 - share]]] * 2))

    elicited = elicit(
        SimulatedOracle(TRUTH),
        SETTING,
        method="adaptive",
        out_of=100,
        visible=0.41,
        candidates={"a": wrong(0.16), "b": wrong(0.57)},
        stop="budget",
        max_questions=2,
        random_state=0,
    )
    assert elicited.questions == 2


@pytest.mark.parametrize("stop", ["best", "ranking", "weights"])
def test_the_questions_that_are_not_looked_at_closely_are_not_the_best(
    stop: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def asked() -> list[list[list[float]]]:
        elicited = elicit(
            SimulatedOracle(TRUTH, flip=0.1, random_state=1),
            SETTING,
            method="adaptive",
            candidates=models(SETTING, 20, 0),
            stop=stop,
            out_of=100,
            max_questions=12,
            random_state=1,
        )
        return [[question.first.tolist(), question.second.tolist()] for question, _ in elicited.history]

    closely = asked()
    monkeypatch.setattr(interviewer, "QUESTIONS", QUESTIONS._replace(likely=1_000_000))
    assert asked() == closely
