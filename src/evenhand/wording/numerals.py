"""Numbers as people read them: never more digits than are true, and nobody and everybody only where it is so."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil, floor, log10

from evenhand.rates.rounding import OUT_OF
from evenhand.rates.ties import ROUNDING

SAME_PEOPLE = 1e-7
"""Below this many people of 100, a difference is a rounding error of floating-point arithmetic."""


def plural(number: int, noun: str) -> str:
    """Return a number with its noun.

    >>> plural(1, "question"), plural(12, "question")
    ('1 question', '12 questions')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def percent(probability: float) -> str:
    """Return a probability in per cent, rounded down so that it never says more than is known.

    >>> percent(0.0), percent(0.001), percent(0.129), percent(0.999), percent(1.0)
    ('0%', '<1%', '12%', '99%', '100%')
    """
    whole = whole_percent(probability)
    return "<1%" if whole == 0 < probability else f"{whole}%"


def percent_missing(probability: float) -> str:
    """Return what is missing to 100 %, so that both numbers add up.

    >>> percent_missing(0.871), percent_missing(1.0), percent_missing(0.001)
    ('13%', '0%', '>99%')
    """
    missing = 100 - whole_percent(probability)
    return ">99%" if missing == 100 and probability > 0 else f"{missing}%"


def whole_percent(probability: float) -> int:
    """Return a probability as a whole number of per cent, rounded down.

    >>> whole_percent(0.29), whole_percent(0.999)
    (29, 99)
    """
    return floor(100 * probability + ROUNDING)  # 100 · 0.29 is a little less than 29


def of_100(share: float) -> str:
    """Return a share as a number of 100, which is 0 or 100 only if it is exactly nothing or everything.

    >>> of_100(0.0), of_100(0.001), of_100(0.123), of_100(0.999)
    ('0', 'fewer than 1', '12', 'more than 99')
    """
    number = round(100 * share)
    if number == 0 and share > 0:
        return "fewer than 1"
    return "more than 99" if number == 100 and share < 1 else f"{number}"


def as_much(ratio: float) -> str:
    """Return how many times as much, to two digits: elicited weights are not known better.

    >>> as_much(2.345), as_much(23.4), as_much(0.123), as_much(1.003)
    ('2.3 times as much', '23 times as much', '0.12 times as much', 'about as much')
    """
    digits = _two_digits(ratio)
    return "about as much" if digits == "1" else f"{digits} times as much"


def points(number: float) -> str:
    """Return a number of points to two digits; a point is one person of 100.

    >>> points(2.345), points(1.0)
    ('2.3 points', '1 point')
    """
    digits = _two_digits(number)
    return f"{digits} point" if digits == "1" else f"{digits} points"


def between(low: float, high: float) -> str:
    """Return a range to two digits, rounded so that nothing of it is left out.

    >>> between(1.44, 3.91), between(0.3, 23.4)
    ('between 1.4 and 4.0', 'between 0.30 and 24')
    """
    return f"between {_both_digits(rounded_down(low))} and {_both_digits(rounded_up(high))}"


def rounded_down(number: float) -> str:
    """Return a number to two digits, not more than it is."""
    return _two_digits_towards(number, floor)


def rounded_up(number: float) -> str:
    """Return a number to two digits, not less than it is."""
    return _two_digits_towards(number, ceil)


def two_decimals(share: float) -> str:
    """Return a weight, or a share, as it is shown everywhere.

    >>> two_decimals(0.316)
    '0.32'
    """
    return f"{share:.2f}"


def from_to(low: float, high: float) -> str:
    """Return where a weight lies, as it is shown everywhere.

    >>> from_to(0.316, 0.4)
    '0.32–0.40'
    """
    return f"{two_decimals(low)}–{two_decimals(high)}"


def a_cost(cost: float) -> str:
    """Return a cost, or a part of one, as it is shown everywhere.

    >>> a_cost(0.17362)
    '0.1736'
    """
    return f"{cost:.4f}"


def as_people(people: float, decimals: int) -> str:
    """Return a number of people of 100, which is nobody or everybody only if it is so.

    >>> as_people(29.6, 0), as_people(0.2, 0), as_people(99.9, 0), as_people(100.0, 0)
    ('30', '<1', '>99', '100')
    """
    units, everybody = _units(people, decimals), _units(OUT_OF, decimals)
    if units == 0 and people >= SAME_PEOPLE:
        return f"<{_number(1, decimals)}"
    if units == everybody and people <= OUT_OF - SAME_PEOPLE:
        return f">{_number(everybody - 1, decimals)}"
    return _number(units, decimals)


def whole_people_shown(people: int, exactly: float) -> str:
    """Return a whole number of people of 100 that stands for a rate, or a gap, which is not always a whole number.

    >>> whole_people_shown(30, 29.6), whole_people_shown(0, 0.4), whole_people_shown(100, 99.8)
    ('30', '<1', '>99')
    """
    if people == 0 and exactly >= SAME_PEOPLE:
        return "<1"
    return f">{OUT_OF - 1}" if people == OUT_OF and exactly <= OUT_OF - SAME_PEOPLE else f"{people}"


def _two_digits(number: float) -> str:
    return f"{number:.0f}" if number >= 20 else f"{number:.2g}"


def _both_digits(number: str) -> str:
    """Return a number with two digits that count, of which the second may be a zero."""
    digits = len(number.replace(".", "").lstrip("0"))
    return number if digits != 1 else f"{number}{'' if '.' in number else '.'}0"


def _two_digits_towards(number: float, whole: Callable[[float], int]) -> str:
    if number <= 0:
        return "0"
    decimals = 0 if number >= 20 else 1 - floor(log10(number))  # as in `_two_digits`
    unit = 10.0**decimals
    near = round(number * unit)
    units = near if abs(number * unit - near) <= ROUNDING * unit else whole(number * unit)
    return f"{units / unit:.2g}" if units < 20 * unit else f"{units / unit:.0f}"


def _units(people: float, decimals: int) -> int:
    """Return the number in units of its last decimal; halves round up, so that no whole unit is rounded away."""
    return floor(people * 10.0**decimals + 0.5)


def _number(units: int, decimals: int) -> str:
    return f"{units / 10.0**decimals:.{decimals}f}"
