"""The chain shows whatever is done to a log after it was written."""

from __future__ import annotations

import hashlib
from dataclasses import fields, replace

from hypothesis import given
from hypothesis import strategies as st

from evenhand.study.log.chain import NOTHING, End, Head, breaks
from evenhand.study.log.events import HASHED, KINDS, Event

rows = st.lists(
    st.builds(
        Event,
        study=st.sampled_from(["loans", "jobs"]),
        kind=st.sampled_from(KINDS),
        interview=st.none() | st.sampled_from(["a", "b"]),
        n=st.none() | st.integers(1, 9),
        choice=st.none() | st.sampled_from(["first", "second"]),
        why=st.none() | st.text(max_size=5),
        detail=st.text(max_size=5),
        time=st.just("2025-01-01T00:00:00.000+00:00"),
    ),
    min_size=1,
    max_size=8,
)
Chained = list[tuple[Head, Event]]


def written(of: list[Event]) -> Chained:
    head, log = NOTHING, []
    for row in of:
        head = head.next(row)
        log.append((head, row))
    return log


def found(log: Chained, head: Head) -> list[str]:
    return list(breaks(log, End(head, log[-1][0].place if log else 0)))


@given(rows)
def test_a_log_that_nobody_touched_is_whole(of: list[Event]) -> None:
    log = written(of)
    assert not found(log, log[-1][0])


@given(rows, st.data())
def test_an_edit_of_any_field_is_seen_at_its_row(of: list[Event], data: st.DataObject) -> None:
    log = written(of)
    place = data.draw(st.integers(0, len(log) - 1))
    head, row = log[place]
    field = data.draw(st.sampled_from(["study", "kind", "interview", "n", "choice", "why", "detail", "time"]))
    changed: dict[str, object] = {field: 10 if field == "n" else "edited"}
    edited = [*log[:place], (head, replace(row, **changed)), *log[place + 1 :]]  # type: ignore[arg-type]
    assert f"row {place + 1} of the log" in found(edited, log[-1][0])[0]


@given(rows, st.data())
def test_a_deletion_anywhere_is_seen(of: list[Event], data: st.DataObject) -> None:
    log = written(of)
    place = data.draw(st.integers(0, len(log) - 1))
    assert found(log[:place] + log[place + 1 :], log[-1][0])


@given(rows, rows, st.data())
def test_rows_put_in_between_with_hashes_of_their_own_are_seen(
    of: list[Event], more: list[Event], data: st.DataObject
) -> None:
    log = written(of)
    place = data.draw(st.integers(0, len(log)))
    head = log[place - 1][0] if place else NOTHING
    added = []
    for row in more:
        head = head.next(row)
        added.append((head, row))
    assert found(log[:place] + added + log[place:], log[-1][0])


def test_text_moved_from_one_field_to_the_next_is_another_row() -> None:
    one = Event(study="a", kind="answered", choice="bc", why="d", detail="", time="")
    other = replace(one, choice="b", why="cd")
    assert NOTHING.next(one) != NOTHING.next(other)
    assert NOTHING.next(replace(one, why=None)) != NOTHING.next(replace(one, why="null"))


def test_the_hash_of_a_row_is_the_same_for_good() -> None:
    row = Event(
        study="loans",
        kind="answered",
        interview="ab" * 32,
        n=3,
        choice="neither",
        why="Ψ",
        detail='{"part": ""}',
        time="2025-01-01T00:00:00.000+00:00",
    )
    text = (
        f'["{"0" * 64}", 1, "loans", "answered", "{"ab" * 32}", 3, "neither", "\\u03a8", "{{\\"part\\": \\"\\"}}", '
        '"2025-01-01T00:00:00.000+00:00"]'
    )
    assert NOTHING.next(row).hash == hashlib.sha256(text.encode()).hexdigest()


def test_every_field_of_a_row_is_hashed() -> None:
    assert sorted(HASHED) == sorted(field.name for field in fields(Event))
