"""`evenhand demo`: what it prints is what the library computes."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from evenhand import EvenhandError, FairMetric, SimulatedOracle, elicit
from evenhand.cli.demo import MODELS, demo, lender
from evenhand.ranking import kendall_tau, ndcg
from evenhand.rates.models import made_up_models
from evenhand.report.terminal.order import places


@pytest.mark.parametrize(("seed", "tolerance"), [(7, 1e-3), (3, 0.2)])
def test_its_numbers_are_those_of_the_library(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, seed: int, tolerance: float
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    demo(seed=seed, tolerance=tolerance)
    printed = capsys.readouterr().out

    rng = np.random.default_rng(seed)
    truth = FairMetric.random(lender(), rng)
    elicited = elicit(SimulatedOracle(truth), lender(), method="paper", tolerance=tolerance)
    models = made_up_models(lender(), MODELS, rng)
    true_cost, cost = truth.cost_of_profiles(models), elicited.metric.cost_of_profiles(models)

    assert f"\n{elicited.questions} questions: " in printed
    for name, metric in (("true", truth), ("recovered", elicited.metric)):
        weights = [*metric.misclassification, *metric.violation[0], metric.trade_off]
        assert re.findall(rf" {name} +(\d\.\d{{3}}) ", printed) == [f"{weight:.3f}" for weight in weights]
    rows = re.findall(r"model ([A-Z]) +(\d+) (\d\.\d{4}) .*?(\d+) (\d\.\d{4})", printed)
    names = ["ABCDEFGHIJKLMNOPQRST"[model] for model in np.argsort(true_cost)]
    assert [row[0] for row in rows] == names
    assert [int(row[1]) for row in rows] == list(range(1, MODELS + 1))
    assert [row[2] for row in rows] == [f"{true_cost[model]:.4f}" for model in np.argsort(true_cost)]
    assert [int(row[3]) for row in rows] == [places(cost)[model] for model in np.argsort(true_cost)]
    assert [row[4] for row in rows] == [f"{cost[model]:.4f}" for model in np.argsort(true_cost)]
    assert f"Kendall's tau {kendall_tau(true_cost, cost):.3f}, NDCG {ndcg(true_cost, cost):.4f}" in printed
    for warning in elicited.warnings:
        assert " ".join(warning.split()) in " ".join(printed.split())


def test_it_recovers_the_metric_and_the_order(capsys: pytest.CaptureFixture[str]) -> None:
    demo()
    assert "574 questions: 178 on mistakes, 356 on gaps between groups, 40 on the trade-off" in (
        " ".join(capsys.readouterr().out.split())
    )


def test_piped_into_a_file_it_has_no_control_codes_and_fits_the_width(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    demo(tolerance=0.1)
    lines = capsys.readouterr().out.splitlines()
    assert all(line.isprintable() and len(line) <= 80 for line in lines)


def test_other_numbers_of_classes_and_groups_work_too(capsys: pytest.CaptureFixture[str]) -> None:
    demo(classes=3, groups=3, tolerance=0.25, method="least-squares")
    printed = capsys.readouterr().out
    assert "class 1 → class 2" in printed
    assert "… and 6 lighter ones" in printed


def test_the_picture_loads_nothing_from_anywhere(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "demo.svg"
    demo(tolerance=0.1, svg=path)
    svg = path.read_text(encoding="utf-8")
    assert re.findall(r"https?://[^\"']*", svg) == ["http://www.w3.org/2000/svg"]
    assert "url(" not in re.sub(r"url\(#", "", svg)
    assert "Kendall&#x27;s&#160;tau" in svg or "Kendall" in svg
    with pytest.raises(EvenhandError, match="cannot write"):
        demo(tolerance=0.1, svg=tmp_path / "nowhere" / "demo.svg")


def test_made_up_models_are_models() -> None:
    models = made_up_models(lender(), MODELS, np.random.default_rng(0))
    assert models.shape == (MODELS, 2, 2)
    assert 0.05 <= models.min() <= models.max() <= 0.4
