"""Other models of how people answer: what intervals would hold, and how wide they would be.

The interviews are those of the product; only what is made of the answers differs. All links are sampled in the same
plain way (`sampled`), the product's own among them, so that nothing but the link differs between the columns. These are
the people with whom the response model was chosen.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import pi

import numpy as np

from bench.honesty.interviews import Stage, print_held, stages, weights_of
from evenhand.elicitation.inference.likelihood import LAPSES, NEITHER, lapse_rate
from evenhand.elicitation.inference.model import AnswerModel, Answers
from evenhand.elicitation.inference.quantiles import weighted_intervals
from evenhand.elicitation.inference.sampler import effective_sample_size, resampled, usual_sweeps
from evenhand.elicitation.inference.walk import Ensemble, walk
from evenhand.elicitation.thresholds import RESPONSE, SAMPLER, STOPPING
from evenhand.metric.prior import Prior
from evenhand.typing import Floats

_ANSWERS = 45
_PARTICLES, _LAST_SWEEPS = 800, 40
_USUAL_DIFFERENCE = 0.2
"""How far the features of two models in a question are apart, about."""


def logistic(x: Floats) -> Floats:
    """Return the share of answers that a difference of x should get, by the logistic curve."""
    return np.asarray(1 / (1 + np.exp(np.clip(-x, -RESPONSE.max_exponent, RESPONSE.max_exponent))))


def cauchy(x: Floats) -> Floats:
    """Return the same with a heavy tail: some answers are wrong however large the difference is."""
    return np.asarray(0.5 + np.arctan(x) / pi)


@dataclass(frozen=True)
class Link:
    """A model of how people answer: a curve, with lapses or without, and what its noise is in units of."""

    name: str
    curve: Callable[[Floats], Floats] = logistic
    lapses: bool = True
    shown: bool = False
    """Whether noise grows with how far the two models in a question are apart."""

    def log_likelihood(self, model: AnswerModel, u: Floats, answers: Answers) -> Floats:
        """Return log P(answers | u) (n,)."""
        responses = model.responses(u)
        sensitivity, threshold = np.exp(responses[:, 1:2]), np.minimum(np.exp(responses[:, 2:3]), RESPONSE.max_exponent)
        felt = sensitivity * (model.prices(u) @ answers.preferred.T)
        if self.shown:
            felt *= _USUAL_DIFFERENCE / np.maximum(np.linalg.norm(answers.features, axis=1), RESPONSE.min_probability)
        likely, other = self.curve(felt - threshold), self.curve(-felt - threshold)
        likely = np.where(answers.codes == NEITHER, 1 - likely - other, likely)
        if self.lapses:
            lapse = lapse_rate(responses)[:, None]
            likely = lapse * LAPSES[answers.codes] + (1 - lapse) * likely
        return np.asarray(np.log(np.maximum(likely, RESPONSE.min_probability)).sum(axis=1))


LINKS = (
    Link("logistic with lapses"),
    Link("heavy tail", cauchy, lapses=False),
    Link("heavy tail, lapses", cauchy),
    Link("in units of what is shown", shown=True),
)


def sampled(link: Link, model: AnswerModel, answers: Answers, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Return particles (n, d) and their probabilities: each component by itself, answer after answer."""
    found, log_weights = list[Floats](), list[Floats]()
    for box in model.components:
        share = float(np.prod(box.high - box.low))
        latent = box.low + (box.high - box.low) * rng.random((_PARTICLES, model.size))
        before, weight, evidence = np.zeros(_PARTICLES), np.zeros(_PARTICLES), np.log(share)
        for n in range(1, len(answers) + 1):
            so_far = Answers(answers.features[:n], answers.preferred[:n], answers.codes[:n])

            def density(u: Floats, so_far: Answers = so_far) -> Floats:
                return link.log_likelihood(model, u, so_far)

            now = density(latent)
            weight, before = weight + now - before, now
            probability = np.exp(weight - weight.max())
            total = probability.sum()
            last = n == len(answers)
            if last or effective_sample_size(probability / total) < SAMPLER.min_effective_share * _PARTICLES:
                evidence += weight.max() + np.log(total / _PARTICLES)
                latent = resampled(latent, probability / total, _PARTICLES, rng)
                sweeps = _LAST_SWEEPS if last else usual_sweeps(model.size)
                (latent,) = walk([Ensemble(latent, box)], density, sweeps, rng)
                before, weight = density(latent), np.zeros(_PARTICLES)
        found.append(latent)
        log_weights.append(np.full(_PARTICLES, evidence))
    every = np.concatenate(found)
    told = np.concatenate(log_weights) + model.log_told(every)
    probability = np.exp(told - told.max())
    return every, probability / probability.sum()


def told_by(seed: int, *, kind: str) -> Floats:
    """Interview one person; return the share of the weights held, and the mean width, by each link (links, 2)."""
    (stage,) = stages(seed, k=2, m=2, kind=kind, after=(_ANSWERS,))
    return np.array([_told(link, stage, np.random.default_rng(seed)) for link in LINKS])


def _told(link: Link, stage: Stage, rng: np.random.Generator) -> tuple[float, float]:
    model, truth = AnswerModel(Prior.of(stage.truth.setting)), weights_of(stage.truth)
    latent, probability = sampled(link, model, stage.posterior.answers, rng)
    low, high = weighted_intervals(model.weights(latent).in_a_row, probability, STOPPING.level).T
    return float(((low <= truth) & (truth <= high)).mean()), float((high - low).mean())


def run() -> None:
    """Print a line for each kind of people."""
    print(f"  after {_ANSWERS} answers")
    print_held([link.name for link in LINKS], told_by)
