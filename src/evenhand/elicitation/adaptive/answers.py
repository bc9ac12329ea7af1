"""How people answer: near ties are harder, some answers are lapses, and some people just click.

A person who attends compares the two costs with a *sensitivity* κ and cannot tell if they seem closer than a
*width* δ: P(first) = s(κΔ − δ) and P(second) = s(−κΔ − δ), with Δ what the first saves and s the logistic function.
With probability *lapse* they answer at random instead. All three are learned from the answers. A *clicker* does
nothing but answer at random.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from evenhand.rates.vector import Floats

FIRST, SECOND, NEITHER = 0, 1, 2
LAPSES = np.array([0.49, 0.49, 0.02])
"""How often each button is pressed in a lapse."""


def clicks(answers: int, undecided: int) -> Floats:
    """Return how likely a clicker is to press each button next, after so many answers of which some were undecided.

    Whether somebody who just clicks uses the third button is soon seen; the other two are pressed equally often.
    """
    neither = (undecided + 0.2) / (answers + 2)
    return np.array([(1 - neither) / 2, (1 - neither) / 2, neither])


@dataclass(frozen=True)
class HabitPrior:
    """What is believed about people before they answer: normal in logit(lapse), log κ and log δ."""

    mean: tuple[float, float, float] = (-2.5, 7.0, -1.5)
    deviation: tuple[float, float, float] = (1.0, 1.5, 1.5)
    clicker: float = 0.35
    """Chosen so that a clicker seems to be a person at 95 % in at most one interview of ten (Ville's inequality)."""

    def draw(self, n: int, rng: np.random.Generator) -> Floats:
        """Draw the habits (n, 3) of people who attend."""
        return rng.normal(self.mean, self.deviation, size=(n, 3))

    def log_density(self, habits: Floats) -> Floats:
        """Return the log density (n,) of habits, up to a constant."""
        scaled = (habits - np.array(self.mean)) / np.array(self.deviation)
        return np.asarray(-0.5 * np.sum(scaled**2, axis=-1))


def logistic(x: Floats) -> Floats:
    """Return 1 / (1 + exp(−x)) without overflow."""
    return np.asarray((1 + np.tanh(x / 2)) / 2)


def probabilities(saving: Floats, habits: Floats) -> Floats:
    """Return the probabilities (3, n, …) of first, second and neither for savings (n, …) and habits (n, 3)."""
    shape = (-1, *(1,) * (saving.ndim - 1))
    lapse, sensitivity, width = (
        column.reshape(shape) for column in (logistic(habits[:, 0]), np.exp(habits[:, 1]), np.exp(habits[:, 2]))
    )
    felt = sensitivity * saving
    first, second = logistic(felt - width), logistic(-felt - width)
    attending = np.stack([first, second, 1 - first - second])
    lapses = LAPSES.reshape(-1, *(1,) * saving.ndim)
    # 1 − first − second loses all digits where neither is next to impossible; the lapse then keeps it above zero.
    return np.asarray(np.maximum(lapse * lapses + (1 - lapse) * attending, 1e-12))
