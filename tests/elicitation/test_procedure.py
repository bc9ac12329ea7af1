"""An interview is a fold over its answers: who answers, and when, makes no difference."""

from collections.abc import Generator
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evenhand import (
    EvenhandError,
    FairMetric,
    GroupRates,
    Paper,
    Question,
    Setting,
    SimulatedOracle,
    elicit,
    interview,
    replay,
)
from evenhand.elicitation import Answer, Finding, fair_performance
from evenhand.elicitation.methods import make
from evenhand.metric import MetricBatch
from evenhand.region import common_sphere
from evenhand.typing import Floats

SETTING = Setting.random(2, 2, 0)
PROFILE = np.full((2, 2), 0.5)


def one_question() -> Generator[Question, Answer, Answer]:
    return (yield Question(PROFILE, PROFILE + 0.1))


@given(st.integers(0, 10_000), st.integers(2, 3), st.sampled_from(["paper", "least-squares"]))
@settings(max_examples=15)
def test_replaying_a_history_gives_the_same_result(seed: int, m: int, method: str) -> None:
    setting = Setting.random(2, m, seed)
    plan = make(method, setting, {"tolerance": 0.05})
    oracle = SimulatedOracle(FairMetric.random(setting, seed), flip=0.2, random_state=seed)
    elicited = elicit(oracle, setting, method=method, tolerance=0.05)
    again = replay(plan.procedure, [answer for _, answer in elicited.history])
    assert isinstance(again, Finding)
    assert again.metric == elicited.metric
    assert again.warnings == elicited.warnings


def test_replaying_part_of_a_history_gives_the_next_question() -> None:
    truth = SimulatedOracle(FairMetric.random(SETTING, 1))
    history = elicit(truth, SETTING, method="paper", tolerance=0.1).history
    answers = [answer for _, answer in history]
    for n in (0, 1, 50, len(history) - 1):
        question = replay(Paper(setting=SETTING, tolerance=0.1).procedure, answers[:n])
        assert isinstance(question, Question)
        assert np.array_equal(question.first, history[n][0].first)
        assert np.array_equal(question.second, history[n][0].second)
        assert question.part == history[n][0].part


def test_answers_are_replayed_with_their_questions_or_refused() -> None:
    setting = Setting.random(2, 4, 0)
    history = elicit(
        SimulatedOracle(FairMetric.random(setting, 0)), setting, method="paper", tolerance=0.5, cycles=1
    ).history
    plan = Paper(setting=setting, tolerance=0.5, cycles=1)
    again = replay(plan.procedure, history)
    assert isinstance(again, Finding)
    assert again.metric == replay(plan.procedure, [answer for _, answer in history]).metric  # type: ignore[union-attr]
    elsewhere = [*history]
    question, answer = history[-1]
    elsewhere[-1] = Question(question.first + 1e-6, question.second), answer
    with pytest.raises(EvenhandError, match=f"answer {len(history)} was given to another question"):
        replay(plan.procedure, elsewhere)


def test_rounding_errors_do_not_make_another_question() -> None:
    history = [(Question(PROFILE + 1e-13, PROFILE + 0.1), True)]
    assert replay(one_question, history) is True


def test_more_answers_than_questions_are_refused() -> None:
    with pytest.raises(EvenhandError, match="2 answers before the end"):
        replay(one_question, [True, False, True])


@pytest.mark.parametrize(
    "answer", [1, 0, "first", 0.5, [True], [[True], [True, False]], np.array([True, False]), np.int64(1)]
)
def test_only_true_and_false_are_answers(answer: object) -> None:
    with pytest.raises(EvenhandError, match=r"True .prefers the first. or False"):
        interview(one_question(), lambda *_: answer)


def test_cannot_tell_is_refused_where_the_method_has_no_use_for_it() -> None:
    with pytest.raises(EvenhandError, match="can't tell"):
        elicit(lambda *_: None, SETTING, method="paper")


def test_numpys_true_is_true() -> None:
    assert interview(one_question(), lambda *_: np.True_) is True


def test_an_oracle_is_shown_the_rates_of_two_classifiers() -> None:
    shown: list[object] = []

    def oracle(first: GroupRates, second: GroupRates) -> bool:
        shown.extend([first, second])
        return True

    interview(one_question(), oracle, setting=SETTING)
    assert shown == [GroupRates.from_vector(SETTING, PROFILE), GroupRates.from_vector(SETTING, PROFILE + 0.1)]


def test_an_oracles_own_error_reaches_the_caller() -> None:
    def oracle(first: GroupRates, second: GroupRates) -> bool:
        raise RuntimeError("the phone rang")

    with pytest.raises(RuntimeError, match="the phone rang"):
        elicit(oracle, SETTING, method="paper")


@pytest.mark.parametrize("m", [2, 3, 4])
def test_a_batch_of_oracles_is_asked_what_each_would_be_asked_alone(m: int) -> None:
    rng = np.random.default_rng(m)
    metrics = [FairMetric.random(Setting.random(3, m, rng), rng) for _ in range(3)]
    make = partial(fair_performance, sphere=common_sphere(3), tolerance=0.02)
    together = interview(make(MetricBatch.of(metrics).tau), SimulatedOracle(MetricBatch.of(metrics)))
    for n, metric in enumerate(metrics):
        alone = interview(make(metric.setting.tau), SimulatedOracle(metric))
        found, expected = together.weights, alone.weights
        assert found.misclassification[n] == pytest.approx(expected.misclassification, abs=1e-12)
        assert found.violation[n] == pytest.approx(expected.violation, abs=1e-9)
        assert found.trade_off[n] == pytest.approx(expected.trade_off, abs=1e-12)


def test_every_profile_that_is_shown_is_a_set_of_rates() -> None:
    for k in (2, 3, 4, 5):
        setting = Setting.random(k, 3, k)
        shown: list[Floats] = []

        def oracle(first: GroupRates, second: GroupRates, shown: list[Floats] = shown) -> bool:
            shown.extend([first.vector, second.vector])  # GroupRates refuses what is not a rate
            return len(shown) % 3 == 0

        elicit(oracle, setting, method="paper", tolerance=0.5)
        assert len(shown) == 2 * sum(Paper(setting=setting, tolerance=0.5).questions_by_part().values())


def test_the_order_of_groups_or_classes_does_not_change_what_is_found() -> None:
    setting = Setting.random(2, 2, 11)
    truth = FairMetric.random(setting, 11)
    swapped = Setting(setting.classes[::-1], setting.groups[::-1], setting.prevalence[::-1, ::-1])
    mirrored = FairMetric(
        swapped,
        misclassification=truth.misclassification[::-1],
        violation=truth.violation[:, ::-1],
        trade_off=truth.trade_off,
    )
    one, other = (
        elicit(SimulatedOracle(metric), metric.setting, method="paper").metric for metric in (truth, mirrored)
    )
    assert one.misclassification == pytest.approx(other.misclassification[::-1], abs=0.001)
    assert one.violation == pytest.approx(other.violation[:, ::-1], abs=0.005)
    assert one.trade_off == pytest.approx(other.trade_off, abs=0.005)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"tolerance": 0}, "tolerance"),
        ({"tolerance": -1e-3}, "tolerance"),
        ({"tolerance": float("nan")}, "tolerance"),
        ({"tolerance": float("inf")}, "tolerance"),
        ({"tolerance": "fine"}, "tolerance"),
        ({"tolerance": 1e-320}, "tolerance"),
        ({"random_state": -1}, "random_state"),
        ({"random_state": "abc"}, "random_state"),
        ({"equal_pairs": "no"}, "equal_pairs"),
        ({"equal_pairs": True, "violation": [[1, 2]]}, "equal_pairs"),
        ({"method": "bisection", "cycles": 7}, "cycles"),
        ({"method": ["paper"]}, "method"),
        ({"progress": 5}, "progress"),
        ({"cycles": 0}, "cycles"),
        ({"method": "guess"}, "'paper', 'least-squares'"),
        ({"radius": 0.6}, "not rates"),
        ({"radius": 0}, "radius"),
        ({"radius": float("nan")}, "radius"),
        ({"misclassification": [1, -1]}, "not negative"),
        ({"misclassification": [0, 0]}, "zero"),
        ({"violation": [[1, 2, 3]]}, "shape"),
        ({"violation": [[0, 0]]}, "zero"),
    ],
)
def test_bad_options_are_refused_before_the_first_question(options: dict[str, object], message: str) -> None:
    def nobody(first: GroupRates, second: GroupRates) -> bool:
        pytest.fail("a question was asked")

    with pytest.raises(EvenhandError, match=message):
        elicit(nobody, SETTING, **{"method": "paper", **options})  # type: ignore[arg-type]


def test_who_answers_and_about_what_must_make_sense() -> None:
    with pytest.raises(EvenhandError, match="oracle must be a function"):
        elicit("me", SETTING)  # type: ignore[arg-type]
    with pytest.raises(EvenhandError, match="setting must be a Setting"):
        elicit(SimulatedOracle(FairMetric.random(SETTING, 0)), (2, 2))  # type: ignore[arg-type]


def test_a_method_with_random_starts_replays_the_same_every_time() -> None:
    method = Paper(setting=Setting.random(3, 3, 0))
    one, other = (replay(partial(method.procedure, seed=1), [True] * 8) for _ in range(2))
    assert isinstance(one, Question)
    assert isinstance(other, Question)
    assert np.array_equal(one.first, other.first)


def test_one_answer_is_not_enough_for_many_people() -> None:
    hidden = MetricBatch.random(2, 2, 3, 0)
    with pytest.raises(EvenhandError, match=r"3,. people were asked at once"):
        interview(fair_performance(hidden.tau, common_sphere(2)), lambda *_: True)
