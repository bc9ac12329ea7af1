"""What a person sees at the end: which model their answers favour, how sure that is, and why; or what would help."""

from __future__ import annotations

from dataclasses import dataclass

from evenhand.elicitation import Choice, Finding
from evenhand.errors import EvenhandError
from evenhand.metric.nearest import nearest
from evenhand.metric.sentences import decided
from evenhand.ranking import Ranking, rank
from evenhand.report.reliability import HEADINGS, nearest_in_words, order_in_words, steadiness
from evenhand.study.interview import Interview
from evenhand.web.views.cards import OutcomeCard, outcomes
from evenhand.web.views.figures import Figures, hundred
from evenhand.web.views.weight_rows import WeightRows
from evenhand.wording.numerals import plural, whole_percent

_NAMED = 3


@dataclass(frozen=True)
class Sure:
    """A probability as people of 100, with the sentence that says it."""

    people: int
    figures: tuple[Figures, ...]
    sentence: str

    @classmethod
    def of(cls, probability: float, sentence: str) -> Sure:
        """Round down to whole people, so that nobody is told more than is known."""
        people = whole_percent(probability)
        return cls(people, hundred([("sure", people)]), sentence)


@dataclass(frozen=True)
class Undecided:
    """The last page where nothing should be decided: why, what would help, and nothing that was not learned."""

    answers: str
    heading: str
    reason: str
    advice: str
    doubts: tuple[str, ...]
    steadiness: tuple[str, ...]
    predictive: tuple[float, ...]

    @classmethod
    def of(cls, finding: Finding, answers: int) -> Undecided:
        """Say why not to decide by a finding after so many answers."""
        verdict = finding.verdict
        return cls(
            answers="" if verdict.kind == "no answers" else plural(answers, "answer"),
            heading=HEADINGS[verdict.kind],
            reason=verdict.reason,
            advice=verdict.advice,
            doubts=finding.doubts,
            steadiness=tuple(steadiness(finding.reliability)),
            predictive=() if finding.reliability is None else finding.reliability.predictive,
        )


@dataclass(frozen=True, eq=False)
class Result:
    """Everything on the last page. What a method does not know is empty: how sure it is, or of the order."""

    best: str
    settled: bool
    sures: tuple[Sure, ...]
    ended: str | None
    ranking: Ranking
    not_worth_it: str | None
    probabilities: dict[str, float]
    order: tuple[str, ...]
    apart: str | None
    weights: WeightRows
    sentences: tuple[str, ...]
    nearness: tuple[str, ...]
    next_nearest: tuple[tuple[str, str], ...]
    outcomes: tuple[OutcomeCard, ...]
    steadiness: tuple[str, ...]
    predictive: tuple[float, ...]
    warnings: tuple[str, ...]

    @classmethod
    def of(cls, interview: Interview) -> Result:
        """Sum up an interview that is finished, and whose answers are a basis for a decision."""
        finding, study = interview.finding, interview.study
        if finding is None:
            raise EvenhandError("this interview has no result yet: answer its questions first")
        if not finding.verdict.decided:
            raise EvenhandError(f"nothing should be decided by this interview: {finding.verdict.reason}")
        ranking = rank(finding.metric, study.candidates)
        choice, reliability = finding.choice or Choice(best=ranking.names[0]), finding.reliability
        near = nearest(finding.metric)[:_NAMED]
        probabilities = (choice.best_certainty, choice.tested_certainty)
        beaten = ranking.not_worth_it
        favourite_is = not ranking.is_worth_it(choice.best)
        return cls(
            best=choice.best,
            settled=finding.settled,
            sures=tuple(
                Sure.of(probability, sentence)
                for probability, sentence in zip(probabilities, choice.sentences("Your answers", "it"), strict=False)
                if probability is not None
            ),
            ended=finding.ended,
            ranking=ranking,
            not_worth_it=None if favourite_is else beaten,
            probabilities=choice.probabilities,
            order=tuple(order_in_words(finding)),
            apart=choice.apart("it"),
            weights=WeightRows.of(study, finding),
            sentences=tuple(finding.sentences(study.words.in_order(study.setting).quoted())),
            nearness=tuple(nearest_in_words(finding, study.candidates, near[0])),
            next_nearest=tuple((one.name, decided(one)) for one in near[1:]) if finding.has_a_shape else (),
            outcomes=outcomes(study, {choice.best: study.candidates[choice.best]}),
            steadiness=tuple(steadiness(reliability)),
            predictive=() if reliability is None else reliability.predictive,
            warnings=(*finding.warnings, *([beaten] if beaten is not None and favourite_is else [])),
        )
