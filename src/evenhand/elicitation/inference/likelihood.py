"""How people answer: near ties are harder, some answers are lapses, and some people just click.

A person who attends compares the two costs with a *sensitivity* κ and cannot tell if they seem closer than a
*width* δ: P(first) = s(κΔ − δ) and P(second) = s(−κΔ − δ), with Δ what the first saves and s the logistic function.
With probability *lapse* they answer at random instead. All three are learned from the answers. A *clicker* does
nothing but answer at random.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log

import numpy as np
from numpy.typing import NDArray

from evenhand.typing import Floats

FIRST, SECOND, NEITHER = 0, 1, 2
LAPSES = np.array([0.49, 0.49, 0.02])
"""How often each button is pressed in a lapse."""
_LEAST = 1e-12
_SMALLEST = 1e-100
_SHARPEST = 13.0
"""log κ of those who tell costs apart that differ by a few millionths: sharper ones would only magnify rounding."""
_MULTIPLIED = 16


def clicks(answers: int, undecided: int) -> Floats:
    """Return how likely a clicker is to press each button next, after so many answers of which some were undecided.

    Whether somebody who just clicks uses the third button is soon seen; the other two are pressed equally often.
    """
    neither = (undecided + 0.2) / (answers + 2)
    return np.array([(1 - neither) / 2, (1 - neither) / 2, neither])


@dataclass(frozen=True)
class HabitPrior:
    """What is believed about people before they answer: normal in logit(lapse), log κ and log δ.

    A compromise, found with simulated people: whoever is expected to be sharper and to lapse less is asked fewer
    questions, and is more often taken at their word where they err.
    """

    mean: tuple[float, float, float] = (-2.15, 11.0, -2.5)
    deviation: tuple[float, float, float] = (1.3, 3.3, 1.5)
    clicker: float = 0.25
    """Found in the same way: fewer than one clicker in ten then seems to be a person at 95 %."""

    @classmethod
    def known(cls, error: float) -> HabitPrior:
        """Return the prior where the share of wrong answers is known, and that somebody attends."""
        lapse = min(max(2 * error, _LEAST), 1 - _LEAST)  # half of the lapses name the right one
        usual = cls()
        mean, deviation = (log(lapse / (1 - lapse)), *usual.mean[1:]), (0.0, *usual.deviation[1:])
        return cls(mean, deviation, clicker=0.0)

    def draw(self, n: int, rng: np.random.Generator) -> Floats:
        """Draw the habits (n, 3) of people who attend."""
        return self.habits(rng.standard_normal((n, 3)))

    def habits(self, scores: Floats) -> Floats:
        """Return the habits (n, 3) that lie so many standard deviations from the mean."""
        return np.asarray(np.array(self.mean) + np.array(self.deviation) * scores)


def expit(x: Floats) -> Floats:
    """Return 1 / (1 + exp(−x)); SciPy is imported on first use, since that takes longer than all else in evenhand."""
    from scipy.special import expit as fast_expit  # noqa: PLC0415

    return np.asarray(fast_expit(x))


def uniform(scores: Floats) -> Floats:
    """Return numbers that are uniform on (0, 1) where the scores are standard normal, none so small that u² is 0."""
    from scipy.special import ndtr  # noqa: PLC0415

    return np.maximum(ndtr(scores), _SMALLEST)


def lapse_rate(habits: Floats) -> Floats:
    """Return the lapse rates (n,) of habits (n, 3)."""
    return expit(habits[:, 0])


def probabilities(saving: Floats, habits: Floats) -> Floats:
    """Return the probabilities (3, n, questions) of first, second and neither for savings (n, questions)."""
    lapse, sensitivity, width = _columns(habits)
    felt = sensitivity * saving
    first, second = expit(felt - width), expit(-felt - width)
    attending = np.stack([first, second, 1 - first - second])
    return _floored(lapse * LAPSES[:, None, None] + (1 - lapse) * attending)


def probabilities_in_short(saving: NDArray[np.float32], habits: Floats) -> NDArray[np.float32]:
    """Return the same in single precision, with one exponential for each saving: for comparing many questions."""
    lapse, sensitivity, width = (column.astype(np.float32) for column in _columns(habits))
    e = np.exp(np.clip(-sensitivity * saving, -40, 40))
    d = np.exp(np.minimum(width, 40))
    chances = np.empty((3, *saving.shape), dtype=np.float32)
    np.divide(1, 1 + d * e, out=chances[FIRST])
    np.divide(e, e + d, out=chances[SECOND])
    np.subtract(1 - chances[FIRST], chances[SECOND], out=chances[NEITHER])
    chances *= 1 - lapse
    chances += lapse * LAPSES.astype(np.float32)[:, None, None]
    return np.maximum(chances, np.float32(_LEAST), out=chances)


def log_likelihood(answers: NDArray[np.intp], saved: Floats, habits: Floats) -> Floats:
    """Return the log probability (n,) of all answers (questions,) together.

    `saved` (n, questions) is what the preferred of the two saves, or the first where the answer is "can't tell".
    """
    lapse, sensitivity, width = _columns(habits)
    felt = sensitivity * saved
    attending = expit(felt - width)
    undecided = answers == NEITHER
    if undecided.any():
        attending[:, undecided] = 1 - attending[:, undecided] - expit(-felt[:, undecided] - width)
    attending *= 1 - lapse
    attending += lapse * LAPSES[answers]
    return log_of_products(_floored(attending))


def log_of_products(factors: Floats) -> Floats:
    """Return the logarithm (n,) of the product of each row (n, factors), none of them below 1e-18.

    A logarithm costs more than all else here, and the product of a few factors needs but one.
    """
    starts = np.arange(0, factors.shape[1], _MULTIPLIED)
    return np.asarray(np.log(np.multiply.reduceat(factors, starts, axis=1)).sum(axis=1))


def _columns(habits: Floats) -> tuple[Floats, Floats, Floats]:
    return expit(habits[:, :1]), np.exp(np.minimum(habits[:, 1:2], _SHARPEST)), np.exp(habits[:, 2:3])


def _floored(chances: Floats) -> Floats:
    """Keep chances above zero where 1 − first − second has lost all digits."""
    return np.maximum(chances, _LEAST, out=chances)
