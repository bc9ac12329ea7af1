"""`NotebookOracle`: the procedure runs in the object, and clicks are messages to it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from evenhand import EvenhandError, FairMetric, GroupRates, NotebookOracle, Phrases, SimulatedOracle, elicit, rank
from evenhand.notebook.page import style

CLASSES = ["repays", "defaults"]


def models() -> dict[str, GroupRates]:
    """Return three models that were measured on the same 400 people."""
    wrong = {"strict": (40, 5), "middle": (20, 20), "lax": (5, 40)}
    return {
        name: GroupRates.from_confusion_matrices(
            {"women": [[100 - i, i], [j, 100 - j]], "men": [[100 - i // 2, i // 2], [j, 100 - j]]}, classes=CLASSES
        )
        for name, (i, j) in wrong.items()
    }


def press(asked: NotebookOracle, what: str, n: int, **fields: Any) -> None:
    asked.pressed({"what": what, "n": n, **fields})


def page_of(asked: NotebookOracle) -> str:
    asked._repr_mimebundle_()
    return asked.page


def revision(asked: NotebookOracle) -> str:
    found = re.search(r'name="revision" value="(\d+)"', page_of(asked))
    assert found is not None
    return found[1]


def test_clicks_answer_undo_and_end_in_the_result() -> None:
    asked = NotebookOracle(models(), random_state=0, max_questions=3)
    assert "Question 1" in page_of(asked)
    assert "who are “repays”" in page_of(asked)
    press(asked, "answers", 1, choice="first", why="fewer refused", revision=revision(asked))
    press(asked, "answers", 2, choice="neither", why="", revision=revision(asked))
    assert "Question 3" in page_of(asked)
    press(asked, "undo", 2, revision=revision(asked))
    assert "Question 2" in page_of(asked)
    with pytest.raises(EvenhandError, match="1 answer so far, and about"):
        _ = asked.elicited
    assert asked.so_far.questions == 1
    for n in (2, 3):
        press(asked, "answers", n, choice="second", revision=revision(asked))
    assert 'class="page result"' in page_of(asked)
    assert asked.finished
    assert asked.elicited.questions == 3
    assert asked.elicited.choice is not None
    assert asked.elicited.choice.best in models()
    assert asked.elicited.best is None, "three answers decide nothing"
    press(asked, "undo", 3, revision=revision(asked))  # the result page has an undo, too
    assert "Question 3" in page_of(asked)


def test_a_click_on_a_page_that_is_out_of_date_changes_nothing_and_says_so() -> None:
    asked = NotebookOracle(models(), random_state=0)
    before = revision(asked)
    press(asked, "answers", 1, choice="first", revision=before)
    press(asked, "answers", 2, choice="first", revision=before)
    assert "This page is out of date" in asked.page
    assert asked.so_far.questions == 1
    press(asked, "answers", 2, choice="maybe", revision=revision(asked))
    assert asked.so_far.questions == 1


@pytest.mark.parametrize("junk", [{}, {"n": "1"}, {"n": 1}, {"n": 1, "revision": "x"}, {"n": 1, "revision": None}])
def test_a_message_that_is_no_answer_changes_nothing_and_says_so(junk: dict[str, Any]) -> None:
    asked = NotebookOracle(models(), random_state=0)
    page_of(asked)
    asked.pressed({"what": "answers", "choice": "first", **junk})
    assert "which is no answer" in asked.page
    assert "Question 1" in asked.page


def test_an_oracle_may_answer_what_is_left() -> None:
    mind = FairMetric.from_weights(models()["lax"].setting, misclassification=[1, 3], violation=[[1, 2]])
    person = SimulatedOracle(mind, random_state=0)
    asked = NotebookOracle(models(), random_state=4).answer_by(person)
    costs = {name: mind.cost(rates) for name, rates in models().items()}
    assert asked.elicited.best == min(costs, key=costs.__getitem__)
    assert "answers favour" in page_of(asked)
    assert asked.elicited is asked.elicited, "it is worked out once"
    assert asked.elicited.stopped_because == "best"
    chances = [row.place_probabilities for row in rank(asked.elicited, models())]
    assert all(places is not None for places in chances), "the sample is there"
    assert "all questions are answered" in repr(asked)


def test_the_same_seed_asks_the_same_questions() -> None:
    mind = FairMetric.random(models()["lax"].setting, random_state=1)
    asked = NotebookOracle(models(), random_state=7, max_questions=6, stop="budget").answer_by(SimulatedOracle(mind))
    again = NotebookOracle(models(), random_state=7, max_questions=6, stop="budget").answer_by(SimulatedOracle(mind))
    for (one, a), (other, b) in zip(asked.elicited.history, again.elicited.history, strict=True):
        assert a == b
        assert np.array_equal(one.first, other.first)


def test_words_come_from_a_file_or_an_object(tmp_path: Path) -> None:
    phrases = Phrases.plain(models()["lax"].setting)
    own = Phrases(
        groups=phrases.groups, classes=phrases.classes, mistakes=dict.fromkeys(phrases.mistakes, "are <hurt>")
    )
    page = page_of(NotebookOracle(models(), words=own, random_state=0))
    assert "are &lt;hurt&gt;" in page
    assert "<hurt>" not in page
    with pytest.raises(EvenhandError, match="cannot be read"):
        NotebookOracle(models(), words=tmp_path / "none.toml")
    with pytest.raises(EvenhandError, match="words must be a Phrases"):
        NotebookOracle(models(), words=3)  # type: ignore[arg-type]


def test_elicit_is_told_that_a_notebook_cannot_wait() -> None:
    asked = NotebookOracle(models(), random_state=0)
    with pytest.raises(EvenhandError, match=r"as the last line of a cell, and read \.elicited in a later one"):
        elicit(asked, candidates=models())


@pytest.mark.parametrize(
    ("candidates", "message"),
    [
        ({}, "candidates must map names to GroupRates"),
        ({"a": 1}, "candidates must map names to GroupRates"),
        ({"a": models()["lax"]}, "candidates must map at least two names"),
        (
            {name: GroupRates.from_vector(one.setting, one.vector) for name, one in models().items()},
            "'strict' came as rates only",
        ),
    ],
)
def test_what_cannot_be_asked_about_is_refused(candidates: Any, message: str) -> None:
    with pytest.raises(EvenhandError, match=message):
        NotebookOracle(candidates)


def test_a_random_state_that_is_none_is_refused() -> None:
    with pytest.raises(EvenhandError, match="random_state must be a non-negative whole number"):
        NotebookOracle(models(), random_state=-1)


def test_the_style_sheet_is_made_for_a_cell() -> None:
    """It says nothing of the page around the cell: the theme of the notebook counts, and the width of the cell."""
    sheet = style()
    assert ":host(.dark) {\n" in sheet
    assert "--ink" in sheet.split(":host(.dark) {")[1].split("}")[0]
    assert "@container (max-width: 760px)" in sheet
    for around in (":root", "@media (max-width", "prefers-color-scheme", "\nbody {"):
        assert around not in sheet


def test_it_is_shown_live_and_as_it_stands_where_there_are_no_widgets() -> None:
    asked = NotebookOracle(models(), random_state=0)
    shown = asked._repr_mimebundle_()
    data = shown[0] if isinstance(shown, tuple) else shown
    assert "application/vnd.jupyter.widget-view+json" in data
    assert 'shadowrootmode="open"' in data["text/html"]
    assert data["text/plain"].startswith("NotebookOracle(3 models, 0 answers")
