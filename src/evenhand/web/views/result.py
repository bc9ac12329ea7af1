"""What a person sees at the end: which model their answers favour, how sure that is, and why."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from evenhand.elicitation import Choice
from evenhand.errors import EvenhandError
from evenhand.metric.nearest import nearest
from evenhand.metric.sentences import decided, nearness
from evenhand.ranking import RankedModel, rank
from evenhand.report.reliability import steadiness
from evenhand.study.interview import Interview
from evenhand.web.views.cards import OutcomeCard, outcomes
from evenhand.web.views.figures import Figures, hundred
from evenhand.web.views.weight_rows import WeightRows
from evenhand.wording.numerals import whole_percent

_NAMED = 3


@dataclass(frozen=True)
class Sure:
    """A probability as people of 100."""

    people: int
    figures: tuple[Figures, ...]

    @classmethod
    def of(cls, probability: float) -> Sure:
        """Round down to whole people, so that nobody is told more than is known."""
        people = whole_percent(probability)
        return cls(people, hundred([("sure", people)]))


@dataclass(frozen=True, eq=False)
class Result:
    """Everything on the last page; `elsewhere` only where it is known on how many people models were tested.

    `probabilities` are those of each model to be the best, and that the answers follow a metric at all. They,
    `sure` and `ranking_sure` are empty for a method that does not know how sure it is.
    """

    best: str
    sure: Sure | None
    elsewhere: Sure | None
    attending: int
    ranking: tuple[RankedModel, ...]
    probabilities: dict[str, float]
    ranking_sure: int | None
    weights: WeightRows
    sentences: tuple[str, ...]
    nearness: str
    next_nearest: tuple[tuple[str, str], ...]
    outcomes: tuple[OutcomeCard, ...]
    steadiness: tuple[str, ...]
    predictive: tuple[float, ...]
    warnings: tuple[str, ...]

    @property
    def first(self) -> str:
        """The first in the ranking, which is by expected cost; the favourite may be another where much is unsure."""
        return self.ranking[0].name

    @property
    def by_cost(self) -> bool:
        """Whether the costs that are shown, which are those of one metric, rise down the ranking."""
        return all(one.cost <= next_one.cost for one, next_one in pairwise(self.ranking))

    @classmethod
    def of(cls, interview: Interview) -> Result:
        """Sum up an interview that is finished."""
        finding, study = interview.finding, interview.study
        if finding is None:
            raise EvenhandError("this interview has no result yet: answer its questions first")
        by_cost = rank(finding.metric, study.candidates).names
        choice, reliability = finding.choice or Choice(best=by_cost[0]), finding.reliability
        attending = 1.0 if reliability is None else reliability.attending
        near, models = nearest(finding.metric, study.candidates)[:_NAMED], len(study.candidates)
        counted = any(rates.sizes is not None for rates in study.candidates.values())
        return cls(
            best=choice.best,
            sure=None if choice.best_certainty is None else Sure.of(choice.best_certainty),
            elsewhere=Sure.of(attending * choice.probabilities[choice.best])
            if counted and choice.probabilities
            else None,
            attending=whole_percent(attending),
            ranking=tuple(
                RankedModel.of(finding.metric, name, study.candidates[name], place)
                for place, name in enumerate(choice.ranking or by_cost, 1)
            ),
            probabilities={name: attending * probability for name, probability in choice.probabilities.items()},
            ranking_sure=None if choice.ranking_certainty is None else whole_percent(choice.ranking_certainty),
            weights=WeightRows.of(study, finding),
            sentences=tuple(finding.sentences(study.words.in_order(study.setting).quoted())),
            nearness=nearness(near[0], models),
            next_nearest=tuple((one.name, decided(one, models)) for one in near[1:]),
            outcomes=outcomes(study, {choice.best: study.candidates[choice.best]}),
            steadiness=tuple(steadiness(reliability)),
            predictive=() if reliability is None else reliability.predictive,
            warnings=finding.warnings,
        )
