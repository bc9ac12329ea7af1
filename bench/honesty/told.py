"""What is told of the weights by other priors of soft respondents: what a narrower one would lose.

The interviews are the same for all priors: the same particles count differently (`inference/response.py`). These are
the people with whom the prior was chosen.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from bench.honesty.interviews import ends, print_held, stages, weights_of
from evenhand.elicitation.thresholds import RESPONSE
from evenhand.typing import Floats

_ANSWERS = 45
PRIORS = (
    ("as questions are chosen", RESPONSE.soft),
    ("30 % soft", 0.3),
    ("60 % soft", 0.6),
    ("as told", RESPONSE.soft_told),
    ("90 % soft", 0.9),
)


def told_by(seed: int, *, kind: str) -> Floats:
    """Interview one person; return how many weights are held, and the mean width, by each prior (priors, 2)."""
    (stage,) = stages(seed, k=2, m=2, kind=kind, after=(_ANSWERS,))
    weights, found = weights_of(stage.truth), []
    for _, share in PRIORS:
        model = stage.posterior.model
        response = replace(model.response, soft_told=share)
        low, high = ends(replace(stage.posterior, model=replace(model, response=response)).told)
        found.append((((low <= weights) & (weights <= high)).mean(), (high - low).mean()))
    return np.array(found)


def run() -> None:
    """Print a line for each kind of people."""
    print(f"  after {_ANSWERS} answers")
    print_held([name for name, _ in PRIORS], told_by)
