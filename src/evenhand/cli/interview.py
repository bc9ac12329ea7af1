"""`evenhand interview`: interviews a person at the terminal; a file keeps the answers, to quit and resume."""

from __future__ import annotations

import shlex
import sys
from contextlib import contextmanager, nullcontext
from pathlib import Path
from threading import Timer
from typing import TYPE_CHECKING, Annotated, TextIO

import typer

from evenhand.cli.interview_options import InterviewOptions, check_metric_file
from evenhand.cli.output import wide_console, write
from evenhand.cli.own_models import OwnModels
from evenhand.cli.predictions import WeightOption
from evenhand.cli.region import read_region
from evenhand.cli.several import of_option
from evenhand.display.names import printable
from evenhand.errors import EvenhandError
from evenhand.oracles.terminal import Key, possible_keys, read_key
from evenhand.ranking import rank
from evenhand.report.terminal import guide
from evenhand.report.terminal.progress import Progress
from evenhand.report.terminal.ranking_table import RankingTable
from evenhand.report.terminal.screen import screen
from evenhand.report.terminal.side_by_side import ComparisonPicture
from evenhand.wording.comparison import Comparison

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import Console

    from evenhand.elicitation import Finding
    from evenhand.study import FileLog, Session
    from evenhand.study.interview import InterviewState


def interview(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="Stores the answers. If it exists, the interview resumes.")
    ],
    *,
    classes: Annotated[
        list[str] | None,
        typer.Option(metavar="NAMES", help="The classes: repays,defaults. If a name has a comma, repeat the option."),
    ] = None,
    groups: Annotated[
        list[str] | None, typer.Option(metavar="NAMES", help="The groups: women,men; or repeat the option.")
    ] = None,
    people: Annotated[
        list[str] | None,
        typer.Option(
            metavar="GROUP=N,N",
            help="How many people of a group are in each class, as counts or shares; once for each group. "
            "By default, all groups have the same size.",
        ),
    ] = None,
    method: Annotated[
        str | None,
        typer.Option(help="adaptive, or a search: paper, least-squares or bisection. Default: adaptive."),
    ] = None,
    tolerance: Annotated[
        float | None, typer.Option(help="The precision of a search; coarser means fewer questions. Default: 0.1.")
    ] = None,
    radius: Annotated[
        float | None, typer.Option(help="How far apart the models are; larger differences are easier to see.")
    ] = None,
    cycles: Annotated[
        int | None, typer.Option(help="How often each search is repeated. Default: 1 for two classes, otherwise 4.")
    ] = None,
    equal_pairs: Annotated[
        bool | None,
        typer.Option("--equal-pairs", help="Assume that all pairs of groups matter equally: far fewer questions."),
    ] = None,
    max_questions: Annotated[int | None, typer.Option(help="The most questions of an adaptive interview.")] = None,
    interval_width: Annotated[
        float | None,
        typer.Option(help="An adaptive interview ends when no interval of a weight is wider. Default: 0.1."),
    ] = None,
    candidates: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="Ask about your own models: a file of their predictions; repeat for more."),
    ] = None,
    label: Annotated[
        str | None, typer.Option(metavar="COLUMN", help="In that file, the column of true classes. Default: label.")
    ] = None,
    prediction: Annotated[
        list[str] | None,
        typer.Option(
            "--prediction",
            metavar="COLUMN",
            callback=of_option,
            help="The column of a model's predictions. For more models: a,b or wildcards, 'model_*'. Default: "
            "prediction*.",
        ),
    ] = None,
    group: Annotated[
        list[str] | None,
        typer.Option(
            "--group",
            metavar="COLUMN",
            callback=of_option,
            help="The column of groups; sex,age for intersections. Default: group.",
        ),
    ] = None,
    weight: WeightOption = None,
    words: Annotated[
        Path | None,
        typer.Option(metavar="FILE.toml", help="Words for groups, classes and mistakes, as a study's file has them."),
    ] = None,
    region: Annotated[
        Path | None,
        typer.Option(metavar="FILE.json", help="Ask about what is within reach: a file of `evenhand region --json`."),
    ] = None,
    metric: Annotated[
        Path | None, typer.Option(metavar="FILE.json", help="Write the metric to this file at the end.")
    ] = None,
) -> None:
    """Find out which fairness metric you hold, by comparing two models at a time.

    To begin: evenhand interview my.interview.jsonl --classes repays,defaults --groups women,men

    It asks few questions, and bears answers that are wrong. For the paper's questions, add --method paper

    About your own models: evenhand interview my.interview.jsonl --candidates predictions.csv --label repaid --group sex

    To resume: evenhand interview my.interview.jsonl
    """
    from evenhand.study import FileLog, resume  # noqa: PLC0415  # not on Windows, unlike the rest

    options = InterviewOptions(
        classes=classes,
        groups=groups,
        people=people,
        method=method,
        tolerance=tolerance,
        radius=radius,
        cycles=cycles,
        equal_pairs=equal_pairs,
        max_questions=max_questions,
        interval_width=interval_width,
        region=None if region is None else read_region(region),
        own=OwnModels(
            candidates=candidates, label=label, prediction=prediction, group=group, weight=weight, words=words
        ),
    )
    options.check()
    if metric is not None:
        check_metric_file(metric, file)
    with FileLog(file, begin=lambda: options.new_header(file)) as log:
        options.check_against(log.header, file)
        conversation = _Conversation(log, resume(log), screen(), metric)
        try:
            finished = conversation.finished or conversation.run()
        except KeyboardInterrupt:  # between two questions; the answers are saved
            finished = False
        if finished:
            conversation.show_result()
        else:
            conversation.say_goodbye()


_LONG = 0.5


@contextmanager
def waiting(console: Console) -> Iterator[None]:
    """Say that there is a wait if it gets long; what comes next clears the screen."""
    timer = Timer(_LONG, console.print, ["\nWorking out what comes next …"])
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()  # or what it is saying just now would come after what comes next


_ANSWERS = {Key.A: "first", Key.B: "second", Key.NEITHER: "neither", Key.SKIP: "skip"}


class _Conversation:
    """Shows the questions of a session and reads answers: single keys at a terminal, lines of text elsewhere."""

    def __init__(self, log: FileLog, session: Session[InterviewState], console: Console, metric: Path | None) -> None:
        self.metric = metric
        self.log = log
        self.session = session
        self.study = log.header.study
        self.phrases = None if self.study is None else self.study.words
        self.state = session.state()
        self.console = console
        self.stdin = _standard_input()
        can_type = self.stdin is not None and self.stdin.isatty()
        self.live = can_type and console.is_terminal and not console.is_dumb_terminal

    @property
    def finished(self) -> bool:
        """Whether all questions are answered."""
        return self.state.question is None

    @property
    def answered(self) -> int:
        """How many answers stand."""
        return len(self.state.answers)

    def run(self) -> bool:
        """Ask until all questions are answered or the person quits; return whether all are answered."""
        if not self._begin():
            return False
        note = ""
        while self.state.question is not None or self._takes_the_last_back():
            self._show_question(note)
            note = ""
            key = self._key()
            if key is Key.QUIT:
                return False
            if key is not Key.UNDO:
                with waiting(self.console) if self.live else nullcontext():
                    self.state = self.session.answer(self.answered + 1, _ANSWERS[key])
            elif self.answered:
                self._undo()
                note = f"Your answer to question {self.answered + 1} is undone; here is the question again."
            else:
                note = "There is no answer to undo: this is the first question."
        return True

    def _read(self) -> str:
        if self.live:
            return typer.getchar()
        line = self.stdin.readline() if self.stdin is not None else ""
        if not line:
            raise EOFError
        return line

    def _begin(self) -> bool:
        if self.log.notice:
            self.console.print(printable(self.log.notice))
        if self.answered:
            self.console.print(self._progress().welcome())
        else:
            self.console.print(guide.introduction(self.state.method, self._progress(), self.phrases))
        if not self.live:
            return True
        self.console.print("\nAny key begins; q quits.")
        try:
            return self._read().strip().lower() != Key.QUIT.shown
        except (EOFError, KeyboardInterrupt):
            return False

    def _progress(self) -> Progress:
        shown = self.state.question
        return Progress.of(self.state.method, self.answered, None if shown is None else shown.question)

    def _possible(self) -> tuple[Key, ...]:
        question = self.state.question
        return possible_keys(undecided=question is not None and question.undecided)

    def _undo(self) -> None:
        self.state = self.session.undo(self.answered)

    def _show_question(self, note: str) -> None:
        """Draw the present question."""
        if self.live:
            self.console.clear()
        self.console.print(self._progress().line())
        if note:
            self.console.print(note)
        self._print_question()

    def _print_question(self) -> None:
        question = self.state.question
        assert question is not None  # noqa: S101  # asked by the caller
        self.console.print()
        self.console.print(guide.ask())
        self.console.print(ComparisonPicture(Comparison.of(question.a, question.b, self.phrases)))
        self.console.print(guide.keys(self._possible()))

    def _key(self) -> Key:
        while True:
            key = read_key(self._read, self.console.print, self._possible())
            if key is not Key.HELP:
                return key
            self.console.print(guide.help_text(self.state.method, self._possible(), self.phrases))
            self._print_question()  # the help may have moved it off the screen

    def _takes_the_last_back(self) -> bool:
        """Offer to undo the very last answer before showing the result."""
        self.console.print(
            "\nThat was the last question. u takes the last answer back; anything else shows the result."
        )
        try:
            undo = self._read().strip().lower() == Key.UNDO.shown
        except (EOFError, KeyboardInterrupt):
            undo = False
        if undo:
            self._undo()
        return undo

    def show_result(self) -> None:
        """Show the finding, and write the metric if a file was named."""
        finding = self.state.finding
        if finding is None:
            raise EvenhandError("this interview has no result yet: answer its questions first")
        if self.live:
            self.console.clear()
        self._print_result(finding)
        self.console.print(f"Your answers are kept in {printable(str(self.log.path))}.", soft_wrap=True)
        metric = self.metric
        if not finding.verdict.decided:
            if metric is not None:
                raise EvenhandError(
                    f"{metric} was not written: nothing should be decided by these answers. {finding.verdict.advice}"
                )
        elif metric is not None:
            write(metric, finding.metric.to_json())
            self.console.print(
                f"The metric is in {printable(str(metric))}: FairMetric.from_json reads it.", soft_wrap=True
            )
        else:
            self.console.print(f"To write the metric: {self._command()} --metric metric.json", soft_wrap=True)

    def _print_result(self, finding: Finding, *, so_far: bool = False) -> None:
        """Show what was found and, if that is a basis for a decision, in which order it puts one's own models."""
        study = self.study
        words = None if study is None else study.words.in_order(study.setting).quoted()
        candidates = None if study is None else study.candidates
        self.console.print(guide.result(finding, self.answered, words, candidates=candidates, so_far=so_far))
        if study is not None and finding.verdict.decided:
            self.console.print()
            ranking = rank(finding, study.candidates)
            wide_console().print(RankingTable(ranking, "evenhand rank --json - prints every number"))
            self.console.print()

    def say_goodbye(self) -> None:
        """Show the finding so far, if the method has one; say that all is saved, and how to resume."""
        found = self.session.finding_so_far(self.state)
        if found is not None:
            if self.live:
                self.console.clear()
            self._print_result(found, so_far=True)
        path = printable(str(self.log.path))
        self.console.print(f"\nSaved: {self._progress().answers()} in {path}.", soft_wrap=True)
        metric = "" if self.metric is None else f" --metric {printable(shlex.quote(str(self.metric)))}"
        self.console.print(f"To go on: {self._command()}{metric}", soft_wrap=True)

    def _command(self) -> str:
        return f"evenhand interview {printable(shlex.quote(str(self.log.path)))}"


def _standard_input() -> TextIO | None:
    return sys.stdin  # None if the shell closed it
