"""Who may take part: invitations, an open link, closed studies; and what the owner is told of it."""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import select, update
from tests.support.quick import QuickRunner, study

from evenhand import EvenhandError
from evenhand.study import invitations as invited
from evenhand.study.limits import LONGEST_LABEL, MOST_INVITED_AT_ONCE, MOST_PLACES
from evenhand.study.log.schema import content, invitations, log, metadata
from evenhand.study.overview import StudyOverview
from evenhand.study.refusals import (
    ByInvitationError,
    ClosedError,
    ExpiredError,
    FullError,
    RevokedError,
    UnknownInterviewError,
    UnknownInvitationError,
    UnknownStudyError,
)
from evenhand.study.store import Store

QUESTIONS = 3


@pytest.fixture
def store(store_url: str) -> Iterator[Store]:
    with Store(store_url, runner=QuickRunner(QUESTIONS)) as store:
        store.put_study(study())
        yield store


def answered(store: Store, token: str, times: int = QUESTIONS) -> str:
    for n in range(1, times + 1):
        store.answer(token, n, "first")
    return token


def of(store: Store, slug: str = "loans") -> StudyOverview:
    return next(one for one in store.overview() if one.slug == slug)


def expire(store: Store) -> None:
    with store.database.writing() as connection:
        connection.execute(update(invitations).values(expires="2025-01-01T00:00:00.000+00:00"))


def test_a_link_is_one_interview_wherever_it_is_opened_and_however_often_it_is_begun(store: Store) -> None:
    [one] = store.invite("loans", 1, "board")
    found = store.invitation(one.secret)
    assert found is not None
    assert (found.study, found.personal) == ("loans", True)
    with pytest.raises(UnknownInterviewError):
        store.interview(one.secret)
    with ThreadPoolExecutor(8) as pool:
        tokens = set(pool.map(lambda _: store.accept(one.secret), range(16)))
    assert tokens == {one.secret}
    answered(store, one.secret, 1)
    assert store.accept(one.secret) == one.secret
    assert len(store.interview(one.secret).answers) == 1
    assert of(store).begun == 1


def test_secrets_are_long_and_kept_as_hashes_only(store: Store) -> None:
    new = [*store.invite("loans", 5, "board"), store.invite_openly("loans", 30)]
    assert all(len(one.secret) * 6 >= 128 for one in new)
    assert len({one.secret for one in new} | {one.id for one in new}) == 2 * len(new)
    store.accept(new[0].secret)
    with store.database.reading() as connection:
        held = repr([connection.execute(select(table)).all() for table in metadata.sorted_tables])
    assert not any(one.secret in held for one in new)
    assert all(one.id in held for one in new)


def test_nobody_gets_in_by_an_id_or_a_hash_or_a_part_of_a_secret(store: Store) -> None:
    [one] = store.invite("loans")
    for guess in ("", one.id, invited.key_of(one.secret), one.secret[:-1], f"{one.secret} ", "a\x00b", "half \ud800"):
        assert store.invitation(guess) is None
        with pytest.raises(UnknownInterviewError):
            store.accept(guess)
    assert store.invitation(secrets.token_urlsafe(24)) is None


def test_only_digests_are_compared_and_in_constant_time(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[tuple[str, str]] = []

    def noting(one: str, other: str) -> bool:
        compared.append((one, other))
        return hmac.compare_digest(one, other)

    monkeypatch.setattr(invited, "compare_digest", noting)
    [one] = store.invite("loans")
    assert store.invitation(one.secret)
    assert store.invitation("x" * 32) is None
    assert compared == [(invited.key_of(one.secret), invited.key_of(one.secret))]


def test_several_invitations_with_one_label_are_numbered(store: Store) -> None:
    store.invite("loans", 2, "board")
    store.invite("loans", 1, "board")
    store.invite("loans", 1, "100% Ψ_<b>")
    assert [one.label for one in store.invitations("loans")] == ["board 1", "board 2", "board 3", "100% Ψ_<b>"]


def test_the_owner_sees_how_far_each_invitation_has_come(store: Store) -> None:
    made = store.invite("loans", 5, "board")
    answered(store, store.accept(made[0].secret))
    answered(store, store.accept(made[1].secret), 1)
    store.accept(made[2].secret)
    store.withdraw(made[2].secret)
    store.revoke("loans", made[3].id)
    listed = store.invitations("loans")
    assert [one.id for one in listed] == [one.id for one in made]
    assert [one.state for one in listed] == ["finished", "begun", "withdrawn", "revoked", "unopened"]
    assert [one.answers for one in listed] == [3, 1, 0, 0, 0]
    assert [one.about_left for one in listed] == [0, 2, 0, 0, 0]
    store.undo(made[0].secret, 3)
    store.undo(made[0].secret, 2)
    again = store.invitations("loans")[0]
    assert (again.state, again.answers, again.about_left) == ("begun", 1, 2)
    assert store.invitations("loans")[1].state == "begun"
    expire(store)
    assert [one.state for one in store.invitations("loans")] == [
        "expired",
        "expired",
        "withdrawn",
        "revoked",
        "expired",
    ]


def test_the_overview_is_what_the_interviews_say(store: Store) -> None:
    store.put_study(study("jobs"))
    assert of(store) == StudyOverview(slug="loans", title="Who is refused a loan?")
    made = store.invite("loans", 8, "board")
    for times, one in enumerate(made[:4]):
        answered(store, store.accept(one.secret), times)
    answered(store, store.begin("jobs"))
    store.undo(made[3].secret, 3)
    answered(store, made[2].secret)
    store.accept(made[4].secret)
    store.withdraw(made[4].secret)
    store.revoke("loans", made[7].id)
    loans = of(store)
    assert (loans.invited, loans.begun, loans.finished, loans.withdrawn) == (7, 4, 1, 1)
    standing = [given for one in made[:4] for given in store.interview(one.secret).answers]
    assert loans.answers == len(standing) == 0 + 1 + 3 + 2
    with store.database.reading() as connection:
        last = select(content.c.time).join(log, log.c.place == content.c.place).order_by(content.c.place.desc())
        last = last.where(log.c.study == "loans", log.c.kind == "answered")
        assert loans.last_answer == connection.execute(last).scalars().first()
    jobs = of(store, "jobs")
    assert (jobs.invited, jobs.begun, jobs.finished, jobs.answers, jobs.anyone) == (0, 1, 1, 3, True)
    assert (loans.anyone, loans.closed) == (False, False)


def test_from_the_first_invitation_on_nobody_begins_uninvited(store: Store) -> None:
    before = store.begin("loans")
    store.invite("loans")
    with pytest.raises(ByInvitationError):
        store.begin("loans")
    answered(store, before)
    assert store.begin("loans", by_owner=True)
    store.open_study("loans", anyone=True)
    assert store.begin("loans")
    store.invite("loans")
    assert store.door("loans").anyone, "opened to anyone on purpose"
    store.open_study("loans", anyone=False)
    with pytest.raises(ByInvitationError):
        store.begin("loans")


def test_a_revoked_invitation_opens_nothing_and_what_was_answered_is_kept(store: Store) -> None:
    one, other, fresh = store.invite("loans", 3, "board")
    answered(store, store.accept(one.secret), 2)
    answered(store, store.accept(other.secret))
    for each in (one, other, fresh):
        store.revoke("loans", each.id)
        store.revoke("loans", each.id)
    for refused in (
        lambda: store.interview(one.secret),
        lambda: store.answer(one.secret, 3, "first"),
        lambda: store.undo(one.secret, 2),
        lambda: store.invitation(fresh.secret),
        lambda: store.accept(fresh.secret),
    ):
        with pytest.raises(RevokedError, match="taken back"):
            refused()
    assert store.interview(other.secret).finding is not None, "a result stays with the person"
    assert of(store).answers == 5


def test_an_invitation_expires(store: Store) -> None:
    one, fresh = store.invite("loans", 2, "board", datetime.now(UTC) + timedelta(days=1))
    answered(store, store.accept(one.secret), 1)
    expire(store)
    for refused in (
        lambda: store.interview(one.secret),
        lambda: store.answer(one.secret, 2, "first"),
        lambda: store.accept(fresh.secret),
    ):
        with pytest.raises(ExpiredError, match="expired"):
            refused()
    assert of(store).answers == 1


def test_a_closed_study_lets_nobody_begin_or_go_on_until_it_is_opened_again(store: Store) -> None:
    [one] = store.invite("loans")
    token = answered(store, store.accept(one.secret), 1)
    done = answered(store, store.begin("loans", by_owner=True))
    store.close_study("loans")
    for refused in (
        lambda: store.begin("loans", by_owner=True),
        lambda: store.accept(store.invite("loans")[0].secret),
        lambda: store.interview(token),
        lambda: store.answer(token, 2, "first"),
        lambda: store.undo(token, 1),
    ):
        with pytest.raises(ClosedError):
            refused()
    assert of(store).closed
    assert store.interview(done).finding is not None
    store.open_study("loans")
    answered(store, token)
    assert not of(store).closed
    assert not store.door("loans").anyone


def test_an_open_link_admits_so_many_people_each_to_an_interview_of_their_own(store: Store) -> None:
    link = store.invite_openly("loans", 5, "class of 2026")

    def join(_: int) -> str | None:
        try:
            return store.accept(link.secret)
        except FullError:
            return None

    with ThreadPoolExecutor(8) as pool:
        tokens = [token for token in pool.map(join, range(12)) if token is not None]
    assert len(set(tokens)) == 5
    assert link.secret not in tokens
    answered(store, tokens[0])
    store.withdraw(tokens[1])
    with pytest.raises(FullError):
        store.accept(link.secret)
    [listed] = store.invitations("loans")
    assert (listed.personal, listed.places, listed.state) == (False, 5, "begun")
    assert (listed.begun, listed.finished, listed.withdrawn, listed.answers) == (4, 1, 1, 3)
    assert of(store).invited == 0
    assert store.begin("loans"), "an open link closes no other door"


def test_a_study_has_one_open_link(store: Store) -> None:
    first = store.invite_openly("loans", 5)
    early = store.accept(first.secret)
    second = store.invite_openly("loans", 5)
    with pytest.raises(RevokedError):
        store.accept(first.secret)
    with pytest.raises(RevokedError):
        store.answer(early, 1, "first")
    assert store.accept(second.secret)


def test_an_invitation_of_another_study_cannot_be_revoked_or_seen(store: Store) -> None:
    store.put_study(study("jobs"))
    [one] = store.invite("loans")
    for slug, identity in (("jobs", one.id), ("loans", "unknown"), ("loans", "a\x00"), ("loans", "half \ud800")):
        with pytest.raises(UnknownInvitationError):
            store.revoke(slug, identity)
    assert not store.invitations("jobs")
    assert store.invitation(one.secret)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"count": 0}, "count must be"),
        ({"count": MOST_INVITED_AT_ONCE + 1}, "at most 1000"),
        ({"count": True}, "whole number"),
        ({"count": "3"}, "whole number"),
        ({"label": ""}, "label is empty"),
        ({"label": "x" * (LONGEST_LABEL + 1)}, "shorten it"),
        ({"label": "nul \x00"}, "cannot be shown"),
        ({"label": "\u202eevil"}, "cannot be shown"),
        ({"label": 7}, "must be text"),
        ({"expires": datetime(2020, 1, 1, tzinfo=UTC)}, "in the future"),
        ({"expires": datetime(2999, 1, 1)}, "time zone"),  # noqa: DTZ001  # what is refused
        ({"expires": "tomorrow"}, "expires must be"),
    ],
)
def test_an_invitation_that_cannot_be_made_is_refused_and_changes_nothing(
    store: Store, options: dict[str, object], words: str
) -> None:
    with pytest.raises(EvenhandError, match=words):
        store.invite("loans", **options)  # type: ignore[arg-type]
    assert not store.invitations("loans")
    assert store.door("loans").anyone


@pytest.mark.parametrize("places", [0, -1, MOST_PLACES + 1, 1.5])
def test_an_open_link_has_a_limit(store: Store, places: int) -> None:
    with pytest.raises(EvenhandError):
        store.invite_openly("loans", places)


def test_people_are_invited_to_studies_that_are_there(store: Store) -> None:
    for act in (store.invite, store.invitations, store.close_study, store.open_study, store.door):
        with pytest.raises(UnknownStudyError):
            act("nowhere")
    with pytest.raises(UnknownStudyError):
        store.invite_openly("nowhere", 3)


def test_the_first_invitations_of_every_study_are_those_of_its_whole_list(store: Store) -> None:
    store.put_study(study("jobs"))
    secrets = [one.secret for slug in ("loans", "jobs") for one in store.invite(slug, 3, "board")]
    link = store.invite_openly("jobs", 9)
    for secret in (secrets[0], secrets[4], link.secret, link.secret):
        token = store.accept(secret)
        store.answer(token, 1, "first")
    found = store.first_invitations(2)
    assert found == {slug: store.invitations(slug)[:2] for slug in ("loans", "jobs")}
    assert store.first_invitations(9) == {slug: store.invitations(slug) for slug in ("loans", "jobs")}
    assert [one.answers for one in store.first_invitations(9)["jobs"]] == [0, 1, 0, 2]
