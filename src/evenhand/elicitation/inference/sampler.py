"""Sequential Monte Carlo: particles are resampled, and then moved by slice sampling.

Answers reweight the particles (`Posterior.updated`). When the effective sample size 1 / Σp² falls below half of them,
they are resampled and moved by a walk that leaves the posterior in place (Chopin 2002; Del Moral, Doucet & Jasra 2006;
`walk`).

While few answers are in, there are many particles: a likelihood then takes little time, and it is early that a sample
loses a region for good to which later answers may point. Where there are many weights, there stay many. Soft and sharp
respondents (`response`) are sampled each by themselves, so that neither is lost: a component has at least a quarter of
the particles, and counts as much as its marginal likelihood says.

References
----------
N. Chopin (2002): A sequential particle filter method for static models. Biometrika 89, 539–552.

P. Del Moral, A. Doucet, A. Jasra (2006): Sequential Monte Carlo samplers. Journal of the Royal Statistical Society B
68, 411–436.
"""

from __future__ import annotations

from math import ceil

import numpy as np

from evenhand.elicitation.thresholds import SAMPLER
from evenhand.rates.ties import ROUNDING
from evenhand.typing import Floats


def random_numbers(seed: int, step: int, purpose: str) -> np.random.Generator:
    """Return the random numbers of one step of an interview, the same whether it goes on or is replayed."""
    return np.random.default_rng([seed, step, *purpose.encode()])


def effective_sample_size(probability: Floats) -> float:
    """Return 1 / Σp² of particles with these probabilities."""
    return float(1 / (probability @ probability))


def population(particles: int, numbers: int, answered: int) -> int:
    """Return how many particles of so many latent numbers there are after so many answers.

    After many answers there are `particles`, or more where there are many numbers.
    """
    early = particles * SAMPLER.early_answers // max(answered, 1)
    late = particles * max(numbers, SAMPLER.few_numbers) // SAMPLER.few_numbers
    return min(max(early, late), SAMPLER.early_share * particles)


def component_size(size: int, mass: float) -> int:
    """Return how many of `size` particles a component gets that has this share of the probability."""
    share = min(max(mass, SAMPLER.min_component), 1 - SAMPLER.min_component)
    return ceil(size * share - ROUNDING)


def usual_sweeps(numbers: int) -> int:
    """Return how often particles of so many latent numbers are moved after a resampling."""
    return ceil(min(SAMPLER.sweeps_per_number * numbers, SAMPLER.most_moves / numbers))


def refined_sweeps(numbers: int, answered: int) -> int:
    """Return how often they are moved for a last look after so many answers.

    Between hard walls a walk takes a number of sweeps that grows with the square of the dimension to forget its start;
    but each answer builds a wall, and few are soon forgotten.
    """
    walls = answered + SAMPLER.walls_without_answers
    return ceil(min(SAMPLER.sweeps_per_wall * numbers * walls, SAMPLER.most_moves_refined / numbers))


def resampled(latent: Floats, probability: Floats, size: int, rng: np.random.Generator) -> Floats:
    """Return equally probable particles (size, d) in place of weighted ones (n, d): systematically, in random order."""
    ticks = (np.arange(size) + rng.random()) / size
    chosen = np.searchsorted(np.cumsum(probability), ticks).clip(max=len(probability) - 1)
    return np.asarray(latent[rng.permutation(chosen)])
