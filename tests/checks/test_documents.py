"""A format writes every field, reads back what any version wrote, and drops nothing in silence."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenhand import EvenhandError
from evenhand.checks.documents import Format, checked_fields, checked_time
from evenhand.elicitation.codec import FINDING_FORMAT
from evenhand.elicitation.elicited_document import ELICITED_FORMAT
from evenhand.metric.fair_metric import METRIC_FORMAT
from evenhand.oracles.ab_test import AB_TESTS_FORMAT
from evenhand.region.classifier import CLASSIFIER_FORMAT
from evenhand.study.exchange import EXPORT_FORMAT
from evenhand.study.log.header import INTERVIEW_FORMAT
from evenhand.study.question_codec import QUESTION_FORMAT
from evenhand.study.result_file import RESULT_FORMAT
from evenhand.study.study import STUDY_FORMAT

POINT = Format(name="example.point", what="point", fields=("x", "y"))
LATER = Format(
    name="example.point",
    what="point",
    fields=("place", "unit"),
    version=3,
    upgrades={
        1: lambda old: {"place": [old.pop("x"), old.pop("y")]} | old,
        2: lambda old: old | {"unit": "m"},
    },
)

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=8,
)


@given(json_values, json_values)
def test_whatever_json_can_hold_comes_back(x: Any, y: Any) -> None:
    assert POINT.from_json(POINT.to_json(x=x, y=y)) == {"x": x, "y": y}
    assert POINT.read(POINT.write(x=x, y=y)) == {"x": x, "y": y}


@given(json_values, json_values)
def test_what_an_earlier_version_wrote_becomes_what_the_newest_reads(x: Any, y: Any) -> None:
    assert LATER.read(POINT.write(x=x, y=y)) == {"place": [x, y], "unit": "m"}
    assert LATER.read({"format": "example.point", "version": 2, "place": [x, y]}) == {"place": [x, y], "unit": "m"}
    assert LATER.read(LATER.write(place=[x, y], unit="km")) == {"place": [x, y], "unit": "km"}


@pytest.mark.parametrize(
    ("document", "words"),
    [
        ([], 'not a point: its "format" is not "example.point"'),
        ({"format": "example.line", "version": 1}, "not a point"),
        ({"format": "example.point"}, "version None, but this evenhand reads versions 1 to 3: use a newer"),
        ({"format": "example.point", "version": 4}, "version 4"),
        ({"format": "example.point", "version": 0}, "version 0"),
        ({"format": "example.point", "version": True}, "version True"),
        ({"format": "example.point", "version": 3, "place": []}, "this point lacks 'unit'"),
        ({"format": "example.point", "version": 3, "place": [], "unit": "", "z": 1}, "should not have: 'z'"),
        ({"format": "example.point", "version": 1, "x": 1, "y": 1, "z": 1}, "should not have: 'z'"),
        ({"format": "example.point", "version": 1, "x": 1}, "of version 1 is not complete: KeyError"),
    ],
    ids=range(10),
)
def test_any_other_document_is_refused_and_nothing_is_dropped(document: object, words: str) -> None:
    with pytest.raises(EvenhandError, match=words):
        LATER.read(document)


@pytest.mark.parametrize("fields", [{"x": 1}, {"x": 1, "y": 2, "z": 3}, {}])
def test_a_document_is_not_written_with_a_field_too_few_or_too_many(fields: dict[str, int]) -> None:
    with pytest.raises(TypeError, match=r"example\.point has the fields 'x', 'y'"):
        POINT.write(**fields)


def test_a_format_knows_how_each_earlier_version_becomes_the_next() -> None:
    with pytest.raises(TypeError, match="each version before 2"):
        Format(name="example.point", what="point", fields=("x",), version=2)


@pytest.mark.parametrize(
    "text", ["", "{", '{"x": NaN}', '{"x": 1, "x": 2}', "[" * 100, None, b"\xff"], ids=lambda text: str(text)[:10]
)
def test_text_that_is_not_json_is_refused(text: Any) -> None:
    with pytest.raises(EvenhandError, match="this is not a point, nor any JSON document"):
        POINT.from_json(text)


def test_every_format_is_at_version_1_and_has_a_name_of_its_own() -> None:
    formats = (
        METRIC_FORMAT,
        CLASSIFIER_FORMAT,
        AB_TESTS_FORMAT,
        STUDY_FORMAT,
        INTERVIEW_FORMAT,
        QUESTION_FORMAT,
        FINDING_FORMAT,
        ELICITED_FORMAT,
        EXPORT_FORMAT,
        RESULT_FORMAT,
    )
    assert {one.version for one in formats} == {1}
    assert len({one.name for one in formats}) == len(formats)
    assert all(one.name.startswith("evenhand.") for one in formats)


def test_the_fields_of_a_part_are_checked_like_those_of_a_document() -> None:
    assert checked_fields({"b": 1, "a": 2}, "this part", ("a", "b")) == {"a": 2, "b": 1}
    for value, words in (([], "must be a JSON object"), ({"a": 1}, "lacks 'b'"), ({"a": 1, "b": 1, "c": 1}, "'c'")):
        with pytest.raises(EvenhandError, match=words):
            checked_fields(value, "this part", ("a", "b"))


@pytest.mark.parametrize("value", ["yesterday", None, 5, ["2025"], json.dumps("2025-01-01")])
def test_a_time_is_one_in_iso_8601(value: object) -> None:
    assert checked_time("2025-01-01T09:30:00.000+00:00") == "2025-01-01T09:30:00.000+00:00"
    with pytest.raises(EvenhandError, match="ISO 8601"):
        checked_time(value)
