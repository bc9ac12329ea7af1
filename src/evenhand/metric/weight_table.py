"""A metric as a person reads it, in a terminal and in a notebook."""

from __future__ import annotations

from html import escape

from evenhand.rates import Setting
from evenhand.typing import Floats
from evenhand.wording.vocabulary import Words


def _rows(words: Words, a: Floats, B: Floats) -> list[tuple[str, Floats]]:
    gaps = [(f"gap {u} | {v}", weights) for (u, v), weights in zip(words.pairs, B, strict=True)]
    return [("mistakes", a), *gaps]


def _headline(trade_off: float) -> str:
    return f"trade-off {trade_off:.3f} (0: only mistakes count, 1: only gaps between groups count)"


def as_text(setting: Setting, a: Floats, B: Floats, trade_off: float) -> str:
    """Return a table of the weights: a row for the mistakes, one for each pair of groups."""
    words = Words.plain(setting)
    table = [["", *words.mistakes]]
    table += [[name, *(f"{weight:.3f}" for weight in weights)] for name, weights in _rows(words, a, B)]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    lines = ["  ".join(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)) for row in table]
    names = [row[0].ljust(widths[0]) for row in table]
    body = "\n".join(f"  {name}  {line}" for name, line in zip(names, lines, strict=True))
    return f"FairMetric: {_headline(trade_off)}\n{body}"


def as_html(setting: Setting, a: Floats, B: Floats, trade_off: float) -> str:
    """Return the same table for a notebook, each weight with a bar behind it."""
    words = Words.plain(setting)
    head = "".join(f"<th scope='col'>{escape(name)}</th>" for name in words.mistakes)
    body = "".join(
        f"<tr><th scope='row' style='text-align:left'>{escape(name)}</th>"
        + "".join(_cell(weight, max(float(weights.max()), 1e-12)) for weight in weights)
        + "</tr>"
        for name, weights in _rows(words, a, B)
    )
    return (
        f"<table><caption style='text-align:left'><b>FairMetric</b>: {escape(_headline(trade_off))}</caption>"
        f"<thead><tr><th></th>{head}</tr></thead><tbody>{body}</tbody></table>"
    )


def _cell(weight: float, largest: float) -> str:
    share = 100 * weight / largest
    bar = f"background:linear-gradient(to right, #6aa5b855 {share:.0f}%, transparent {share:.0f}%)"
    return f"<td style='{bar}'>{weight:.3f}</td>"
