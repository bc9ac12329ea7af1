"""A ranking as a table: in columns, as text, and in a notebook."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from evenhand.display.names import shown_names
from evenhand.display.table import Table
from evenhand.wording.numerals import a_cost, percent

if TYPE_CHECKING:
    from evenhand.ranking.rank import RankedModel, Ranking

_PLACES = {"p(place 1)": "p(1st)", "p(place 2)": "p(2nd)", "p(place 3)": "p(3rd)"}
"""Probabilities of further places are left to `columns`."""


def columns(ranking: Ranking) -> dict[str, list[Any]]:
    """Return place, name, cost and its parts, and what is known of interval and probabilities."""
    rows = list(ranking)
    table: dict[str, list[Any]] = {
        "place": [row.place for row in rows],
        "name": [row.name for row in rows],
        "cost": [row.cost for row in rows],
        "mistakes": [row.misclassification for row in rows],
    }
    for name in rows[0].gaps:
        table[name] = [row.gaps[name] for row in rows]
    if any(row.interval is not None for row in rows):
        for end, name in enumerate(("low", "high")):
            table[name] = [None if row.interval is None else row.interval[end] for row in rows]
    for place in range(len(rows)):
        if rows[0].place_probabilities is not None:
            table[f"p(place {place + 1})"] = [_chance(row, place) for row in rows]
    return table


def _chance(row: RankedModel, place: int) -> float | None:
    return None if row.place_probabilities is None else row.place_probabilities[place]


def cells(ranking: Ranking) -> list[list[str]]:
    """Return what a person is shown, a head and a row for each candidate."""
    shown = shown_columns(ranking)
    return [list(shown), *(list(row) for row in zip(*shown.values(), strict=True))]


def shown_columns(ranking: Ranking, *, shortened: bool = True) -> dict[str, list[str]]:
    """Return what a person is shown, by the head of each column: the candidates, then the yardsticks.

    Names can be shortened to 40 letters.
    """
    table = columns(ranking)
    names = shown_names(table.pop("name"), shortened=shortened)
    lows, highs = table.pop("low", None), table.pop("high", None)
    below = ranking.yardsticks
    nothing = [""] * len(below)
    shown: dict[str, list[str]] = {
        "place": [*(str(place) for place in table.pop("place")), *("–" for _ in below)],
        "name": [*names, *(one.name for one in below)],
        "cost": [a_cost(cost) for cost in (*table.pop("cost"), *(one.cost for one in below))],
    }
    if lows is not None and highs is not None:
        intervals = [
            "" if low is None else f"{a_cost(low)} – {a_cost(high)}" for low, high in zip(lows, highs, strict=True)
        ]
        shown[f"{percent(ranking.level)} by sampling"] = intervals + nothing
    for name, values in table.items():
        if name.startswith("p(place "):
            if name in _PLACES:
                shown[_PLACES[name]] = [*(percent(value) for value in values), *nothing]
        else:
            of_yardsticks = [one.misclassification if name == "mistakes" else one.gaps[name] for one in below]
            shown[name] = [a_cost(value) for value in (*values, *of_yardsticks)]
    return shown


def table_of(ranking: Ranking) -> Table:
    """Return the table that is printed."""
    head, *rows = cells(ranking)
    doubt = f"Do not rely on this order. {ranking.doubt}" if ranking.doubt else ""
    notes = [] if ranking.not_worth_it is None else [ranking.not_worth_it]
    quiet = len(ranking.yardsticks)
    return Table(head, rows, title=doubt, names=0, left=[head.index("name")], notes=notes, quiet=quiet)
