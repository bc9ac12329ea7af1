"""A study is kept exactly, and one that could not be shown is refused in words."""

from __future__ import annotations

import copy
import json
import pickle
from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.quick import SETTING, WORDS, study

from evenhand import EvenhandError, GroupRates, Setting, group_rates
from evenhand.study.study import RESERVED, Study, digest_of
from evenhand.wording.phrases import Phrases

LOANS = study()


def arguments(one: Study) -> dict[str, Any]:
    return {field.name: getattr(one, field.name) for field in fields(Study)}


@st.composite
def studies(draw: st.DrawFn) -> Study:
    k, m = draw(st.integers(2, 4)), draw(st.integers(2, 5))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    people = rng.integers(1, 500, size=(m, k)).astype(float)
    numbered = draw(st.booleans())
    classes = list(range(k)) if numbered else [f"class {i}" for i in range(k)]
    setting = Setting(classes, [f"group {g}" for g in range(m)], people / people.sum(axis=0))
    phrase = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=20)
    words = Phrases(
        groups={group: draw(phrase) for group in setting.groups},
        classes={name: draw(phrase) for name in setting.classes},
        mistakes={mistake: draw(phrase) for mistake in setting.mistakes},
    )
    counts = rng.integers(1, 30, size=(draw(st.integers(2, 4)), m, k, k)).astype(float)
    other = Setting(setting.classes, setting.groups, np.full((m, k), 1 / m))
    candidates = {
        f"{draw(phrase)} {place}": GroupRates(
            setting=setting if place else other,
            matrix=each / each.sum(axis=-1, keepdims=True),
            counts=each if place else None,
            sizes=each.sum(axis=-1) if place else None,
        )
        for place, each in enumerate(counts)
    }
    return Study(
        slug="one",
        title=draw(phrase),
        introduction=draw(phrase),
        setting=setting,
        candidates=candidates,
        words=words,
        population=people,
        options={
            "stop": draw(st.sampled_from(["best", "ranking", "budget"])),
            "confidence": draw(st.floats(0.5, 0.99)),
            "max_questions": draw(st.integers(1, 100)),
        },
        names_kept=draw(st.booleans()),
    )


@given(studies())
def test_a_study_survives_json_exactly(one: Study) -> None:
    again = Study.from_json(one.to_json())
    assert again.to_json() == one.to_json()
    assert again.words == one.words
    assert again.setting == one.setting
    assert list(again.candidates.items()) == list(one.candidates.items())
    for mine, theirs in zip(one.candidates.values(), again.candidates.values(), strict=True):
        assert repr(mine.sizes) == repr(theirs.sizes)
        assert repr(mine.counts) == repr(theirs.counts)


def test_any_difference_makes_another_digest() -> None:
    others = (replace(LOANS, title="Loans"), replace(LOANS, options={"visible": 0.03}))
    assert len({digest_of(one.to_json()) for one in (LOANS, *others)}) == 3


def test_numbers_of_numpy_are_kept_as_plain_ones() -> None:
    numbers: dict[str, Any] = {"max_questions": np.int64(9), "visible": np.float32(0.25)}
    one = replace(LOANS, options=numbers)
    assert Study.from_json(one.to_json()).method.most_questions == 9


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"slug": "Loans"}, "small letters"),
        ({"slug": "../etc"}, "small letters"),
        ({"slug": "a" * 41}, "small letters"),
        ({"slug": "-a"}, "small letters"),
        ({"slug": 7}, "small letters"),
        *(({"slug": slug}, "taken by the web app") for slug in RESERVED),
        ({"title": " \n "}, "title is empty"),
        ({"title": "two\nlines"}, r"title contains '\\n'"),
        ({"title": "a\x00b"}, r"title contains '\\x00'"),
        ({"title": "half \ud800"}, "title contains"),
        ({"title": "turned \u202e around"}, "title contains"),
        ({"title": "x" * 201}, "the limit is 200"),
        ({"title": None}, "title must be text"),
        ({"introduction": ""}, "introduction is empty"),
        ({"names_kept": "no"}, "names_kept must be a bool"),
        ({"population": [[1, 2], [3, 4]]}, "do not agree"),
        ({"population": [[1, 2, 3], [3, 4, 5]]}, "population has shape"),
        ({"population": [[0, 25], [100, 75]]}, "positive"),
        ({"population": [[float("nan"), 25], [40, 75]]}, "positive"),
        ({"candidates": {"only": LOANS.candidates["model 1"]}}, "at least two"),
        ({"candidates": {"a": LOANS.candidates["model 1"], "a ": LOANS.candidates["model 2"]}}, "same name"),
        ({"candidates": {"a": 1, "b": 2}}, "must be GroupRates"),
        ({"candidates": {"\x1b[31m": LOANS.candidates["model 1"]}}, "name of a candidate contains"),
        ({"candidates": ["a", "b"]}, "must be a Mapping"),
        ({"candidates": {f"m{n}": LOANS.candidates["model 1"] for n in range(1001)}}, "1000 is the most"),
        ({"options": {"stop": "soon"}}, "stop must be one of"),
        ({"options": {"max_questions": 0}}, "at least 1"),
        ({"options": {"max_questions": 10_000}}, "nobody answers more"),
        ({"options": {"confidence": 1.5}}, "between 0 and 1"),
        ({"options": {"cycles": 2}}, "has no option 'cycles'"),
        ({"options": {"out_of": 50}}, "shown as people of 100, but out_of is 50"),
        ({"method_name": "guess"}, "method must be one of"),
        ({"options": None}, "options must be a Mapping"),
        (
            {"words": Phrases(groups={"women": "w"}, classes=WORDS.classes, mistakes=WORDS.mistakes)},
            "words.groups must",
        ),
        ({"words": {}}, "words must be a Phrases"),
        ({"setting": None}, "setting must be a Setting"),
        (
            {"setting": Setting(range(40), ["f", "m"], np.full((2, 40), 1 / 2))},
            "cannot compare models with 40 classes and 2 g",
        ),
        (
            {"setting": Setting([0, 1], range(80), np.full((80, 2), 1 / 80))},
            "cannot compare models with 2 classes and 80",
        ),
    ],
)
def test_a_study_that_makes_no_sense_is_refused_in_words(change: dict[str, Any], words: str) -> None:
    with pytest.raises(EvenhandError, match=words):
        Study(**(arguments(LOANS) | change))


def test_candidates_of_another_setting_are_refused() -> None:
    other = group_rates([0, 0, 1, 1], [0, 1, 1, 1], sensitive_features=list("abab"))
    with pytest.raises(EvenhandError, match="not measured in the setting's classes and groups"):
        replace(LOANS, candidates={"a": other, "b": other})


def test_a_name_that_cannot_be_shown_is_refused() -> None:
    setting = Setting(["repays", "de\x07faults"], SETTING.groups, SETTING.prevalence)
    words = Phrases(
        groups=WORDS.groups,
        classes=dict.fromkeys(setting.classes, "x"),
        mistakes=dict.fromkeys(setting.mistakes, "x"),
    )
    with pytest.raises(EvenhandError, match="name of a class or group contains"):
        replace(LOANS, setting=setting, words=words)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "[" * 100_000,
        "{}",
        '{"format": "evenhand.study"}',
        '{"format": "evenhand.study", "version": 2}',
        '{"format": "evenhand.study", "version": 1}',
        json.dumps(LOANS.to_document() | {"extra": 1}),
        json.dumps(LOANS.to_document() | {"setting": 3}),
        json.dumps(LOANS.to_document() | {"words": []}),
        json.dumps(LOANS.to_document() | {"words": LOANS.to_document()["words"] | {"groups": ["one"]}}),
        json.dumps(LOANS.to_document() | {"candidates": [1, 2]}),
        json.dumps(LOANS.to_document() | {"candidates": LOANS.to_document()["candidates"][:1] * 2}),
        json.dumps(LOANS.to_document() | {"population": "many"}),
    ],
    ids=range(14),
)
def test_a_document_that_is_no_study_is_refused_in_words(text: str) -> None:
    with pytest.raises(EvenhandError):
        Study.from_json(text)


def test_words_that_leave_out_a_group_make_no_sentences() -> None:
    with pytest.raises(EvenhandError, match=r"words.groups must have words for 'women', 'men', but has them for"):
        Phrases(groups={}, classes=WORDS.classes, mistakes=WORDS.mistakes).in_order(SETTING)


def test_a_study_and_its_words_can_be_copied_and_pickled() -> None:
    for again in (copy.deepcopy(LOANS), pickle.loads(pickle.dumps(LOANS))):  # noqa: S301  # our own
        assert again.to_json() == LOANS.to_json()
        assert again.words == WORDS
