"""`evenhand study invite` and its neighbours: who may take part in a study."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, time
from typing import TYPE_CHECKING, Annotated

import typer

from evenhand.checks.messages import shown
from evenhand.cli.output import wide_console
from evenhand.cli.store_option import DEFAULT_STORE, StoreUrl, needs_extra
from evenhand.display.names import printable
from evenhand.errors import EvenhandError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from evenhand.study.invitations import NewInvitation
    from evenhand.study.store import Store

Slug = Annotated[str, typer.Argument(metavar="STUDY", help="The name in its address.")]


def invite(
    slug: Slug,
    *,
    count: Annotated[int, typer.Option(min=1, help="How many people; each gets a link of their own.")] = 1,
    label: Annotated[str, typer.Option(help="What you call them; several with one label get a number.")] = "invitation",
    expires: Annotated[
        str | None, typer.Option(metavar="DATE", help="The last day, such as 2030-12-31, or a time with its zone.")
    ] = None,
    places: Annotated[int | None, typer.Option(min=1, help="Make one open link instead, for so many people.")] = None,
    address: Annotated[
        str, typer.Option(envvar="EVENHAND_ADDRESS", help="The address that people reach the server by.")
    ] = "http://127.0.0.1:8000",
    as_csv: Annotated[bool, typer.Option("--csv", help="Print a table for a mail merge.")] = False,
    store: StoreUrl = DEFAULT_STORE,
) -> None:
    """Invite people to a study: print a secret link for each, which is one interview.

    For example: evenhand study invite loans --count 8 --label board --expires 2030-12-31
    """
    until = None if expires is None else _end_of(expires)
    with opened(store) as there:
        if places is not None:
            made: Sequence[NewInvitation] = [there.invite_openly(slug, places, label, until)]
        else:
            made = there.invite(slug, count, label, until)
        anyone = there.door(slug).anyone
    links = [(one.label, f"{address.rstrip('/')}/i/{one.secret}") for one in made]
    if as_csv:
        from evenhand.web.spreadsheet import csv_text  # noqa: PLC0415

        last = "" if until is None else until.isoformat()
        rows = [(one.id, name, link, last) for one, (name, link) in zip(made, links, strict=True)]
        typer.echo(csv_text(("id", "label", "link", "expires"), rows), nl=False)
    else:
        for name, link in links:
            typer.echo(f"{printable(name)}: {link}")
    whose = "Each link is for one person" if places is None else f"The link admits people until {places} have begun"
    typer.echo(f"{whose}, and is told only now.", err=True)
    if not anyone:
        typer.echo("Nobody can begin without an invitation; `evenhand study open --anyone` changes that.", err=True)


INVITATIONS = ("id", "label", "state", "answers", "left", "expires")


def invitations(slug: Slug, *, store: StoreUrl = DEFAULT_STORE) -> None:
    """List the invitations of a study, and how far each has come."""
    from evenhand.report.terminal.lists import listing  # noqa: PLC0415

    with opened(store) as there:
        listed = there.invitations(slug)
    rows = []
    for one in listed:
        state = (
            one.state if one.personal else f"{one.state}: {one.begun} of {one.places} began, {one.finished} finished"
        )
        left = f"about {one.about_left}" if one.about_left else ""
        rows.append((one.id, one.label, state, one.answers, left, one.expires or ""))
    table = listing(INVITATIONS, rows, words=("label", "state"))
    wide_console().print(table if listed else "Nobody is invited yet: `evenhand study invite` invites people.")


def revoke(
    slug: Slug,
    invitation: Annotated[str, typer.Argument(metavar="ID", help="As `evenhand study invitations` lists it.")],
    *,
    store: StoreUrl = DEFAULT_STORE,
) -> None:
    """Take an invitation back: its link opens nothing any more. What was answered is kept."""
    with opened(store) as there:
        there.revoke(slug, invitation)
    typer.echo(f"The invitation {invitation} is revoked. What was answered is kept.")


def close(slug: Slug, *, store: StoreUrl = DEFAULT_STORE) -> None:
    """Close a study: nobody can begin or go on. What was answered is kept."""
    with opened(store) as there:
        there.close_study(slug)
    typer.echo(f"The study {slug} is closed. What was answered is kept; `evenhand study open {slug}` opens it again.")


def open_(
    slug: Slug,
    *,
    anyone: Annotated[
        bool | None,
        typer.Option("--anyone/--invited", help="Who can begin: anyone who knows its address, or invited people only."),
    ] = None,
    store: StoreUrl = DEFAULT_STORE,
) -> None:
    """Open a study that was closed, or say who can begin."""
    with opened(store) as there:
        there.open_study(slug, anyone=anyone)
        who = "anyone who knows its address" if there.door(slug).anyone else "invited people"
    typer.echo(f"The study {slug} is open to {who}.")


@contextmanager
def opened(url: str) -> Iterator[Store]:
    """Open a store that is there."""
    with needs_extra("web"):
        from evenhand.study.store import Store  # noqa: PLC0415  # commands must start quickly
    with Store(url, create=False) as there:
        yield there


def _end_of(text: str) -> datetime:
    """Return when a day ends in UTC, or the time that was given."""
    try:
        until = datetime.fromisoformat(text)
        if until.tzinfo is None and len(text) > len("2030-12-31"):
            until = until.astimezone()
    except (ValueError, OverflowError) as error:  # the latter: the first or the last hours of all
        raise EvenhandError(
            f"--expires is a day such as 2030-12-31, or a time such as 2030-12-31T18:00, but received {shown(text)}"
        ) from error
    if len(text) == len("2030-12-31"):
        return datetime.combine(until.date(), time(23, 59, 59), UTC)
    return until
