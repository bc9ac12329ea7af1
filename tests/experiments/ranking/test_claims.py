"""A claim holds if the numbers say so, and does not if they do not."""

from __future__ import annotations

import numpy as np

from evenhand.experiments.ranking.claims import judge
from evenhand.experiments.ranking.estimates import BASELINES
from evenhand.experiments.ranking.scores import Scores


def scores(ndcg: float, kendall: float, weighted_kendall: float | None = None) -> Scores:
    weighted = kendall if weighted_kendall is None else weighted_kendall
    return Scores(1, np.full(5, ndcg), np.full(5, ndcg), np.full(5, kendall), np.full(5, weighted))


def as_the_paper_finds(*, weighted_gain: float) -> dict[str, Scores]:
    found = {
        name: scores(0.96 + weighted_gain * name.endswith("_w"), 0.5 + weighted_gain * name.endswith("_w"))
        for name in BASELINES
    }
    return {"paper": scores(0.9999, 0.99), **found}


def verdicts(results: dict[str, dict[str, Scores]]) -> dict[tuple[str, str], bool]:
    return {(verdict.claim.split()[0], verdict.dataset): verdict.holds for verdict in judge(results)}


def test_all_claims_hold_of_the_papers_own_findings() -> None:
    found = judge({"default": as_the_paper_finds(weighted_gain=-0.01), "crime": as_the_paper_finds(weighted_gain=0.03)})
    assert len(found) == 9
    assert all(verdict.holds for verdict in found)


def test_a_default_metric_that_ranks_better_refutes_two_claims() -> None:
    results = {"wine": {**as_the_paper_finds(weighted_gain=0.03), "phi_w": scores(1.0, 0.995)}}
    assert verdicts(results) == {
        ("Ranking", "wine"): True,
        ("The", "wine"): True,  # the weighted versions are still better
        ("Eliciting", "wine"): False,
    }
    assert not next(v for v in judge(results) if v.claim.startswith("The elicited metric")).holds


def test_an_order_that_is_far_from_perfect_is_not_called_almost_perfect() -> None:
    results = {"wine": {**as_the_paper_finds(weighted_gain=0.03), "paper": scores(0.9999, 0.9)}}
    assert not verdicts(results)["Ranking", "wine"]


def test_a_claim_about_kendalls_tau_must_hold_by_the_weighted_one_too() -> None:
    found = as_the_paper_finds(weighted_gain=0.03)
    rival = {"wine": {**found, "phi_w": scores(0.97, 0.53, weighted_kendall=0.995)}}
    assert not verdicts(rival)["Eliciting", "wine"]
    imperfect = {"wine": {**found, "paper": scores(0.9999, 0.99, weighted_kendall=0.9)}}
    assert not verdicts(imperfect)["Ranking", "wine"]
    no_gain = {"wine": {**found, "phi_w": scores(0.97, 0.53, weighted_kendall=0.5)}}
    assert not verdicts(no_gain)["The", "wine"]
    strong = {"crime": {**found, **{name: scores(0.99, 0.5, weighted_kendall=0.9) for name in BASELINES}}}
    assert not verdicts(strong)["On", "crime"]


def test_on_default_it_is_the_equal_versions_that_the_paper_finds_no_worse() -> None:
    better = as_the_paper_finds(weighted_gain=0.03)
    assert not verdicts({"default": better})["On", "default"]


def test_a_weak_kendall_with_a_high_ndcg_is_looked_for_on_crime_alone() -> None:
    strong = {**as_the_paper_finds(weighted_gain=0.03), **{name: scores(0.99, 0.9) for name in BASELINES}}
    assert not verdicts({"crime": strong})["On", "crime"]
    assert ("On", "wine") not in verdicts({"wine": strong})
