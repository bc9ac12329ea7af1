"""A toy method of one class works everywhere, with no other file touched: `elicit`, a study, its pages, a report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest
from fastapi.testclient import TestClient

from evenhand import EvenhandError, FairMetric, GroupRates, Method, Question, SimulatedOracle, elicit
from evenhand.elicitation import Choice, Finding, History, Procedure
from evenhand.elicitation.methods import NOT_KEPT, register
from evenhand.elicitation.methods.method import _METHODS
from evenhand.elicitation.procedure import resumed
from evenhand.metric import error_rate_balance
from evenhand.report.document import report
from evenhand.study import Header
from evenhand.study.store import Store
from evenhand.web.app import create_app
from tests.support.quick import SETTING, study

TRUTH = FairMetric.random(SETTING, 3)


@dataclass(frozen=True, eq=False, kw_only=True)
class Tournament(Method):
    """The candidates meet one after another, and the winner stays."""

    name: ClassVar[str] = "tournament"
    candidates: Mapping[str, GroupRates] = field(default_factory=dict, metadata=NOT_KEPT)
    rounds: int = 1

    def procedure(self, history: History = (), *, seed: int | None = None) -> Procedure[Finding]:
        """Return a tournament; the seed has nothing to draw."""
        return resumed(self._matches(), history, self.most_questions)

    @property
    def most_questions(self) -> int:
        """Each match rules out one candidate."""
        return self.rounds * (len(self.candidates) - 1)

    def _matches(self) -> Procedure[Finding]:
        best, *others = self.candidates
        for rival in others * self.rounds:
            first, second = (self.candidates[name].vector for name in (best, rival))
            best = best if (yield Question(first, second, "tournament")) else rival
        return Finding(metric=error_rate_balance(self.setting), choice=Choice(best=best))


@pytest.fixture(autouse=True)
def tournament() -> Iterator[None]:
    register(Tournament)
    yield
    del _METHODS["tournament"]


def models(n: int = 9) -> dict[str, GroupRates]:
    profiles = np.random.default_rng(1).integers(5, 40, size=(n, 2, 2)) / 100
    return {f"model {place}": GroupRates.from_vector(SETTING, profile) for place, profile in enumerate(profiles)}


def test_it_is_asked_by_its_name_and_reported_on() -> None:
    said: list[tuple[int, int]] = []
    elicited = elicit(
        SimulatedOracle(TRUTH),
        SETTING,
        method="tournament",
        candidates=models(),
        progress=lambda asked, total: said.append((asked, total)),
    )
    assert elicited.best == min(models(), key=lambda name: TRUTH.cost(models()[name]))
    assert said == [(n, 8) for n in range(1, 9)]
    assert str(elicited.best) in report(elicited, candidates=models()).html()
    with pytest.raises(EvenhandError, match=r"method='paper' has no option 'rounds'.* take method='tournament'"):
        elicit(SimulatedOracle(TRUTH), SETTING, method="paper", rounds=2)


def test_it_needs_a_name_of_its_own() -> None:
    register(Tournament)  # again, as when a cell of a notebook is run again
    nameless, taken = (type("Other", (Tournament,), {"name": name}) for name in (None, "paper"))
    with pytest.raises(EvenhandError, match=r"a method needs a name: .* in the class Other"):
        register(nameless)
    with pytest.raises(EvenhandError, match="there is a method 'paper' already"):
        register(taken)


def test_a_procedure_yields_questions_and_returns_a_finding() -> None:
    def asks_nothing(method: Tournament, history: History = (), *, seed: int | None = None) -> Iterator[object]:
        yield from method.candidates

    careless = type("Tournament", (Tournament,), {"procedure": asks_nothing})
    with pytest.raises(EvenhandError, match="what method='tournament' yields must be a Question: 'model 0' is not"):
        elicit(SimulatedOracle(TRUTH), SETTING, method=careless(setting=SETTING, candidates=models()))
    with pytest.raises(EvenhandError, match="what method='tournament' returns must be a Finding: None is not"):
        elicit(SimulatedOracle(TRUTH), SETTING, method=careless(setting=SETTING))


def test_a_file_of_answers_refuses_it_since_candidates_are_not_kept_there() -> None:
    with pytest.raises(EvenhandError, match="does not keep 'candidates'"):
        Header(method=Tournament(setting=SETTING, candidates=models()))
    assert Header(method=Tournament(setting=SETTING)).to_document()["method"] == {"name": "tournament", "rounds": 1}


def test_a_study_asks_by_it_survives_a_restart_and_shows_the_result(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/store.db"
    asked_by = replace(study(models=5), method_name="tournament", options={})
    best = min(asked_by.candidates, key=lambda name: TRUTH.cost(asked_by.candidates[name]))
    with Store(url) as store:
        store.put_study(asked_by)
        token = store.begin("loans")
    lefts = []
    while True:
        with Store(url) as store:  # another process each time
            interview = store.interview(token)
            if interview.question is None:
                break
            shown = interview.question
            lefts.append(shown.left)
            first_is_better = TRUTH.cost(shown.a) < TRUTH.cost(shown.b)
            store.answer(token, shown.n, "first" if first_is_better else "second")
    assert lefts == [4, 3, 2, 1]
    assert interview.finding is not None
    assert interview.finding.best == best
    with Store(url) as store:
        client = TestClient(create_app(store), base_url="http://study.example:8000")
        page = client.get(f"/i/{token}")
        assert page.status_code == 200
        assert f"favour</small> {best}</h1>" in page.text
        for kind in ("json", "csv", "svg"):
            assert client.get(f"/i/{token}/result.{kind}").status_code == 200


def test_its_question_is_a_page_without_answers_that_it_does_not_take(tmp_path: Path) -> None:
    with Store(f"sqlite:///{tmp_path}/store.db") as store:
        store.put_study(replace(study(models=5), method_name="tournament", options={}))
        client = TestClient(create_app(store), base_url="http://study.example:8000")
        address = client.post("/loans", follow_redirects=False).headers["location"]
        page = client.get(address).text
        assert 'value="first"' in page
        assert 'value="skip"' not in page
