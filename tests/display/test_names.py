"""Whatever a label holds, its name can be printed, and no two names look alike."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenhand.checks.messages import listed, shown
from evenhand.display.names import shown_names

everything = st.characters(exclude_categories=[])  # surrogates included


@given(st.lists(st.text(everything) | st.integers() | st.floats(allow_nan=False), min_size=2, unique=True))
def test_names_are_printable_short_and_different(labels: list[str | int | float]) -> None:
    names = shown_names(labels)
    assert len({unicodedata.normalize("NFKC", name).casefold() for name in names}) == len(labels)
    for name in names:
        assert name.isprintable()
        assert 0 < len(name) <= 50
        name.encode("utf-8")


@given(
    st.lists(st.text(st.characters(categories=["Lu", "Ll"], max_codepoint=127), min_size=1, max_size=40), min_size=2)
)
def test_a_plain_name_is_shown_as_it_is(labels: list[str]) -> None:
    if len({label.casefold() for label in labels}) == len(labels):
        assert shown_names(labels) == tuple(labels)


@pytest.mark.parametrize("label", ["women\nmen", "\x1b[31mred\x1b[0m", "\u202eevil", "\x00", "\ud800", "a\tb", "\r"])
def test_a_name_cannot_steer_a_terminal(label: str) -> None:
    assert shown_names([label, "x"])[0] == label.encode("unicode_escape").decode("ascii")


@given(st.recursive(st.none() | st.integers() | st.text(everything), st.lists, max_leaves=50))
def test_what_a_message_shows_fits_on_a_line(value: object) -> None:
    text = shown(value)
    assert len(text) <= 80
    assert "\n" not in text
    assert "\x1b" not in text


def test_what_cannot_be_written_out_can_still_be_complained_about() -> None:
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    assert "too long" in shown(10**5000)
    assert "too long" in shown(deep)
    while deep:  # taken apart by hand, which Python would do by recursion
        deep = deep.pop()  # type: ignore[assignment]


def test_many_labels_are_not_all_listed() -> None:
    assert listed(list(range(1000))).endswith("18, 19, … (1000 in all)")
    assert listed(["a", 1]) == "'a', 1"
