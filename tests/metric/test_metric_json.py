"""A metric comes back from its JSON document exactly, and from no other."""

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenhand import EvenhandError, FairMetric, Setting

METRIC = FairMetric.random(Setting(["yes", "no"], ["women", "men"], [[0.5, 0.4], [0.5, 0.6]]), 0)
labels = (
    st.lists(st.text(st.characters(exclude_categories=["Cs"])), min_size=2, max_size=3, unique=True)
    | st.lists(st.integers(-(2**63), 2**64 - 1), min_size=2, max_size=3, unique=True)
    | st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=2, max_size=3, unique=True)
    | st.just([False, True])
)


@given(labels, labels, st.integers(0, 2**32 - 1))
def test_the_round_trip_is_exact(classes: Any, groups: Any, seed: int) -> None:
    drawn = Setting.random(len(classes), len(groups), seed)
    metric = FairMetric.random(Setting(classes, groups, drawn.prevalence), seed)
    text = metric.to_json()
    again = FairMetric.from_json(text)
    assert again == metric
    assert [type(label) for label in again.setting.classes] == [type(label) for label in metric.setting.classes]
    assert again.to_json() == text
    assert FairMetric.from_json(json.dumps(json.loads(text), indent=2)) == metric


def test_the_document_says_what_it_is() -> None:
    document = json.loads(METRIC.to_json())
    assert document["format"] == "evenhand.metric"
    assert document["version"] == 1
    assert document["classes"] == ["yes", "no"]


def test_labels_of_numpy_are_written_as_plain_ones() -> None:
    setting = Setting(np.array([1, 2], np.int8), np.array([0.5, 0.25], np.longdouble), np.full((2, 2), 0.5))
    assert FairMetric.from_json(FairMetric.random(setting, 0).to_json()).setting == setting


def test_bytes_are_read_like_text() -> None:
    assert FairMetric.from_json(METRIC.to_json().encode()) == METRIC  # type: ignore[arg-type]


def changed(**fields: Any) -> str:
    return json.dumps({**json.loads(METRIC.to_json()), **fields})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not a metric, nor any JSON"),
        ("{", "not a metric, nor any JSON"),
        ("[" * 100_000, "not a metric, nor any JSON"),
        ("9" * 5000, "not a metric, nor any JSON"),
        (b"\xff\xfe\x00", "not a metric, nor any JSON"),
        (None, "not a metric, nor any JSON"),
        (5, "not a metric, nor any JSON"),
        ("[]", "not a metric"),
        ("null", "not a metric"),
        ('"evenhand.metric"', "not a metric"),
        ("{}", 'its "format" is not "evenhand.metric"'),
        (changed(format="other"), "not a metric"),
        (changed(format=["evenhand.metric"]), "not a metric"),
        (changed(version=2), "has version 2, but this evenhand reads version 1"),
        (changed(version=None), "has version None"),
        (changed(version="1"), "has version '1'"),
        (changed(version=True), "has version True"),
        (changed(version=1.0), "has version 1.0"),
        (changed(note="hello"), "should not have: 'note'"),
        (changed(classes=None), "classes must be"),
        (changed(classes=7), "classes must be"),
        (changed(classes="ab"), "classes must be"),
        (changed(classes={"a": 1, "b": 2}), "classes must be"),
        (changed(classes=["a", None]), r"classes is missing \(None\)"),
        (changed(classes=[["a"], ["b"]]), "classes must be"),
        (changed(classes=["a"]), "at least two classes"),
        (changed(classes=["a", "b", "c"]), "prevalence has shape"),
        (changed(groups=["a", "a"]), "groups names 'a' twice"),
        (changed(groups=["1", 1]), "groups mixes text and numbers"),
        (changed(prevalence=None), "prevalence has shape"),
        (changed(prevalence="half"), "prevalence must be numbers"),
        (changed(prevalence=[["0.5", "0.4"], ["0.5", "0.6"]]), "prevalence must be numbers"),
        (changed(prevalence={"a": 1}), "prevalence must be numbers"),
        (changed(misclassification=None), "misclassification has shape"),
        (changed(misclassification=[0.6, True]), "misclassification weights must be normalised"),
        (changed(misclassification=[[0.6], 0.8]), "misclassification must be numbers"),
        (changed(violation=[[0.6, None]]), "violation weight .* is nan"),
        (changed(violation=[[10**400, 1]]), "violation must be numbers"),
        (changed(trade_off=None), "trade_off must be"),
        (changed(trade_off="0.5"), "trade_off must be"),
        (changed(trade_off=True), "trade_off must be"),
        (changed(trade_off=float("nan")), "NaN is not a number that JSON knows"),
        (changed(violation=[[float("inf"), 1]]), "Infinity is not a number that JSON knows"),
        (changed(trade_off="TWICE").replace('"TWICE"', '0.5, "trade_off": 0.6'), "a field is given twice"),
        (changed(violation=[[1e-320, "X"]]).replace('"X"', "1e999"), "violation weight .* is inf"),
    ],
    ids=lambda value: str(value)[-40:],
)
def test_any_other_document_is_refused(text: Any, message: str) -> None:
    with pytest.raises(EvenhandError, match=message):
        FairMetric.from_json(text)


@pytest.mark.parametrize("field", json.loads(METRIC.to_json()))
def test_a_document_without_one_of_its_fields_is_refused(field: str) -> None:
    document = json.loads(METRIC.to_json())
    del document[field]
    with pytest.raises(EvenhandError, match=field):
        FairMetric.from_json(json.dumps(document))


def test_deeply_nested_fields_are_refused() -> None:
    for depth in (100, 500, 900, 5000):
        nested = "[" * depth + "]" * depth
        for field in ("classes", "prevalence", "violation", "trade_off"):
            with pytest.raises(EvenhandError):
                FairMetric.from_json(changed(**{field: "DEEP"}).replace('"DEEP"', nested))


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=8,
)


@given(st.sampled_from(list(json.loads(METRIC.to_json()))), json_values)
def test_whatever_stands_in_a_field_is_read_or_refused_in_words(field: str, value: Any) -> None:
    try:
        metric = FairMetric.from_json(changed(**{field: value}))
    except EvenhandError:
        return
    assert FairMetric.from_json(metric.to_json()) == metric
