"""A family is one file and one line: this one works from `elicit` to the report and the pages as it stands here."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import httpx2
import numpy as np
import pytest

from evenhand import EvenhandError, FairMetric, Setting, SimulatedOracle, elicit, rank
from evenhand.metric.families import Family, register
from evenhand.metric.prior import Prior
from evenhand.metric.weights import Weights
from evenhand.rates import matrix_from_vector
from evenhand.report.document import report
from evenhand.study.store import Store
from evenhand.typing import Floats
from evenhand.wording.vocabulary import Words
from tests.ranking.test_rank import models
from tests.web.served import Served, serving
from tests.web.studies import study_of


@register
class WorstOff(Family):
    """Of each class, only the group that is treated worst counts: the share of its people who are got wrong."""

    name = "worst-off in a test"
    title = "the worst-off group"

    def violation(self, profiles: Floats, setting: Setting, width: float) -> Floats:
        wrong = 1 - np.diagonal(matrix_from_vector(profiles), axis1=-2, axis2=-1)
        return np.asarray(wrong.max(axis=-2)[..., None, :])

    def columns(self, words: Words) -> tuple[str, ...]:
        return words.classes

    def phrase(self, row: int, column: int, words: Words) -> str:
        return f"one more mistake in 100 about the worst-off group of “{words.classes[column]}”"


SETTING = Setting(["repays", "defaults"], ["women", "men", "others"], np.full((3, 2), 1 / 3))


def truth_of(trade_off: float) -> FairMetric:
    return FairMetric.from_weights(
        SETTING, misclassification=[1, 2], violation=[[3, 1]], trade_off=trade_off, family=WorstOff.name
    )


def test_its_metrics_are_learned_from_answers() -> None:
    truth = truth_of(0.6)
    found = elicit(
        SimulatedOracle(truth),
        SETTING,
        method="adaptive",
        family=WorstOff.name,
        stop="budget",
        max_questions=40,
        random_state=0,
    )
    assert found.metric.family == WorstOff.name
    assert max(found.metric.distance(truth)) < 0.1
    assert FairMetric.from_json(found.metric.to_json()) == found.metric
    priced = "One more mistake in 100 about the worst-off group of “repays” counts as much as about"
    assert priced in found.describe(), found.describe()


def test_its_best_candidate_is_found_ranked_and_reported() -> None:
    truth, candidates = truth_of(0.6), models(SETTING, 5, 0, people=500)
    found = elicit(
        SimulatedOracle(truth), SETTING, method="adaptive", family=WorstOff.name, candidates=candidates, random_state=0
    )
    ranking = rank(found, candidates)
    assert ranking.names[0] == found.choice.best == rank(truth, candidates).names[0]  # type: ignore[union-attr]
    for row in ranking:
        assert row.misclassification + row.violation == pytest.approx(row.cost)
        assert list(row.gaps) == [WorstOff.title]
        assert row.interval is not None
        assert row.interval[0] <= row.cost <= row.interval[1]
    html = report(found, candidates=candidates).html()
    for words in (
        "The cost of the worst-off group",
        "The answers do not tell which of mistakes and the worst-off group count more",
        "one more mistake in 100 about the worst-off group of “repays”",
    ):
        assert words in html, words
    assert "gaps between groups both" not in html


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    path = tmp_path_factory.mktemp("toys") / "toys.db"
    with Store(f"sqlite:///{path}") as store, serving(store) as server:
        study = study_of(3, 2)
        store.put_study(replace(study, slug="toy", options={"family": WorstOff.name}))
        yield server


def test_its_result_is_a_page(served: Served) -> None:
    with httpx2.Client(base_url=served.address, timeout=60) as client:
        address = client.post("/toy").headers["location"]
        token = address.rpartition("/")[2]
        setting = served.store.study("toy").setting
        truth = FairMetric.from_weights(
            setting, misclassification=[1, 2], violation=[[3, 1]], trade_off=0.6, family=WorstOff.name
        )
        while (asked := served.store.interview(token).question) is not None:
            choice = "first" if truth.cost(asked.a) < truth.cost(asked.b) else "second"
            assert client.post(f"{address}/answers/{asked.n}", data={"choice": choice}).status_code == 303
        page = client.get(address).text
        assert "The cost of the worst-off group" in page
        assert "gaps between groups both" not in page
        for ending in ("json", "csv", "svg"):
            assert client.get(f"{address}/result.{ending}").status_code == 200


def test_only_the_adaptive_method_learns_families_and_says_so() -> None:
    with pytest.raises(EvenhandError, match=r"method='paper' has no option 'family'.*method='adaptive'"):
        elicit(lambda *_: True, SETTING, method="paper", family=WorstOff.name)
    with pytest.raises(EvenhandError, match=r"family must be one of 'gaps', .*but received 'worst'"):
        elicit(lambda *_: True, SETTING, family="worst")


def test_it_draws_weights_of_its_own_shape() -> None:
    prior = Prior.of(SETTING, WorstOff.name)
    weights: Weights = prior.weights(np.full((1, prior.size), 0.5))
    assert weights.violation.shape == (1, 1, 2)
    with pytest.raises(EvenhandError, match=r"gaps_in is about kinds of mistake, but the family .* weighs 'repays'"):
        Prior.of(SETTING, WorstOff.name, gaps_in=SETTING.mistakes[:1])


def test_metrics_of_two_families_have_no_distance() -> None:
    with pytest.raises(EvenhandError, match=r"of the family 'worst-off in a test', but the other one of 'gaps'"):
        truth_of(0.5).distance(FairMetric.random(SETTING, 0))
