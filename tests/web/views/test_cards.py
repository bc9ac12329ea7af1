"""The cards say what the rates are: in whole people, in the study's words, with gaps and differences."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.web.studies import study_of

from evenhand.rates import GroupRates
from evenhand.rates.rounding import whole_people
from evenhand.study.demo.demo import demo_study
from evenhand.study.study import Study
from evenhand.web.views.cards import Number, outcomes


def _rates(study: Study, seed: int) -> GroupRates:
    rng = np.random.default_rng(seed)
    m, k = len(study.setting.groups), len(study.setting.classes)
    matrix = rng.dirichlet(np.ones(k), size=(m, k))
    rates = GroupRates(setting=study.setting, matrix=matrix)
    return GroupRates.from_vector(study.setting, whole_people(rates.vector, 100))


def test_the_sentence_is_in_the_words_of_the_study() -> None:
    study = demo_study()
    a = GroupRates.from_vector(study.setting, [[0.07, 0.12], [0.3, 0.4]])
    b = GroupRates.from_vector(study.setting, [[0.07, 0.01], [0.3, 0.4]])
    stable, worse = outcomes(study, {"A": a, "B": b})
    row = worse.rows[0]
    of_a, of_b = (cell.numbers[0] for cell in row.cells)
    assert f"of 100 {row.who}, {of_a.people} {of_a.words}" == (
        "of 100 people under 50 who will get much worse, 12 are missed"
    )
    assert f"{of_b.people} {of_b.words}" == "1 is missed"
    assert (of_a.more, of_a.than, of_b.more) == (11, "B", -11)
    assert stable.population == ("154 of the 214 people under 50", "134 of the 228 people 50 and over")


@pytest.mark.parametrize(("groups", "classes"), [(2, 2), (3, 3), (5, 4)])
@settings(max_examples=20)
@given(seeds=st.tuples(st.integers(0, 1000), st.integers(0, 1000)))
def test_numbers_figures_gaps_and_differences_agree_with_the_rates(
    groups: int, classes: int, seeds: tuple[int, int]
) -> None:
    study = study_of(groups, classes)
    models = {"A": _rates(study, seeds[0]), "B": _rates(study, seeds[1])}
    for i, outcome in enumerate(outcomes(study, models)):
        others = [j for j in range(classes) if j != i]
        for at, rates in enumerate(models.values()):
            people = np.rint(100 * rates.matrix[:, i][:, others])
            shown = [[number.people for number in row.cells[at].numbers] for row in outcome.rows]
            assert shown == people.tolist()
            gaps = [row.gaps[at] for row in outcome.gaps]
            assert [gap.number.people for gap in gaps] == np.ptp(people, axis=0).tolist()
            for gap, counts in zip(gaps, people.T, strict=True):
                words = [study.words.groups[group] for group in study.setting.groups]
                assert counts[words.index(gap.most)] - counts[words.index(gap.least)] == gap.number.people
        for shown_row in (*(row.cells for row in outcome.rows),):
            for one, other in zip(shown_row[0].numbers, shown_row[1].numbers, strict=True):
                assert one.more == -other.more == one.people - other.people


def test_one_model_alone_is_not_compared() -> None:
    study = demo_study()
    (cell,) = outcomes(study, {"it": _rates(study, 0)})[0].rows[0].cells
    assert cell.numbers[0].more == 0


def test_groups_that_round_to_the_same_number_are_not_called_alike() -> None:
    study = demo_study()
    near = GroupRates.from_vector(study.setting, [[0.062, 0.004], [0.056, 0.0]])
    stable, worse = outcomes(study, {"it": near})
    assert [row.cells[0].numbers[0].text for row in (*stable.rows, *worse.rows)] == ["6", "6", "<1", "0"]
    for outcome in (stable, worse):
        (gap,) = outcome.gaps[0].gaps
        assert (gap.number.text, gap.most) == ("<1", study.words.groups["under 50"])


@pytest.mark.parametrize(
    ("people", "mistake", "words"),
    [(1, "are missed", "is missed"), (2, "are missed", "are missed"), (1, "get no loan", "get no loan")],
)
def test_one_person_is_said_in_the_singular_where_that_is_plain(people: int, mistake: str, words: str) -> None:
    assert Number("mistake-0", people, float(people), mistake).words == words
