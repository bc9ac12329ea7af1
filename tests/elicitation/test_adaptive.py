"""The adaptive method: few questions, answers that may be wrong, and honest uncertainty."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import combinations, pairwise
from typing import Any

import numpy as np
import pytest

from evenhand import (
    SKIP,
    AdaptivePlan,
    Elicited,
    EvenhandError,
    FairMetric,
    GroupRates,
    Question,
    Setting,
    SimulatedOracle,
    elicit,
    next_question,
    replay,
)
from evenhand.elicitation import Finding
from evenhand.elicitation.adaptive.candidates import Candidates
from evenhand.elicitation.adaptive.information import about_attending, about_everything, about_order, about_outcome
from evenhand.elicitation.adaptive.interviewer import _own_pairs
from evenhand.elicitation.inference.likelihood import (
    FIRST,
    NEITHER,
    SECOND,
    HabitPrior,
    clicks,
    probabilities,
    probabilities_in_short,
)
from evenhand.elicitation.inference.posterior import Posterior
from evenhand.elicitation.inference.quantiles import weighted_quantiles
from evenhand.metric.cost import linear_features
from evenhand.metric.prior import Structure
from evenhand.ranking import kendall_tau
from evenhand.rates.rounding import whole_people
from evenhand.typing import Floats

SETTING = Setting.random(2, 2, 0)
TRUTH = FairMetric.random(SETTING, 0)


def models(setting: Setting, n: int, seed: int) -> dict[str, GroupRates]:
    """Made-up classifiers of different skill, leaning and gaps between groups."""
    rng = np.random.default_rng(seed)
    k, m = len(setting.classes), len(setting.groups)
    logits = rng.normal(0, 0.7, size=(n, 1, 1, k)) + rng.normal(0, 0.3, size=(n, m, k, k))
    logits += np.eye(k) * rng.uniform(0.5, 2.5, size=(n, 1, 1, 1))
    rates = np.exp(logits)
    rates /= rates.sum(axis=-1, keepdims=True)
    return {f"model {place}": GroupRates(setting=setting, matrix=one) for place, one in enumerate(rates)}


def within(elicited: Elicited, truth: FairMetric, error: float) -> bool:
    return max(elicited.metric.distance(truth)) <= error


def test_an_exact_person_is_understood_after_35_questions() -> None:
    good = 0
    for seed in range(4):
        setting = Setting.random(2, 2, seed)
        truth = FairMetric.random(setting, seed)
        elicited = elicit(
            SimulatedOracle(truth), setting, method="adaptive", stop="budget", max_questions=35, random_state=seed
        )
        assert elicited.questions == 35
        assert elicited.stopped_because == "budget"
        good += within(elicited, truth, 0.02)
    assert good >= 3


def test_one_wrong_answer_in_ten_is_borne() -> None:
    good = 0
    for seed in range(4):
        setting = Setting.random(2, 2, seed)
        truth = FairMetric.random(setting, seed)
        oracle = SimulatedOracle(truth, flip=0.1, random_state=seed)
        elicited = elicit(oracle, setting, method="adaptive", stop="budget", max_questions=45, random_state=seed)
        good += within(elicited, truth, 0.1)
    assert good >= 3


def test_the_best_of_a_hundred_models_is_found_in_about_ten_questions() -> None:
    questions, right = [], 0
    for seed in range(5):
        setting = Setting.random(2, 2, seed)
        truth = FairMetric.random(setting, seed)
        candidates = models(setting, 100, seed)
        elicited = elicit(SimulatedOracle(truth), setting, method="adaptive", candidates=candidates, random_state=seed)
        assert elicited.stopped_because == "best"
        assert elicited.best is not None
        questions.append(elicited.questions)
        least = min(truth.cost(rates) for rates in candidates.values())
        right += truth.cost(candidates[elicited.best]) - least <= 0.002
        assert elicited.candidate_probabilities is not None
        assert sum(elicited.candidate_probabilities.values()) == pytest.approx(1)
    assert np.mean(questions) <= 12
    assert right >= 4


@pytest.mark.parametrize("habit", ["random", "always the first", "alternating", "always undecided"])
def test_somebody_who_does_not_attend_is_hardly_ever_believed(habit: str) -> None:
    """One in ten may pass for a person, by chance: of eight, two at the very most; all others are found out."""
    believed = 0
    for seed in range(8):
        rng = np.random.default_rng(seed)
        asked = iter(range(1000))

        def clicker(*_: GroupRates, rng: np.random.Generator = rng, asked: Iterator[int] = asked) -> bool | None:
            n = next(asked)
            return {
                "random": bool(rng.random() < 0.5),
                "always the first": True,
                "alternating": n % 2 == 0,
                "always undecided": None,
            }[habit]

        elicited = elicit(
            clicker,
            SETTING,
            method="adaptive",
            candidates=models(SETTING, 20, seed),
            max_questions=20,
            random_state=seed,
        )
        if any("unreliable" in warning for warning in elicited.warnings):
            assert elicited.stopped_because == "budget"
        else:
            believed += 1
    assert believed <= 2


def test_the_intervals_of_somebody_who_does_not_attend_are_as_wide_as_before() -> None:
    """Answers of nobody in particular say nothing about the weights, however well some metric fits them."""
    elicited = elicit(
        SimulatedOracle(TRUTH), SETTING, method="adaptive", stop="budget", max_questions=12, random_state=0
    )

    def trade_off_width(clicker: float) -> float:
        rng = np.random.default_rng(0)
        prior = HabitPrior(clicker=clicker)
        posterior = Posterior(Structure(mistakes=2, pairs=1), particles=800, rng=rng, prior=prior)
        for question, answer in elicited.history:
            features = linear_features(question.second, SETTING.tau) - linear_features(question.first, SETTING.tau)
            posterior.learn(features, FIRST if answer else SECOND, rng)
        *_, ends = posterior.intervals(0.9)
        return float(np.ptp(ends))

    assert trade_off_width(1 - 1e-9) == pytest.approx(0.9, abs=0.05)  # that of a uniform number
    assert trade_off_width(1e-9) < 0.4


def test_undecided_is_information_and_skipping_is_not() -> None:
    skipping = elicit(lambda *_: SKIP, SETTING, method="adaptive", stop="budget", max_questions=5, random_state=0)
    assert skipping.foreseen == ()
    assert "skipped" in skipping.warnings[0]
    assert skipping.attending == pytest.approx(1 - HabitPrior().clicker)

    def undecided(first: GroupRates, second: GroupRates) -> bool | None:
        difference = TRUTH.cost(second) - TRUTH.cost(first)
        return None if abs(difference) < 0.01 else bool(difference > 0)

    elicited = elicit(undecided, SETTING, method="adaptive", stop="budget", max_questions=40, random_state=0)
    assert any(answer is None for _, answer in elicited.history)
    assert within(elicited, TRUTH, 0.1)


@pytest.mark.parametrize("candidates", [None, models(SETTING, 20, 0)])
def test_of_every_eight_questions_one_is_an_earlier_one_with_its_sides_swapped(
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
        assert any(
            np.array_equal(asked[n].first, earlier.second) and np.array_equal(asked[n].second, earlier.first)
            for earlier in asked[: n - 2]
        ), "not one of the last two, which somebody would still remember"
    assert elicited.repeats == 3
    assert elicited.consistency == 1.0


def test_the_repeat_comes_where_it_costs_least() -> None:
    """When all that is missing is that somebody attends, an earlier question shows that as well as any."""
    early = 0
    for seed in range(6):
        elicited = elicit(
            SimulatedOracle(TRUTH), SETTING, method="adaptive", candidates=models(SETTING, 20, seed), random_state=seed
        )
        places = [n for n, (question, _) in enumerate(elicited.history) if question.part == "repeat"]
        early += bool(places) and places[0] < 7
    assert early >= 2


def test_no_other_question_comes_twice_however_few_the_candidates() -> None:
    """With wrong answers the same pair of a few candidates would seem worth asking again and again."""
    for seed in range(3):
        elicited = elicit(
            SimulatedOracle(TRUTH, flip=0.2, random_state=seed),
            SETTING,
            method="adaptive",
            candidates=models(SETTING, 3, seed),
            stop="budget",
            max_questions=40,
            people=100,
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
        people=100,
        visible=0.05,
        random_state=0,
    )
    for question, _ in elicited.history:
        for profile in (question.first, question.second):
            assert profile * 100 == pytest.approx(np.rint(profile * 100), abs=1e-9)
        assert np.abs(question.first - question.second).max() >= 0.05 - 1e-9


def test_rounding_to_people_loses_nobody() -> None:
    rng = np.random.default_rng(0)
    profiles = rng.dirichlet(np.ones(4), size=(50, 3, 4))[..., :3].reshape(50, 3, 12)
    rounded = whole_people(profiles, 100)
    assert np.abs(rounded - profiles).max() < 0.01
    assert (rounded.reshape(50, 3, 4, 3).sum(axis=-1) <= 1 + 1e-9).all()
    assert whole_people(rounded, 100) == pytest.approx(rounded)


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
    assert sure.candidate_probabilities is not None
    assert unsure.candidate_probabilities is not None
    assert max(sure.candidate_probabilities.values()) > 0.9
    assert max(unsure.candidate_probabilities.values()) < 0.9
    assert any("few people" in warning for warning in unsure.warnings)


def test_a_history_can_be_gone_on_with_and_replayed() -> None:
    plan = AdaptivePlan(setting=SETTING, stop="budget", max_questions=12, random_state=5)
    elicited = elicit(
        SimulatedOracle(TRUTH), SETTING, method="adaptive", stop="budget", max_questions=12, random_state=5
    )
    for n in (0, 5, 11):
        question = next_question(SETTING, elicited.history[:n], stop="budget", max_questions=12, random_state=5)
        assert isinstance(question, Question)
        assert np.array_equal(question.first, elicited.history[n][0].first)
        assert np.array_equal(question.second, elicited.history[n][0].second)
    done = next_question(SETTING, elicited.history, stop="budget", max_questions=12, random_state=5)
    assert isinstance(done, Finding)
    assert done.metric == elicited.metric
    again = replay(plan.procedure, [answer for _, answer in elicited.history])
    assert isinstance(again, Finding)
    assert again.metric == elicited.metric


_FROM_A_LOG = """
import json, sys
from evenhand import Question, Setting, next_question
history = [(Question(first, second), answer) for first, second, answer in json.load(sys.stdin)]
found = next_question(Setting.random(3, 2, 0), history, stop="budget", max_questions=len(history))
print(json.dumps([found.metric.misclassification.tolist(), found.metric.violation.tolist(), found.metric.trade_off]))
"""


@pytest.mark.parametrize("processor", ["Nehalem", "Haswell"])
def test_a_stored_log_gives_the_same_metric_on_another_processor(processor: str) -> None:
    """Linear algebra differs in the last digits; no draw of the sample may hang on them."""
    setting = Setting.random(3, 2, 0)
    truth = FairMetric.random(setting, 0)
    oracle = SimulatedOracle(truth, flip=0.1, random_state=0)
    elicited = elicit(oracle, setting, method="adaptive", stop="budget", max_questions=40, random_state=0)
    log = json.dumps([(question.first.tolist(), question.second.tolist(), told) for question, told in elicited.history])
    elsewhere = subprocess.run(  # noqa: S603  # our own program
        [sys.executable, "-c", _FROM_A_LOG],
        input=log,
        env={**os.environ, "OPENBLAS_CORETYPE": processor, "OPENBLAS_NUM_THREADS": "2"},
        capture_output=True,
        text=True,
        check=True,
    )
    a, B, trade_off = json.loads(elsewhere.stdout)
    assert a == pytest.approx(elicited.metric.misclassification, abs=1e-9)
    assert np.array(B) == pytest.approx(elicited.metric.violation, abs=1e-9)
    assert trade_off == pytest.approx(elicited.metric.trade_off, abs=1e-9)


def test_intervals_are_about_the_metrics_own_weights() -> None:
    elicited = elicit(
        SimulatedOracle(TRUTH), SETTING, method="adaptive", stop="budget", max_questions=20, random_state=0
    )
    intervals, metric = elicited.intervals, elicited.metric
    assert intervals is not None
    assert intervals.level == 0.9
    assert intervals.misclassification.shape == (2, 2)
    assert intervals.violation.shape == (1, 2, 2)
    assert intervals.trade_off.shape == (2,)
    assert intervals.trade_off[0] <= metric.trade_off <= intervals.trade_off[1]
    assert (intervals.misclassification[:, 0] <= intervals.misclassification[:, 1]).all()


def test_the_sample_starts_as_random_metrics_are_drawn() -> None:
    posterior = Posterior(Structure(mistakes=2, pairs=3), particles=20_000, rng=np.random.default_rng(0))
    a, B, trade_off = posterior.metrics()
    drawn = [FairMetric.random(Setting.random(2, 3, 0), seed) for seed in range(4000)]
    assert np.mean(a, axis=0) == pytest.approx(np.mean([one.misclassification for one in drawn], axis=0), abs=0.02)
    assert np.std(B, axis=0) == pytest.approx(np.std([one.violation for one in drawn], axis=0), abs=0.01)
    assert np.quantile(trade_off, [0.1, 0.5, 0.9]) == pytest.approx([0.1, 0.5, 0.9], abs=0.02)


def test_the_moves_leave_the_exact_posterior_in_place() -> None:
    """Few answers: what they say of metrics and habits is known from importance weights."""
    rng = np.random.default_rng(0)
    structure = Structure(mistakes=2, pairs=1)
    reference = Posterior(structure, particles=400_000, rng=rng)
    moved = Posterior(structure, particles=8000, rng=rng)
    likelihood: Floats = np.ones(reference.size)
    for answer in (FIRST, SECOND, SECOND, NEITHER, FIRST):
        features = rng.normal(0, [0.1, 0.1, 0.03, 0.03])
        likelihood *= reference.foresee(features[None])[answer, :, 0]
        moved.learn(features, answer, rng)
    moved.refine(rng)
    assert moved.log_evidence == pytest.approx(np.log(likelihood.mean()), abs=0.1)
    for sample, expected in ((moved.costs, reference.costs), (moved.habits, reference.habits)):
        mean = np.average(expected, axis=0, weights=likelihood)
        deviation = np.sqrt(np.average((expected - mean) ** 2, axis=0, weights=likelihood))
        assert (moved.weight @ sample - mean) / deviation == pytest.approx(0, abs=0.05)
        assert np.sqrt(moved.weight @ (sample - mean) ** 2) == pytest.approx(deviation, rel=0.06)


def test_answers_have_probabilities_that_sum_to_one() -> None:
    habits = HabitPrior().draw(50, np.random.default_rng(0))
    savings: Floats = np.linspace(-1, 1, 11)[None, :].repeat(50, axis=0)
    chances = probabilities(savings, habits)
    assert chances.sum(axis=0) == pytest.approx(1.0, abs=1e-9)
    assert (np.diff(chances[0], axis=1) >= -1e-12).all()
    assert chances[0] == pytest.approx(chances[1][:, ::-1])
    assert clicks(10, 0).sum() == pytest.approx(1)


def test_information_is_highest_where_the_sample_disagrees() -> None:
    agree: Floats = np.array([[0.98, 0.98], [0.01, 0.01], [0.01, 0.01]])
    split: Floats = np.array([[0.98, 0.01], [0.01, 0.98], [0.01, 0.01]])
    answers = np.stack([agree, split], axis=-1)
    nobody = clicks(0, 0)
    assert np.argmax(about_everything(answers, 0.0, nobody)) == 1
    assert about_everything(answers, 0.0, nobody)[0] == pytest.approx(0, abs=1e-9)
    outcome: Floats = np.eye(2)
    assert np.argmax(about_outcome(answers, outcome, 0.0, nobody)) == 1
    assert about_everything(answers, 0.5, nobody)[0] > 0.1, "a foreseen answer tells a person from a clicker"


def test_weighted_quantiles_count_by_weight() -> None:
    values: Floats = np.array([3.0, 1.0, 2.0])
    assert weighted_quantiles(values, np.array([0.0, 0.9, 0.1]), (0.5, 0.95)).tolist() == [1.0, 2.0]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"stop": "soon"}, "stop must be one of"),
        ({"stop": "best"}, "none were given"),
        ({"stop": "budget"}, "max_questions"),
        ({"confidence": 1.0}, "confidence"),
        ({"confidence": float("nan")}, "confidence"),
        ({"max_questions": 0}, "max_questions"),
        ({"max_questions": 2.5}, "max_questions"),
        ({"people": 1}, "people"),
        ({"visible": -0.1}, "visible"),
        ({"visible": 0.5}, "no two points"),
        ({"visible": 0.5, "candidates": models(SETTING, 3, 0)}, "no two candidates"),
        ({"people": 2}, "in whole people of 2"),
        ({"people": 100, "radius": 0.001}, "nobody could tell them apart"),
        ({"candidates": [GroupRates.uniform(SETTING)] * 2}, "received a list: give each model a name"),
        ({"visible": "x"}, "visible"),
        ({"confidence": None}, "confidence"),
        ({"random_state": "x"}, "random_state"),
        ({"tolerance": 0.0}, "tolerance"),
        ({"candidates": {"one": GroupRates.uniform(SETTING)}}, "at least two"),
        ({"candidates": {"one": 1, "two": 2}}, "'one' must be GroupRates"),
        ({"candidates": models(Setting.random(3, 2, 0), 3, 0)}, "same order"),
    ],
)
def test_bad_options_are_refused(options: dict[str, object], message: str) -> None:
    with pytest.raises(EvenhandError, match=message):
        elicit(SimulatedOracle(TRUTH), SETTING, method="adaptive", **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ((Question(np.full((2, 2), 0.4), np.full((2, 2), 0.5)), "second"), "True .prefers the first"),
        ((Question(np.full((2, 2), 50.0), np.zeros((2, 2))), True), "between 0 and 1"),
        ((Question(np.full((2, 2), np.nan), np.zeros((2, 2))), True), "between 0 and 1"),
        ((Question(np.zeros((3, 2)), np.zeros((3, 2))), True), "shape"),
        (("x", True), "must be a Question"),
        (1, "must be a Question"),
    ],
)
def test_a_history_from_outside_is_checked_entry_by_entry(entry: object, message: str) -> None:
    good = (Question(np.full((2, 2), 0.4), np.full((2, 2), 0.5)), True)
    with pytest.raises(EvenhandError, match=message):
        next_question(SETTING, [good, entry])  # type: ignore[list-item]
    with pytest.raises(EvenhandError, match="history must be"):
        next_question(SETTING, None)  # type: ignore[arg-type]
    with pytest.raises(EvenhandError, match="no option 'confidense': there are 'candidates'"):
        next_question(SETTING, [], confidense=0.9)


@pytest.mark.parametrize(
    ("options", "missing"),
    [({"candidates": models(SETTING, 20, 0)}, "best candidate was settled"), ({}, "as narrow as asked")],
)
def test_questions_that_run_out_are_told(options: dict[str, Any], missing: str) -> None:
    elicited = elicit(SimulatedOracle(TRUTH), SETTING, method="adaptive", max_questions=2, random_state=0, **options)
    assert elicited.stopped_because == "budget"
    assert any("ran out before" in warning and missing in warning for warning in elicited.warnings)


def test_a_history_kept_as_lists_is_the_same() -> None:
    asked = next_question(SETTING, [])
    assert isinstance(asked, Question)
    kept = Question(asked.first.tolist(), asked.second.tolist())
    live, stored = (next_question(SETTING, [(one, True)]) for one in (asked, kept))
    assert isinstance(live, Question)
    assert isinstance(stored, Question)
    assert np.array_equal(live.first, stored.first)


def test_people_who_err_are_asked_what_shows_that_they_attend() -> None:
    """Questions that tell most about the weights are close, and answers to them look like clicks."""
    settled = 0
    for seed in range(4):
        oracle = SimulatedOracle(TRUTH, flip=0.1, random_state=seed)
        elicited = elicit(oracle, SETTING, method="adaptive", random_state=seed)
        settled += elicited.stopped_because == "weights" and not elicited.warnings
        if elicited.stopped_because == "weights":
            assert elicited.intervals is not None
            assert np.ptp(elicited.intervals.trade_off) <= 0.1, "as it is told, which allows for nobody attending"
    assert settled >= 3


def test_an_answer_that_was_handed_in_twice_is_not_believed_twice() -> None:
    asked = next_question(SETTING, [])
    assert isinstance(asked, Question)
    with pytest.raises(EvenhandError, match=r"history\[1\] is the same question as history\[0\]"):
        next_question(SETTING, [(asked, True), (asked, True)])
    swapped = Question(asked.second, asked.first)
    assert isinstance(next_question(SETTING, [(asked, True), (swapped, False)]), Question)


def test_where_there_is_nothing_new_to_ask_no_question_comes_twice_in_a_row() -> None:
    elicited = elicit(
        SimulatedOracle(TRUTH), SETTING, method="adaptive", stop="budget", max_questions=30, people=4, random_state=0
    )
    asked = [question for question, _ in elicited.history]
    for before, after in pairwise(asked):
        assert not (np.array_equal(before.first, after.first) and np.array_equal(before.second, after.second))
        assert not np.array_equal(after.first, after.second)
    done = next_question(SETTING, elicited.history, stop="budget", max_questions=30, people=4)
    assert isinstance(done, Finding)


@pytest.mark.parametrize("random_state", [None, np.random.default_rng(0), 1.5])
def test_the_next_question_is_drawn_by_a_number_and_nothing_that_changes(random_state: Any) -> None:
    with pytest.raises(EvenhandError, match="random_state must be a whole number"):
        next_question(SETTING, [], random_state=random_state)


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
    asked = [(question.first, question.second) for question, _ in elicited.history]
    for one, other in combinations(asked, 2):
        assert max(np.abs(one[side] - other[side]).max() for side in (0, 1)) > 1e-9


def test_a_question_holds_its_own_two_profiles_and_no_more() -> None:
    asked = next_question(SETTING, [])
    assert isinstance(asked, Question)
    assert asked.first.base is None
    assert asked.second.base is None


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
    assert elicited.candidate_probabilities is not None
    assert elicited.candidate_probabilities["tested on 10000"] > 0.5
    (said,) = [warning for warning in elicited.warnings if "few people" in warning]
    assert elicited.attending is not None
    told = float(said.rsplit(" ", 1)[1].rstrip("."))
    assert told == pytest.approx(elicited.attending * elicited.candidate_probabilities[elicited.best], abs=0.03)
    assert f"{elicited.best_certainty:.2f}" in said, "the same probability as in the result"


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


@pytest.mark.parametrize(("trade_off", "free"), [(0.0, "Gaps between groups"), (1.0, "Mistakes")])
def test_what_does_not_matter_is_named(trade_off: float, free: str) -> None:
    truth = FairMetric.from_weights(SETTING, misclassification=[1, 2], violation=[[2, 1]], trade_off=trade_off)
    elicited = elicit(
        SimulatedOracle(truth), SETTING, method="adaptive", stop="budget", max_questions=40, random_state=0
    )
    assert [warning for warning in elicited.warnings if "hardly matter" in warning] == [
        f"{free} hardly matter to who answered, so what each of them costs could not be learned."
    ]


def test_an_interview_about_the_order_ends_when_it_is_clear() -> None:
    candidates = models(SETTING, 12, 4)
    elicited = elicit(
        SimulatedOracle(TRUTH), SETTING, method="adaptive", candidates=candidates, stop="ranking", random_state=0
    )
    assert elicited.stopped_because == "ranking"
    assert elicited.ranking_certainty is not None
    assert elicited.ranking_certainty >= 0.95
    true_order = sorted(candidates, key=lambda name: TRUTH.cost(candidates[name]))
    assert elicited.ranking is not None
    assert kendall_tau(*([order.index(name) for name in candidates] for order in (true_order, elicited.ranking))) > 0.8
    best_first = elicit(SimulatedOracle(TRUTH), SETTING, method="adaptive", candidates=candidates, random_state=0)
    assert best_first.questions < elicited.questions, "the best is clear long before the order"


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
    assert elicited.attending is not None
    assert elicited.best_certainty is not None
    assert elicited.best_certainty <= elicited.attending < 0.75


def test_no_pair_of_candidates_is_considered_both_ways_round() -> None:
    """Such twins are worth the same but for rounding, which differs from machine to machine."""
    candidates = Candidates.of(models(SETTING, 6, 0), SETTING)
    posterior = Posterior(Structure(mistakes=2, pairs=1), particles=200, rng=np.random.default_rng(0))
    firsts, seconds = _own_pairs(candidates, posterior, np.random.default_rng(0))
    pairs = {frozenset((first.tobytes(), second.tobytes())) for first, second in zip(firsts, seconds, strict=True)}
    assert len(pairs) == len(firsts) == 15


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
    assert elicited.candidate_probabilities is not None
    assert elicited.candidate_probabilities["a"] == pytest.approx(elicited.candidate_probabilities["b"])
    assert elicited.candidate_probabilities["a"] == pytest.approx(0.5, abs=0.05)


def test_models_that_differ_by_just_what_can_be_seen_are_asked_about() -> None:
    def wrong(share: float) -> GroupRates:
        return GroupRates(setting=SETTING, matrix=np.array([[[1 - share, share], [share, 1 - share]]] * 2))

    elicited = elicit(
        SimulatedOracle(TRUTH),
        SETTING,
        method="adaptive",
        people=100,
        visible=0.41,
        candidates={"a": wrong(0.16), "b": wrong(0.57)},
        stop="budget",
        max_questions=2,
        random_state=0,
    )
    assert elicited.questions == 2


def test_a_history_of_what_are_no_rates_is_refused() -> None:
    setting = Setting.random(3, 2, 0)
    impossible = Question(np.full((2, 6), 0.9), np.full((2, 6), 0.1))
    with pytest.raises(EvenhandError, match="more people than a class has"):
        next_question(setting, [(impossible, True)])


def test_of_those_that_are_as_good_as_the_best_the_cheapest_is_the_favourite() -> None:
    """Whoever is content with all of a few models is not told that the best one is the last in their order."""
    base = models(SETTING, 1, 0)["model 0"].matrix
    near = {
        f"{step}": GroupRates(setting=SETTING, matrix=(1 - step / 1000) * base + step / 1000 * np.eye(2))
        for step in range(3)
    }
    elicited = elicit(SimulatedOracle(TRUTH), SETTING, method="adaptive", candidates=near, random_state=1)
    assert elicited.ranking is not None
    assert elicited.best == elicited.ranking[0] == "2"


def test_a_history_goes_through_json_as_often_as_a_server_likes() -> None:
    history: list[tuple[Question, Any]] = []
    asked = []
    for _ in range(3):
        kept = [{"first": q.first.tolist(), "second": q.second.tolist(), "answer": answer} for q, answer in history]
        history = [(Question(one["first"], one["second"]), one["answer"]) for one in kept]
        question = next_question(SETTING, history)
        assert isinstance(question, Question)
        asked.append(question)
        history.append((question, True))
    lived_through = elicit(lambda *_: True, SETTING, method="adaptive", max_questions=3, random_state=0)
    for one, (other, _) in zip(asked, lived_through.history, strict=True):
        assert np.array_equal(one.first, other.first)


def test_an_answer_that_is_none_is_refused_with_its_place() -> None:
    question = next_question(SETTING, [])
    assert isinstance(question, Question)
    with pytest.raises(EvenhandError, match=r"history\[0\].*'skip'"):
        next_question(SETTING, [(question, "skip")])  # type: ignore[list-item]


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
    clickers = [SimulatedOracle(TRUTH, flip=0.5, random_state=seed) for seed in range(8)]
    assert sum("may be clicks at random" in said(clicker, 30) for clicker in clickers) >= 4


def test_single_precision_is_the_same_model() -> None:
    habits = HabitPrior().draw(1, np.random.default_rng(3))
    savings: Floats = np.linspace(-0.3, 0.3, 31)[None, :]
    short = probabilities_in_short(savings.astype(np.float32), habits)
    assert short.dtype == np.float32
    assert short == pytest.approx(probabilities(savings, habits), abs=1e-5)


def test_information_about_an_order_needs_an_answer_that_goes_with_it() -> None:
    with_it: Floats = np.array([[0.98, 0.01], [0.01, 0.98], [0.01, 0.01]])
    without: Floats = np.array([[0.5, 0.5], [0.49, 0.49], [0.01, 0.01]])
    ahead = np.array([[True, True], [False, True]])
    told = about_order(np.stack([with_it, without], axis=-1), ahead)
    assert told[0] > 0.4, "one of two pairs is in doubt, and the answer almost settles it"
    assert told[1] == pytest.approx(0, abs=1e-9)


def test_foreseen_answers_tell_a_person_from_a_clicker() -> None:
    foreseen: Floats = np.array([[0.98, 0.98], [0.01, 0.01], [0.01, 0.01]])
    open_ended: Floats = np.array([[0.98, 0.01], [0.01, 0.98], [0.01, 0.01]])
    told = about_attending(np.stack([foreseen, open_ended], axis=-1), 0.35, clicks(5, 0))
    assert told[0] > 10 * told[1]


def test_it_says_about_how_many_questions_are_left() -> None:
    off = []
    for seed in range(4):
        setting = Setting.random(2, 2, seed)
        told: list[tuple[int, int]] = []
        elicited = elicit(
            SimulatedOracle(FairMetric.random(setting, seed)),
            setting,
            method="adaptive",
            candidates=models(setting, 30, seed),
            random_state=seed,
            progress=lambda asked, in_all, told=told: told.append((asked, in_all)),  # type: ignore[misc]
        )
        lefts = [question.left for question, _ in elicited.history]
        assert [in_all - asked + 1 for asked, in_all in told] == lefts
        off += [abs(left - (elicited.questions - place)) for place, left in enumerate(lefts) if left is not None]
        assert len(off) >= elicited.questions
    assert np.mean(off) < 5


def test_a_budget_is_counted_down_exactly() -> None:
    elicited = elicit(SimulatedOracle(TRUTH), SETTING, method="adaptive", stop="budget", max_questions=6)
    assert [question.left for question, _ in elicited.history] == [6, 5, 4, 3, 2, 1]
