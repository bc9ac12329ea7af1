"""What the tables of the commands look like at several widths; `python -m tests.cli.screens` writes them anew."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import numpy as np
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult

from evenhand import FairMetric, GroupRates, Setting, rank
from evenhand.cli.invitations import INVITATIONS
from evenhand.cli.region import calibration_table
from evenhand.cli.study import STUDIES
from evenhand.elicitation import Elicited, elicit
from evenhand.experiments import Recovery
from evenhand.experiments.cell import GridCell, Noise
from evenhand.experiments.compare import Attempt
from evenhand.experiments.ranking.claims import judge
from evenhand.experiments.ranking.estimates import BASELINES
from evenhand.experiments.ranking.experiment import DatasetResult, RankingResult
from evenhand.experiments.ranking.interviews import ToBest
from evenhand.experiments.ranking.scores import Scores
from evenhand.experiments.ranking.table import ranking_tables
from evenhand.experiments.ranking.transport import Transported
from evenhand.experiments.rows import GridRow
from evenhand.experiments.samples import SampleSize
from evenhand.experiments.tables import comparison_table, recovery_table, samples_table
from evenhand.oracles import SimulatedOracle
from evenhand.ranking import Ranking
from evenhand.rates.models import made_up_models
from evenhand.region.calibration import GroupCalibration
from evenhand.report.terminal.lists import listing
from evenhand.report.terminal.ranking_table import RankingTable
from evenhand.report.terminal.rates_table import RatesTable
from evenhand.report.terminal.side_by_side import ComparisonPicture
from evenhand.report.terminal.weight_bars import MetricPicture
from evenhand.wording.comparison import Comparison

FOLDER = Path(__file__).parent / "screens"
WIDTHS = (60, 80, 120)
ENDLESS = 100_000
GROUPS = ["women under 30", "women from 30 to 59", "women of 60 and more", "men under 60", "men of 60 and more"]


def setting(classes: int, groups: int) -> Setting:
    names = (["repays", "late", "defaults"][:classes], GROUPS[:groups] if groups > 2 else ["women", "men"])
    return Setting(*names, np.full((groups, classes), 1 / groups))


def models(about: Setting, number: int, name: Callable[[int], str]) -> dict[str, GroupRates]:
    """Return made-up models that were measured on 250 people of each group and class."""
    size = np.full((len(about.groups), len(about.classes)), 250.0)
    made = {}
    for place, profile in enumerate(made_up_models(about, number, np.random.default_rng(3))):
        rates = GroupRates.from_vector(about, profile)
        counts = rates.matrix * size[..., None]
        made[name(place)] = GroupRates(setting=about, matrix=rates.matrix, counts=counts, sizes=size)
    return made


def short(place: int) -> str:
    return f"model {place + 1}"


def long(place: int) -> str:
    return f"gradient boosting with depth {place + 1}, cautious"


def answered(about: Setting, of: dict[str, GroupRates]) -> Elicited:
    truth = FairMetric.random(about, 5)
    return elicit(SimulatedOracle(truth), about, method="adaptive", candidates=of, max_questions=8, random_state=1)


def ranking(classes: int, groups: int, number: int, name: Callable[[int], str], *, people: bool = False) -> Ranking:
    about = setting(classes, groups)
    candidates = models(about, number, name)
    return rank(answered(about, candidates) if people else FairMetric.random(about, 5), candidates)


def rates_of(classes: int, groups: int) -> RatesTable:
    return RatesTable("forest", models(setting(classes, groups), 1, short)["model 1"], 0.95)


def comparison() -> RenderableType:
    errors = np.outer([0.02, 0.3, 0.04], np.linspace(0.5, 2, 20))
    noise = [Noise(), Noise(flip=0.1)]
    return comparison_table(
        [
            Attempt(classes, 3, one, method, questions, errors)
            for classes in (2, 4)
            for one in noise
            for method, questions in (("least-squares", 12_574), ("adaptive", 40), ("adaptive", 80))
        ]
    )


def recovery() -> RenderableType:
    errors = np.outer([0.0002, 0.003, 0.0004], np.linspace(0.5, 2, 20))
    cells = [GridCell(classes=classes, groups=groups, oracles=20) for classes in (2, 5) for groups in (2, 5)]
    rows = [GridRow(cell, method, 6_242, errors) for cell in cells for method in ("paper", "least-squares")]
    return recovery_table(Recovery(tuple(rows), ()))


def on_samples() -> RenderableType:
    distances = np.outer([0.033, 0.267, 0.226], np.linspace(0.5, 2, 5))
    return samples_table(
        [
            SampleSize(size, method, distances * 300 / size)
            for method in ("paper", "bisection", "least-squares")
            for size in (300, 3_000, 30_000)
        ]
    )


class Ranked:
    """The ranking experiment, whose tables have fewer columns where the screen is narrow."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield from ranking_tables(self._result(), width=options.max_width)

    @staticmethod
    def _result() -> RankingResult:
        spread = np.linspace(0.9, 1, 20)

        def scores(questions: int, share: float) -> Scores:
            return Scores(questions, *(share * spread ** (place + 1) for place in range(4)))

        adaptive = {f"adaptive_{budget}_{answers}": budget for budget in (10, 40) for answers in ("exact", "wrong")}
        by_method = {name: scores(0, 0.8) for name in BASELINES} | {"paper": scores(6_242, 1.0)}
        by_method |= {name: scores(budget, 0.95) for name, budget in adaptive.items()}
        to_best = ToBest(np.arange(10.0, 30.0), np.ones(20), np.zeros(20))
        names = ("default", "crime")
        return RankingResult(
            ranked=tuple(DatasetResult(name, by_method, {"exact": to_best, "wrong": to_best}) for name in names),
            transported=(Transported("adult", "default", "least-squares", scores(574, 0.9), scores(574, 1.0)),),
            verdicts=judge(dict.fromkeys(names, by_method)),
            metrics=20,
            classifiers=100,
            seed=0,
            kept="nothing came from the cache",
            notes=(),
        )


def question() -> RenderableType:
    about = setting(3, 5)
    one, other = models(about, 2, short).values()
    return ComparisonPicture(Comparison.of(one, other))


def studies() -> RenderableType:
    titles = ("Who gets a loan?", "Which of the seven models should decide who is called in for a second examination?")
    numbers = (7, 3, 2, 120, 96, 88, 1_204)
    return listing(STUDIES, [(f"study-{len(one)}", one, "invited", *numbers) for one in titles], words=STUDIES[:3])


def invited() -> RenderableType:
    rows = [
        ("3f2a9c", "Ana Lucía Fernández de la Vega", "finished", 24, "", "2026-12-01"),
        ("77b0e1", "the evening class of statistics", "open: 12 of 30 began, 9 finished", 288, "about 40", ""),
    ]
    return listing(INVITATIONS, rows, words=("label", "state"))


def calibrated() -> RenderableType:
    kinds = ("isotonic", "isotonic", "logistic", "logistic, of all groups", "as given")
    return calibration_table(
        [
            GroupCalibration(group=group, people=3175.0, error=0.0123, by_chance=0.011, spread=0.003, how=how)
            for group, how in zip(GROUPS, kinds, strict=True)
        ],
        GROUPS,
    )


SCREENS: dict[str, Callable[[], RenderableType]] = {
    "rank-2-groups": lambda: RankingTable(ranking(2, 2, 4, short)),
    "rank-5-groups": lambda: RankingTable(ranking(2, 5, 4, long)),
    "rank-answers": lambda: RankingTable(ranking(2, 2, 4, long, people=True)),
    "rank-100-models": lambda: RankingTable(ranking(2, 2, 100, long)),
    "compare": comparison,
    "recover": recovery,
    "samples": on_samples,
    "experiments-ranking": Ranked,
    "question-5-groups": question,
    "metric-5-groups": lambda: MetricPicture({"": FairMetric.random(setting(3, 5), 5)}),
    "rates-2-groups": lambda: rates_of(2, 2),
    "rates-5-groups": lambda: rates_of(3, 5),
    "rates-2-classes": lambda: rates_of(2, 5),
    "region-5-groups": calibrated,
    "study-list": studies,
    "study-invitations": invited,
}


def drawn(what: RenderableType, width: int | None) -> str:
    """Return what a terminal of that width shows; without a width, what a pipe gets."""
    written = io.StringIO()
    console = Console(
        file=written, width=width or ENDLESS, force_terminal=width is not None, color_system=None, highlight=False
    )
    console.print(what)
    return "\n".join(line.rstrip() for line in written.getvalue().splitlines())


def screen(name: str) -> str:
    """Return a table at every width, one under the other."""
    what = SCREENS[name]()
    shown = {f"{width} columns": drawn(what, width) for width in WIDTHS} | {"in a pipe": drawn(what, None)}
    return "".join(f"══ {where} ══\n{text}\n\n" for where, text in shown.items())


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for one in SCREENS:
        (FOLDER / f"{one}.txt").write_text(screen(one), encoding="utf-8")
