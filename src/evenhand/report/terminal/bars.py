"""Bars and sliders of text: a picture before the number."""

from __future__ import annotations

_EIGHTHS = " ▏▎▍▌▋▊▉█"


def bar(share: float, width: int) -> str:
    """Return a bar that fills this share of a number of columns, to an eighth of a column.

    >>> bar(0.5, 5)
    '██▌  '
    """
    eighths = round(max(0.0, min(1.0, share)) * width * 8)
    if share > 0 and eighths == 0:
        eighths = 1  # little is not nothing
    whole, part = divmod(eighths, 8)
    return ("█" * whole + (_EIGHTHS[part] if part else "")).ljust(width)


def span(low: float, high: float, width: int) -> str:
    """Return a line from one share of a number of columns to another: the gap between the ends of two bars.

    >>> span(0.2, 0.8, 10)
    '  ├────┤  '
    """
    start, end = round(low * width), round(high * width)
    line = "├" + "─" * (end - start - 2) + "┤" if end - start > 1 else "│" * (high > low)
    return (" " * min(start, width - len(line)) + line).ljust(width)[:width]


def slider(share: float, width: int, knob: str = "●") -> str:
    """Return a line with a knob at this share of its length.

    >>> slider(0.25, 9)
    '├─●─────┤'
    """
    track = ["├", *"─" * (width - 2), "┤"]
    track[round(max(0.0, min(1.0, share)) * (width - 1))] = knob
    return "".join(track)


def interval(low: float, share: float, high: float, width: int) -> str:
    """Return a dot at a share of a number of columns, on a line from where it may lie at least to at most.

    >>> interval(0.2, 0.5, 0.9, 10)
    '··━━●━━━━·'
    """
    last = width - 1
    start, dot, end = (round(max(0.0, min(1.0, place)) * last) for place in (low, share, high))
    line = ["━" if start <= place <= end else "·" for place in range(width)]
    if line:
        line[dot] = "●"
    return "".join(line)
