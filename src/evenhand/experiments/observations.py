"""Checks what the paper observes in its recovery figure against our measurements.

The paper reads trends off the figure. Here a trend is a fitted exponent whose 95 % interval excludes zero.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any

import numpy as np

from evenhand.experiments.exponents import FEWEST_ORACLES, STATISTICS, Exponent, exponents
from evenhand.experiments.rows import GridRow
from evenhand.typing import Floats

_TAIL = 0.05


@dataclass(frozen=True)
class Claim:
    """What the paper says about one error: whether it grows with k, and with m."""

    part: str
    grows_with_classes: bool
    grows_with_groups: bool
    text: str


CLAIMS = (
    Claim("misclassification", True, False, "The error in a grows with the number of classes k only."),
    Claim("violation", True, True, "The error in B grows with both k and the number of groups m."),
    Claim("trade_off", False, True, "The error in λ grows with m but not with k."),
)


@dataclass(frozen=True)
class ClaimCheck:
    """The check of one claim, for one method and one statistic of the cells.

    `holds` is None if the data are not enough: fewer than two values of k or m, or too few oracles.
    """

    claim: Claim
    method: str
    statistic: str
    classes: Exponent | None
    groups: Exponent | None
    holds: bool | None
    why: str = ""

    @property
    def verdict(self) -> str:
        """The verdict in words."""
        return {True: "holds", False: "does not hold here", None: "inconclusive"}[self.holds]

    @property
    def trends(self) -> tuple[str, str]:
        """The trend with k, and the trend with m."""
        return _trend(self.classes, "k", "classes"), _trend(self.groups, "m", "groups")

    @property
    def finding(self) -> str:
        """Both trends with their numbers."""
        return "; ".join(self.trends) + "." + (f" {self.why}" if self.why else "")

    @property
    def sentence(self) -> str:
        """Claim, verdict and finding as text that stands alone."""
        verdict = self.verdict[0].upper() + self.verdict[1:]
        return f"{self.claim.text} {verdict} for the {self.method} method's {self.statistic} errors: {self.finding}"

    def as_json(self) -> dict[str, Any]:
        """Return the observation as plain values."""
        return {
            "claim": self.claim.text,
            "error": f"{self.claim.part}_error",
            "method": self.method,
            "statistic": self.statistic,
            "holds": self.holds,
            "classes": None if self.classes is None else self.classes.as_json(),
            "groups": None if self.groups is None else self.groups.as_json(),
            "sentence": self.sentence,
        }


def observe(rows: Sequence[GridRow]) -> tuple[ClaimCheck, ...]:
    """Check every claim for every method, on the cells' mean errors (as in the paper) and on their medians."""
    methods = list(dict.fromkeys(row.method for row in rows))
    return tuple(
        _check(claim, place, method, statistic, [row for row in rows if row.method == method])
        for place, claim in enumerate(CLAIMS)
        for method in methods
        for statistic in STATISTICS
    )


def _check(claim: Claim, place: int, method: str, statistic: str, rows: list[GridRow]) -> ClaimCheck:
    errors = [row.errors[place] for row in rows]
    found = exponents(
        errors,
        {"classes": [row.classes for row in rows], "groups": [row.groups for row in rows]},
        statistic,
    )
    classes, groups = found.get("classes"), found.get("groups")
    if classes is None or groups is None:
        why = "A trend needs at least two numbers of classes and two numbers of groups."
        return ClaimCheck(claim, method, statistic, classes, groups, None, why)
    if "unknown" in (classes.trend, groups.trend):
        why = f"Fewer than {FEWEST_ORACLES} oracles in a cell are too few to tell a trend from chance."
        return ClaimCheck(claim, method, statistic, classes, groups, None, why)
    holds = (classes.trend == "grows", groups.trend == "grows") == (
        claim.grows_with_classes,
        claim.grows_with_groups,
    )
    why = "" if holds or statistic != "mean" else _heavy_tail(errors)
    return ClaimCheck(claim, method, statistic, classes, groups, holds, why)


def _heavy_tail(errors: list[Floats]) -> str:
    """Say how much of a mean comes from a few oracles, such as those with λ near 0, to whom gaps hardly matter."""
    shares = [np.sort(of_cell)[-ceil(_TAIL * of_cell.size) :].sum() / of_cell.sum() for of_cell in errors]
    return (
        f"A cell's mean is dominated by a few oracles: the worst {_TAIL:.0%} contribute {np.median(shares):.0%} of it "
        "(median over the cells)."
    )


def _trend(exponent: Exponent | None, symbol: str, name: str) -> str:
    if exponent is None:
        return f"only one number of {name}"
    words = {
        "grows": f"grows with {symbol}",
        "falls": f"falls with {symbol}",
        "no trend": f"no trend with {symbol}",
        "unknown": f"trend with {symbol} unknown",
    }
    return f"{words[exponent.trend]}: {exponent}"
