"""Sequential Monte Carlo: particles are resampled and then moved by Metropolis–Hastings.

Answers reweight the particles (`Posterior.update`). When the effective sample size 1 / Σp² falls below half of them,
they are resampled and moved by a Markov chain that leaves the posterior in place (Chopin 2002; Del Moral, Doucet &
Jasra 2006), until they correlate little with where they started. The sample itself makes the proposals, since it shows
where the posterior lies and how wide it is; that a particle has a small part in its own proposal costs about a percent
of the spread.

References
----------
N. Chopin (2002): A sequential particle filter method for static models. Biometrika 89, 539–552.

P. Del Moral, A. Doucet, A. Jasra (2006): Sequential Monte Carlo samplers. Journal of the Royal Statistical Society B
68, 411–436.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from evenhand.elicitation.inference.proposals import Fitted, differential_evolution
from evenhand.elicitation.thresholds import SAMPLER
from evenhand.typing import Floats

LogDensity = Callable[[Floats], Floats]
"""The log of the posterior density (n,) of latent numbers (n, d), up to a constant."""


def random_numbers(seed: int, step: int, purpose: str) -> np.random.Generator:
    """Return the random numbers of one step of an interview, the same whether it goes on or is replayed."""
    return np.random.default_rng([seed, step, *purpose.encode()])


def effective_sample_size(probability: Floats) -> float:
    """Return 1 / Σp² of particles with these probabilities."""
    return float(1 / (probability @ probability))


def resample_and_move(
    latent: Floats,
    probability: Floats,
    log_density: LogDensity,
    rng: np.random.Generator,
    *,
    size: int | None = None,
    max_correlation: float = SAMPLER.max_correlation,
) -> Floats:
    """Return so many equally probable particles (size, d) of the distribution that the weighted ones (n, d) stand for.

    They are moved until they correlate no more than `max_correlation` with where they started.
    """
    size = len(latent) if size is None else size
    fitted = Fitted.to(latent, probability)
    latent = latent[_systematic(probability, size, rng)]
    density = log_density(latent)
    start = fitted.coordinates(latent)
    for _ in range(SAMPLER.max_sweeps):
        for propose in (fitted.autoregressive, differential_evolution):
            there, log_hastings = propose(latent, rng)
            there = np.rint(there * SAMPLER.grid) / SAMPLER.grid
            there_density = log_density(there)
            accepted = np.log(rng.random(size)) < there_density - density + log_hastings
            latent = np.where(accepted[:, None], there, latent)
            density = np.where(accepted, there_density, density)
        if _correlation(start, fitted.coordinates(latent)) <= max_correlation:
            break
    return latent


def refine(latent: Floats, probability: Floats, log_density: LogDensity, rng: np.random.Generator) -> Floats:
    """Return a larger sample of the same distribution, moved for longer: for a last look."""
    return resample_and_move(
        latent,
        probability,
        log_density,
        rng,
        size=SAMPLER.refined_share * len(latent),
        max_correlation=SAMPLER.max_correlation_refined,
    )


def _systematic(probability: Floats, size: int, rng: np.random.Generator) -> NDArray[np.intp]:
    """Draw which particles go on (size,), by systematic resampling, in random order."""
    ticks = (np.arange(size) + rng.random()) / size
    chosen = np.searchsorted(np.cumsum(probability), ticks).clip(max=len(probability) - 1)
    return rng.permutation(chosen)


def _correlation(one: Floats, other: Floats) -> float:
    """Return the mean correlation 1 − ½·E(x − y)² of arrays (n, d) that are standard normal in every coordinate."""
    return 1 - 0.5 * float(np.mean((one - other) ** 2))
