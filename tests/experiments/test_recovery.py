"""The recovery experiment measures what it says: Algorithm 1, on metrics that depend on the seed and the cell alone."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from evenhand.elicitation import fair_performance, interview
from evenhand.errors import EvenhandError
from evenhand.experiments import GridCell, Noise, recover
from evenhand.experiments.cell import BLOCK, FORMS, CellErrors, measure
from evenhand.oracles import SimulatedOracle


def outcome_of(cell: GridCell, method: str = "paper") -> CellErrors:
    return CellErrors.joined(measure(lambda _: None, block, [method])[method] for block in cell.blocks())


@pytest.mark.parametrize(
    ("classes", "groups", "questions"),
    [(2, 2, 574), (2, 3, 1286), (2, 4, 2354), (2, 5, 3778), (3, 2, 2698), (3, 3, 6242)],
)
def test_both_methods_ask_the_papers_number_of_questions(classes: int, groups: int, questions: int) -> None:
    recovery = recover(classes=[classes], groups=[groups], oracles=2)
    assert {row.method: row.questions for row in recovery.rows} == {"paper": questions, "least-squares": questions}


@pytest.mark.parametrize("method", FORMS)
def test_answers_shared_by_the_methods_give_what_algorithm_1_finds_on_its_own(method: str) -> None:
    cell = GridCell(classes=3, groups=3, oracles=4, tolerance=0.05, seed=5)
    hidden = cell.blocks()[0].hidden_metrics()
    oracle = SimulatedOracle(hidden)
    found = interview(
        fair_performance(hidden.tau, cell.sphere, tolerance=0.05, form=FORMS[method]),
        oracle,
    )
    outcome = outcome_of(cell, method)
    assert outcome.questions == oracle.questions
    alone = hidden.weights.distance(found.weights)
    np.testing.assert_allclose(outcome.errors, alone, rtol=1e-9)


def test_all_methods_meet_the_same_metrics_and_hear_the_same_answers() -> None:
    paper, least_squares = recover(classes=[3], groups=[2], oracles=5, noise=Noise(flip=0.02)).rows
    np.testing.assert_array_equal(paper.errors[0], least_squares.errors[0])
    assert (paper.errors[1] != least_squares.errors[1]).any()


def test_a_method_gives_the_same_whether_or_not_another_is_measured_beside_it() -> None:
    noise = Noise(band=1e-3, flip=0.01)
    for row in recover(classes=[2], groups=[3], oracles=5, noise=noise).rows:
        alone = recover(classes=[2], groups=[3], oracles=5, noise=noise, methods=[row.method]).rows[0]
        np.testing.assert_array_equal(row.errors, alone.errors)


def test_a_cell_does_not_depend_on_the_other_cells() -> None:
    options: dict[str, Any] = {"oracles": 3, "methods": ["paper"], "seed": 7, "tolerance": 0.05}
    grid = {(row.classes, row.groups): row for row in recover(classes=[2, 3], groups=[3, 2], **options).rows}
    assert list(grid) == [(2, 3), (2, 2), (3, 3), (3, 2)]
    alone = recover(classes=[2], groups=[3], **options).rows[0]
    np.testing.assert_array_equal(grid[2, 3].errors, alone.errors)


def test_more_oracles_come_after_the_first_ones() -> None:
    few = outcome_of(GridCell(classes=2, groups=2, oracles=BLOCK))
    more = outcome_of(GridCell(classes=2, groups=2, oracles=BLOCK + 3))
    assert more.errors.shape == (3, BLOCK + 3)
    np.testing.assert_array_equal(more.errors[:, :BLOCK], few.errors)
    assert (more.errors[:, BLOCK:] != few.errors[:, :3]).all()


def test_another_seed_draws_other_oracles() -> None:
    one, other = (outcome_of(GridCell(classes=2, groups=2, oracles=3, seed=seed)) for seed in (0, 1))
    assert (one.errors != other.errors).all()


@pytest.mark.parametrize(("classes", "groups"), [(2, 4), (3, 2)])
def test_median_errors_are_as_small_as_promised(classes: int, groups: int) -> None:
    paper, least_squares = recover(classes=[classes], groups=[groups]).rows
    for row, largest_in_B in ((paper, 0.005), (least_squares, 0.002)):
        medians = {part: summary.median for part, summary in row.summaries.items()}
        assert medians["misclassification"] <= 0.0005
        assert medians["violation"] <= largest_in_B
        assert medians["trade_off"] <= 0.002


def test_least_squares_halves_the_error_in_b_beyond_two_classes() -> None:
    paper, least_squares = recover(classes=[3], groups=[2]).rows
    assert least_squares.summaries["violation"].median < 0.7 * paper.summaries["violation"].median
    assert least_squares.summaries["violation"].mean < 0.5 * paper.summaries["violation"].mean


def test_wrong_answers_ruin_the_papers_search() -> None:
    exact, noisy = (
        recover(classes=[2], groups=[2], oracles=50, methods=["paper"], noise=Noise(flip=flip)).rows[0]
        for flip in (0.0, 0.1)
    )
    assert noisy.summaries["misclassification"].median > 100 * exact.summaries["misclassification"].median


def test_the_papers_radius_changes_nothing_but_the_meaning_of_the_questions() -> None:
    options: dict[str, Any] = {"classes": [4], "groups": [2], "oracles": 3, "tolerance": 0.05, "methods": ["paper"]}
    rates, vectors = recover(**options), recover(radius=0.2, **options)
    np.testing.assert_allclose(rates.rows[0].errors, vectors.rows[0].errors, atol=1e-9)
    assert rates.rows[0].questions == vectors.rows[0].questions
    assert rates.notes == ()
    (note,) = vectors.notes
    assert "k = 4" in note
    assert "not rates" in note


def test_with_three_classes_the_papers_radius_holds_only_rates() -> None:
    assert recover(classes=[2, 3], groups=[2], oracles=1, tolerance=0.1, radius=0.2).notes == ()


def test_the_largest_radius_is_where_gaps_to_a_trivial_classifier_would_change_sign() -> None:
    assert not GridCell(classes=5, groups=2, radius=1 / 5).asks_about_rates
    with pytest.raises(EvenhandError, match="no longer linear"):
        GridCell(classes=5, groups=2, radius=0.201)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"classes": [1]}, "classes must be a whole number of at least 2"),
        ({"groups": [2, 1]}, "groups must be a whole number of at least 2"),
        ({"oracles": 0}, "oracles must be a whole number of at least 1"),
        ({"oracles": True}, "oracles must be"),
        ({"seed": -1}, "seed must be a whole number of at least 0"),
        ({"tolerance": 0.0}, "tolerance"),
        ({"tolerance": float("nan")}, "tolerance"),
        ({"radius": float("nan")}, "radius"),
        ({"radius": -0.1}, "radius"),
        ({"methods": ["guess"]}, "'paper', 'least-squares', 'bisection', but received 'guess'"),
        ({"methods": []}, "nothing to measure"),
        ({"classes": []}, "nothing to measure"),
        ({"jobs": 0}, "jobs must be"),
    ],
)
def test_what_cannot_be_measured_is_refused_by_name(options: dict[str, Any], message: str) -> None:
    with pytest.raises(EvenhandError, match=message):
        recover(**({"classes": [2], "groups": [2]} | options))


@pytest.mark.parametrize(
    "noise",
    [{"band": -1.0}, {"band": float("inf")}, {"flip": 1.5}, {"temperature": 0.0}, {"temperature": float("nan")}],
)
def test_noise_that_makes_no_sense_is_refused(noise: dict[str, float]) -> None:
    with pytest.raises(EvenhandError, match=next(iter(noise))):
        Noise(**noise)  # type: ignore[arg-type]
