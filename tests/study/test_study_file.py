"""A study's file holds all of the study, and tells all its mistakes at once, each with its line."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.quick import SETTING, study

from evenhand import EvenhandError, GroupRates, Setting
from evenhand.study.demo.demo import demo_study
from evenhand.study.study import Study
from evenhand.study.study_file import StudyFileError, parse_study_file, read_words_file
from evenhand.wording.phrases import Phrases

DEMO = demo_study()
TEXT = DEMO.to_toml()


def read(text: str) -> Study:
    return parse_study_file(text.encode(), "study.toml")


def mistakes_of(text: str) -> list[str]:
    with pytest.raises(StudyFileError) as raised:
        read(text)
    return [str(mistake) for mistake in raised.value.mistakes]


def line_of(text: str, part: str) -> int:
    return text[: text.index(part)].count("\n") + 1


@st.composite
def studies(draw: st.DrawFn) -> Study:
    k, m = draw(st.integers(2, 4)), draw(st.integers(2, 4))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    phrase = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=20)
    names = st.lists(phrase, min_size=4, max_size=4, unique=True)
    classes: list[Any] = draw(st.sampled_from([list(range(k)), [0.5, 1.5, 2.5, 3.5][:k], draw(names)[:k]]))
    counts = rng.integers(1, 500, size=(draw(st.integers(2, 4)), m, k, k)).astype(float)
    weighted = draw(st.booleans())
    if weighted:
        counts *= rng.uniform(0.5, 2.0)
    people = counts[0].sum(axis=-1)
    setting = Setting(classes, draw(names)[:m], people / people.sum(axis=0))
    words = Phrases(
        groups={group: draw(phrase) for group in setting.groups},
        classes={name: draw(phrase) for name in setting.classes},
        mistakes={mistake: draw(phrase) for mistake in setting.mistakes},
    )
    sizes = people * 0.7 if weighted else None
    candidates = {}
    for place, each in enumerate(counts):
        own = each.sum(axis=-1)
        candidates[f"{draw(phrase)} {place}"] = GroupRates(
            setting=setting if place == 0 else Setting(setting.classes, setting.groups, own / own.sum(axis=0)),
            matrix=each / own[..., None],
            counts=each,
            sizes=own if sizes is None else sizes,
        )
    lines = st.lists(st.one_of(phrase, st.sampled_from(["", 'said "', '"""', "\\", "\ta\\n"])), min_size=1, max_size=5)
    return Study(
        slug="one",
        title=draw(phrase),
        introduction=" ".join([draw(phrase), "\n".join(draw(lines)), draw(phrase)]),
        consent=" ".join([draw(phrase), "\n".join(draw(lines)), draw(phrase)]),
        setting=setting,
        candidates=candidates,
        words=words,
        population=people * draw(st.sampled_from([1.0, 2.0])),
        options={
            "stop": draw(st.sampled_from(["best", "ranking", "budget"])),
            "confidence": draw(st.floats(0.5, 0.99)),
            "max_questions": draw(st.integers(1, 100)),
        },
        names_kept=draw(st.booleans()),
    )


@given(studies())
def test_a_study_survives_its_file_exactly(one: Study) -> None:
    assert read(one.to_toml()).to_json() == one.to_json()


def test_names_are_kept_only_where_the_file_says_so() -> None:
    assert "\nnames_kept = false\n" in TEXT
    assert read(TEXT.replace("names_kept = false", "names_kept = true")).names_kept
    assert not read(TEXT.replace("names_kept = false\n", "")).names_kept


def test_the_file_shows_a_sentence_as_people_will_read_it() -> None:
    assert "# “Of 100 people under 50 who will stay stable, 12 are called in without need.”" in TEXT


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ('slug = "demo"', 'slug = "../demo"', "slug must be 1 to 40 small letters"),
        ('slug = "demo"', 'slug = "api"', "slug 'api' is taken by the web app itself"),
        ('title = "Who is called in for extra care?"', 'title = ""', "title is empty"),
        ('title = "Who is', 'title = "\\u202eWho is', "title contains"),
        ('stop = "best"', 'stop = "soon"', "stop must be one of"),
        ("max_questions = 15", "max_questions = -1", "max_questions must be a whole number"),
        ("max_questions = 15", "most = 15", "has no option 'most'"),
        ("names_kept = false", 'names_kept = "false"', "names_kept must be a bool"),
        ("names_kept = false", "names_kept = 1", "names_kept must be a bool"),
        ('name = "adaptive"', 'name = "guess"', "'guess'"),
        ('"under 50" = "people under 50"', '"under 50" = 50', "must be text"),
        ('"under 50" = "people under 50"', '"below 50" = "people"', "which is not one of"),
        ('"stays stable" = "who will', '"stays stable" = "\\u0000who will', "cannot be shown"),
        ('groups = ["under 50", "50 and over"]', 'groups = ["under 50"]', "groups"),
        ('classes = ["stays stable", "gets', 'classes = ["stays stable", 1, "gets', "classes"),
        ("[[133, 21], [27, 33]]", "[[133, -21], [27, 33]]", "no count may be negative"),
        ("[[133, 21], [27, 33]]", "[[133, 21], [0, 0]]", "each true class needs somebody"),
        ("[[133, 21], [27, 33]]", "[[133, 21], [27]]", "there must be a row for each true class"),
        ("[[133, 21], [27, 33]]", "[[133, 21], [27, true]]", "there must be a row for each true class"),
        ("[[133, 21], [27, 33]]", "[[133, 21], [27, nan]]", "there must be a row for each true class"),
        ('[models."Logistic regression"]', '[models."a\\nb"]', "which cannot be shown"),
        ("[data]", "[data]\ncolour = 1", "has no 'colour'"),
    ],
)
def test_a_mistake_is_told_with_its_line(before: str, after: str, told: str) -> None:
    assert before in TEXT
    text = TEXT.replace(before, after, 1)
    wrong = mistakes_of(text)
    assert any(told in mistake for mistake in wrong)
    inserted = after.splitlines()[-1] if before in after else after
    assert any(mistake.startswith(f"line {line_of(text, inserted)}: ") for mistake in wrong)


def test_all_mistakes_are_told_at_once_in_the_order_of_their_lines() -> None:
    text = (
        TEXT.replace('title = "Who', 'titel = "Who')
        .replace("max_questions = 15", "max_questions = 0")
        .replace('"50 and over" = "people 50 and over"', "")
        .replace("[[133, 21], [27, 33]]", "[[133], [27, 33]]")
    )
    lines = [int(mistake.split(":")[0].removeprefix("line ")) for mistake in mistakes_of(text) if "line" in mistake]
    assert lines == sorted(lines)
    assert {line_of(text, part) for part in ("titel", "max_questions = 0", "[words.groups]", "[[133]")} == set(lines)
    assert "the file lacks title" in mistakes_of(text)
    with pytest.raises(EvenhandError, match=r"study.toml has 5 mistakes:\n"):
        read(text)


def test_words_are_read_from_a_file_of_their_own_and_from_a_whole_study(tmp_path: Path) -> None:
    file = tmp_path / "words.toml"
    file.write_text(TEXT, encoding="utf-8")
    assert read_words_file(file, DEMO.setting) == DEMO.words
    start, end = TEXT.index("[words.groups]"), TEXT.index("[data]")
    file.write_text(TEXT[start:end], encoding="utf-8")
    assert read_words_file(file, DEMO.setting) == DEMO.words
    with pytest.raises(EvenhandError, match=r"words.toml has .* mistakes"):
        read_words_file(file, SETTING)


def test_a_study_whose_models_came_as_rates_has_no_file() -> None:
    with pytest.raises(EvenhandError, match="'model 1' came as rates only"):
        study().to_toml()


def test_a_study_with_several_prevalences_has_no_file() -> None:
    some = next(iter(DEMO.candidates.values()))
    other = replace(some, setting=Setting(DEMO.setting.classes, DEMO.setting.groups, np.full((2, 2), 0.5)))
    with pytest.raises(EvenhandError, match="cannot be written as a file"):
        replace(DEMO, candidates={"some": some, "other": other}).to_toml()


def test_the_file_in_the_documentation_is_a_study() -> None:
    page = (Path(__file__).parents[2] / "docs/own-study.md").read_text(encoding="utf-8")
    (file,) = re.findall(r"^```toml\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    assert list(read(file).candidates) == ["model_a", "model_b"]
