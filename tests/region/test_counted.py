"""A region of people who are counted in cells: nobody's row, and nothing within reach that is not."""

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tests.region.made_up import people, region, unit
from tests.support import quick

from evenhand import EvenhandError, FairMetric, FeasibleRegion, SimulatedOracle, elicit
from evenhand.elicitation.methods import make
from evenhand.study.log.header import Header
from evenhand.study.methods import method_document, read_method
from evenhand.study.study import Study


@pytest.mark.parametrize(("classes", "least"), [(2, 0.998), (3, 0.99), (4, 0.95)])
def test_what_cells_can_reach_the_people_can_and_little_is_lost(classes: int, least: float) -> None:
    whole = region(classes, 2, 3000)
    cells = whole.counted()
    assert least * whole.sphere().radius <= cells.sphere().radius <= whole.sphere().radius + 1e-4
    directions = unit(np.random.default_rng(0), 40, classes**2 - classes)
    for profile in cells.support(directions):
        assert (whole.contains(profile).distance < 1e-5).all()


def test_every_cell_holds_ten_people_and_all_are_counted() -> None:
    chances, y, group = people(3, 2, 1000, 0)
    cells = FeasibleRegion.from_scores(chances, y, sensitive_features=group).counted()
    for one in cells.groups:
        assert one.weight.min() >= 10
        assert one.weight.sum() == 500
        assert len(one.weight) <= 50
    assert cells.counted() is cells


def test_people_with_the_same_scores_are_never_parted() -> None:
    chances = np.repeat([[0.2, 0.8], [0.7, 0.3], [0.4, 0.6]], [500, 30, 4], axis=0)
    (group,) = FeasibleRegion.from_scores(chances, sensitive_features=np.zeros(534, int)).counted().groups
    assert sorted(group.weight) == [34, 500]


@pytest.mark.parametrize("classes", [2, 3])
def test_a_region_survives_json(classes: int) -> None:
    chances, y, group = people(classes, 2, 600, 1)
    cells = FeasibleRegion.from_scores(chances, y, sensitive_features=group).counted()
    again = FeasibleRegion.from_json(cells.to_json())
    assert again.to_json() == cells.to_json()
    assert again.sphere().radius == cells.sphere().radius
    assert again.calibration == cells.calibration
    assert again.setting == cells.setting
    with pytest.raises(EvenhandError, match=r"a row for each person, which is not kept: take region\.counted\(\)"):
        FeasibleRegion.from_scores(chances, y, sensitive_features=group).to_document()


CALIBRATED = {"group": 0, "people": 9, "error": 0.1, "by_chance": 0.1, "spread": 0.1, "how": "logistic"}


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"cells": [[[10, 0.5, 0.5]]]}, "a list for each of the 2 groups"),
        ({"cells": [[[10, 0.5, 0.5]], [[10, 0.5, 0.6]]]}, "probabilities lie between 0 and 1 and sum to 1"),
        ({"cells": [[[10, 0.5, 0.5]], [[-1, 0.5, 0.5]]]}, "positive, finite numbers of people"),
        ({"cells": [[[10, 0.5, 0.5]], [[10, 0.5]]]}, "must each have a number of people and 2 class probabilities"),
        ({"cells": [[[10, 0.5, 0.5]], [[10, 1.0, 0.0]]]}, "nobody of some class"),
        ({"calibration": [{"group": 0}]}, "lacks"),
        ({"calibration": [CALIBRATED]}, "calibration is of the groups 0, but the region has 0, 1: was the file edited"),
        ({"calibration": [CALIBRATED, CALIBRATED]}, "calibration is of the groups 0, 0, but the region has 0, 1"),
        ({"version": 9}, "version 9"),
    ],
)
def test_a_document_that_is_no_region_is_refused(wrong: dict[str, Any], message: str) -> None:
    document = json.loads(region(2, 2).to_json()) | wrong
    with pytest.raises(EvenhandError, match=message):
        FeasibleRegion.from_json(json.dumps(document))


@pytest.mark.parametrize("name", ["adaptive", "paper", "bisection", "least-squares"])
def test_a_method_keeps_the_region_that_it_asks_from(name: str) -> None:
    cells = region(2, 2).counted()
    method = make(name, cells.setting, {"region": cells})
    document = json.loads(json.dumps(method_document(method)))
    again = read_method(document, cells.setting)
    assert method_document(again) == document
    header = Header(method=method, seed=3)
    assert Header.from_document(json.loads(json.dumps(header.to_document()))).to_document() == header.to_document()
    with pytest.raises(EvenhandError, match=r"take region\.counted\(\)"):
        Header(method=make(name, cells.setting, {"region": region(2, 2)}))


def test_a_region_with_rows_asks_an_oracle_that_knows_its_error() -> None:
    rows = region(2, 2)
    person = SimulatedOracle(FairMetric.random(rows.setting, random_state=0))
    person.error = 0.0  # type: ignore[attr-defined]
    assert elicit(person, rows.setting, region=rows, stop="budget", max_questions=2, random_state=0).questions == 2


def test_the_same_region_read_back_asks_the_same_questions() -> None:
    cells = region(2, 2).counted()
    again = FeasibleRegion.from_json(cells.to_json())
    person = SimulatedOracle(FairMetric.random(cells.setting, random_state=0))
    options: dict[str, Any] = {"stop": "budget", "max_questions": 6, "random_state": 0}
    one, other = (elicit(person, cells.setting, region=each, **options) for each in (cells, again))
    for (question, _), (same, _) in zip(one.history, other.history, strict=True):
        assert np.array_equal(question.first, same.first)
        assert np.array_equal(question.second, same.second)


def test_a_study_keeps_counts_and_not_rows() -> None:
    plain = quick.study()
    setting = plain.setting
    chances, _, group = people(len(setting.classes), len(setting.groups), 600, 1)
    rows = replace(FeasibleRegion.from_scores(chances, sensitive_features=group), setting=setting)
    parts = {name: getattr(plain, name) for name in ("slug", "title", "introduction", "candidates", "words")}
    study = Study(**parts, setting=setting, population=plain.population, options={"region": rows})
    assert study.method.region.in_cells  # type: ignore[attr-defined]
    assert Study.from_json(study.to_json()).to_json() == study.to_json()
    assert len(study.to_json()) < len(plain.to_json()) + 5000
