"""`evenhand experiments ranking` from the outside, small: on made-up data, and on real data where they are."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from evenhand import EvenhandError
from evenhand.cli.app import app
from evenhand.experiments.ranking.estimates import BASELINES

ADAPTIVE = ["adaptive_8", "adaptive_8_wrong"]
pytestmark = pytest.mark.raw_files


@pytest.fixture(scope="module")
def small(data: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """Two data sets, twenty classifiers, five metrics: the folder of the results, and what was printed."""
    folder = tmp_path_factory.mktemp("ranking")
    given = ["--data", data, "--out", folder / "out", "--cache", folder / "cache", "--jobs", "1"]
    sizes = ["--datasets", "wine", "crime", "--metrics", "5", "--classifiers", "20", "--budget", "8"]
    result = CliRunner().invoke(app, ["experiments", "ranking", *map(str, [*given, *sizes])], catch_exceptions=False)
    return folder / "out", result.stdout


@pytest.fixture(scope="module")
def document(small: tuple[Path, str]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((small[0] / "ranking.json").read_text())
    return found


def test_table_figure_report_and_json_are_made(small: tuple[Path, str]) -> None:
    folder, printed = small
    assert {path.name for path in folder.iterdir()} == {f"ranking.{kind}" for kind in ("json", "md", "png", "svg")}
    for words in (
        "wine: agreement with the true order",
        "adaptive, 8, 10 % wrong",
        "φ̂ϕ̂_w",
        "τ-b",
        "weighted τ",
        "as good as the best",
    ):
        assert words in printed
    report = (folder / "ranking.md").read_text()
    assert "**The weighted versions rank better than the equal ones.**" in report
    assert "`evenhand" in report, "the command that made it"


def test_the_json_has_every_method_of_every_data_set(document: dict[str, Any]) -> None:
    assert list(document["datasets"]) == ["wine", "crime"]
    for found in document["datasets"].values():
        assert list(found["methods"]) == ["paper", "bisection", *ADAPTIVE, *BASELINES]
        for scores in found["methods"].values():
            for measure in ("ndcg", "ndcg_by_place", "kendall", "weighted_kendall"):
                assert {"mean", "median", "std", "p5", "p95"} == set(scores[measure])
                assert -1 <= scores[measure]["mean"] <= 1
        for answers in ("exact", "wrong"):
            to_best = found["questions_to_best"][answers]
            assert len(to_best["questions"]) == 5
            assert 1 <= to_best["median"] <= 60
            assert 0 <= to_best["exactly"] <= to_best["right"] <= 1


def test_elicited_metrics_rank_better_than_every_default_one(document: dict[str, Any]) -> None:
    for found in document["datasets"].values():
        methods = found["methods"]
        assert methods["bisection"]["ndcg"]["mean"] >= 0.999
        assert methods["bisection"]["kendall"]["mean"] >= 0.98
        assert methods["paper"]["kendall"]["median"] >= 0.98
        for name in BASELINES:
            assert methods[name]["kendall"]["mean"] < methods["bisection"]["kendall"]["mean"]
            assert methods[name]["ndcg"]["mean"] < methods["bisection"]["ndcg"]["mean"]


def test_eight_questions_rank_better_than_equal_weights(document: dict[str, Any]) -> None:
    for found in document["datasets"].values():
        methods = found["methods"]
        assert methods["adaptive_8"]["kendall"]["mean"] > methods["phi_varphi_lambda_a"]["kendall"]["mean"]
        assert methods["adaptive_8"]["kendall"]["mean"] > 0.6


def test_a_metric_elicited_on_one_data_set_ranks_the_models_of_another(document: dict[str, Any]) -> None:
    moved = {(one["source"], one["target"], one["method"]): one for one in document["transported"]}
    assert {key[:2] for key in moved} == {("wine", "crime"), ("crime", "wine")}
    for key, one in moved.items():
        if key[2] == "bisection":
            assert one["elicited_at_source"]["kendall"]["mean"] >= 0.98


def test_the_interviews_can_be_left_out(small: tuple[Path, str], data: Path, document: dict[str, Any]) -> None:
    places = ["--data", str(data), "--cache", str(small[0].parent / "cache"), "--json", "-"]
    sizes = ["--datasets", "wine,crime", "--metrics", "5", "--classifiers", "20", "--no-interviews"]
    result = CliRunner().invoke(app, ["experiments", "ranking", *places, *sizes], catch_exceptions=False)
    for name, found in json.loads(result.stdout)["datasets"].items():
        before = document["datasets"][name]["methods"]
        assert found["methods"] == {method: before[method] for method in before if method not in ADAPTIVE}
        assert found["questions_to_best"] == {}


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (["--datasets", "compas"], "no data set 'compas'"),
        (["--datasets", "wine,"], "no wine_red"),
        (["--budget", "0"], "budgets must be a whole number of at least 1"),
        (["--metrics", "0"], "metrics must be a whole number of at least 1"),
        (["--classifiers", "1"], "classifiers must be a whole number of at least 2"),
        (["--jobs", "0"], "jobs must be a whole number of at least 1"),
        (["--seed", "-1"], "seed must be a whole number of at least 0"),
    ],
)
def test_bad_input_is_refused_in_words_and_leaves_nothing(given: list[str], message: str, tmp_path: Path) -> None:
    places = ["--data", str(tmp_path), "--out", str(tmp_path / "out"), "--cache", str(tmp_path / "cache")]
    result = CliRunner().invoke(app, ["experiments", "ranking", *places, *given])
    assert isinstance(result.exception, EvenhandError)
    assert message in str(result.exception)
    assert not list((tmp_path / "cache").rglob("*.npz"))
