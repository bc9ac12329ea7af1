"""`evenhand interview --candidates`: about one's own models, in one's own words."""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from evenhand import EvenhandError, FairMetric
from evenhand.cli.app import app
from evenhand.cli.interview import interview
from evenhand.cli.rank import rank
from evenhand.study import FileLog, resume

MODELS = ("model_a", "model_b", "model_c", "model_d")
WORDS = """
[words.groups]
women = "women"
men = "men"

[words.classes]
0 = "who would not pay back"
1 = "who would pay back"

[words.mistakes.0]
1 = "get a loan"

[words.mistakes.1]
0 = "are refused"
"""


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The options that name four models, and words for them."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    rng = np.random.default_rng(0)
    sex = rng.choice(["women", "men"], 2000)
    repaid = (rng.random(2000) < np.where(sex == "women", 0.7, 0.6)).astype(int)
    score = repaid + rng.normal(0, 0.8, 2000)
    predicted = {name: (score > at).astype(int) for name, at in zip(MODELS, (0.2, 0.4, 0.6, 0.8), strict=True)}
    pl.DataFrame({"repaid": repaid, "sex": sex} | predicted).write_csv(tmp_path / "predictions.csv")
    (tmp_path / "words.toml").write_text(WORDS, encoding="utf-8")
    columns = {"label": "repaid", "prediction": ["model_*"], "group": ["sex"]}
    return {"candidates": [Path("predictions.csv")], "words": Path("words.toml"), **columns}


def types(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))


def test_it_asks_about_my_models_in_my_words_and_puts_them_in_order(
    own: dict[str, Any], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = Path("mine.jsonl")
    types(monkeypatch, "a", "b", "q")
    interview(file, **own)
    said = capsys.readouterr().out
    assert re.search(r"Of 100 people who would not pay back: \d\d men, \d\d women", said)
    assert said.count("Of 100 who would pay back, how many are refused:") == 3
    assert "true class" not in said
    assert not any(re.search(rf"^ +\d  {name} ", said, re.MULTILINE) for name in MODELS)  # too few answers

    types(monkeypatch, "q")  # the file alone is enough to go on, and to rank by
    interview(file)
    again = capsys.readouterr().out
    assert "Welcome back: 2 answers are kept." in again
    assert "Of 100 who would pay back, how many are refused:" in again
    with FileLog(file) as log:
        assert log.header.study is not None
        assert tuple(log.header.study.candidates) == MODELS
        assert log.header.method.name == "adaptive"


def test_at_the_end_all_models_are_put_in_order(
    own: dict[str, Any], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = Path("mine.jsonl")
    types(monkeypatch, "q")
    interview(file, **own)
    with FileLog(file) as log:
        session = resume(log)
        mind = FairMetric.from_weights(log.header.method.setting, misclassification=[1, 4], violation=[[1, 1]])
        state = session.state()
        while (asked := state.question) is not None:
            prefers_a = mind.cost(asked.a) < mind.cost(asked.b)
            state = session.answer(asked.n, "first" if prefers_a else "second")
        assert state.finding is not None
        assert state.finding.verdict.decided
    monkeypatch.setenv("COLUMNS", "60")
    interview(file)
    said = capsys.readouterr().out
    assert re.search(r"^place +name +cost +95% by sampling +mistakes +gap men \| women$", said, re.MULTILINE), "a pipe"
    assert "those who would pay back are" in said
    rank(file, own["candidates"], label="repaid", prediction=["model_*"], group=["sex"])
    for shown in (said, capsys.readouterr().out):
        assert all(re.search(rf"^ +\d  {name} ", shown, re.MULTILINE) for name in MODELS)


def test_without_words_they_are_guessed(
    own: dict[str, Any], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    types(monkeypatch, "q")
    interview(Path("mine.jsonl"), **(own | {"words": None}))
    assert "Of 100 whose repaid is 1, how many are predicted 0:" in capsys.readouterr().out


def test_the_file_holds_counts_and_nobody_s_row(own: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    types(monkeypatch, "q")
    interview(Path("mine.jsonl"), **own)
    assert len(Path("mine.jsonl").read_bytes()) < 5000  # of 2,000 people


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"classes": ["a,b"]}, "--classes was given with --candidates, whose files say which classes and groups"),
        ({"people": ["women=1,2"]}, "--people was given with --candidates"),
        ({"method": "paper"}, "--method paper asks about made-up models only"),
        ({"tolerance": 0.1}, "no option 'tolerance'"),
        ({"prediction": ["model_a"]}, "needs at least two models"),
        ({"label": "paid"}, "paid"),
        ({"candidates": None}, "--label is about your own models: name their predictions with --candidates"),
        ({"words": Path("none.toml")}, "none.toml cannot be read"),
    ],
)
def test_options_that_make_no_interview_are_explained_and_leave_no_file(
    own: dict[str, Any], options: dict[str, Any], message: str
) -> None:
    with pytest.raises(EvenhandError, match=message):
        interview(Path("mine.jsonl"), **(own | options))
    assert not Path("mine.jsonl").exists()


def test_wrong_words_are_told_by_their_line(own: dict[str, Any]) -> None:
    Path("words.toml").write_text(WORDS.replace("women =", "woman ="), encoding="utf-8")
    with pytest.raises(EvenhandError, match=r"line 3: \[words.groups\] has 'woman', which is not one of"):
        interview(Path("mine.jsonl"), **own)


def test_a_resumed_interview_keeps_its_models_and_words(
    own: dict[str, Any], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for _ in range(2):  # the same options again do no harm
        types(monkeypatch, "q")
        interview(Path("mine.jsonl"), **own)
    with pytest.raises(EvenhandError, match="about other models than --candidates has"):
        interview(Path("mine.jsonl"), **(own | {"prediction": ["model_[ab]"]}))
    Path("words.toml").write_text(WORDS.replace("are refused", "get none"), encoding="utf-8")
    with pytest.raises(EvenhandError, match="about other words than --words has"):
        interview(Path("mine.jsonl"), **own)


def test_models_and_groups_are_named_with_commas_too(own: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    types(monkeypatch, "q")
    arguments = ["--candidates", str(own["candidates"][0]), "--label", "repaid", "--group", "sex"]
    app(["interview", "mine.jsonl", *arguments, "--prediction", "model_a,model_c"], standalone_mode=False)
    with FileLog(Path("mine.jsonl")) as log:
        assert log.header.study is not None
        assert list(log.header.study.candidates) == ["model_a", "model_c"]
