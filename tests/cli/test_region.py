"""`evenhand region`: the region of scores in a file, and interviews and studies that ask from it."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from fastapi.testclient import TestClient
from matplotlib.image import imread

from evenhand import EvenhandError, FeasibleRegion
from evenhand.cli.app import app
from evenhand.cli.interview import interview
from evenhand.cli.region import region
from evenhand.cli.study import add, draft
from evenhand.study import FileLog
from evenhand.study.store import Store
from evenhand.study.study import Study
from evenhand.web.app import create_app

COLUMNS = {"label": "repaid", "group": ["sex"]}


@pytest.fixture(autouse=True)
def scores(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file with a score that is right within each group but for a factor, and models with several thresholds."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    rng = np.random.default_rng(0)
    sex = rng.choice(["women", "men"], 2000)
    repaid = (rng.random(2000) < np.where(sex == "women", 0.7, 0.6)).astype(int)
    score = repaid + rng.normal(0, 0.8, 2000)
    models = {f"model_{name}": (score > at).astype(int) for name, at in {"a": 0.3, "b": 0.7}.items()}
    p = 1 / (1 + np.exp(-1.5 * (score - 0.5)))
    table = {"repaid": repaid, "sex": sex, "p_repaid": p, "p_not": 1 - p, "seer": repaid} | models
    pl.DataFrame(table).write_csv("scores.csv")


def test_it_says_which_sphere_fits_how_calibrated_scores_are_and_what_is_within_reach(
    capsys: pytest.CaptureFixture[str],
) -> None:
    region(
        Path("scores.csv"),
        score=["p_repaid"],
        prediction=["model_*", "seer"],
        picture=Path("region.png"),
        json_file=Path("region.json"),
        **COLUMNS,  # type: ignore[arg-type]
    )
    said = capsys.readouterr().out
    found = FeasibleRegion.from_json(Path("region.json").read_text(encoding="utf-8"))
    assert f"a sphere of radius {found.sphere().radius:.3f}"[:-1] in said
    assert said.count("isotonic") == 2
    assert "model_a: within reach" in said
    assert "model_b: within reach" in said
    assert "seer: 0." in said
    assert "out of reach in the group" in said.split("seer")[1]
    assert imread("region.png").shape[0] > 500
    assert found.setting.groups == ("men", "women")
    assert len(Path("region.json").read_bytes()) < 20_000


def test_one_score_is_that_of_the_last_class_and_several_are_those_of_all(capsys: pytest.CaptureFixture[str]) -> None:
    for scores in (["p_repaid"], ["p_not", "p_repaid"]):
        region(Path("scores.csv"), score=scores, as_given=True, json_file=Path("-"), **COLUMNS)  # type: ignore[arg-type]
    one, other = (FeasibleRegion.from_json(line) for line in capsys.readouterr().out.splitlines())
    assert one.sphere().radius == pytest.approx(other.sphere().radius, abs=1e-5)
    assert [each.how for each in one.calibration] == ["as given", "as given"]


def test_names_are_no_markup_of_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    frame = pl.read_csv("scores.csv").rename({"model_a": "[/close] :smile:", "model_b": "[red]b[/red]"})
    frame.with_columns(pl.col("sex") + "[bold]").write_csv("scores.csv")
    models = ["[/close] :smile:", "[red]b[/red]"]
    region(Path("scores.csv"), score=["p_repaid"], prediction=models, **COLUMNS)  # type: ignore[arg-type]
    said = capsys.readouterr().out
    for name in ("women[bold]", *(f"{model}: within reach" for model in models)):
        assert name in said


def test_it_names_the_group_that_chance_does_not_explain(capsys: pytest.CaptureFixture[str]) -> None:
    frame = pl.read_csv("scores.csv").with_row_index()
    few = pl.col("index") < 12
    knows = pl.when(few | (pl.col("index") % 4 == 0)).then("repaid").otherwise("model_a").alias("knows_more")
    frame.with_columns(knows, sex=pl.when(few).then(pl.lit("few")).otherwise("sex")).write_csv("scores.csv")
    region(Path("scores.csv"), score=["p_repaid"], prediction=["knows_more"], **COLUMNS)  # type: ignore[arg-type]
    said = " ".join(capsys.readouterr().out.split("knows_more:")[1].split())
    assert re.match(r"0\.\d+ out of reach in the group (wo)?men, which chance does not explain", said), said


def test_columns_are_named_with_commas_too(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["region", "scores.csv", "--label", "repaid", "--group", "sex"]
    app([*arguments, "--score", "p_not,p_repaid", "--prediction", "model_a,seer"], standalone_mode=False)
    told = capsys.readouterr().out
    assert "model_a: " in told
    assert "seer: " in told


@pytest.mark.parametrize(
    ("score", "message"),
    [
        (["p_rapaid"], "did you mean 'p_repaid'"),
        (["x*"], "no column matches the score 'x"),
        (["sex"], "the score sex must be numbers"),
        (["model_a", "model_b", "seer"], "scores.csv"),
    ],
)
def test_wrong_columns_are_named(score: list[str], message: str) -> None:
    with pytest.raises(EvenhandError, match=message):
        region(Path("scores.csv"), score=score, **COLUMNS)  # type: ignore[arg-type]


def test_a_picture_opens_no_window_whatever_backend_the_user_has_chosen() -> None:
    environment = os.environ | {"MPLBACKEND": "module://no_such_backend"}
    columns = ["--label", "repaid", "--group", "sex", "--score", "p_repaid", "--picture", "region.png"]
    command = [sys.executable, "-m", "evenhand", "region", "scores.csv", *columns]
    subprocess.run(command, env=environment, check=True, capture_output=True)  # noqa: S603
    assert Path("region.png").read_bytes().startswith(b"\x89PNG")


def test_a_picture_of_an_unknown_kind_is_refused() -> None:
    with pytest.raises(EvenhandError, match=r"the picture region\.xyz cannot be written"):
        region(Path("scores.csv"), score=["p_repaid"], picture=Path("region.xyz"), **COLUMNS)  # type: ignore[arg-type]


def test_a_served_study_asks_from_it(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("evenhand.study.store.new_seed", lambda: 3)
    region(Path("scores.csv"), score=["p_repaid"], json_file=Path("region.json"), **COLUMNS)  # type: ignore[arg-type]
    draft(Path("scores.csv"), model=["model_*"], region=Path("region.json"), out=Path("loans.toml"), **COLUMNS)  # type: ignore[arg-type]
    add(Path("loans.toml"), store="sqlite:///own.db")
    assert "at the address /loans" in capsys.readouterr().out
    reach = FeasibleRegion.from_json(Path("region.json").read_text(encoding="utf-8"))
    with Store("sqlite:///own.db") as store:
        client = TestClient(create_app(store), base_url="http://localhost")
        token = store.begin("loans")
        models = [rates.vector for rates in store.study("loans").candidates.values()]
        beyond = 0
        for n in range(1, 5):
            asked = client.get(f"/api/interviews/{token}").json()["question"]
            for side in ("first", "second"):
                shown = np.array(asked[side])
                rounded = np.linalg.norm([0.005, 0.005])  # to whole people of 100
                assert (reach.contains(shown).distance <= rounded).all(), shown
                made_up = not any(np.abs(shown - model).max() < 0.006 for model in models)
                beyond += made_up and np.linalg.norm(shown - 0.5, axis=1).max() > reach.sphere().radius + rounded
            reply = client.put(f"/api/interviews/{token}/answers/{n}", json={"choice": "first"})
            assert reply.status_code == 200
    assert beyond, "without a region, made-up models come from a sphere"


def test_an_interview_and_a_study_ask_from_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = Path("region.json")
    region(Path("scores.csv"), score=["p_repaid"], json_file=file, **COLUMNS)  # type: ignore[arg-type]
    for _ in range(2):  # to begin it, and to go on
        monkeypatch.setattr(sys, "stdin", io.StringIO("a\nq\n"))
        interview(Path("mine.jsonl"), region=file)
    with FileLog(Path("mine.jsonl")) as log:
        kept = log.header.method.options()["region"]
    assert kept == json.loads(file.read_text(encoding="utf-8"))
    monkeypatch.setattr(sys, "stdin", io.StringIO("q\n"))
    interview(Path("own.jsonl"), region=file, candidates=[Path("scores.csv")], prediction=["model_*"], **COLUMNS)  # type: ignore[arg-type]
    draft(Path("scores.csv"), model=["model_*"], region=file, out=Path("loans.toml"), **COLUMNS)  # type: ignore[arg-type]
    study = Study.from_file("loans.toml")
    assert study.method.options()["region"] == kept
    assert "[method.region]" in Path("loans.toml").read_text(encoding="utf-8")
    with pytest.raises(EvenhandError, match="--groups was given with --region"):
        interview(Path("other.jsonl"), region=file, groups=["a,b"])
    Path("region.json").write_text("{}", encoding="utf-8")
    with pytest.raises(EvenhandError, match="cannot be read: this JSON document is not a region"):
        interview(Path("other.jsonl"), region=file)
    capsys.readouterr()
