"""How much of everything a store takes, and why: strangers must not fill the disk, and pages must stay readable."""

from __future__ import annotations

MOST_STUDIES = 1000
"""In a store: the owner's home lists them all."""

MOST_PICTURES = 1000
"""Kinds of mistakes × groups of a study: each is a picture of 100 people on the page of a question, for each model."""

MOST_GAPS = 5000
"""Kinds of mistakes × pairs of groups of a study: what a gap counts is learned for each."""

MOST_INVITED_AT_ONCE = 1000
"""Invitations in one request: each address is shown once, so that a person copies or prints them."""

MOST_INVITATIONS = 10_000
"""Personal invitations of a study: its page lists them all."""

MOST_PLACES = 10_000
"""People whom one open link admits."""

MOST_AT_ADDRESS = 10_000
"""Interviews of one study that anyone who knows its address may begin: about 2 kB each before the first answer."""

LONGEST_LABEL = 200

MOST_MOVES = 2000
"""Answers and undos in one interview, after which nothing can be undone: a study has at most 1,000 questions, and to
answer and undo for ever would fill the disk."""

ROOM_TO_BEGIN = 100 * 1024 * 1024
"""Bytes that must be free on the disk for an interview to begin: those who are answering can then finish."""

MOST_BEGINNINGS = 400
SECONDS_OF_BEGINNINGS = 30
"""Interviews that one network may begin in so many seconds, shared out among the processes: a lecture hall of 300 who
all begin when they are told to has one address, and so has somebody who begins without end."""

MOST_WRONG_TOKENS = 10
"""Wrong tokens of the owner that one network may send in a minute."""

MOST_UPLOADED = 100 * 1024 * 1024
"""Bytes of a file that the owner uploads; it goes to the disk, and not into memory."""

MOST_ROWS = 5_000_000
MOST_COLUMNS = 256
"""Of an uploaded file: its columns are shown one under another."""

MOST_DRAFTS = 10
SECONDS_OF_DRAFT = 2 * 3600
"""Studies that the owner has begun to make: the one that was left alone longest makes room, and all of them expire."""
