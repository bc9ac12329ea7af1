"""A small table: as text for `print`, and as HTML for a notebook, light or dark.

Colours in HTML are mixes of the colour of the text around it, so that the table fits any theme and loads no style.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import TypeAlias

from evenhand.display.names import columns_of, filled, printable


@dataclass(frozen=True)
class Bar:
    """A number with a bar behind it that fills a share of its cell."""

    text: str
    share: float

    def __str__(self) -> str:
        return self.text


Cell: TypeAlias = str | Bar

_LINE = "color-mix(in srgb,currentColor 18%,transparent)"
_STYLE = f"""\
.evenhand{{border-collapse:collapse;margin:.5em 0;color:inherit;background:transparent}}
.evenhand caption{{text-align:left;padding:.2em 0;color:inherit;caption-side:top}}
.evenhand td,.evenhand th{{padding:.25em .7em;text-align:right;vertical-align:top;color:inherit;border:0}}
.evenhand td,.evenhand th{{background-color:transparent;border-top:1px solid {_LINE};white-space:pre-line}}
.evenhand td,.evenhand th{{font-weight:normal;font-variant-numeric:tabular-nums}}
.evenhand tbody td{{white-space:nowrap}}
.evenhand thead th{{border-top:0;font-weight:600;vertical-align:bottom}}
.evenhand th[scope=row],.evenhand th.name{{text-align:left}}
.evenhand .note td{{text-align:left;opacity:.75;font-size:.92em}}
.evenhand .quiet>*{{opacity:.75}}"""


@dataclass(frozen=True)
class Table:
    """Rows of cells under a head.

    Attributes
    ----------
    head
        What the columns are called.
    rows
        The cells of each row.
    title, notes
        Above and below.
    names
        How many of the first columns are names, which stand on the left.
    left
        Which other columns are names.
    quiet
        How many of the last rows stand back.
    """

    head: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    title: str = ""
    notes: Sequence[str] = ()
    names: int = 1
    left: Sequence[int] = ()
    quiet: int = 0

    def __str__(self) -> str:
        """Return the table in columns of text."""
        lines = [[printable(str(cell)) for cell in row] for row in (self.head, *self.rows)]
        widths = [max(map(columns_of, column)) for column in zip(*lines, strict=True)]
        body = [
            "  ".join(
                filled(cell, width, left=self.is_name(place))
                for place, (cell, width) in enumerate(zip(row, widths, strict=True))
            ).rstrip()
            for row in lines
        ]
        return "\n".join([*([self.title] if self.title else []), *body, *self.notes])

    def is_name(self, column: int) -> bool:
        """Whether a column holds names."""
        return column < self.names or column in self.left

    def html(self) -> str:
        """Return the table for a notebook; no text in it is taken for a tag."""
        return html_of([self], title=self.title, notes=self.notes)


def html_of(tables: Sequence[Table], *, title: str = "", notes: Sequence[str] = ()) -> str:
    """Return tables with equally many columns, one under the other, as one."""
    caption = f"<caption>{escape(title)}</caption>" if title else ""
    columns = max(len(table.head) for table in tables)
    below = "".join(f"<tr class='note'><td colspan='{columns}'>{escape(note)}</td></tr>" for note in notes)
    foot = f"<tfoot>{below}</tfoot>" if below else ""
    parts = "".join(_part(table) for table in tables)
    return f"<style>{_STYLE}</style><table class='evenhand'>{caption}{parts}{foot}</table>"


def _part(table: Table) -> str:
    heads = "".join(
        f"<th scope='col'{_NAME if table.is_name(place) else ''}>{escape(head)}</th>"
        for place, head in enumerate(table.head)
    )
    loud = len(table.rows) - table.quiet
    rows = "".join(
        f"<tr{'' if number < loud else _QUIET}>"
        + "".join(_cell(cell, name=table.is_name(place)) for place, cell in enumerate(row))
        + "</tr>"
        for number, row in enumerate(table.rows)
    )
    return f"<thead><tr>{heads}</tr></thead><tbody>{rows}</tbody>"


_NAME = " class='name'"
_QUIET = " class='quiet'"


def _cell(cell: Cell, *, name: bool) -> str:
    if isinstance(cell, Bar):
        end = f"{100 * cell.share:.0f}%"
        filled = f"linear-gradient(to right,#4f9bb655 {end},transparent {end})"
        return f"<td style='background-image:{filled}'>{escape(cell.text)}</td>"
    return f"<th scope='row'>{escape(cell)}</th>" if name else f"<td>{escape(cell)}</td>"
