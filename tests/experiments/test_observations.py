"""The paper's observations get a verdict that follows the errors, whatever they are."""

from __future__ import annotations

import json
from collections.abc import Callable

import numpy as np
import pytest

from evenhand.experiments import ClaimCheck, GridCell, GridRow, observe
from evenhand.experiments.observations import CLAIMS

Law = Callable[[int, int], tuple[float, float, float]]


def as_in_the_paper(k: int, m: int) -> tuple[float, float, float]:
    return k**1.4, k * m, m / k


def rows(law: Law, *, classes: tuple[int, ...] = (2, 3, 4, 5), oracles: int = 60) -> list[GridRow]:
    rng = np.random.default_rng(11)
    return [
        GridRow(
            GridCell(classes=k, groups=m),
            "paper",
            574,
            1e-3 * np.array(law(k, m))[:, None] * rng.uniform(0.5, 1.5, (3, oracles)),
        )
        for k in classes
        for m in (2, 3, 4, 5)
    ]


def verdicts(found: tuple[ClaimCheck, ...]) -> dict[tuple[str, str], bool | None]:
    return {(observation.claim.part, observation.statistic): observation.holds for observation in found}


def test_errors_that_behave_as_in_the_paper_confirm_each_observation() -> None:
    assert set(verdicts(observe(rows(as_in_the_paper))).values()) == {True}


@pytest.mark.parametrize(
    ("law", "refuted"),
    [
        (lambda k, m: (k * m, k * m, m), "misclassification"),
        (lambda k, m: (k, k, m), "violation"),
        (lambda k, m: (k, k * m, k * m), "trade_off"),
        (lambda k, m: (k, k * m, 1), "trade_off"),
    ],
)
def test_errors_that_behave_otherwise_refute_that_observation_and_no_other(law: Law, refuted: str) -> None:
    found = observe(rows(law))
    assert {part for (part, _), holds in verdicts(found).items() if holds is False} == {refuted}
    assert all("does not hold here" in each.verdict for each in found if each.claim.part == refuted)


def test_a_mean_that_is_a_few_oracles_is_refuted_with_the_reason_while_the_median_holds() -> None:
    measured = rows(as_in_the_paper)
    rng = np.random.default_rng(2)
    for row in measured:
        row.errors[1, :2] = rng.uniform(0.01, 3.0)
    found = {
        observation.statistic: observation for observation in observe(measured) if observation.claim.part == "violation"
    }
    assert not found["mean"].holds
    assert "a few oracles" in found["mean"].why
    assert found["median"].holds
    assert found["median"].why == ""


def test_one_number_of_classes_cannot_show_a_trend() -> None:
    found = observe(rows(as_in_the_paper, classes=(3,)))
    assert set(verdicts(found).values()) == {None}
    assert all("only one number of classes" in observation.sentence for observation in found)


def test_few_oracles_cannot_show_a_trend() -> None:
    found = observe(rows(as_in_the_paper, oracles=5))
    assert set(verdicts(found).values()) == {None}
    assert "too few" in found[0].sentence


def test_each_observation_is_a_sentence_with_figures_and_a_verdict() -> None:
    found = observe(rows(as_in_the_paper))
    assert len(found) == 2 * len(CLAIMS)
    for observation in found:
        assert observation.sentence.startswith(observation.claim.text)
        assert "Holds for the paper method's" in observation.sentence
        document = json.loads(json.dumps(observation.as_json(), allow_nan=False))
        assert document["holds"] is True
        assert document["classes"]["low"] < document["classes"]["exponent"] < document["classes"]["high"]
