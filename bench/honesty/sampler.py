"""The sampler: widths and marginal likelihoods beside references on the same answers, calibration, and time.

There are two references. One is a replay of the answers with many more particles, each moved for longer. The other is
a long chain: the particles of the replay, moved on for many sweeps. Intervals are those that are told.
"""

from __future__ import annotations

from dataclasses import replace
from math import inf

import numpy as np

from bench.honesty.interviews import Stage, ends, stages, weights_of
from bench.people import FIRST_PERSON, PEOPLE, everybody
from evenhand.elicitation.inference.evidence import replayed
from evenhand.elicitation.inference.model import AnswerModel
from evenhand.elicitation.inference.posterior import Posterior
from evenhand.metric.prior import Prior
from evenhand.typing import Floats

_CELLS = (
    *((2, 2, kind, 45) for kind in ("exact", "10 % flips", "logistic 0.01")),
    *((3, 3, kind, 160) for kind in ("exact", "10 % flips", "logistic 0.01")),
)
_HISTORIES = max(PEOPLE // 20, 2)
_MORE_PARTICLES, _MORE_EFFORT, _MORE_SWEEPS = 8000, 2.0, 600
_RANKS, _THIN = 20, 19


def compared(seed: int, *, k: int, m: int, kind: str, questions: int) -> tuple[Floats, float, float]:
    """Return widths beside those of a replay and of a long chain, the error in log evidence, and the seconds."""
    (stage,) = stages(seed, k=k, m=m, kind=kind, after=(questions,))
    replay = _replayed(stage, seed + 1)
    rng = np.random.default_rng(seed)
    chain = replay.moved(replay.size, _MORE_SWEEPS, inf, rng).weighed(rng)
    width, *references = (np.subtract(*ends(each.told)[::-1]) for each in (stage.posterior, replay, chain))
    ratios = np.array([width.mean() / reference.mean() for reference in references])
    return ratios, stage.posterior.log_evidence - replay.log_evidence, stage.seconds


def _replayed(stage: Stage, seed: int) -> Posterior:
    model, setting = AnswerModel(Prior.of(stage.truth.setting)), stage.truth.setting
    posterior = replayed(model, stage.history, setting, particles=_MORE_PARTICLES, seed=seed, effort=_MORE_EFFORT)
    return replace(posterior.refined(np.random.default_rng(seed)), attention=stage.posterior.attention)


def ranks(seed: int, *, k: int, m: int, questions: int) -> Floats:
    """Return the rank of each true weight among independent draws of the posterior of a person of the prior."""
    (stage,) = stages(seed, k=k, m=m, kind="own prior, attending", after=(questions,))
    rng = np.random.default_rng(seed)
    drawn = rng.choice(stage.posterior.weights.in_a_row, _THIN, p=stage.posterior.probability)
    return np.asarray((drawn < weights_of(stage.truth)).sum(axis=0), dtype=np.float64)


def _beside_references() -> None:
    print(f"  {_HISTORIES} histories a line, from person {FIRST_PERSON} on; mean widths of 90 % intervals")
    print("  people            k  m  answers   replays: mean, least, most   chains: mean, least, most   log evidence")
    for k, m, kind, questions in _CELLS:
        found = everybody(compared, _HISTORIES, k=k, m=m, kind=kind, questions=questions)
        by_reference = np.array([ratios for ratios, _, _ in found]).T
        told = "   ".join(f"{one.mean():>8.3f} {one.min():.3f} {one.max():.3f}" for one in by_reference)
        errors = np.array([error for _, error, _ in found])
        seconds = np.quantile([each for _, _, each in found], 0.95)
        print(
            f"  {kind:<16} {k:>2} {m:>2} {questions:>8}   {told}   {errors.mean():+.2f} ± {errors.std():.2f}, at most "
            f"{np.abs(errors).max():.2f}; last sample {seconds:.2f} s",
            flush=True,
        )
    print("  wanted: means 0.95 to 1.05, each 0.85 to 1.15; evidence within 0.3 (two and two) and 1; 0.3 s and 2 s")


def _calibration() -> None:
    print(f"  {PEOPLE} people of the prior: ranks of true weights among {_THIN} draws, which should be uniform")
    for k, m, questions in ((2, 2, 30), (3, 3, 60)):
        found = np.array(everybody(ranks, k=k, m=m, questions=questions)).astype(np.intp)
        share = np.bincount(found.ravel(), minlength=_RANKS) / found.size
        fourths = ", ".join(f"{each:.1%}" for each in share.reshape(4, -1).sum(axis=1))
        ends = share[0] + share[-1]
        print(f"  k{k}m{m}, {questions} answers: fourths {fourths}; outermost two of {_RANKS} {ends:.1%}", flush=True)


def run() -> None:
    """Print the comparison with references, then the calibration."""
    _beside_references()
    _calibration()
