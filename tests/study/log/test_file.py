"""The file of answers: nothing acknowledged is lost, nothing is applied twice, nothing wrong passes silently."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from evenhand import Adaptive, EvenhandError, GroupRates, Paper, Question, Setting
from evenhand.study import FileLog, Header
from evenhand.study.interview import InterviewState, fold
from evenhand.study.log.events import ANSWERED, UNDONE, Event, now
from evenhand.study.question_codec import question_document
from evenhand.study.shown_question import ShownQuestion

SETTING = Setting(["repays", "defaults"], ["women", "men"], [[0.45, 0.3], [0.55, 0.7]])
PROFILE = [[0.1, 0.2], [0.3, 0.4]]


def begin() -> Header:
    return Header(method=Paper(setting=SETTING, tolerance=0.25), seed=5)


def state(file: FileLog) -> InterviewState:
    return fold(file.header.begun, file.events())


def add(file: FileLog, answer: str = "first") -> None:
    answers = state(file).answers
    undecided = file.header.method.undecided
    question = Question(np.array(PROFILE), np.array(PROFILE)[::-1], undecided=undecided, left=9)
    asked = ShownQuestion.of(question, len(answers) + 1, SETTING, swapped=True)
    move(file, ANSWERED, asked.n, question_document(asked), answer)


def undo(file: FileLog) -> None:
    move(file, UNDONE, len(standing(file)), {})


def move(file: FileLog, kind: str, n: int, detail: dict[str, Any], choice: str | None = None) -> None:
    event = Event(study="", kind=kind, n=n, choice=choice, detail=json.dumps(detail), time=now())
    assert file.append("", [event], after=state(file).revision)


def standing(file: FileLog) -> list[str]:
    return [given.choice for given in state(file).answers]


class AgainstAList(RuleBasedStateMachine):
    """An answer file does what a list of answers does, whatever crashes and re-openings come between."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name) / "answers.jsonl"
        self.file = FileLog(self.path, begin=begin)
        self.model: list[str] = []
        self.lines = 1
        self.torn = self.unbroken = False

    def wrote_a_line(self) -> None:
        self.lines += 1
        self.torn = self.unbroken = False

    @rule(answer=st.sampled_from(["first", "second"]))
    def answer(self, answer: str) -> None:
        add(self.file, answer)
        self.model.append(answer)
        self.wrote_a_line()

    @precondition(lambda self: self.model)
    @rule()
    def undo(self) -> None:
        undo(self.file)
        self.model.pop()
        self.wrote_a_line()

    @rule(moves=st.integers(0, 3))
    def append_to_what_has_gone_on(self, moves: int) -> None:
        other = state(self.file).revision + moves + 1
        assert not self.file.append("", [], after=other)

    @rule()
    def reopen(self) -> None:
        self.file.close()
        self.file = FileLog(self.path)
        assert ("cut short" in self.file.notice) == self.torn

    @precondition(lambda self: not self.torn and not self.unbroken)
    @rule()
    def lose_the_last_line_break(self) -> None:
        self.file.close()
        self.path.write_bytes(self.path.read_bytes()[:-1])
        self.unbroken = True
        self.file = FileLog(self.path)
        assert self.file.notice == ""

    @precondition(lambda self: not self.unbroken)
    @rule(torn=st.binary(min_size=1, max_size=20).filter(lambda torn: not set(b"\n}") & set(torn)))  # no whole object
    def crash_while_writing(self, torn: bytes) -> None:
        self.file.close()
        with self.path.open("ab") as file:
            file.write(torn)
        self.file = FileLog(self.path)
        self.torn = True
        assert "cut short" in self.file.notice

    @invariant()
    def the_same_answers_stand(self) -> None:
        assert standing(self.file) == self.model
        assert [given.n for given in state(self.file).answers] == list(range(1, len(self.model) + 1))

    @invariant()
    def the_file_only_ever_grows(self) -> None:
        assert self.path.read_bytes().count(b"\n") == self.lines - self.unbroken

    def teardown(self) -> None:
        self.file.close()
        self.folder.cleanup()


AgainstAList.TestCase.settings = settings(max_examples=30, stateful_step_count=15, deadline=None)
TestAgainstAList = AgainstAList.TestCase


def test_a_process_that_is_killed_loses_nothing_that_it_acknowledged(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    program = """
import os, signal, sys
sys.path.insert(0, os.path.dirname(sys.argv[2]))
from test_file import FileLog, add, begin, standing
file = FileLog(sys.argv[1], begin=begin)
while True:
    add(file)
    print("kept", len(standing(file)), flush=True)
"""
    command = [sys.executable, "-c", program, str(path), __file__]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)  # noqa: S603
    assert child.stdout is not None
    acknowledged = [child.stdout.readline() for _ in range(20)]
    child.send_signal(signal.SIGKILL)
    acknowledged += child.stdout.readlines()
    child.wait()
    child.stdout.close()
    with path.open("ab") as file:
        file.write(b'{"kind": "answered", "n": 21, ')
    whole = [line for line in acknowledged if line.endswith("\n")]
    with FileLog(path) as resumed:
        assert "cut short" in resumed.notice
        assert len(standing(resumed)) >= len(whole) >= 20
        add(resumed)
    with FileLog(path) as again:
        assert again.notice == ""
        assert len(standing(again)) == len(standing(resumed))


def test_an_answer_is_on_the_disk_before_it_is_acknowledged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[bytes] = []
    path = tmp_path / "answers.jsonl"
    monkeypatch.setattr(os, "fsync", lambda _: synced.append(path.read_bytes()))
    with FileLog(path, begin=begin) as file:
        add(file, "second")
        assert synced[-1] == path.read_bytes()
        assert json.loads(synced[-1].splitlines()[-1])["choice"] == "second"
        assert len(synced) == 3  # the header, the folder that names the file, the answer


def test_an_answer_that_cannot_be_saved_is_not_acknowledged_and_leaves_no_trace(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "answers.jsonl"

    def full(file: int) -> None:
        raise OSError(28, "No space left on device")

    with FileLog(path, begin=begin) as file:
        add(file)
        kept = path.read_bytes()
        monkeypatch.setattr(os, "fsync", full)
        with pytest.raises(EvenhandError, match=r"could not be saved.*No space left on device.*resume"):
            add(file)
        assert standing(file) == ["first"]
        assert path.read_bytes() == kept
        monkeypatch.undo()
        add(file, "second")
        assert standing(file) == ["first", "second"]


def test_one_file_has_one_writer(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    with FileLog(path, begin=begin), pytest.raises(EvenhandError, match=r"another interview has .* open"):
        FileLog(path)
    FileLog(path).close()


def snapshot(path: Path) -> tuple[bytes, int, int, int]:
    there = path.stat()
    return path.read_bytes(), there.st_ino, there.st_mtime_ns, there.st_ctime_ns


def test_a_last_line_that_lacks_only_its_line_break_counts(tmp_path: Path) -> None:
    path, _ = written(tmp_path)
    with FileLog(path) as file:
        add(file, "second")
    path.write_bytes(path.read_bytes()[:-1])
    before = snapshot(path)
    with FileLog(path) as file:
        assert standing(file) == ["first", "second"]
        assert file.notice == ""
    assert snapshot(path) == before
    with FileLog(path) as file:
        add(file, "first")
        add(file, "second")
    assert path.read_bytes().startswith(before[0] + b'\n{"kind": "answered", "n": 3')
    with FileLog(path) as file:
        assert standing(file) == ["first", "second", "first", "second"]


def test_a_header_that_lacks_only_its_line_break_is_a_header(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    FileLog(path, begin=begin).close()
    path.write_bytes(path.read_bytes()[:-1])
    with FileLog(path) as file:
        add(file)
        undo(file)
    assert len([json.loads(line) for line in path.read_text().splitlines()]) == 3


def test_to_open_a_file_changes_nothing_and_the_next_answer_takes_the_place_of_a_cut_line(tmp_path: Path) -> None:
    path, _ = written(tmp_path)
    whole = path.read_bytes()
    path.write_bytes(whole + whole.splitlines()[1][:-1])
    before = snapshot(path)
    for _ in range(2):
        with FileLog(path) as file:
            assert "cut short" in file.notice
            assert standing(file) == ["first"]
    assert snapshot(path) == before
    with FileLog(path) as file:
        add(file, "second")
    assert path.read_bytes().startswith(whole + b'{"kind": "answered", "n": 2')
    with FileLog(path) as file:
        assert standing(file) == ["first", "second"]


def test_no_space_for_an_answer_keeps_the_last_line_that_lacked_its_line_break(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, _ = written(tmp_path)
    path.write_bytes(path.read_bytes()[:-1])
    before = path.read_bytes()

    def full(file: int) -> None:
        raise OSError(28, "No space left on device")

    with FileLog(path) as file:
        with monkeypatch.context() as patch:
            patch.setattr(os, "fsync", full)
            with pytest.raises(EvenhandError, match="could not be saved"):
                add(file)
        assert path.read_bytes() == before
        add(file, "second")
        assert standing(file) == ["first", "second"]
    with FileLog(path) as file:
        assert standing(file) == ["first", "second"]


def test_a_whole_last_line_that_is_wrong_is_an_error_with_or_without_its_line_break(tmp_path: Path) -> None:
    path, _ = written(tmp_path)
    path.write_bytes(
        path.read_bytes()
        + b'{"kind": "undone", "n": 7, "choice": null, "why": null, "detail": {}, "time": "2024-01-01T00:00:00+00:00"}'
    )
    before = path.read_bytes()
    with pytest.raises(EvenhandError, match=r"line 5: .*question 7 cannot follow 1 standing answers"):
        FileLog(path)
    assert path.read_bytes() == before


def test_every_place_where_a_line_can_be_cut_is_survived(tmp_path: Path) -> None:
    path, _ = written(tmp_path)
    whole = path.read_bytes()
    last = whole.splitlines(keepends=True)[-1]
    for cut in range(1, len(last) + 1):
        path.write_bytes(whole[:-cut])
        with FileLog(path) as file:
            assert len(standing(file)) == (1 if cut == 1 else 2), "the last line withdraws the second answer"
        assert path.read_bytes() == whole[:-cut]


@pytest.mark.parametrize("what", ["deleted", "moved", "changed"])
def test_answers_are_not_written_where_they_would_be_lost(tmp_path: Path, what: str) -> None:
    path = tmp_path / "answers.jsonl"
    with FileLog(path, begin=begin) as file:
        if what == "deleted":
            path.unlink()
        elif what == "moved":
            path.rename(tmp_path / "elsewhere")
            path.write_text("something else")
        else:
            path.write_bytes(path.read_bytes() * 2)
        with pytest.raises(EvenhandError, match="moved, deleted or changed"):
            add(file)
        assert standing(file) == []


def written(tmp_path: Path) -> tuple[Path, list[dict[str, Any]]]:
    path = tmp_path / "answers.jsonl"
    with FileLog(path, begin=begin) as file:
        add(file)
        add(file)
        undo(file)
    return path, [json.loads(line) for line in path.read_text().splitlines()]


def test_an_undo_takes_back_and_never_deletes(tmp_path: Path) -> None:
    _, lines = written(tmp_path)
    assert [(line["kind"], line["n"]) for line in lines[1:]] == [("answered", 1), ("answered", 2), ("undone", 2)]
    assert lines[0]["format"] == "evenhand.interview"


def changed_question(**fields: object) -> dict[str, object]:
    question = Question(np.array(PROFILE), np.array(PROFILE)[::-1], left=9)
    return {"detail": question_document(ShownQuestion.of(question, 2, SETTING, swapped=True)) | fields}


@pytest.mark.parametrize(
    ("line", "replacement", "message"),
    [
        (2, "not json", "line 2: this is not JSON"),
        (3, "\xff", "line 3: this is not JSON"),
        (3, "[" * 100_000, "line 3: this is not JSON"),
        (3, "", "line 3: this is not JSON"),
        (3, "[1]", "line 3: an event must be a JSON object"),
        (3, {"n": 1}, "line 3: an event “answered” of question 1 cannot follow 1 standing answers"),
        (3, {"n": 3}, "line 3: an event “answered” of question 3 cannot follow 1 standing answers"),
        (3, {"n": True}, "line 3: n must be a whole number of at least 0, but received True"),
        (3, '{"n": 2, "n": 2}', "line 3: this is not JSON .a field is given twice"),
        (3, '{"n": NaN}', "line 3: this is not JSON .NaN is not a number"),
        (3, {"kind": "asked"}, "line 3: an answer or an undo was expected, but this is an event “asked”"),
        (3, {"kind": "given"}, "line 3: its kind must be one of 'study', .*, but is 'given'"),
        (3, {"choice": "third"}, "line 3: its choice must be one of None, 'first', .*, but is 'third'"),
        (3, {"choice": ["first"]}, "line 3: its choice must be one of"),
        (3, {"choice": None}, "line 3: an event “answered” of question 2 cannot follow"),
        (3, {"why": 7}, "line 3: why must be a str"),
        (3, {"detail": "left"}, "line 3: its detail is not an object"),
        (3, {"detail": {}}, "line 3: this JSON document is not a question"),
        (3, changed_question(n=3), "line 3: it is about question 2, but holds question 3"),
        (3, changed_question(decimals=0), "line 3: decimals must be a JSON object"),
        (3, changed_question(decimals={"people": -1, "differences": 0}), "line 3: people must be a whole number"),
        (3, changed_question(decimals={"people": 10**400, "differences": 0}), "line 3: people must be at most 15"),
        (3, changed_question(part="\ud800"), "line 3: part contains"),
        (3, changed_question(first=[[0.1, float("nan")], [0.3, 0.4]]), "line 3: this is not JSON"),
        (3, changed_question(first=[[0.1, None], [0.3, 0.4]]), "line 3: first holds .* rates lie between 0 and 1"),
        (3, changed_question(first="nonsense"), "line 3: first must be numbers"),
        (3, changed_question(first=[[0.1, 1.5], [0.3, 0.4]]), "line 3: first holds .*: rates lie between 0 and 1"),
        (3, changed_question(later=1), "line 3: this question has fields that it should not have: 'later'"),
        (3, {"time": 12}, "line 3: a time must be in ISO 8601"),
        (3, {"more": 1}, "line 3: an event has fields that it should not have: 'more'"),
        (4, {"n": 1}, "line 4: an event “undone” of question 1 cannot follow 2 standing answers"),
        (1, {"format": "other"}, "line 1: this JSON document is not an interview"),
        (1, {"version": 2}, "line 1: this interview has version 2, but this evenhand reads version 1"),
        (1, {"seed": -1}, "line 1: seed must be a whole number"),
        (1, {"seed": 2**40}, "line 1: seed must be less than"),
        (1, {"evenhand": None}, "line 1: evenhand must be a str"),
        (1, {"setting": {"classes": ["a", "b"]}}, "line 1: setting lacks 'groups', 'prevalence'"),
        (1, {"method": 3}, "line 1: "),
    ],
)
def test_a_line_that_is_wrong_is_named(
    tmp_path: Path, line: int, replacement: str | dict[str, object], message: str
) -> None:
    path, documents = written(tmp_path)
    lines = [json.dumps(document) for document in documents]
    text = replacement if isinstance(replacement, str) else json.dumps(documents[line - 1] | replacement)
    lines[line - 1] = text
    path.write_bytes(("\n".join(lines) + "\n").encode("latin-1"))
    before = path.read_bytes()
    with pytest.raises(EvenhandError, match=message):
        FileLog(path, begin=begin)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "options",
    [
        {"tolerance": "x"},
        {"name": []},
        {"name": "x"},
        {"confidence": 0.9},
        {"radius": "x"},
        {"cycles": 0},
        {"equal_pairs": "no"},
        {"cuts": 1},
    ],
)
def test_a_header_with_impossible_options_is_refused(tmp_path: Path, options: dict[str, object]) -> None:
    path, documents = written(tmp_path)
    documents[0]["method"] |= options
    path.write_text("".join(json.dumps(document) + "\n" for document in documents))
    with pytest.raises(EvenhandError, match="line 1: "):
        FileLog(path)


@pytest.mark.parametrize("content", [b"a letter to a friend", b"a letter\nto a friend\n", b"\x00\xff" * 999])
def test_a_file_of_something_else_is_left_as_it_is(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "letter"
    path.write_bytes(content)
    with pytest.raises(EvenhandError, match=r"line 1|no complete first line"):
        FileLog(path, begin=begin)
    assert path.read_bytes() == content


def test_an_empty_file_is_begun_and_a_missing_one_is_not_made_up(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    with pytest.raises(EvenhandError, match="there is no interview at"):
        FileLog(path)
    path.touch()
    with pytest.raises(EvenhandError, match="is empty"):
        FileLog(path)
    with FileLog(path, begin=begin) as file:
        assert file.header.seed == 5


def test_options_that_make_no_interview_leave_no_file_behind(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    with pytest.raises(EvenhandError, match="tolerance"):
        FileLog(path, begin=lambda: Header(method=Paper(setting=SETTING, tolerance=7)))
    assert not path.exists()


@pytest.mark.parametrize("path", ["/dev/null", ".", "x" * 300, "/nowhere/answers.jsonl"])
def test_what_is_not_a_file_cannot_keep_answers(path: str) -> None:
    with pytest.raises(EvenhandError, match=r"not a file that can keep answers|cannot be opened: \w+"):
        FileLog(path, begin=begin)


def test_the_header_comes_back_as_it_was_written(tmp_path: Path) -> None:
    path, _ = written(tmp_path)
    with FileLog(path) as file:
        plan = file.header.method
        assert isinstance(plan, Paper)
        assert plan.setting == SETTING
        assert (plan.name, plan.tolerance, plan.radius, plan.cycles, plan.equal_pairs) == (
            "paper",
            0.25,
            None,
            4,
            False,
        )


def test_chosen_cuts_come_back_as_they_were_written(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    setting = Setting.random(2, 3, 0)
    begun = Header(method=Paper(setting=setting, cuts=[[1], {2, 1}, [2]]))
    with FileLog(path, begin=lambda: begun):
        pass
    with FileLog(path) as file:
        assert isinstance(file.header.method, Paper)
        assert file.header.method.cuts == ((1,), (1, 2), (2,))
    assert json.loads(path.read_text())["method"]["cuts"] == [[1], [1, 2], [2]]


def test_a_name_that_no_file_can_hold_is_refused() -> None:
    with pytest.raises(EvenhandError, match=r"groups: 'x\\udcff' has .* half a character, which no file can hold"):
        Setting(["a", "b"], ["x\udcff", "y"], SETTING.prevalence)


def test_the_header_of_an_adaptive_interview_comes_back_with_its_seed(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    begun = Header(method=Adaptive(setting=SETTING, out_of=100, visible=0.02, equal_pairs=True))
    with FileLog(path, begin=lambda: begun) as file:
        for answer in ("first", "second", "neither", "skip"):
            add(file, answer)
    with FileLog(path) as file:
        assert isinstance(file.header.method, Adaptive)
        assert isinstance(begun.method, Adaptive)
        assert file.header.seed == begun.seed
        assert file.header.to_document() == begun.to_document()
        assert standing(file) == ["first", "second", "neither", "skip"]


@pytest.mark.parametrize(
    "options",
    [
        {"tolerance": "x"},
        {"out_of": 1},
        {"out_of": "x"},
        {"out_of": 50},
        {"out_of": 10**400},
        {"interval_width": 10**400},
        {"max_questions": 0},
        {"visible": 7},
        {"confidence": None},
        {"equal_pairs": 1},
        {"cycles": 4},
        {"name": "paper"},
        {"name": ["paper"]},
    ],
)
def test_an_adaptive_header_with_impossible_options_is_refused(tmp_path: Path, options: dict[str, object]) -> None:
    path = tmp_path / "answers.jsonl"
    document = Header(method=Adaptive(setting=SETTING)).to_document()
    document["method"] |= options
    path.write_text(json.dumps(document) + "\n")
    with pytest.raises(EvenhandError, match="line 1: "):
        FileLog(path)


def test_all_that_is_known_of_the_weights_comes_back(tmp_path: Path) -> None:
    for n, method in enumerate(
        (
            Adaptive(setting=SETTING, gaps_in=[("repays", "defaults")], misclassification=[1.0, 3.0]),
            Adaptive(setting=SETTING, cost_order=SETTING.mistakes, error=0.1, particles=200),
            Paper(setting=SETTING, misclassification=(0.6, 0.8)),
        )
    ):
        begun = Header(method=method)
        (tmp_path / f"{n}.jsonl").write_text(json.dumps(begun.to_document()) + "\n")
        with FileLog(tmp_path / f"{n}.jsonl") as file:
            assert file.header.to_document() == begun.to_document()


def test_a_method_that_would_not_come_back_whole_is_refused() -> None:
    models = {name: GroupRates.uniform(SETTING) for name in "ab"}
    with pytest.raises(EvenhandError, match="a file of answers does not keep 'candidates'"):
        Header(method=Adaptive(setting=SETTING, candidates=models))
    with pytest.raises(EvenhandError, match="method must be a Method"):
        Header(method="paper")  # type: ignore[arg-type]


@dataclass(frozen=True, eq=False, kw_only=True)
class Odd(Paper):
    """A method with an option that may be anything."""

    name = "odd"
    anything: object = None


@pytest.mark.parametrize("anything", [{"a": {1}}, float("nan"), object(), {"a": np.zeros(2)}])
def test_an_option_that_json_cannot_hold_is_refused_and_leaves_no_file(tmp_path: Path, anything: object) -> None:
    with pytest.raises(EvenhandError, match="an option of method='odd' cannot be kept with the answers"):
        FileLog(tmp_path / "a.jsonl", begin=lambda: Header(method=Odd(setting=SETTING, anything=anything)))
    assert not list(tmp_path.iterdir())


def test_a_file_of_a_method_that_is_not_known_here_says_what_to_do(tmp_path: Path) -> None:
    with FileLog(tmp_path / "a.jsonl", begin=lambda: Header(method=Odd(setting=SETTING))):
        pass
    with pytest.raises(EvenhandError, match=r"line 1: .* received 'odd': .* import the package that adds it"):
        FileLog(tmp_path / "a.jsonl")
