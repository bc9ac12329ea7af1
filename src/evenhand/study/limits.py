"""How much of everything a store takes, and why: strangers must not fill the disk, and pages must stay readable."""

from __future__ import annotations

MOST_STUDIES = 1000
"""In a store: the owner's home lists them all."""

MOST_INVITED_AT_ONCE = 1000
"""Invitations in one request: each address is shown once, so that a person copies or prints them."""

MOST_INVITATIONS = 10_000
"""Personal invitations of a study: its page lists them all."""

MOST_PLACES = 10_000
"""People whom one open link admits."""

MOST_AT_ADDRESS = 10_000
"""Interviews of one study that anyone who knows its address may begin: about 2 kB each before the first answer."""

LONGEST_LABEL = 200
