"""What was elicited comes back from its document with every bit, and from a damaged one with a sentence."""

from __future__ import annotations

import base64
import copy
import json
import pickle
from typing import Any

import numpy as np
import pytest
from tests.test_toy_family import WorstOff

from evenhand import SKIP, Elicited, EvenhandError, FairMetric, Finding, GroupRates, Setting, SimulatedOracle, elicit
from evenhand.rates.models import made_up_models

SETTING = Setting(["repays", "defaults"], ["women", "men"], [[0.5, 0.4], [0.5, 0.6]])
TRUTH = FairMetric.random(SETTING, 0)
MODELS = {
    f"model {place}": GroupRates.from_vector(SETTING, profile)
    for place, profile in enumerate(made_up_models(SETTING, 4, np.random.default_rng(0)))
}


def answered(**options: Any) -> Elicited:
    replies = iter([None, SKIP, True])
    oracle = SimulatedOracle(TRUTH)
    people = options.get("method", "adaptive") == "adaptive"
    return elicit(
        lambda first, second: next(replies, None) or oracle(first, second) if people else oracle(first, second),
        SETTING,
        random_state=3,
        **options,
    )


ELICITED: dict[str, Elicited] = {
    "weights": answered(max_questions=8, out_of=100, visible=0.02),
    "candidates": answered(max_questions=12, candidates=MODELS),
    "a family": answered(max_questions=6, family=WorstOff.name),
    "paper": answered(method="paper", tolerance=0.25),
    "bisection": answered(method="bisection", tolerance=0.25),
}


@pytest.mark.parametrize("name", ELICITED)
def test_all_of_it_comes_back_exactly(name: str) -> None:
    whole = ELICITED[name]
    read = Elicited.from_json(whole.to_json())
    assert read == whole
    assert hash(read) == hash(whole)
    assert read.to_json() == whole.to_json()
    assert isinstance(Finding.from_json(whole.to_json()), Elicited)
    if whole.uncertainty is not None:
        assert whole.uncertainty.sample is not None
        assert read.uncertainty is not None
        assert read.uncertainty.sample == whole.uncertainty.sample
    assert str(read) == str(whole)


def test_answers_that_are_no_preference_come_back_as_what_they_are() -> None:
    answers = [answer for _, answer in Elicited.from_json(ELICITED["weights"].to_json()).history]
    assert answers[0] is None or answers[1] is SKIP or True in answers
    assert answers == [answer for _, answer in ELICITED["weights"].history]
    assert SKIP in answers


def test_a_document_is_compact() -> None:
    sample = json.loads(ELICITED["weights"].to_json())["sample"]
    numbers = sample["particles"] * (1 + 2 + 2 + 1)
    assert sum(len(text) for text in sample.values() if isinstance(text, str)) < 8 * 1.4 * numbers


def test_a_finding_without_answers_comes_back_too() -> None:
    whole = ELICITED["candidates"]
    finding = Finding(metric=whole.metric, uncertainty=whole.uncertainty, choice=whole.choice)
    assert Finding.from_json(finding.to_json()) == finding
    with pytest.raises(EvenhandError, match=r"a finding without answers: Finding\.from_json reads it"):
        Elicited.from_json(finding.to_json())


@pytest.mark.parametrize("name", ELICITED)
def test_a_copy_equals_its_original_and_nothing_else(name: str) -> None:
    whole = ELICITED[name]
    for again in (pickle.loads(pickle.dumps(whole)), copy.deepcopy(whole)):  # noqa: S301
        assert again == whole
        assert hash(again) == hash(whole)
    assert [other for other in ELICITED if ELICITED[other] == whole] == [name]
    assert whole != Finding(metric=whole.metric)
    assert whole != "something else"


def changed(path: list[str | int], value: object) -> str:
    document = json.loads(ELICITED["candidates"].to_json())
    inside = document
    for step in path[:-1]:
        inside = inside[step]
    inside[path[-1]] = value
    return json.dumps(document)


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (["method"], None, "has only one of method and history"),
        (["method"], 3, "method must be"),
        (["history"], "none", "history must be"),
        (["history", 2, "answer"], "maybe", "answer 3 of this elicited metric: an answer is one of 'first', "),
        (["history", 2, "answer"], ["first"], "an answer is one of"),
        (["history", 2, "first"], [[1.5, 0], [0, 0]], "answer 3 .* rates lie between 0 and 1"),
        (["history", 2, "first"], [[0.5]], "answer 3 of this elicited metric: first"),
        (["history", 0, "left"], -1, "left must be a whole number"),
        (["history", 0], {}, "answer 1 of this elicited metric: an answer lacks 'first'"),
        (["sample", "particles"], 10**9, "10,000,000 is the most"),
        (["sample", "particles"], 3, "must have 3 × 2 numbers of 8 bytes"),
        (["sample", "probability"], "???", "probability of a sample is not base64"),
        (["sample", "trade_off"], None, "trade_off of a sample must be"),
        (["finding", "uncertainty"], None, "a sample but no uncertainty"),
        (["finding"], 1, "not a finding"),
        (["version"], 9, "use a newer evenhand"),
    ],
)
def test_a_damaged_document_says_what_is_wrong(path: list[str | int], value: object, message: str) -> None:
    with pytest.raises(EvenhandError, match=message):
        Finding.from_json(changed(path, value))


def test_numbers_that_are_none_are_no_sample() -> None:
    document = json.loads(ELICITED["weights"].to_json())
    for wrong in (np.nan, -1.0, 2.0):
        numbers = np.full(document["sample"]["particles"], wrong)
        document["sample"]["probability"] = base64.b64encode(numbers.tobytes()).decode()
        with pytest.raises(EvenhandError, match=r"must be finite and not negative|must sum to 1"):
            Finding.from_json(json.dumps(document))


def test_a_candidate_of_any_name_comes_back_from_json() -> None:
    candidates = {f"a{mark}b": model for mark, model in zip("\x07\u202e\r", MODELS.values(), strict=False)}
    elicited = elicit(SimulatedOracle(TRUTH), candidates=candidates, max_questions=2, random_state=0)
    assert Elicited.from_json(elicited.to_json()) == elicited
