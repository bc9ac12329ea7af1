"""The chain shows whatever is done to a log after it was written."""

from __future__ import annotations

import hashlib
import json
from dataclasses import fields, replace

from hypothesis import given
from hypothesis import strategies as st

from evenhand.study.log.chain import NOTHING, End, Head, Row, Stored, breaks, new_salt
from evenhand.study.log.events import CONTENT, KINDS, OUTLINE, WITHDRAWN, Event

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
Chained = list[Stored]


def written(of: list[Event], head: Head = NOTHING) -> Chained:
    log = []
    for event in of:
        salt = new_salt()
        row = Row.of(event, salt)
        head = head.next(row)
        log.append(Stored(head, row, event, salt))
    return log


def found(log: Chained, head: Head, withdrawn: set[str] | None = None) -> list[str]:
    return list(breaks(log, End(head, log[-1].head.place if log else 0), withdrawn or set()))


@given(rows)
def test_a_log_that_nobody_touched_is_whole(of: list[Event]) -> None:
    log = written(of)
    assert not found(log, log[-1].head)


@given(rows, st.data())
def test_an_edit_of_any_field_is_seen_at_its_row(of: list[Event], data: st.DataObject) -> None:
    log = written(of)
    place = data.draw(st.integers(0, len(log) - 1))
    stored = log[place]
    assert stored.event is not None
    field = data.draw(st.sampled_from([*OUTLINE, *CONTENT]))
    changed = replace(stored.event, **{field: 10 if field == "n" else "edited"})  # type: ignore[arg-type]
    outline = {name: getattr(changed, name) for name in OUTLINE}
    edited = replace(stored, event=changed, row=replace(stored.row, **outline))
    assert f"row {place + 1} of the log" in found([*log[:place], edited, *log[place + 1 :]], log[-1].head)[0]


@given(rows, st.data())
def test_another_digest_or_salt_is_seen_at_its_row(of: list[Event], data: st.DataObject) -> None:
    log = written(of)
    place = data.draw(st.integers(0, len(log) - 1))
    stored = log[place]
    assert stored.event is not None
    salt = new_salt()
    for edited in (replace(stored, salt=salt), replace(stored, salt=salt, row=Row.of(stored.event, salt))):
        assert f"row {place + 1} of the log" in found([*log[:place], edited, *log[place + 1 :]], log[-1].head)[0]


def erased(log: Chained, interview: str) -> Chained:
    return [
        replace(one, event=None, salt=None) if one.row.interview == interview and one.row.kind != WITHDRAWN else one
        for one in log
    ]


@given(rows, st.sampled_from(["a", "b"]))
def test_what_a_person_withdrew_can_be_erased_and_the_log_stays_whole(of: list[Event], interview: str) -> None:
    gone = Event(study="loans", kind=WITHDRAWN, interview=interview, detail="{}", time="")
    log = written([*of, gone])
    assert not found(erased(log, interview), log[-1].head, {interview})
    without = [one for one in erased(log, interview) if one.event is None]
    if without:
        assert f"content of row {without[0].head.place} of the log" in found(erased(log, interview), log[-1].head)[0]
    if any(one.row.interview == interview and one.row.kind != WITHDRAWN for one in log):
        assert "has content again" in found(log, log[-1].head, {interview})[0]


@given(rows, st.sampled_from(["a", "b"]), st.data())
def test_an_edit_of_the_others_is_seen_where_somebody_has_withdrawn(
    of: list[Event], interview: str, data: st.DataObject
) -> None:
    log = erased(
        written([*of, Event(study="loans", kind=WITHDRAWN, interview=interview, detail="{}", time="")]), interview
    )
    place = data.draw(st.sampled_from([place for place, one in enumerate(log) if one.event is not None]))
    assert log[place].event is not None
    edited = replace(log[place], event=replace(log[place].event, why="another reason"))  # type: ignore[type-var]
    said = found([*log[:place], edited, *log[place + 1 :]], log[-1].head, {interview})
    assert said == [f"row {place + 1} of the log ({log[place].row.kind}) was changed after it was written"]
    without = log[:place] + log[place + 1 :]
    assert found(without, log[-1].head, {interview})


def test_without_its_salt_a_digest_says_nothing_about_an_answer() -> None:
    event = Event(study="a", kind="answered", choice="first", detail="", time="")
    assert Row.of(event, new_salt()).content != Row.of(event, new_salt()).content
    assert len(new_salt()) == 64


@given(rows, st.data())
def test_a_deletion_anywhere_is_seen(of: list[Event], data: st.DataObject) -> None:
    log = written(of)
    place = data.draw(st.integers(0, len(log) - 1))
    assert found(log[:place] + log[place + 1 :], log[-1].head)


@given(rows, rows, st.data())
def test_rows_put_in_between_with_hashes_of_their_own_are_seen(
    of: list[Event], more: list[Event], data: st.DataObject
) -> None:
    log = written(of)
    place = data.draw(st.integers(0, len(log)))
    added = written(more, log[place - 1].head if place else NOTHING)
    assert found(log[:place] + added + log[place:], log[-1].head)


def test_text_moved_from_one_field_to_the_next_is_another_row() -> None:
    one = Event(study="a", kind="answered", choice="bc", why="d", detail="", time="")
    other = replace(one, choice="b", why="cd")
    assert Row.of(one, "") != Row.of(other, "")
    assert Row.of(replace(one, why=None), "") != Row.of(replace(one, why="null"), "")


def test_the_hash_of_a_row_is_the_same_for_good() -> None:
    event = Event(
        study="loans",
        kind="answered",
        interview="ab" * 32,
        n=3,
        choice="neither",
        why="Ψ",
        detail='{"part": ""}',
        time="2025-01-01T00:00:00.000+00:00",
    )
    said = json.dumps(["5a1t", "neither", "Ψ", '{"part": ""}', "2025-01-01T00:00:00.000+00:00"])
    digest = hashlib.sha256(said.encode()).hexdigest()
    assert Row.of(event, "5a1t").content == digest
    text = json.dumps(["0" * 64, 1, "loans", "answered", "ab" * 32, 3, digest])
    assert NOTHING.next(Row.of(event, "5a1t")).hash == hashlib.sha256(text.encode()).hexdigest()


def test_every_field_of_an_event_is_in_the_outline_or_the_content() -> None:
    assert sorted((*OUTLINE, *CONTENT)) == sorted(field.name for field in fields(Event))
