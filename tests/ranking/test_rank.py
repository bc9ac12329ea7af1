"""A ranking orders candidates by cost, says what the cost is made of, and how sure it is."""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from copy import deepcopy
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenhand import EvenhandError, FairMetric, GroupRates, Setting, SimulatedOracle, elicit, group_rates, rank
from evenhand.elicitation import Finding, Intervals, Uncertainty, Verdict
from evenhand.metric import MetricSample
from evenhand.metric.weights import Weights
from evenhand.ranking import Ranking


def models(setting: Setting, n: int, seed: int, people: float | None = None) -> dict[str, GroupRates]:
    rng = np.random.default_rng(seed)
    k, m = len(setting.classes), len(setting.groups)
    logits = rng.normal(0, 0.5, size=(n, m, k, k)) + np.eye(k) * rng.uniform(0.5, 3, size=(n, 1, 1, 1))
    matrices = np.exp(logits)
    matrices /= matrices.sum(axis=-1, keepdims=True)
    sizes = None if people is None else np.full((m, k), people)
    return {f"model {i}": GroupRates(setting=setting, matrix=matrix, sizes=sizes) for i, matrix in enumerate(matrices)}


@given(st.integers(2, 4), st.integers(2, 4), st.integers(0, 1000))
def test_candidates_stand_in_the_order_of_their_cost_and_the_parts_add_up(k: int, m: int, seed: int) -> None:
    metric = FairMetric.random(Setting.random(k, m, seed), seed)
    candidates = models(metric.setting, 6, seed)
    ranking = rank(metric, candidates)
    assert sorted(ranking.names) == sorted(candidates)
    assert [row.place for row in ranking] == [1, 2, 3, 4, 5, 6]
    for row in ranking:
        assert row.cost == metric.cost(candidates[row.name])
        assert row.misclassification + row.violation == pytest.approx(row.cost)
        assert list(row.gaps) == [f"gap {u} | {v}" for u, v in metric.setting.pairs]
    assert [row.cost for row in ranking] == sorted(row.cost for row in ranking)


def test_ties_are_ties_and_stay_in_the_order_given() -> None:
    setting = Setting(["no", "yes"], ["women", "men"], [[0.5, 0.5]] * 2)
    metric = FairMetric.from_weights(setting, misclassification=[1, 1], violation=[[1, 1]])
    bad, good = (GroupRates.from_vector(setting, [[rate, 0.1]] * 2) for rate in (0.3, 0.2))
    mirrored = GroupRates.from_vector(setting, [[0.1, 0.2]] * 2)
    ranking = rank(metric, {"bad": bad, "good": good, "mirrored": mirrored, "worse": GroupRates.uniform(setting)})
    assert [(row.place, row.name) for row in ranking] == [(1, "good"), (1, "mirrored"), (3, "bad"), (4, "worse")]
    assert ranking.best == ("good", "mirrored")
    assert "good" in ranking  # type: ignore[comparison-overlap]
    assert ranking["good"] in ranking
    assert "better" not in ranking  # type: ignore[comparison-overlap]


def test_the_order_of_names_does_not_matter() -> None:
    metric = FairMetric.random(Setting(["yes", "no"], ["b", "a"], [[0.3, 0.6], [0.7, 0.4]]), 1)
    rng = np.random.default_rng(0)
    true, group = rng.choice(["no", "yes"], 300), rng.choice(["a", "b"], 300)
    predictions = {name: rng.choice(["no", "yes"], 300) for name in "xyz"}
    as_sorted = {name: group_rates(true, one, sensitive_features=group) for name, one in predictions.items()}
    assert as_sorted["x"].setting.classes == ("no", "yes")
    turned = {name: rates.arranged(metric.setting) for name, rates in as_sorted.items()}
    assert [(row.name, row.cost, row.interval) for row in rank(metric, as_sorted)] == [
        (row.name, row.cost, row.interval) for row in rank(metric, turned)
    ]


@pytest.mark.parametrize(
    ("k", "m", "people", "gap"), [(2, 2, 20, 0.0), (2, 4, 100, 0.1), (3, 3, 40, 0.0), (3, 5, 400, 1.0)]
)
def test_intervals_hold_at_least_as_often_as_they_say(k: int, m: int, people: int, gap: float) -> None:
    rng = np.random.default_rng([k, m, people])
    held = []
    for _ in range(300):
        metric = FairMetric.random(Setting.random(k, m, rng), rng)
        logits = rng.normal(0, 0.5, size=(1, k, k)) + np.eye(k) * rng.uniform(0.5, 4) + gap * rng.normal(size=(m, k, k))
        truth = np.exp(logits) / np.exp(logits).sum(axis=-1, keepdims=True)
        counts = rng.multinomial(people, truth)
        measured = GroupRates(setting=metric.setting, matrix=counts / people, sizes=np.full((m, k), float(people)))
        interval = rank(metric, {"model": measured}, level=0.9)[0].interval
        assert interval is not None
        held.append(interval[0] <= metric.cost(GroupRates(setting=metric.setting, matrix=truth)) <= interval[1])
    # 0.9 less three standard errors of 300 draws.
    assert np.mean(held) > 0.9 - 3 * (0.9 * 0.1 / 300) ** 0.5


@given(st.integers(0, 1000))
def test_more_people_make_intervals_narrower_and_none_means_no_interval(seed: int) -> None:
    metric = FairMetric.random(Setting.random(2, 3, seed), seed)
    for people in (10.0, 100.0, 1000.0):
        few, many = (rank(metric, models(metric.setting, 1, seed, n))[0] for n in (people, 10 * people))
        assert few.interval is not None
        assert many.interval is not None
        assert few.interval[0] <= many.interval[0] <= many.cost <= many.interval[1] <= few.interval[1]
    assert rank(metric, models(metric.setting, 1, seed))[0].interval is None


def sure_of(metric: FairMetric) -> Finding:
    weights = (metric.misclassification, metric.violation, np.array(metric.trade_off))
    sample = MetricSample(Weights.stacked([metric.weights] * 50), np.full(50, 1 / 50))
    points = Intervals(*(np.stack([one, one], axis=-1) for one in weights))
    return Finding(metric=metric, uncertainty=Uncertainty(level=0.9, intervals=points, sample=sample))


def test_whoever_is_sure_of_the_metric_is_sure_of_the_places() -> None:
    metric = FairMetric.random(Setting.random(3, 3, 0), 0)
    for row in rank(sure_of(metric), models(metric.setting, 5, 0)):
        assert row.place_probabilities is not None
        assert np.flatnonzero(row.place_probabilities).tolist() == [row.place - 1]
    unsure = rank(sure_of(metric), models(metric.setting, 5, 0, people=5))
    assert unsure[0].place_probabilities is not None
    assert max(unsure[0].place_probabilities) < 0.9999


def test_an_adaptive_result_gives_the_probability_of_each_place() -> None:
    metric = FairMetric.random(Setting.random(2, 2, 3), 3)
    candidates = models(metric.setting, 6, 3)
    elicited = elicit(
        SimulatedOracle(metric),
        metric.setting,
        method="adaptive",
        candidates=candidates,
        stop="budget",
        max_questions=8,
        random_state=0,
    )
    ranking = rank(elicited, candidates)
    chances = np.array([row.place_probabilities for row in ranking])
    assert elicited.reliability is not None
    np.testing.assert_allclose(chances.sum(axis=1), elicited.reliability.attending)
    assert elicited.choice is not None
    assert elicited.ranking == ranking.names
    for row in ranking:
        assert row.place_probabilities is not None
        assert row.place_probabilities[0] == elicited.choice.probabilities[row.name], "one number for one thing"
    plain = elicit(SimulatedOracle(metric), metric.setting, method="bisection")
    assert rank(plain, candidates)[0].place_probabilities is None


def test_a_ranking_can_be_read_as_text_in_a_notebook_and_as_columns() -> None:
    metric = FairMetric.random(Setting(["no", "yes"], ["women", "men"], [[0.5, 0.5]] * 2), 0)
    ranking = rank(
        sure_of(metric),
        {**models(metric.setting, 3, 0, people=50), "<b>evil</b>\n\x1b[2J": GroupRates.uniform(metric.setting)},
    )
    columns = ranking.columns()
    assert list(columns) == [
        *("place", "name", "cost", "mistakes", "gap women | men", "low", "high"),
        *(f"p(place {place})" for place in range(1, 5)),
    ]
    assert {len(column) for column in columns.values()} == {4}
    text = str(ranking)
    assert len(text.splitlines()) == 1 + 4 + 3 + 1
    assert "\x1b" not in text
    html = ranking._repr_html_()
    assert "<b>" not in html
    assert "&lt;b&gt;evil" in html


SETTING = Setting(["no", "yes"], ["women", "men"], [[0.5, 0.5]] * 2)
METRIC = FairMetric.random(SETTING, 0)


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        (
            Setting(["no", "yes"], ["women", "x"], [[0.5, 0.5]] * 2),
            "'m'.*groups: 'men' only in the metric, 'x' only in the",
        ),
        (Setting(["no", "yes", "?"], ["women", "men"], [[0.5] * 3] * 2), r"classes: '\?' only in the candidate's data"),
        (Setting([0, 1], [0, 1], [[0.5, 0.5]] * 2), "classes: 'no', 'yes' only in .*; groups: 'women', 'men' only"),
    ],
    ids=["group", "class", "both"],
)
def test_what_differs_between_metric_and_data_is_named(setting: Setting, message: str) -> None:
    with pytest.raises(EvenhandError, match=message):
        rank(METRIC, {"m": GroupRates.uniform(setting)})


def test_numbers_and_texts_are_told_apart_in_words() -> None:
    metric = FairMetric.random(Setting(["0", "1"], ["women", "men"], [[0.5, 0.5]] * 2), 0)
    with pytest.raises(EvenhandError, match="text and numbers are different names"):
        rank(metric, {"m": GroupRates.uniform(Setting([0, 1], ["women", "men"], [[0.5, 0.5]] * 2))})


@pytest.mark.parametrize(
    ("metric", "candidates", "options", "message"),
    [
        (METRIC, {}, {}, "at least one name"),
        (METRIC, [GroupRates.uniform(SETTING)], {}, "must map at least one name"),
        (METRIC, {"a": 3}, {}, "candidate 'a' must be GroupRates, but received 3"),
        (METRIC, {"1": GroupRates.uniform(SETTING), 1: GroupRates.uniform(SETTING)}, {}, "the same name"),
        (METRIC, {"a": GroupRates.uniform(SETTING)}, {"level": 95}, "level must be"),
        (METRIC, {"a": GroupRates.uniform(SETTING)}, {"level": float("nan")}, "level must be"),
        ("metric.json", {"a": GroupRates.uniform(SETTING)}, {}, "must be a FairMetric or what elicit returned"),
    ],
    ids=["none", "list", "three", "twins", "95", "nan", "path"],
)
def test_what_cannot_be_ranked_is_refused(
    metric: Any, candidates: Mapping[str, GroupRates], options: dict[str, Any], message: str
) -> None:
    with pytest.raises(EvenhandError, match=message):
        rank(metric, candidates, **options)


def test_no_pair_of_groups_is_lost_to_another_that_reads_the_same() -> None:
    setting = Setting(["no", "yes"], ["a | b", "c", "a", "b | c"], np.full((4, 2), 0.25))
    ranking = rank(FairMetric.random(setting, 0), models(setting, 2, 0))
    gaps = [values for name, values in ranking.columns().items() if "gap" in name]
    assert len(gaps) == len(setting.pairs) == 6
    assert sum(values[0] for values in gaps) == pytest.approx(ranking[0].cost - ranking[0].misclassification)


def test_what_takes_no_model_stands_below_the_candidates_and_is_none_of_them() -> None:
    ranking = rank(METRIC, models(SETTING, 3, 0))
    assert len(ranking) == 3
    assert {one.name for one in ranking.yardsticks} == {"“no” for everybody", "“yes” for everybody", "a coin"}
    costs = [one.cost for one in ranking.yardsticks]
    assert costs == sorted(costs)
    for one in ranking.yardsticks:
        assert one.place == 1 + sum(row.cost < one.cost for row in ranking)
        assert one.misclassification + one.violation == pytest.approx(one.cost)
    lines = str(ranking).splitlines()
    assert [line.split()[0] for line in lines[1:7]] == ["1", "2", "3", "–", "–", "–"]
    assert ranking.yardsticks[0].name not in ranking.columns()["name"]


def test_candidates_that_do_not_beat_what_takes_no_model_are_named() -> None:
    metric = FairMetric.from_weights(SETTING, misclassification=[1, 1], violation=[[0, 0]], trade_off=0.0)
    good, bad = (
        GroupRates(setting=SETTING, matrix=np.array([[[1 - error, error], [error, 1 - error]]] * 2))
        for error in (0.2, 0.499)
    )
    assert rank(metric, {"good": good}).not_worth_it is None
    of_both = rank(metric, {"bad": bad, "good": good}).not_worth_it
    assert of_both is not None
    assert of_both.startswith("“bad” does not clearly cost less than “")
    alike = rank(metric, {"model ": bad, "model": good})
    assert alike.not_worth_it is not None
    assert alike.not_worth_it.startswith("“2: model” does not"), "as the table calls it"
    assert "2: model" in str(alike).splitlines()[2]
    alone = rank(metric, {"bad": bad}).not_worth_it
    assert alone is not None
    assert alone.startswith("No model clearly costs less than “")


def test_a_ranking_is_a_sequence() -> None:
    ranking = rank(METRIC, models(SETTING, 3, 0))
    assert isinstance(ranking, Ranking)
    assert ranking[-1].place == len(ranking) == 3


def test_a_copy_of_a_ranking_is_equal_to_it() -> None:
    ranking = rank(METRIC, models(SETTING, 3, 0))
    for copy in (pickle.loads(pickle.dumps(ranking)), deepcopy(ranking), rank(METRIC, models(SETTING, 3, 0))):  # noqa: S301
        assert copy == ranking
    assert rank(METRIC, models(SETTING, 3, 1)) != ranking


def test_an_order_from_answers_that_do_not_decide_says_so() -> None:
    verdict = Verdict(kind="swapped answers", reason="The sides are swapped.", advice="Answer again.")
    ranking = rank(Finding(metric=METRIC, verdict=verdict), models(SETTING, 3, 0))
    assert ranking.doubt == "The sides are swapped. Answer again."
    assert repr(ranking) == "Ranking(3 models, not to be relied on)"
    for shown in (str(ranking), ranking._repr_html_()):
        assert "Do not rely on this order. The sides are swapped. Answer again." in shown
        assert shown.index("Do not rely") < shown.index(ranking.names[0]), "before any model is named"
    with pytest.raises(EvenhandError, match="no order to plot"):
        ranking.plot()
    decided = rank(Finding(metric=METRIC), models(SETTING, 3, 0))
    assert decided.doubt == ""
    assert "Do not rely" not in str(decided)


def test_a_name_that_no_file_can_hold_is_refused() -> None:
    with pytest.raises(EvenhandError, match=r"candidate .* has .*half a character, which no file can hold"):
        rank(METRIC, dict.fromkeys(["a\ud800"], GroupRates.uniform(SETTING)))
