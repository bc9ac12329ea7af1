"""Links of invitations, to hand out: to copy, for a mail merge, and printed with codes for the cameras of phones."""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import quote

import segno
from fastapi import Request
from markupsafe import Markup

from evenhand.study.invitations import NewInvitation
from evenhand.web.spreadsheet import csv_text


@dataclass(frozen=True)
class Link:
    """One link."""

    label: str
    address: str

    @property
    def code(self) -> Markup:
        """The address as a QR code, drawn as SVG: dark on light, as cameras expect."""
        drawn = segno.make(self.address, error="m", micro=False)
        return Markup(drawn.svg_inline(border=2, dark="#000", light=None, omitsize=True))  # noqa: S704  # ours


@dataclass(frozen=True)
class Links:
    """The links of new invitations: they are shown once."""

    links: tuple[Link, ...]
    title: str
    only_here: bool

    @classmethod
    def of(cls, request: Request, title: str, invitations: Sequence[NewInvitation]) -> Links:
        """Return links to this server by the name that its owner's browser knows it by."""
        base = address_of(request)
        links = tuple(Link(one.label, f"{base}/i/{one.secret}") for one in invitations)
        return cls(links, title, _only_here(request))

    @property
    def lines(self) -> str:
        """All addresses, one in a line."""
        return "\n".join(link.address for link in self.links)

    @property
    def csv(self) -> str:
        """A table for a mail merge, as the address of a file that the browser can save."""
        text = csv_text(("label", "address", "study"), [(link.label, link.address, self.title) for link in self.links])
        return f"data:text/csv;charset=utf-8,{quote(text)}"


def address_of(request: Request) -> str:
    """Return the address of this server, as the browser of the request knows it."""
    scheme = request.headers.get("x-forwarded-proto", request.scope["scheme"])
    return f"{'https' if scheme == 'https' else 'http'}://{request.headers.get('host', '')}"


def _only_here(request: Request) -> bool:
    """Whether the address leads to this server on this machine only."""
    host = request.headers.get("host", "").rpartition(":")[0] or request.headers.get("host", "")
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"
