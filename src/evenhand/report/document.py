"""A report in one file: what it recommends and how sure that is, then what each model does, the metric, the answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import version
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from evenhand.checks.messages import expect, shown
from evenhand.display.names import printable
from evenhand.elicitation import SKIP, Answer, Finding, Question
from evenhand.elicitation.finding import OtherRule, Verdict
from evenhand.elicitation.misfit import misfit_of_metric
from evenhand.elicitation.procedure import question_and_answer
from evenhand.errors import EvenhandError, MissingExtraError
from evenhand.files import write_file
from evenhand.metric import FairMetric, Near, nearest
from evenhand.metric.sentences import CAVEAT, POINT
from evenhand.ranking import Ranking, rank
from evenhand.rates import GroupRates
from evenhand.rates.models import named_models
from evenhand.report import charts
from evenhand.report.drawing import NARROW, WIDE, Chart, Layout, as_svg
from evenhand.report.models_table import MOST_MODELS, RatesOfModels, rates_of_models
from evenhand.report.reliability import (
    DOUBT,
    HEADINGS,
    HELP,
    certainty,
    diagnostics,
    nearest_in_words,
    order_in_words,
    steadiness,
    where_it_lies,
)
from evenhand.typing import Floats
from evenhand.wording.comparison import Comparison, who_is_in_the_groups
from evenhand.wording.numerals import percent
from evenhand.wording.vocabulary import Words

_MOST_ANSWERS = 100


@dataclass(frozen=True, eq=False)
class ShownAnswer:
    """One answer as the report shows it."""

    number: int
    question: str
    answer: str
    predictive: float | None


@dataclass(frozen=True, eq=False)
class Report:
    """Everything that a report says; make one with `report`.

    Examples
    --------
    >>> from evenhand import Setting
    >>> setting = Setting(["repays", "defaults"], ["women", "men"], [[0.5, 0.4], [0.5, 0.6]])
    >>> models = {"lenient": GroupRates.trivial(setting, "repays"), "coin": GroupRates.uniform(setting)}
    >>> made = report(FairMetric.random(setting, 0), candidates=models)
    >>> made.ranking.names
    ('lenient', 'coin')
    """

    title: str
    finding: Finding
    history: Sequence[tuple[Question, Answer]]
    candidates: Mapping[str, GroupRates]
    mistakes: Mapping[Any, str]
    respondent: str = ""
    when: str = ""

    @property
    def metric(self) -> FairMetric:
        """The metric that is reported."""
        return self.finding.metric

    @property
    def predictive(self) -> tuple[float, ...]:
        """The probability of each answer just before it was given, from a method that keeps track of it."""
        return () if self.finding.reliability is None else self.finding.reliability.predictive

    @cached_property
    def verdict(self) -> Verdict:
        """Whether the answers are a basis for a decision, by what the method or the other rules tell."""
        return self.finding.verdict if self.other_rule is None else self.other_rule.verdict

    @property
    def doubts(self) -> list[str]:
        """The reasons to doubt what is reported."""
        beaten = self.ranking.not_worth_it if self.verdict.decided and self.ranking else None
        return [*self.finding.doubts, *([beaten] if beaten else [])]

    @property
    def heading(self) -> str:
        """What stands above all: the recommendation, or that there is none."""
        if not self.verdict.decided:
            return HEADINGS[self.verdict.kind]
        best = self.finding.best or (self.ranking.names[0] if self.ranking else None)
        if best is None:
            return "The metric that fits the answers" if self._was_asked else "A metric"
        if not self.finding.settled:
            return f"Favoured, but not settled: {printable(best)}"
        apart = self.finding.choice is None or not self.finding.choice.not_told_apart
        return f"{'Recommended' if apart else 'Favoured, on a small test set'}: {printable(best)}"

    @property
    def _was_asked(self) -> bool:
        """Whether the metric comes from answers."""
        return bool(self.history) or self.finding.reliability is not None

    @property
    def about(self) -> list[tuple[str, str]]:
        """Say who was asked, when, how many questions, and by which version this was written."""
        said = [("Written by", f"evenhand {version('evenhand')}")]
        if self._was_asked:
            by = getattr(self.finding, "method", "")
            many = len(self.history) or len(self.predictive)
            questions = f"{many}, by the method “{by}”" if by else str(many)
            unknown = "not recorded"
            said = [
                ("Who was asked", printable(self.respondent) or unknown),
                ("When", printable(self.when) or unknown),
                ("Questions", questions),
                *said,
            ]
        return said

    @cached_property
    def rates_tables(self) -> list[RatesOfModels]:
        """What each model does to each group: the best first or, where nothing is decided, in the order given."""
        if self.verdict.decided and self.ranking:
            return rates_of_models(self.metric.setting, self.candidates, self.ranking.names)
        return rates_of_models(self.metric.setting, self.candidates, tuple(self.candidates))

    @property
    def models_left_out(self) -> int:
        """How many models those tables leave out."""
        return max(0, len(self.candidates) - MOST_MODELS)

    @property
    def order(self) -> list[str]:
        """Say how certain the order of the candidates is, and why the first may not be the favourite."""
        return order_in_words(self.finding)

    @cached_property
    def sentences(self) -> list[str]:
        """The metric in words."""
        return self.finding.sentences(Words.spoken(self.metric.setting, self.mistakes))

    @cached_property
    def ranking(self) -> Ranking | None:
        """The candidates in order, if there are any."""
        return rank(self.finding, self.candidates) if self.candidates else None

    @cached_property
    def near(self) -> tuple[Near, ...]:
        """The metrics with a name, by how often they decide differently."""
        return nearest(self.metric)

    @cached_property
    def other_rule(self) -> OtherRule | None:
        """What explains the answers better than a metric of the family, unless the finding says so itself."""
        if self.finding.reliability is not None:
            return None
        return misfit_of_metric(self.history, self.metric, self._people()).rule

    def _people(self) -> Floats | None:
        """Return how many people of each group and class the candidates were measured on, if that is known."""
        for rates in self.candidates.values():
            if rates.sizes is not None:
                return rates.arranged(self.metric.setting).sizes
        return None

    @cached_property
    def charts(self) -> dict[str, Chart]:
        """The charts by name."""
        return self._drawn(WIDE)

    def _drawn(self, layout: Layout) -> dict[str, Chart]:
        if not self.verdict.decided:
            return {}
        drawn = {"weights": charts.weights_chart(self.metric, self.finding.intervals, layout)}
        if self.ranking is not None:
            drawn["ranking"] = charts.ranking_chart(self.ranking, unfair=self.metric.form.title, layout=layout)
        near = {"nearest": charts.nearest_chart(self.near, layout=layout)} if self.finding.has_a_shape else {}
        return drawn | near

    @property
    def nearness(self) -> list[str]:
        """Say how often the nearest metric with a name would decide differently."""
        return nearest_in_words(self.finding, self.candidates, self.near[0])

    @property
    def certainty(self) -> list[str]:
        """Say how certain it is which candidate is the best."""
        return certainty(self.finding)

    @property
    def reliability(self) -> list[str]:
        """Say what the answers themselves tell about how far to trust them."""
        return steadiness(self.finding.reliability) + diagnostics(self.finding)

    @property
    def answers(self) -> Iterator[ShownAnswer]:
        """The first answers, with the questions as they were posed."""
        predictive = iter(self.predictive)
        setting = self.metric.setting
        for number, (question, answer) in enumerate(self.history[:_MOST_ANSWERS], 1):
            a, b = (GroupRates.from_vector(setting, profile) for profile in (question.first, question.second))
            chance = None if answer is SKIP else next(predictive, None)
            yield ShownAnswer(number, str(Comparison.of(a, b)), _in_words(answer), chance)

    @property
    def answers_left_out(self) -> int:
        """How many answers are not shown one by one."""
        return max(0, len(self.history) - _MOST_ANSWERS)

    def html(self) -> str:
        """Return the report as one HTML page that needs nothing else."""
        try:
            from jinja2 import Environment, PackageLoader, StrictUndefined  # noqa: PLC0415  # an extra
        except ModuleNotFoundError as error:
            raise MissingExtraError("jinja2", "report") from error
        environment = Environment(
            loader=PackageLoader("evenhand.report"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        environment.filters["percent"] = percent
        return environment.get_template("report.html.j2").render(
            report=self,
            pictures={name: as_svg(chart) for name, chart in self.charts.items()},
            narrow={name: as_svg(chart) for name, chart in self._drawn(NARROW).items()},
            groups=who_is_in_the_groups(self.metric.setting),
            caveat=CAVEAT,
            point=POINT,
            doubt=DOUBT,
            decided=self.verdict.decided,
            help=HELP,
            lies=where_it_lies(self.finding.uncertainty.level) if self.finding.uncertainty else "",
        )

    def save(self, path: str | Path) -> None:
        """Write the page to a file."""
        expect(path, "path", str, PathLike)
        write_file(Path(path), self.html())


def report(
    result: FairMetric | Finding,
    *,
    candidates: Mapping[str, GroupRates] | None = None,
    history: Sequence[tuple[Question, Answer]] | None = None,
    mistakes: Mapping[Any, str] | None = None,
    respondent: str = "",
    when: str = "",
    title: str = "Which fairness metric do the answers point to?",
) -> Report:
    """Put a report together: `report(elicited, candidates=models).save("report.html")`.

    Parameters
    ----------
    result
        A `FairMetric`, or what `evenhand.elicit` returned.
    candidates
        The models to rank, name → `GroupRates`.
    history
        The questions and answers; those of the result, if it has them.
    mistakes
        The domain's own words for kinds of mistake, as in `FairMetric.describe`.
    respondent, when
        Who was asked, and when, in words.
    title
        The heading.

    Examples
    --------
    >>> from evenhand import Setting
    >>> setting = Setting(["repays", "defaults"], ["women", "men"], [[0.5, 0.4], [0.5, 0.6]])
    >>> models = {"lenient": GroupRates.trivial(setting, "repays"), "coin": GroupRates.uniform(setting)}
    >>> made = report(FairMetric.random(setting, 0), candidates=models)
    >>> made.heading
    'Recommended: lenient'
    """
    finding = Finding(metric=result) if isinstance(result, FairMetric) else result
    for name, text in (("respondent", respondent), ("when", when), ("title", title)):
        expect(text, name, str)
    if not isinstance(finding, Finding):
        raise EvenhandError(f"a report is about a FairMetric or what elicit returned, but received {shown(result)}")
    setting = finding.metric.setting
    if history is not None:
        expect(history, "history", Sequence)
    given = getattr(finding, "history", ()) if history is None else [question_and_answer(one) for one in history]
    models = named_models(candidates, setting, owner="the metric") if candidates else {}
    made = Report(title, finding, given, models, mistakes or {}, respondent, when)
    _ = made.sentences, made.ranking  # refuses words and candidates that do not fit, here and not while it is drawn
    return made


def _in_words(answer: Answer) -> str:
    if answer is SKIP:
        return "skipped"
    if answer is None:
        return "can’t tell"
    return "A preferred" if bool(np.all(answer)) else "B preferred"
