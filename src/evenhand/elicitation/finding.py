"""What was learned from the answers, by any method."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal, Self, get_args

from evenhand.by_value import ByValue
from evenhand.display.frames import Library, as_frame
from evenhand.display.names import in_a_row, printable
from evenhand.elicitation import finding_display as display
from evenhand.errors import EvenhandError
from evenhand.metric import FairMetric, MetricSample, nearest
from evenhand.metric.display import ShownWeight
from evenhand.metric.display import columns as weight_columns
from evenhand.metric.ratios import Ratios
from evenhand.metric.sentences import CAVEAT, NEAREST_UNKNOWN, Sentence, nearness, said
from evenhand.typing import Floats
from evenhand.wording.numerals import percent, percent_missing, plural, whole_percent
from evenhand.wording.vocabulary import Words

if TYPE_CHECKING:
    from matplotlib.axes import Axes

VerdictKind = Literal[
    "decided",
    "no answers",
    "too few answers",
    "undecided answers",
    "swapped answers",
    "unreliable answers",
    "another rule",
    "change of mind",
]
_CHOSEN = ("best", "ranking")
"""What an interview is stopped by that is only about the candidates."""
_EXPLAINED = ("swapped answers", "another rule", "change of mind")
"""What answers follow that have much to do with their questions, and still follow no metric."""
VERDICTS: tuple[VerdictKind, ...] = get_args(VerdictKind)
LAPSES_TOLD: Final = 0.05
"""A lapse rate is told if its interval lies above this: by the prior alone it begins at 0.01."""
TESTED_ENOUGH: Final = 0.9
"""A favourite that is as good as the best with at least this probability, sampling error included, needs no warning
about the test set. Chosen by judgement, as is the next."""
LITTLE_LOST: Final = 0.05
"""Nor does one that loses no more than this by the sampling error."""
SETTLED: Final = 0.9
"""A favourite that is as good as the best with at least this probability is recommended, whatever ended the questions.
Also by judgement."""
POSSIBLE: Final = 0.05
"""A candidate that is as good as the best with less than this probability is told apart from it."""
_BY_THE_RULE = (
    "If this is the rule that was followed, compare the models by the rule itself; if not, say which one was followed."
)
_AGAIN = "Answer again from the start, by what was in mind at the end."
_NOT_ASKED = "The questions were about the best model, not about the order of the others."
_ENDED = {
    "best": "The questions ended when it was settled which model is the best, by the rates as measured. "
    "The probability told allows for random answers, too.",
    "ranking": "The questions ended when the order of the models was settled, which says less about the best of them.",
    "weights": "The questions ended when every weight was known as well as asked.",
}


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """Whether the answers are a basis for a decision; if not, page, report and terminal say so first, and nothing else.

    Attributes
    ----------
    kind
        `"decided"`: nothing speaks against deciding by these answers; `choice` and `uncertainty` say how sure they are.
        A method that cannot tell always says so.
        `"no answers"`: no question was answered.
        `"too few answers"`: so few answers may still be random.
        `"undecided answers"`: most answers are "can't tell".
        `"swapped answers"`: they would fit far better with their sides swapped.
        `"unreliable answers"`: they look random.
        `"another rule"`: they follow a rule that no metric of the family comes near.
        `"change of mind"`: they follow two metrics, one after the other.
    reason
        A sentence that says why nothing should be decided, empty if it is decided. It is the first of the warnings.
    advice
        A sentence that says what would help, empty if it is decided.

    Examples
    --------
    >>> Verdict().decided
    True
    >>> few = Verdict(kind="too few answers", reason="2 answers may be random.", advice="Answer more questions.")
    >>> few.decided, few.advice
    (False, 'Answer more questions.')
    """

    kind: VerdictKind = "decided"
    reason: str = ""
    advice: str = ""

    @property
    def decided(self) -> bool:
        """Whether a favourite, an order or a weight may be told to anybody."""
        return self.kind == "decided"

    @property
    def explained(self) -> bool:
        """Whether it was found what the answers follow, though it is no metric: then they are not called random."""
        return self.kind in _EXPLAINED


@dataclass(frozen=True, eq=False)
class Intervals(ByValue):
    """Credible intervals of all weights: arrays in the shape of the weights, with a last axis of two, from and to.

    Examples
    --------
    >>> from evenhand import FairMetric, Setting, SimulatedOracle, elicit
    >>> setting = Setting.random(2, 2, random_state=7)
    >>> person = SimulatedOracle(FairMetric.random(setting, 7))
    >>> intervals = elicit(person, setting, max_questions=8, random_state=0).intervals
    >>> low, high = intervals.trade_off
    >>> bool(0 <= low <= high <= 1), intervals.misclassification.shape
    (True, (2, 2))
    """

    misclassification: Floats
    violation: Floats
    trade_off: Floats


@dataclass(frozen=True, eq=False, kw_only=True)
class Uncertainty(ByValue):
    """How well the weights are known.

    Attributes
    ----------
    level
        The probability that a weight lies in its interval; that the answers may be random is allowed for.
    intervals
        The interval of each weight.
    ratios
        How many times as much one weight counts as another, with intervals; what is said of the metric rests on them,
        so they hold with a higher probability.
        Without them the weights are taken as exact.
    sample
        Draws from the posterior: metrics that the answers leave possible. None where a finding was read from a store,
        since the answers give the same draws again.

    Examples
    --------
    >>> from evenhand import FairMetric, Setting, SimulatedOracle, elicit
    >>> setting = Setting.random(2, 2, random_state=7)
    >>> person = SimulatedOracle(FairMetric.random(setting, 7))
    >>> known = elicit(person, setting, max_questions=8, random_state=0).uncertainty
    >>> known.level, bool(abs(known.sample.probability.sum() - 1) < 1e-9)
    (0.9, True)
    """

    level: float
    intervals: Intervals
    ratios: Ratios | None = None
    sample: MetricSample | None = field(default=None, repr=False)


@dataclass(frozen=True, kw_only=True)
class Choice:
    """What the answers say about the candidates; what a method cannot tell is None or empty.

    Attributes
    ----------
    best
        The candidate that the answers favour: the one with the highest probability of being the best. Candidates whose
        cost is within 0.002 of the lowest are as good as the best, and count as such.
    best_certainty
        The probability that the answers follow a metric and this candidate is as good as the best, by the rates as
        measured.
    probabilities
        For each candidate, the probability that the answers follow a metric and it is as good as the best, allowing for
        the sampling error of rates that have counts, and treating candidates as measured on different people. Several
        can be as good as the best, so the sum may be more than 1.
    ranking
        All candidates by their cost, the best first.
    ranking_certainty
        The probability that a pair of candidates is in the order of `ranking`, on average over pairs; it allows for
        random answers.

    Examples
    --------
    >>> choice = Choice(best="forest", best_certainty=0.97, ranking=("forest", "logistic"))
    >>> choice.best, choice.best_certainty
    ('forest', 0.97)
    """

    best: str
    best_certainty: float | None = None
    probabilities: dict[str, float] = field(default_factory=dict)
    ranking: tuple[str, ...] = ()
    ranking_certainty: float | None = None

    @property
    def tested_certainty(self) -> float | None:
        """`best_certainty`, allowing for the sampling error of the rates: that of `probabilities`."""
        return self.probabilities.get(self.best)

    @property
    def tested_below(self) -> str | None:
        """`tested_certainty` in per cent, if that is less than `best_certainty` in per cent."""
        sure, tested = self.best_certainty, self.tested_certainty
        if sure is None or tested is None or whole_percent(tested) >= whole_percent(sure):
            return None
        return percent(tested)

    @property
    def test_set_decides(self) -> bool:
        """Whether the sampling error of the rates takes away little of the certainty."""
        sure, tested = self.best_certainty, self.tested_certainty
        if sure is None or tested is None:
            return True
        return tested >= min(TESTED_ENOUGH, sure - LITTLE_LOST)

    @property
    def not_told_apart(self) -> tuple[str, ...]:
        """The other candidates that may be as good as the best, by what the test set leaves open; likeliest first."""
        if self.test_set_decides:
            return ()
        others = [name for name, chance in self.probabilities.items() if chance >= POSSIBLE and name != self.best]
        return tuple(sorted(others, key=lambda name: -self.probabilities[name]))

    def apart(self, best: str | None = None) -> str | None:
        """Say which other candidates the test set is too small to tell from the favourite, if there are any."""
        others = self.not_told_apart
        if not others:
            return None
        together = in_a_row([f"“{printable(name)}”" for name in others])
        return f"The test set is too small to tell {self._named(best)} from {together}."

    @property
    def overtaken(self) -> str | None:
        """Say which candidate is likelier as good as the best than the favourite once the sampling error counts."""
        tested = self.tested_certainty
        if tested is None:
            return None
        first = max(self.probabilities, key=lambda name: self.probabilities[name])
        chance = self.probabilities[first]
        if whole_percent(chance) <= whole_percent(tested):
            return None
        return (
            f"Allowing for the test set, “{printable(first)}” is as good as the best with {percent(chance)} "
            f"probability, “{printable(self.best)}” with {percent(tested)}: which of them looks best may be chance."
        )

    def _named(self, best: str | None) -> str:
        return f"“{printable(self.best)}”" if best is None else best

    @property
    def outdone(self) -> str | None:
        """Say which candidate costs less than the favourite by the one metric that is told, if one does."""
        if not self.ranking or self.ranking[0] == self.best:
            return None
        first, best = printable(self.ranking[0]), printable(self.best)
        return (
            f"By the one metric that is told, “{first}” costs least, which puts it first; but “{best}” is the best by "
            "more of the metrics that fit the answers."
        )

    def sentences(self, whose: str = "The answers", best: str | None = None) -> list[str]:
        """Say which candidate the answers favour and how certain that is, then what its test set leaves of that."""
        name = self._named(best)
        if self.best_certainty is None:
            return [f"{whose} favour {name}."]
        of_all = f" of the {len(self.ranking)} models" if best is None and self.ranking else ""
        told = [f"{whose} make {name} as good as the best{of_all} with {percent(self.best_certainty)} probability."]
        return told if self.tested_below is None else [*told, f"Allowing for the small test set: {self.tested_below}."]


@dataclass(frozen=True)
class OtherRule:
    """What explains the answers better than any metric of the family.

    Attributes
    ----------
    name
        The rule, or the change of mind, as a noun phrase.
    agrees
        How many answers agree with the rule; None of a change of mind.
    answers
        How many answers were decided.
    """

    name: str
    agrees: int | None
    answers: int

    def __str__(self) -> str:
        """Say what explains the answers, and how many of them agree."""
        if self.agrees is None:
            return f"{self.name} explains them far better than one metric of this family does"
        of_all = f"it agrees with {self.agrees} of {plural(self.answers, 'answer')}"
        return f"{self.name} explains them far better than metrics of this family do ({of_all})"

    @property
    def verdict(self) -> Verdict:
        """What follows for a metric that was fitted to such answers."""
        return Verdict(
            kind="change of mind" if self.agrees is None else "another rule",
            reason=f"Do not base a decision on a metric fitted to these answers: {self}.",
            advice=_AGAIN if self.agrees is None else _BY_THE_RULE,
        )


@dataclass(frozen=True, kw_only=True)
class Reliability:
    """What the answers tell about how far to trust them.

    Attributes
    ----------
    attending
        The probability that the answers have anything to do with the questions.
    lapse_rate
        The estimated share of answers that have nothing to do with the question.
    lapse_interval
        Where that share lies with the probability `Uncertainty.level`.
    predictive
        The probability of each answer just before it was given; skipped questions are left out.
    misfit
        How many times as likely the answers are by rules outside the family, or with a change of mind, as by a metric
        of the family or at random, whichever of these two is likelier: a Bayes factor.
    other_rule
        What explains them better, if that factor is 20 or more.
    consistency
        The share of repeated questions that got the same answer; None if none was repeated.
    repeats
        How many questions were repeated, and answered both times.

    Examples
    --------
    >>> from evenhand import FairMetric, Setting, SimulatedOracle, elicit
    >>> setting = Setting.random(2, 2, random_state=7)
    >>> person = SimulatedOracle(FairMetric.random(setting, 7))
    >>> reliability = elicit(person, setting, max_questions=8, random_state=0).reliability
    >>> len(reliability.predictive), 0 <= reliability.attending <= 1
    (8, True)
    """

    attending: float
    lapse_rate: float
    lapse_interval: tuple[float, float]
    predictive: tuple[float, ...]
    misfit: float
    other_rule: OtherRule | None = None
    consistency: float | None = None
    repeats: int = 0

    @property
    def lapses(self) -> str | None:
        """A sentence on the lapse rate, if it is the answers that tell it and not what was believed before."""
        low, high = self.lapse_interval
        if low <= LAPSES_TOLD or low == high:  # one number is what was known before
            return None
        return (
            f"About {percent(self.lapse_rate)} of the answers, between {percent(low)} and {percent_missing(1 - high)}, "
            "seem to have nothing to do with their question."
        )

    @property
    def same_answers(self) -> str:
        """Say how many of the repeated questions got the same answer."""
        if self.consistency in {0.0, 1.0}:
            return "none" if self.consistency == 0 else "it" if self.repeats == 1 else "all"
        return f"{round((self.consistency or 0.0) * self.repeats)} of them"

    @property
    def expected(self) -> int:
        """How many answers had a probability above one half just before they were given."""
        return sum(probability > 0.5 for probability in self.predictive)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Finding(ByValue):
    """A metric, the reasons to doubt it and, from a method that can tell, how sure it is.

    Attributes
    ----------
    metric
        The metric that the answers point to.
    verdict
        Whether the answers are a basis for a decision at all.
    warnings
        A sentence for each reason to doubt the metric, that of the verdict first.
    stopped_because
        `"best"`, `"ranking"`, `"weights"` or `"budget"`; None from a method that always asks the same number.
    uncertainty
        How well the weights are known; None if the method cannot tell.
    choice
        What the answers say about the candidates; None if there are none.
    reliability
        How far to trust the answers; None if the method cannot tell.

    Examples
    --------
    >>> from evenhand import FairMetric, Setting
    >>> finding = Finding(metric=FairMetric.random(Setting.random(2, 2, 0), 0))
    >>> finding.verdict.decided, finding.best
    (True, None)
    >>> Finding.from_json(finding.to_json()) == finding
    True
    """

    metric: FairMetric
    verdict: Verdict = Verdict()
    warnings: tuple[str, ...] = ()
    stopped_because: str | None = None
    uncertainty: Uncertainty | None = None
    choice: Choice | None = None
    reliability: Reliability | None = None

    def __repr__(self) -> str:
        return f"Finding({display.headline(self)})"

    def __str__(self) -> str:
        return display.text_of(self, "What was found:")

    def _repr_html_(self) -> str:
        return display.html_of(self, "What was found")

    def weight_rows(self) -> list[ShownWeight]:
        """Return every weight by name, with its interval."""
        return display.rows_of(self)

    def to_frame(self, library: Library | None = None) -> Any:
        """Return the weights with their intervals as a data frame of pandas, Polars or PyArrow, as in `FairMetric`."""
        return as_frame(weight_columns(self.weight_rows()), library)

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the weights with their intervals, and return the axes.

        It draws on `ax` or, without one, on a new figure. Needs the extra `figures`.
        """
        return display.plot_of(self, ax)

    @property
    def doubts(self) -> tuple[str, ...]:
        """The warnings without that of the verdict, for those who have read it above them."""
        return tuple(warning for warning in self.warnings if warning != self.verdict.reason)

    @property
    def order(self) -> str | None:
        """Say how certain the order of all candidates is, and whether the questions were about it, if that is known."""
        certainty = None if self.choice is None else self.choice.ranking_certainty
        if certainty is None:
            return None
        number = whole_percent(certainty)
        said = f"Of 100 pairs of models, about {number} are in the right order by the rates as measured."
        return f"{said} {_NOT_ASKED}" if self.stopped_because == "best" else said

    @property
    def settled(self) -> bool:
        """Whether the answers make the favourite certain enough to recommend it, by the rates as measured."""
        sure = None if self.choice is None else self.choice.best_certainty
        return sure is None or self.stopped_because == "best" or sure >= SETTLED

    @property
    def ended(self) -> str | None:
        """Say what ended the questions; None if it was their number."""
        return _ENDED.get(self.stopped_because or "")

    def sentences(self, words: Words) -> list[str]:
        """Return what the answers say about the weights, as far as they tell; nothing where nothing is decided."""
        return [one.text for one in self.said(words)]

    def said(self, words: Words) -> tuple[Sentence, ...]:
        """Return those sentences with what they state, so that it can be judged whether it is true."""
        if not self.verdict.decided:
            return ()
        ratios = None if self.uncertainty is None else self.uncertainty.ratios
        chosen = self.choice is not None and self.stopped_because in _CHOSEN
        return said(self.metric, words, ratios, chosen=chosen)

    @property
    def has_a_shape(self) -> bool:
        """Whether the weights are known well enough to compare the metric as a whole with others."""
        ratios = None if self.uncertainty is None else self.uncertainty.ratios
        return self.verdict.decided and (ratios is None or ratios.known)

    def describe(self, *, mistakes: Mapping[Any, str] | None = None) -> str:
        """Say in plain sentences what the answers tell about the weights; or why not to decide, and what would help.

        `mistakes` gives kinds of mistake the domain's own words, as in `FairMetric.describe`.
        """
        if not self.verdict.decided:
            return f"{self.verdict.reason}\n{self.verdict.advice}\n{CAVEAT}"
        spoken = self.sentences(Words.spoken(self.metric.setting, mistakes))
        near = nearness(nearest(self.metric)[0]) if self.has_a_shape else NEAREST_UNKNOWN
        return "\n".join([*spoken, near, CAVEAT])

    def to_json(self) -> str:
        """Return all of it as a JSON document that `from_json` and `evenhand.load` read back exactly."""
        from evenhand.elicitation.elicited_document import elicited_json  # noqa: PLC0415  # which reads findings

        return elicited_json(self)

    @classmethod
    def from_json(cls, text: str | bytes) -> Self:
        """Read what `to_json` wrote."""
        from evenhand.elicitation.elicited_document import elicited_from_json  # noqa: PLC0415

        found = elicited_from_json(text)
        if not isinstance(found, cls):
            raise EvenhandError("this document holds a finding without answers: Finding.from_json reads it")
        return found

    @property
    def intervals(self) -> Intervals | None:
        """Where each weight lies, with probability `uncertainty.level`."""
        return None if self.uncertainty is None else self.uncertainty.intervals

    @property
    def best(self) -> str | None:
        """The candidate that the answers favour; None without candidates, or where nothing should be decided."""
        return self.choice.best if self.choice is not None and self.verdict.decided else None

    @property
    def ranking(self) -> tuple[str, ...] | None:
        """All candidates by their cost, the best first; None without candidates, or where nothing should be decided."""
        return self.choice.ranking if self.choice is not None and self.verdict.decided else None
