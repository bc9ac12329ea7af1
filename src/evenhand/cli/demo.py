"""`evenhand demo`: interviews a simulated person, and compares the finding with the truth."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from string import ascii_uppercase
from typing import Annotated, Any

import numpy as np
import typer
from rich.console import Console, Group
from rich.progress import BarColumn, Progress, TextColumn
from rich.text import Text

from evenhand.elicitation import Elicited, elicit
from evenhand.elicitation.methods import method_named
from evenhand.files import check_place
from evenhand.metric import FairMetric
from evenhand.oracles import SimulatedOracle
from evenhand.ranking import kendall_tau, ndcg
from evenhand.rates import Setting
from evenhand.rates.models import made_up_models
from evenhand.report.terminal.guide import questions_by_part, shown_warnings
from evenhand.report.terminal.order import OrderPicture
from evenhand.report.terminal.screen import BAR, screen
from evenhand.report.terminal.svg import save_svg
from evenhand.report.terminal.weight_bars import MetricPicture
from evenhand.typing import Floats

MODELS = 20
MOST_QUESTIONS_FOR_A_PERSON = 40
WIDTH_OF_SVG = 90


@dataclass(frozen=True, eq=False)
class Demonstration:
    """A hidden metric, the metric that an interview found, and models to apply both to."""

    truth: FairMetric
    elicited: Elicited
    models: Floats

    @classmethod
    def run(
        cls,
        *,
        seed: int,
        classes: int,
        groups: int,
        method: str,
        tolerance: float | None,
        progress: Callable[[int, int], object],
    ) -> Demonstration:
        """Draw a metric and models from the seed, and interview a simulated person with that metric."""
        rng = np.random.default_rng(seed)
        setting = lender() if (classes, groups) == (2, 2) else _numbered(Setting.random(classes, groups, rng))
        truth = FairMetric.random(setting, rng)
        options: dict[str, Any] = {} if tolerance is None else {"tolerance": tolerance}
        if "max_questions" in method_named(method).option_names():
            options["max_questions"] = MOST_QUESTIONS_FOR_A_PERSON
        elicited = elicit(
            SimulatedOracle(truth), setting, method=method, progress=progress, random_state=seed, **options
        )
        return cls(truth, elicited, made_up_models(setting, MODELS, rng))

    @property
    def costs(self) -> tuple[Floats, Floats]:
        """The models' costs by the true and by the recovered metric."""
        return self.truth.cost_of_profiles(self.models), self.elicited.metric.cost_of_profiles(self.models)


def lender() -> Setting:
    """Return the setting of the demo: a lender, whose customers are women and men."""
    return Setting(["repays", "defaults"], ["women", "men"], [[0.45, 0.3], [0.55, 0.7]])


def _numbered(setting: Setting) -> Setting:
    classes, groups = (
        [f"{kind} {name}" for name in names] for kind, names in (("class", setting.classes), ("group", setting.groups))
    )
    return Setting(classes, groups, setting.prevalence)


def demo(
    *,
    seed: Annotated[int, typer.Option(min=0, help="The seed of the hidden metric and the models.")] = 7,
    classes: Annotated[int, typer.Option(min=2, max=5, help="How many classes.")] = 2,
    groups: Annotated[int, typer.Option(min=2, max=5, help="How many groups.")] = 2,
    method: Annotated[str, typer.Option(help="paper, least-squares, bisection or adaptive.")] = "paper",
    tolerance: Annotated[
        float | None, typer.Option(help="The precision of each search; not for adaptive.", show_default="0.001")
    ] = None,
    svg: Annotated[Path | None, typer.Option(metavar="FILE.svg", help="Also save the output as a picture.")] = None,
) -> None:
    """Watch an interview of a simulated stakeholder, and compare the recovered metric with the true one."""
    if svg is not None:
        check_place(svg)
    console = screen()
    console.print(_OPENING)
    with _bar(console) as bar:
        task = bar.add_task("", total=0)
        shown = Demonstration.run(
            seed=seed,
            classes=classes,
            groups=groups,
            method=method,
            tolerance=tolerance,
            progress=lambda done, total: bar.update(task, completed=done, total=total),
        )
    console.print(picture(shown))
    console.print(_CLOSING)
    if svg is not None:
        save_svg(Group(_OPENING, picture(shown), _CLOSING), svg, title="evenhand demo", width=WIDTH_OF_SVG)
        console.print(f"The picture is in {svg}.", soft_wrap=True)


_OPENING = Text(
    "A simulated stakeholder has a fairness metric in mind, which evenhand does not know. It shows them two models at "
    "a time, asks which one they would rather deploy, and works out what each mistake and each gap between groups "
    "costs them."
)
_CLOSING = Text("\nNext: ", style="bold").append(
    "evenhand interview --help says how to answer such questions yourself; README.md shows the same in Python.",
    "not bold",
)


def _bar(console: Console) -> Progress:
    """Return a progress bar, which stays invisible without a terminal."""
    return Progress(
        BarColumn(bar_width=None, complete_style=BAR, finished_style=BAR),
        TextColumn("{task.completed:.0f} of {task.total:.0f} questions", style="default"),
        console=console,
        disable=not console.is_terminal or console.is_dumb_terminal,
    )


def picture(shown: Demonstration) -> Group:
    """Draw both metrics, the numbers of questions, and the order of the example models by each metric."""
    elicited, (true_cost, cost) = shown.elicited, shown.costs
    names = [f"model {letter}" for letter in ascii_uppercase[:MODELS]]
    return Group(
        Text(),
        questions_by_part(elicited.questions_by_part),
        Text(),
        MetricPicture({"true": shown.truth, "recovered": elicited.metric}),
        *shown_warnings(elicited.warnings),
        Text(),
        Text(f"{MODELS} example models in order of cost", style="bold"),
        OrderPicture(names, true_cost, cost),
        Text("Agreement of the two orders (1: the same): ").append(
            f"Kendall's tau {kendall_tau(true_cost, cost):.3f}, NDCG {ndcg(true_cost, cost):.4f}", "bold"
        ),
    )
