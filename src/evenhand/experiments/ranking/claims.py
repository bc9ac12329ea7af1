"""Checks the findings of the paper's Section 6.2, claim by claim.

The paper's "Kendall-tau" may be τ-b or Shieh's weighted τ, which it cites. A claim about it must hold for both.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from evenhand.experiments.ranking.estimates import BASELINES
from evenhand.experiments.ranking.scores import Scores
from evenhand.typing import Floats

ByMethod = Mapping[str, Scores]

_ALMOST_PERFECT = {"ndcg": 0.999, "kendall": 0.98, "weighted_kendall": 0.98}
_HIGH_NDCG, _WEAK_TAU = 0.95, 0.6
_SURE = 1.96
_WEIGHTED = {"phi_varphi_lambda_w": "phi_varphi_lambda_a", "phi_varphi_w": "phi_varphi_a", "phi_w": "phi_a"}
_ONE_PART_FIXED = ("phi_a", "phi_w", "phi_varphi_a", "phi_varphi_w")
_TAUS = {"kendall": "τ-b", "weighted_kendall": "weighted τ"}
_IN_WORDS = {"ndcg": "NDCG", **_TAUS}


@dataclass(frozen=True)
class JudgedClaim:
    """A claim on one data set: whether it holds, and what we found."""

    claim: str
    dataset: str
    holds: bool
    found: str

    def as_json(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return {"claim": self.claim, "dataset": self.dataset, "holds": self.holds, "found": self.found}


def judge(results: Mapping[str, ByMethod]) -> tuple[JudgedClaim, ...]:
    """Check each claim on each data set that it concerns."""
    verdicts = [
        check(name, scores) for check in (_perfect, _best, _all_three, _weighted) for name, scores in results.items()
    ]
    if "crime" in results:
        verdicts.append(_crime(results["crime"]))
    return tuple(verdicts)


def _perfect(name: str, scores: ByMethod) -> JudgedClaim:
    paper = scores["paper"]
    return JudgedClaim(
        "Ranking by the elicited metric is almost perfect",
        name,
        all(np.median(getattr(paper, measure)) >= least for measure, least in _ALMOST_PERFECT.items()),
        f"mean NDCG {paper.mean('ndcg'):.4f}, "
        + ", ".join(
            f"{words} {paper.mean(tau):.3f} (median {np.median(getattr(paper, tau)):.4f})"
            for tau, words in _TAUS.items()
        ),
    )


def _best(name: str, scores: ByMethod) -> JudgedClaim:
    return _above("The elicited metric ranks best, above every default metric", name, scores, tuple(BASELINES))


def _all_three(name: str, scores: ByMethod) -> JudgedClaim:
    return _above("Eliciting all three parts beats fixing one and eliciting the rest", name, scores, _ONE_PART_FIXED)


def _above(claim: str, name: str, scores: ByMethod, rivals: tuple[str, ...]) -> JudgedClaim:
    """Compare the paper's method with the best of its rivals by each measure."""
    found, holds = [], True
    for measure, words in _IN_WORDS.items():
        best = max(rivals, key=lambda rival: scores[rival].mean(measure))
        ours, theirs = scores["paper"].mean(measure), scores[best].mean(measure)
        holds = holds and ours > theirs
        found.append(f"{words} {ours:.4f} against {theirs:.4f} of {BASELINES[best]}")
    return JudgedClaim(claim, name, holds, "; ".join(found))


def _weighted(name: str, scores: ByMethod) -> JudgedClaim:
    """Compare weights in the true order with equal weights; on *default* the paper finds them no better.

    "Better" means a significant gain in τ over the same metrics: the 95 % interval of the mean gain is above 0.
    """
    gains = {
        weighted: {
            measure: getattr(scores[weighted], measure) - getattr(scores[equal], measure) for measure in _IN_WORDS
        }
        for weighted, equal in _WEIGHTED.items()
    }
    better = {tau: sum(_at_least(gain[tau]) > 0 for gain in gains.values()) for tau in _TAUS}
    counts = ", ".join(f"{better[tau]} of {len(gains)} better by {words}" for tau, words in _TAUS.items())
    found = "; ".join(
        f"{BASELINES[weighted]} gains "
        + "".join(f"{gain[tau].mean():+.3f} (at least {_at_least(gain[tau]):+.3f}) in {_TAUS[tau]}, " for tau in _TAUS)
        + f"{gain['ndcg'].mean():+.4f} in NDCG"
        for weighted, gain in gains.items()
    )
    if name == "default":
        claim, wanted = "On default the weighted versions do not rank better than the equal ones", 0
    else:
        claim, wanted = "The weighted versions rank better than the equal ones", len(gains)
    return JudgedClaim(claim, name, set(better.values()) == {wanted}, f"{counts}: {found}")


def _at_least(gain: Floats) -> float:
    """Return the lower end of the mean's 95 % interval."""
    return float(gain.mean() - _SURE * gain.std() / len(gain) ** 0.5)


def _crime(scores: ByMethod) -> JudgedClaim:
    such = [
        f"{words} has NDCG {scores[name].mean('ndcg'):.3f}, "
        + " and ".join(f"{in_words} {scores[name].mean(tau):.2f}" for tau, in_words in _TAUS.items())
        for name, words in BASELINES.items()
        if scores[name].mean("ndcg") >= _HIGH_NDCG and all(scores[name].mean(tau) <= _WEAK_TAU for tau in _TAUS)
    ]
    return JudgedClaim(
        f"On crime some have a high NDCG (here: at least {_HIGH_NDCG}) with a weak τ (at most {_WEAK_TAU})",
        "crime",
        bool(such),
        "; ".join(such) or "none",
    )
