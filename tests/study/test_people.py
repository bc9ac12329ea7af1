"""People side by side: what is said of them follows from their orders, and says nothing of who they are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from tests.support.quick import QuickRunner, study

from evenhand.elicitation import Finding, History, Method
from evenhand.elicitation.finding import Choice, Verdict
from evenhand.elicitation.question import Question
from evenhand.metric import FairMetric
from evenhand.ranking import kendall_tau, rank
from evenhand.study.people import People
from evenhand.study.refusals import NotToldError
from evenhand.study.store import Store
from evenhand.web.views.side_by_side import SideBySide

NOBODY = 3
"""The seed of a person whose answers are no basis for a decision."""


class Findings(QuickRunner):
    """Asks one question; each person holds a metric of their own, and the fourth answers at random."""

    def __init__(self) -> None:
        super().__init__(1)
        self.found = 0

    def step(self, method: Method, seed: int, history: History, *, interview: str = "") -> Question | Finding:
        if not history:
            return super().step(method, seed, history, interview=interview)
        metric = FairMetric.random(method.setting, np.random.default_rng(self.found))
        order = rank(metric, study(models=5).candidates).names
        self.found += 1
        verdict = Verdict()
        if self.found - 1 == NOBODY:
            verdict = Verdict(kind="unreliable answers", reason="These answers look random.", advice="Ask again.")
        return Finding(metric=metric, verdict=verdict, choice=Choice(best=order[0], ranking=order))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(f"sqlite:///{tmp_path}/store.db", runner=Findings()) as store:
        store.put_study(study(models=5))
        yield store


def finish(store: Store, number: int) -> list[str]:
    tokens = [store.begin("loans") for _ in range(number)]
    for token in tokens:
        store.answer(token, 1, "first")
    return tokens


def test_before_anybody_has_finished_there_is_nothing_to_say(store: Store) -> None:
    store.begin("loans")
    people = People.of(store, "loans")
    assert (people.people, people.best_for, people.agreement, people.most_divided) == ((), {}, None, None)
    assert people.to_document()["people"] == []


def test_agreement_and_division_are_those_of_all_pairs(store: Store) -> None:
    finish(store, 7)
    people = People.of(store, "loans")
    assert len(people.people) == 6
    places = [[one.order.index(name) for name in people.study.candidates] for one in people.people]
    taus = [kendall_tau(one, other) for one, other in combinations(places, 2)]
    assert people.agreement == pytest.approx(np.mean(taus))
    divided = people.most_divided
    assert divided is not None
    names = list(people.study.candidates)
    balance = {
        (one, other): abs(2 * sum(of[names.index(one)] < of[names.index(other)] for of in places) - 6)
        for one, other in combinations(names, 2)
    }
    assert balance[divided.first, divided.second] == min(balance.values())
    assert abs(divided.for_first - divided.for_second) == min(balance.values())
    assert divided.for_first + divided.for_second == 6


def test_the_best_models_are_counted_and_regrets_are_the_largest(store: Store) -> None:
    finish(store, 3)
    people = People.of(store, "loans")
    assert sum(people.best_for.values()) == 3
    for name, model in people.study.candidates.items():
        regrets = [
            one.finding.metric.cost(model) - min(map(one.finding.metric.cost, people.study.candidates.values()))
            for one in people.people
        ]
        assert people.regret(name) == pytest.approx(max(regrets))


def test_answers_that_are_no_basis_for_a_decision_are_left_out_and_said_so(store: Store) -> None:
    finish(store, 4)
    people = People.of(store, "loans")
    assert [one.finding.verdict.reason for one in people.left_out] == ["These answers look random."]
    assert {one.number for one in (*people.people, *people.left_out)} == {1, 2, 3, 4}


def test_who_undid_the_last_answer_has_not_finished_and_who_withdrew_is_gone(store: Store) -> None:
    first, second, _ = finish(store, 3)
    store.undo(first, 1)
    store.withdraw(second)
    assert len(People.of(store, "loans").people) == 1


def test_other_words_change_nothing_and_other_models_cannot_be_compared(store: Store) -> None:
    finish(store, 2)
    store.put_study(replace(study(models=5), title="Who gets a loan?"))
    assert len(People.of(store, "loans").people) == 2
    store.put_study(study(models=4))
    people = People.of(store, "loans")
    assert (people.people, people.of_other_models) == ((), 2)


def test_nothing_says_who_is_who(store: Store) -> None:
    store.invite("loans", 3, label="board")
    [*invited] = store.invite("loans", 2, label="Ada Lovelace")
    for one in invited:
        token = store.accept(one.secret)
        store.answer(token, 1, "first", "because I am Ada")
    text = str(People.of(store, "loans").to_document())
    assert "'answers'" not in text  # the owner sees how many each invitation has
    for secret in ("Ada", "board", *(one.id for one in invited), *(one.secret for one in invited)):
        assert secret not in text


def labels(store: Store) -> list[str]:
    people = People.of(store, "loans")
    document = people.to_document()
    everybody = [*people.people, *people.left_out]
    assert [one["label"] for one in (*document["people"], *document["left_out"])] == [one.label for one in everybody]
    return sorted(one.label or "" for one in everybody)


def answered(store: Store, secret: str) -> str:
    token = store.accept(secret, names_told=True)
    store.answer(token, 1, "first")
    return token


def test_names_are_kept_of_those_who_began_with_a_version_that_keeps_them(store: Store) -> None:
    early, late, later = (store.invite("loans", label=label)[0] for label in ("Ada", "Grace", "Emmy"))
    answered(store, early.secret)
    assert labels(store) == [""]
    store.put_study(replace(study(models=5), names_kept=True))
    assert labels(store) == [""]
    answered(store, late.secret)
    assert labels(store) == ["", "Grace"]
    store.put_study(study(models=5))
    answered(store, later.secret)
    assert labels(store) == ["", "", "Grace"]


def test_an_open_link_and_the_study_s_own_address_keep_no_name(store: Store) -> None:
    store.put_study(replace(study(models=5), names_kept=True))
    link = store.invite_openly("loans", 2, label="the class of Ada")
    store.answer(store.accept(link.secret), 1, "first")
    finish(store, 1)
    assert labels(store) == ["", ""]


def test_of_who_withdrew_no_name_is_kept_beside_a_result(store: Store) -> None:
    store.put_study(replace(study(models=5), names_kept=True))
    tokens = [answered(store, one.secret) for one in store.invite("loans", 3, label="board")]
    store.withdraw(tokens[1])
    assert labels(store) == ["board 1", "board 3"]
    assert "board 2" not in str(People.of(store, "loans").to_document())


def test_each_label_stands_beside_the_result_of_its_own_person(store: Store) -> None:
    store.put_study(replace(study(models=5), names_kept=True))
    costs = {}
    for one in store.invite("loans", 3, label="board"):
        finding = store.interview(answered(store, one.secret)).finding
        assert finding is not None
        costs[one.label] = finding.metric
    assert {one.label: one.finding.metric for one in People.of(store, "loans").people} == costs


def test_nobody_begins_by_an_invitation_whose_name_is_kept_without_being_told(store: Store) -> None:
    [one] = store.invite("loans")
    store.put_study(replace(study(models=5), names_kept=True))
    with pytest.raises(NotToldError):
        store.accept(one.secret)
    assert store.invitations("loans")[0].state == "unopened"
    token = store.accept(one.secret, names_told=True)
    assert store.accept(one.secret) == token, "who has begun goes on"


def test_the_page_s_heading_says_what_is_there(store: Store) -> None:
    def heading() -> str:
        return SideBySide.of(People.of(store, "loans")).heading

    assert heading() == "Nobody has finished yet."
    tokens = finish(store, 4)
    assert heading().endswith(" of 3 people whose answers are a basis for a decision.")
    for token in tokens[:3]:
        store.withdraw(token)
    assert heading() == "No answers are a basis for a decision yet."
