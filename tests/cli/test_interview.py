"""`evenhand interview`: a person who sees only the screen, and the ways in which they may come and go."""

from __future__ import annotations

import io
import json
import os
import pty
import re
import select
import subprocess
import sys
import termios
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any

import numpy as np
import pytest
from rich.console import Console

from evenhand import EvenhandError, FairMetric, Setting, SimulatedOracle, elicit
from evenhand.cli.interview import interview, waiting
from evenhand.cli.interview_options import InterviewOptions
from evenhand.study import FileLog
from evenhand.study.interview import fold

COMMAND = [sys.executable, "-c", "from evenhand.cli import main; main()", "interview"]
NAMES: dict[str, Any] = {"classes": ["repays,defaults"], "groups": ["women,men"]}
PAPER = NAMES | {"method": "paper"}
PEOPLE = ["women=450,30", "men=550,70"]
SETTING = Setting(["repays", "defaults"], ["women", "men"], [[0.45, 0.3], [0.55, 0.7]])


class Person:
    """Somebody at the keyboard: each line they type is a reaction to what is on the screen."""

    def __init__(self, react: Callable[[str], str], capsys: pytest.CaptureFixture[str]) -> None:
        self.react = react
        self.capsys = capsys
        self.everything = ""

    def isatty(self) -> bool:
        return False

    def readline(self) -> str:
        screen = self.capsys.readouterr().out
        self.everything += screen
        return self.react(screen)


@pytest.fixture
def at_the_keyboard(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[[Callable[[str], str]], Person]:
    monkeypatch.setenv("COLUMNS", "80")

    def sit_down(react: Callable[[str], str]) -> Person:
        person = Person(react, capsys)
        monkeypatch.setattr(sys, "stdin", person)
        return person

    return sit_down


def types(*lines: str) -> Callable[[str], str]:
    """Type these lines whatever is on the screen; then the input ends."""
    left = iter(lines)
    return lambda _: next(left, "")


def saving(screen: str, metric: FairMetric) -> float:
    """Return how much less A costs than B, from nothing but the marks on the screen, such as +5.7."""
    of_mistakes = (1 - metric.trade_off) * metric.misclassification * metric.setting.tau
    weights = np.vstack([of_mistakes, metric.trade_off * metric.violation])  # women, men, gap
    head, *rows = re.findall(r"^  +(?:Model|women|men|gap) .*", screen[screen.index("Which of") :], re.MULTILINE)
    half = head.index("Model B")
    more_in_b = [marked(row[half:]) - marked(row[:half]) for row in rows]
    return float(np.dot(weights.T.ravel(), more_in_b))


def marked(half_a_row: str) -> float:
    mark = re.search(r"\+<?(\d+(?:\.\d+)?)", half_a_row)
    return float(mark[1]) if mark else 0.0


def test_a_person_who_sees_only_the_screen_gets_their_metric(
    tmp_path: Path, at_the_keyboard: Callable[[Callable[[str], str]], Person], capsys: pytest.CaptureFixture[str]
) -> None:
    truth = FairMetric.random(SETTING, 7)

    def prefer_the_lower_cost(screen: str) -> str:
        if "That was the last question" in screen:
            return "\n"
        return "a\n" if saving(screen, truth) > 0 else "b\n"

    person = at_the_keyboard(prefer_the_lower_cost)
    out = tmp_path / "metric.json"
    interview(tmp_path / "answers.jsonl", **PAPER, people=PEOPLE, tolerance=0.25, metric=out)
    expected = elicit(SimulatedOracle(truth), SETTING, method="paper", tolerance=0.25, cycles=1)
    found = FairMetric.from_json(out.read_text())
    assert max(found.distance(expected.metric)) < 1e-9
    assert f"question {expected.questions} of {expected.questions} · part 3 of 3: the trade-off" in person.everything
    result = capsys.readouterr().out
    assert f"What your {expected.questions} answers say" in result
    for weight in (*found.misclassification, *found.violation[0], found.trade_off):
        assert f" {weight:.3f} " in result
    assert "does not certify that a model is fair" in " ".join(result.split())

    interview(tmp_path / "answers.jsonl")  # a finished interview shows its result again, and asks nothing
    assert f"What your {expected.questions} answers say" in capsys.readouterr().out


def test_it_says_up_front_how_long_it_will_be_and_who_is_in_the_groups(
    tmp_path: Path, at_the_keyboard: Callable[[Callable[[str], str]], Person]
) -> None:
    person = at_the_keyboard(types())
    interview(tmp_path / "answers.jsonl", **PAPER, people=PEOPLE)
    said = " ".join(person.everything.split())
    assert "70 questions: 18 on mistakes, 36 on gaps between groups, 16 on the trade-off" in said
    assert "As in the paper: 574." in said
    assert "Of 100 people who are “repays”: 45 women, 55 men" in said
    assert "question 1 of 70 · part 1 of 3: mistakes" in said


def test_undo_shows_the_earlier_question_again_exactly(
    tmp_path: Path, at_the_keyboard: Callable[[Callable[[str], str]], Person]
) -> None:
    screens: list[str] = []
    keys = types("a\n", "b\n", "u\n", "u\n", "u\n", "q\n")

    def react(screen: str) -> str:
        screens.append(screen)
        return keys(screen)

    at_the_keyboard(react)
    interview(tmp_path / "answers.jsonl", **PAPER)
    first, second, _, second_again, first_again, first_still = (s[s.index("Which of these") :] for s in screens)
    assert first == first_again == first_still
    assert second == second_again
    assert first != second
    assert "Your answer to question 2 is undone" in screens[3]
    assert "There is no answer to undo" in screens[5]


def test_the_last_answer_of_all_can_be_undone_too(
    tmp_path: Path, at_the_keyboard: Callable[[Callable[[str], str]], Person]
) -> None:
    keys = types(*["a\n"] * 34, "u\n", "q\n")
    at_the_keyboard(keys)
    interview(tmp_path / "answers.jsonl", **PAPER, tolerance=0.5)
    with FileLog(tmp_path / "answers.jsonl") as log:
        assert len(fold(log.header.begun, log.events()).answers) == 33


@pytest.mark.parametrize("leave", ["q\n", ""])
def test_quitting_says_that_all_is_saved_and_how_to_go_on(
    tmp_path: Path,
    at_the_keyboard: Callable[[Callable[[str], str]], Person],
    capsys: pytest.CaptureFixture[str],
    leave: str,
) -> None:
    path = tmp_path / "my answers.jsonl"
    at_the_keyboard(types("a\n", "b\n", leave))
    interview(path, **PAPER)
    goodbye = capsys.readouterr().out
    assert f"Saved: 2 of 70 answers are in {path}." in goodbye
    assert f"To go on: evenhand interview '{path}'" in goodbye
    person = at_the_keyboard(types())
    interview(path)
    assert "Welcome back: 2 of 70 questions are answered." in person.everything
    assert "question 3 of 70" in person.everything


def test_a_crash_in_the_middle_of_a_line_costs_nothing_but_that_line(
    tmp_path: Path, at_the_keyboard: Callable[[Callable[[str], str]], Person]
) -> None:
    path = tmp_path / "answers.jsonl"
    at_the_keyboard(types("a\n", "b\n"))
    interview(path, **PAPER)
    with path.open("a") as file:
        file.write('{"n": 3, "fir')
    person = at_the_keyboard(types("a\n"))
    interview(path)
    said = " ".join(person.everything.split())
    assert "was cut short, by a crash perhaps, and does not count" in said
    assert "2 of 70 questions are answered" in said
    assert [json.loads(line).get("n") for line in path.read_text().splitlines()] == [None, 1, 2, 3]


@pytest.mark.parametrize("typed", ["\n", "yes\n", "ab\n", "\x00\n", "a b\n", "🦆\n"])
def test_what_is_not_an_answer_is_not_taken_for_one(
    tmp_path: Path, at_the_keyboard: Callable[[Callable[[str], str]], Person], typed: str
) -> None:
    person = at_the_keyboard(types(typed))
    interview(tmp_path / "answers.jsonl", **PAPER)
    assert "Possible here: a (prefer A), b (prefer B), u (undo)" in " ".join(person.everything.split())
    assert len((tmp_path / "answers.jsonl").read_text().splitlines()) == 1


def test_help_explains_the_screen_and_asks_on(
    tmp_path: Path, at_the_keyboard: Callable[[Callable[[str], str]], Person]
) -> None:
    person = at_the_keyboard(types("?\n", "a\n"))
    interview(tmp_path / "answers.jsonl", **PAPER)
    explained = person.everything.index("If you cannot tell, take either")
    assert "question 2 of 70" in person.everything
    asked = "Which of these two models"
    assert (person.everything[:explained].count(asked), person.everything[explained:].count(asked)) == (
        1,
        2,
    )  # the help may move the question off the screen, so it is shown again


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "a new one needs --classes and --groups, for example: evenhand interview"),
        ({"classes": ["a,b"]}, "a new one needs --groups"),
        (NAMES | {"classes": ["a,,b"]}, "--classes has an empty name in 'a', '', 'b'"),
        (NAMES | {"groups": ["a"]}, "at least two groups are needed"),
        (NAMES | {"groups": ["x,x"]}, "groups names 'x' twice"),
        (NAMES | {"people": ["women=1,2"]}, "--people says nothing of 'men'"),
        (NAMES | {"people": ["women=1"]}, "--people 'women=1' is not one of the groups"),
        (NAMES | {"people": ["women=1,0", "men=1,1"]}, "2 positive numbers"),
        (NAMES | {"people": ["women=1,nan", "men=1,1"]}, "2 positive numbers"),
        (NAMES | {"people": ["women=1,1", "women=1,1"]}, "names the group 'women' twice"),
        (PAPER | {"tolerance": 2.0}, "tolerance must be a number between"),
        (NAMES | {"method": "guess"}, "method must be one of"),
        (NAMES | {"method": "guess"}, "'bisection', 'adaptive'"),
        (PAPER | {"radius": 0.9}, "choose at most 0.5"),
        (PAPER | {"max_questions": 9}, "has no option 'max_questions': leave it out, or take method='adaptive'"),
        (NAMES | {"cycles": 2}, "method='adaptive' has no option 'cycles': leave it out, or take method='paper' or"),
        (NAMES | {"max_questions": 0}, "max_questions must be a whole number of at least 1"),
        (NAMES | {"interval_width": 2.0}, "interval_width must be a number between"),
        (NAMES | {"tolerance": 0.1}, "method='adaptive' has no option 'tolerance'"),
        (NAMES | {"radius": 0.001}, "visible is 0.02"),
    ],
)
def test_options_that_make_no_interview_are_explained_and_leave_no_file(
    tmp_path: Path, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(EvenhandError, match=re.escape(message)):
        interview(tmp_path / "answers.jsonl", **options)
    assert not (tmp_path / "answers.jsonl").exists()


def test_a_name_with_a_comma_is_given_by_repeating_the_option(
    tmp_path: Path, at_the_keyboard: Callable[[Callable[[str], str]], Person]
) -> None:
    at_the_keyboard(types())
    interview(tmp_path / "answers.jsonl", classes=["yes", "no"], groups=["women, all", "men"])
    with FileLog(tmp_path / "answers.jsonl") as file:
        assert file.header.method.setting.groups == ("women, all", "men")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"tolerance": 0.2}, "--tolerance was '0.1', but received '0.2'"),
        ({"groups": ["men,women"]}, "--groups was 'women,men', but received 'men,women'"),
        ({"equal_pairs": True}, "--equal-pairs was 'False', but received 'True'"),
        ({"people": ["women=1,1", "men=2,2"]}, "--people was other numbers"),
    ],
)
def test_a_resumed_interview_keeps_its_options(
    tmp_path: Path,
    at_the_keyboard: Callable[[Callable[[str], str]], Person],
    options: dict[str, Any],
    message: str,
) -> None:
    path = tmp_path / "answers.jsonl"
    at_the_keyboard(types("a\n"))
    interview(path, **PAPER, people=PEOPLE)
    with pytest.raises(EvenhandError, match=re.escape(message)):
        interview(path, **options)
    at_the_keyboard(types("a\n"))
    interview(path, **PAPER, people=PEOPLE, tolerance=0.1)
    assert len(path.read_text().splitlines()) == 3


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "paper"}, "--method was 'adaptive', but received 'paper'"),
        ({"cycles": 2}, "--cycles was no option of its method, but received '2'"),
        ({"max_questions": 9}, "--max-questions was not given, but received '9'"),
    ],
)
def test_a_resumed_adaptive_interview_keeps_its_options(
    tmp_path: Path,
    at_the_keyboard: Callable[[Callable[[str], str]], Person],
    options: dict[str, Any],
    message: str,
) -> None:
    path = tmp_path / "answers.jsonl"
    at_the_keyboard(types())
    interview(path, **NAMES)
    with pytest.raises(EvenhandError, match=re.escape(message)):
        interview(path, **options)


def test_an_adaptive_interview_bears_what_people_do_and_shows_how_sure_it_is(
    tmp_path: Path,
    at_the_keyboard: Callable[[Callable[[str], str]], Person],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Somebody who cannot tell, skips, undoes, leaves and comes back: nothing of it is in their way."""
    monkeypatch.setattr("secrets.randbelow", lambda _: 5)
    truth = FairMetric.random(SETTING, 7)
    path, out = tmp_path / "answers.jsonl", tmp_path / "metric.json"
    at_the_keyboard(types("?\n", "=\n", "u\n", "n\n", "s\n", "q\n"))
    interview(path, **NAMES, people=PEOPLE, max_questions=24, metric=out)
    said = " ".join(capsys.readouterr().out.split())
    assert "What your 2 answers say so far" in said
    assert f"Saved: 2 answers are in {path}." in said
    assert not out.exists()

    def prefer_the_lower_cost(screen: str) -> str:
        return "\n" if "That was the last question" in screen else "a\n" if saving(screen, truth) > 0 else "b\n"

    person = at_the_keyboard(prefer_the_lower_cost)
    interview(path, metric=out)
    assert "Welcome back: 2 answers are kept. About " in person.everything
    assert "question 3 · about " in person.everything
    assert not re.search(r"\+\d+\.", person.everything)  # whole people, and nothing between them
    result = " ".join(capsys.readouterr().out.split())
    assert "where the value lies with 90% probability" in result
    assert "answers could be predicted from the answers before" in result
    # One in each of the two whole eights, and perhaps one in the third, which has begun.
    assert re.search(r"\b[23] questions came again, and ", result)
    assert max(FairMetric.from_json(out.read_text()).distance(truth)) < 0.15


def test_answers_that_decide_nothing_give_no_metric(
    tmp_path: Path,
    at_the_keyboard: Callable[[Callable[[str], str]], Person],
    capsys: pytest.CaptureFixture[str],
) -> None:
    path, out = tmp_path / "answers.jsonl", tmp_path / "metric.json"
    at_the_keyboard(lambda _: "a\n")
    interview(path, **NAMES, max_questions=3)
    said = " ".join(capsys.readouterr().out.split())
    assert "So few answers are no basis for a decision" in said
    assert "--metric" not in said, "none is offered"
    with pytest.raises(EvenhandError, match=r"metric\.json was not written: nothing should be decided"):
        interview(path, metric=out)
    assert not out.exists()


def test_an_adaptive_interview_says_what_it_takes_and_explains_its_keys(
    tmp_path: Path, at_the_keyboard: Callable[[Callable[[str], str]], Person]
) -> None:
    person = at_the_keyboard(types("?\n", "x\n", "a\n"))
    interview(tmp_path / "answers.jsonl", **NAMES)
    said = " ".join(person.everything.split())
    assert re.search(r"About \d+ questions, and 80 at most", said)
    assert "= can't tell s skip u undo" in said
    assert "If you cannot tell, say so" in said
    assert "s skip this question" in said
    assert "= (can't tell), s (skip), u (undo)" in said


def test_the_metric_never_overwrites_the_answers_nor_anything_else(tmp_path: Path) -> None:
    path, letter = tmp_path / "answers.jsonl", tmp_path / "letter.txt"
    letter.write_text("Dear friend")
    for metric in (path, letter, tmp_path / "nowhere" / "metric.json"):
        with pytest.raises(EvenhandError, match=f"--metric {re.escape(str(metric))}"):
            interview(path, **PAPER, metric=metric)
    assert letter.read_text() == "Dear friend"


def test_writing_the_metric_touches_no_file_but_its_own(
    tmp_path: Path, at_the_keyboard: Callable[[Callable[[str], str]], Person]
) -> None:
    """Even answers whose name looks like a draft of the metric's are still there in the end."""
    path, metric = tmp_path / ".metric.json.new", tmp_path / "metric.json"
    at_the_keyboard(lambda _: "a\n")
    interview(path, **NAMES, tolerance=0.5, method="bisection", metric=metric)
    assert FairMetric.from_json(metric.read_text(encoding="utf-8"))
    assert len(path.read_text(encoding="utf-8").splitlines()) > 3
    assert {file.name for file in tmp_path.iterdir()} == {path.name, metric.name}


def test_the_documentation_says_how_many_questions_there_are() -> None:
    text = (Path(__file__).parents[2] / "docs" / "interview.md").read_text(encoding="utf-8")
    table = re.findall(r"^\| (\d), (\d) \| (.*) \|$", text, re.MULTILINE)
    assert len(table) == 3
    for classes, groups, counts in table:
        begun = InterviewOptions(
            method="paper", classes=[*"abcdefg"[: int(classes)]], groups=[*"tuvwxyz"[: int(groups)]]
        )
        options = [replace(begun, tolerance=t) for t in (0.25, 0.1, 0.01, 0.001)]
        options.append(replace(options[-1], cycles=4))
        asked = [one.new_method(Path()).most_questions for one in options]
        assert asked == [int(n) for n in counts.split(" | ")]


def test_two_processes_cannot_write_the_same_file(
    tmp_path: Path, at_the_keyboard: Callable[[Callable[[str], str]], Person]
) -> None:
    path = tmp_path / "answers.jsonl"
    second: list[subprocess.CompletedProcess[str]] = []

    def start_another(screen: str) -> str:
        command = [*COMMAND, str(path)]
        second.append(subprocess.run(command, input="a\n", capture_output=True, text=True, check=False))  # noqa: S603
        return "q\n"

    at_the_keyboard(start_another)
    interview(path, **PAPER)
    assert second[0].returncode == 1
    assert second[0].stderr.startswith(f"evenhand: another interview has {path} open")
    assert len(path.read_text().splitlines()) == 1


def test_nothing_is_said_of_a_wait_that_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evenhand.cli.interview._LONG", 0.0)
    begun, said = Event(), list[str]()

    class Slow(Console):
        def print(self, *_: object, **__: object) -> None:
            begun.set()
            time.sleep(0.1)
            said.append("wait")

    with waiting(Slow()):
        assert begun.wait(10)
    said.append("what comes next")
    assert said == ["wait", "what comes next"]


def test_a_long_wait_is_shown_and_a_short_one_is_not() -> None:
    shown = io.StringIO()
    with waiting(Console(file=shown, width=80)):
        pass
    assert not shown.getvalue()
    until = time.monotonic() + 30
    with waiting(Console(file=shown, width=80)):
        while not shown.getvalue():
            assert time.monotonic() < until, "nothing was said"
            time.sleep(0.05)
    assert "Working out what comes next" in shown.getvalue()


def test_at_a_real_terminal_single_keys_and_arrows_answer_and_ctrl_c_saves(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    terminal, theirs = pty.openpty()
    child = subprocess.Popen(  # noqa: S603
        [*COMMAND, str(path), "--classes", "repays,defaults", "--groups", "women,men"],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=os.environ | {"TERM": "xterm", "COLUMNS": "80", "LINES": "24"},
        start_new_session=True,
    )
    os.close(theirs)
    screen = ""

    def wait_for(text: str) -> None:
        nonlocal screen
        deadline = time.monotonic() + 20
        while text not in screen:
            assert select.select([terminal], [], [], max(deadline - time.monotonic(), 0))[0], screen
            screen += os.read(terminal, 65536).decode(errors="replace")

    def wait_for_keys() -> None:
        """Wait until single keys are read: what is typed before that is thrown away."""
        deadline = time.monotonic() + 20
        while termios.tcgetattr(terminal)[3] & termios.ICANON:
            assert time.monotonic() < deadline, screen
            time.sleep(0.01)

    for shown, key in (
        ("Any key begins", " "),
        ("question 1 · about", "\x1b[D"),
        ("question 2 · about", "b"),
        ("question 3 · about", "x"),
        ("is not an answer", "\x1b[C"),
        ("question 4 · about", "\x03"),
    ):
        wait_for(shown)
        wait_for("quits" if shown.startswith("Any") else "help")
        wait_for_keys()
        os.write(terminal, key.encode())
    wait_for("Saved: 3 answers")
    assert child.wait(timeout=10) == 0
    os.close(terminal)
    answers = [json.loads(line) for line in path.read_text().splitlines()[1:]]
    assert [given["choice"] for given in answers] == ["first", "second", "second"]
