"""What may be said of a metric, in plain sentences: what counts how many times as much as what, as far as it is known.

Weights are ratios, so that the sentences are too. The unit is a *point*: one more person of 100 of the same true class.
Each sentence keeps what it states, so that it can be judged whether it is true (`bench/honesty/sentences.py`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import comb
from typing import TYPE_CHECKING, Literal

from evenhand.display.names import capitalised, in_a_row
from evenhand.metric.ratios import ALIKE, Ratio, Ratios
from evenhand.wording.numerals import as_much, between, of_100, plural, points, rounded_down, rounded_up, two_decimals
from evenhand.wording.vocabulary import Words

if TYPE_CHECKING:
    from evenhand.metric.fair_metric import FairMetric
    from evenhand.metric.nearest import Near

_MOST = 6
"""So many weights of a kind are written about, the heaviest first."""
POINT = "A point is one person of 100 in the same class."
CAVEAT = "This describes preferences; it does not certify that a model is fair."
EXACT = "These sentences take the weights as exact."
_NOT_NEEDED = "it was not needed to choose"
_COUNTS_ALONE = "counts, while mistakes hardly do"

Part = Literal["mistakes", "violation", "in_mistakes", "trade_off"]
"""Which of `Ratios` a ratio is one of."""


@dataclass(frozen=True)
class Stated:
    """That the share of the first of two weights lies from `low` to `high`, and that it counts more or less."""

    part: Part
    ratio: Ratio
    low: float = 0.0
    high: float = 1.0
    order: Literal["more", "less"] | None = None


@dataclass(frozen=True)
class Sentence:
    """A sentence about weights, and what it states: nothing where it says what is not known."""

    text: str
    states: tuple[Stated, ...] = ()


def sentences(metric: FairMetric, words: Words, ratios: Ratios | None = None, *, chosen: bool = False) -> list[str]:
    """Return what may be said of a metric, in words whose mistakes are noun phrases.

    Without `ratios` the weights are taken as exact. `chosen` says that a choice was made, for which what is not known
    was not needed.
    """
    return [one.text for one in said(metric, words, ratios, chosen=chosen)]


def said(
    metric: FairMetric, words: Words, ratios: Ratios | None = None, *, chosen: bool = False
) -> tuple[Sentence, ...]:
    """Return the sentences with what they state: first what is known, then what is not."""
    about = _About(metric, words, ratios or Ratios.exact(metric))
    known = [*about.trade_off(), *about.mistakes(), *about.violation()]
    unknown = list(about.unknown())
    if chosen and unknown:
        ending = _NOT_NEEDED if len(unknown) == 1 else "none of this was needed to choose"
        unknown[-1] = f"{unknown[-1]}; {ending}"
    return (*known, *(Sentence(f"{one}.") for one in unknown))


def nearness(near: Near) -> str:
    """Say how often the nearest metric with a name decides differently."""
    return f"The nearest metric with a name is {near.name}: it would decide {decided(near)} differently."


NEAREST_UNKNOWN = "The answers do not tell which metric with a name is nearest."


def decided(near: Near) -> str:
    """Return how many comparisons a metric with a name decides differently, and of how many."""
    return f"{of_100(near.differs)} of 100 comparisons of made-up models"


def decided_among(share: float, models: int) -> str:
    """Say how many pairs of these models it decides differently, after how many of made-up ones."""
    pairs = comb(models, 2)
    number = round(share * pairs) or "none"
    return f"Among these models, it is {number} of the {plural(pairs, 'pair')}."


@dataclass(frozen=True, eq=False)
class _About:
    """The sentences about one metric."""

    metric: FairMetric
    words: Words
    ratios: Ratios

    @property
    def unfair(self) -> str:
        return self.metric.form.title

    def trade_off(self) -> Iterator[Sentence]:
        ratio = self.ratios.trade_off
        of_all = Stated("trade_off", ratio, ratio.low, ratio.high)
        if ratio.hardly:
            almost_none = Stated("trade_off", ratio, high=ratio.high)
            yield Sentence(f"The cost lies almost wholly in mistakes, not in {self.unfair}.", (almost_none,))
            return
        if ratio.turned.hardly:
            almost_all = Stated("trade_off", ratio, low=ratio.low)
            yield Sentence(f"The cost lies almost wholly in {self.unfair}, not in mistakes as such.", (almost_all,))
            return
        scale = f"on a scale from 0 (only mistakes) to 1 (only {self.unfair})"
        value = two_decimals(ratio.share)
        if not ratio.is_exact:
            value = f"about {value}, between {two_decimals(ratio.low)} and {two_decimals(ratio.high)},"
        if ratio.more or ratio.less:
            more, less = (self.unfair, "mistakes") if ratio.more else ("mistakes", self.unfair)
            text = f"{capitalised(more)} count more than {less}: the trade-off is {value} {scale}."
            order: Literal["more", "less"] = "more" if ratio.more else "less"
            yield Sentence(text, (Stated("trade_off", ratio, ratio.low, ratio.high, order),))
        elif ratio.alike:
            text = f"Mistakes and {self.unfair} count about alike: the trade-off is {value} {scale}."
            yield Sentence(text, (of_all,))
        elif ratio.narrow:
            yield Sentence(f"Mistakes and {self.unfair} both count: the trade-off is {value} {scale}.", (of_all,))
        if self.metric.width is not None and ratio.is_exact:
            yield Sentence(f"What is unfair counts beyond a width of {points(100 * self.metric.width)}.")

    def mistakes(self) -> Iterator[Sentence]:
        if self.ratios.mistakes_count and not self.ratios.trade_off.turned.hardly:
            yield from self._compared("mistakes", self.words.mistakes, "All kinds of mistake count about alike")

    def violation(self) -> Iterator[Sentence]:
        ratios = self.ratios
        if ratios.trade_off.hardly:
            return
        both_count = ratios.mistakes_count and ratios.violation_counts
        if ratios.violation and both_count and all(one.alike for one in (*ratios.violation, *ratios.mistakes)):
            price = next((one for one in ratios.in_mistakes if one.told), None)
            if price is not None:
                worth = _COUNTS_ALONE if price.turned.hardly else _worth(price, "of a mistake for everybody")
                text = f"Every weight of {self.unfair} is about the same: one point {worth}."
                yield Sentence(text, (Stated("in_mistakes", price, *(price.told or ())),))
                return
        if ratios.violation_counts:
            yield from self._compared("violation", self._phrases, "")
        for ratio in self._heaviest:
            # Where mistakes hardly count, what counts little beside them is not told from what does not count at all.
            if ratio.told and (ratio.turned.hardly or ratio.is_exact or not ratios.trade_off.turned.hardly):
                what = capitalised(self._phrases[ratio.one])
                yield Sentence(f"{what} {self._in_mistakes(ratio)}.", (Stated("in_mistakes", ratio, *ratio.told),))
        left = len(ratios.in_mistakes) - len(self._heaviest)
        if left and ratios.trade_off.is_exact:
            yield Sentence(f"The other {'one counts' if left == 1 else f'{left} count'} less, or not at all.")

    def unknown(self) -> Iterator[str]:
        """Yield what is not known, without the full stop."""
        ratios, form = self.ratios, "The answers do not tell which of {} counts {}"
        trade_off = ratios.trade_off
        if not (trade_off.more or trade_off.less or trade_off.alike):
            yield f"The answers do not tell which of mistakes and {self.unfair} count more"
        for part, names, counts, silent in (
            (ratios.mistakes, self.words.mistakes, ratios.mistakes_count, trade_off.turned.hardly),
            (ratios.violation, self._phrases, ratios.violation_counts, trade_off.hardly),
        ):
            open_ones = [ratio for ratio in part if not (counts and (ratio.more or ratio.less or ratio.alike))]
            if open_ones and not silent:
                named = [names[open_ones[0].one], *(names[ratio.other] for ratio in open_ones)]
                yield form.format(in_a_row(named), "more" if len(named) == 2 else "most")

    @cached_property
    def _phrases(self) -> tuple[str, ...]:
        """One point of each entry of the violation, row by row."""
        rows, columns = self.metric.violation.shape
        form = self.metric.form
        return tuple(form.phrase(row, column, self.words) for row in range(rows) for column in range(columns))

    @property
    def _heaviest(self) -> tuple[Ratio, ...]:
        """The heaviest entries of the violation beside mistakes, but for those that count for next to nothing."""
        weights = self.metric.violation.ravel()
        nothing = {ratio.other for ratio in self.ratios.violation if ratio.turned.hardly}
        by_weight = sorted(self.ratios.in_mistakes, key=lambda ratio: -float(weights[ratio.one]))
        return tuple(ratio for ratio in by_weight if ratio.one not in nothing)[:_MOST]

    def _compared(self, part: Part, names: Sequence[str], alike: str) -> Iterator[Sentence]:
        """Compare the heaviest weight of a part with the others, as far as that is known."""
        ratios: tuple[Ratio, ...] = getattr(self.ratios, part)
        if ratios and all(ratio.alike for ratio in ratios):
            if alike:
                text = f"{alike}{_beside(ratios, names)}."
                yield Sentence(text, tuple(Stated(part, ratio, ratio.low, ratio.high) for ratio in ratios))
            return
        known = [ratio if ratio.more else ratio.turned for ratio in ratios if ratio.more or ratio.less]
        weights = getattr(self.metric.weights, "misclassification" if part == "mistakes" else part).ravel()
        if part == "violation" and len(ratios) > 1:
            if len(known) == len(ratios):
                states = tuple(Stated(part, ratio, order="more") for ratio in known)
                yield Sentence(f"Of {self.unfair}, what counts most is {names[known[0].one]}.", states)
            return
        for ratio in sorted(known, key=lambda ratio: -float(weights[ratio.other]))[:_MOST]:
            text, stated = _times(part, ratio, names)
            yield Sentence(text, (stated,))
        left = len(known) - _MOST
        if left > 0:
            yield Sentence(f"The other {'one counts' if left == 1 else f'{left} count'} less.")

    def _in_mistakes(self, ratio: Ratio) -> str:
        """Say what one point of what is unfair is worth in points of a mistake: of its own, if it is about one."""
        names = self.words.mistakes
        if ratio.turned.hardly:
            return _COUNTS_ALONE
        columns = self.metric.violation.shape[-1]
        own = self.metric.form.columns(self.words) == names and ratio.one % columns == ratio.other
        return _worth(ratio, "of that mistake for everybody" if own else f"of {names[ratio.other]}")


def _times(part: Part, ratio: Ratio, names: Sequence[str]) -> tuple[str, Stated]:
    """Say that the first of two counts more, and how many times as much if that is known."""
    one, other = capitalised(names[ratio.one]), names[ratio.other]
    if ratio.turned.hardly:
        text = f"{one} counts, while {other} counts for next to nothing."
        return text, Stated(part, ratio, ratio.low, order="more")
    if ratio.is_exact:
        return f"{one} counts {as_much(ratio.times)} as {other}.", Stated(
            part, ratio, ratio.low, ratio.high, order="more"
        )
    if ratio.narrow:
        about = as_much(ratio.times)
        about = about if about.startswith("about") else f"about {about}"
        text = f"{one} counts {about} as {other}, {between(ratio.at_least, ratio.at_most)} times."
        return text, Stated(part, ratio, ratio.low, ratio.high, order="more")
    if ratio.at_least > ALIKE:
        text = f"{one} counts at least {rounded_down(ratio.at_least)} times as much as {other}."
        return text, Stated(part, ratio, ratio.low, order="more")
    return f"{one} counts more than {other}.", Stated(part, ratio, order="more")


def _beside(alike: Sequence[Ratio], names: Sequence[str]) -> str:
    """Say how many times as much any of these weights counts as the one they are compared with, unless it is exact."""
    if all(ratio.is_exact for ratio in alike):
        return ""
    others = [ratio.turned for ratio in alike]
    ends = between(min(other.at_least for other in others), max(other.at_most for other in others))
    return f": {ends} times as much as {names[alike[0].one]}"


def _worth(ratio: Ratio, of_what: str) -> str:
    """Say how many points of a mistake one point is worth; `ratio.told` says what is known of it."""
    if ratio.is_exact:
        return f"counts as much as {points(ratio.times)} more {of_what}"
    if ratio.narrow:
        ends = between(ratio.at_least, ratio.at_most)
        return f"counts as much as about {points(ratio.times)} more {of_what}, {ends}"
    if ratio.more:
        return f"counts at least as much as {rounded_down(ratio.at_least)} points more {of_what}"
    return f"counts at most as much as {rounded_up(ratio.at_most)} points more {of_what}"
