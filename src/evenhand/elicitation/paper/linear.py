"""Algorithm 2 of the paper, LPME: the direction of a linear cost on a sphere."""

from __future__ import annotations

from collections.abc import Callable
from math import pi

import numpy as np

from evenhand.elicitation.paper.shrink_interval import halvings, search_top
from evenhand.elicitation.question import Procedure, costs_more
from evenhand.region import Sphere
from evenhand.typing import Floats


def linear(
    sphere: Sphere,
    tolerance: float,
    *,
    batch: tuple[int, ...] = (),
    cycles: int = 4,
    rng: np.random.Generator | None = None,
) -> Procedure[Floats]:
    """LPME: elicit the direction (…, q), of length 1, in which a linear cost grows on the sphere.

    The direction may point anywhere; nothing is assumed about the signs of its entries. `rng` draws the
    point of the orthant that the search starts from (the paper allows any); without it, its middle.

    Examples
    --------
    >>> from evenhand.region import common_sphere
    >>> from evenhand.elicitation import interview
    >>> slope = interview(linear(common_sphere(2), 0.001), lambda first, second: first @ [3, 4] < second @ [3, 4])
    >>> slope.round(2).tolist()
    [0.6, 0.8]
    """
    q = sphere.dimension
    signs = np.empty((*batch, q))
    alike = np.full(q, q**-0.5)
    for i in range(q):  # lines 2–6
        flipped = alike.copy()
        flipped[i] = -alike[i]
        one, other = (np.broadcast_to(sphere.at(a), (*batch, q)) for a in (alike, flipped))
        positive = yield costs_more(one, other)
        signs[..., i] = np.where(positive, 1.0, -1.0)

    low = search_orthant(signs)
    theta = low + pi / 2 * (0.5 if rng is None else rng.random(low.shape))  # line 7
    for t in range(cycles * (q - 1)):  # line 8
        j = t % (q - 1)
        point = circle(sphere, theta, j)
        start = low[..., j]
        # Lines 9–16. As printed, line 9 sets both ends to the same angle, and the loop of line 10 would never run.
        theta[..., j] = yield from search_top(point, start, start + pi / 2, width=pi / 2, tolerance=tolerance)
    return direction(theta)


def linear_questions(q: int, tolerance: float, cycles: int = 4) -> int:
    """Return how many questions LPME asks."""
    return q + cycles * (q - 1) * 4 * halvings(pi / 2, tolerance)


def direction(theta: Floats) -> Floats:
    """The paper's parametrisation: aᵢ = Π sin θⱼ (j < i) · cos θᵢ, and the last entry Π sin θⱼ."""
    ones = np.ones((*theta.shape[:-1], 1))
    sines = np.concatenate([ones, np.cumprod(np.sin(theta), axis=-1)], axis=-1)
    sines *= np.concatenate([np.cos(theta), ones], axis=-1)
    return sines


def circle(sphere: Sphere, theta: Floats, j: int) -> Callable[[Floats], Floats]:
    """Return μ as a function of θⱼ alone, the other angles fixed: it runs on a circle."""
    turned = theta.copy()
    turned[..., j] = 0.0
    at_zero = direction(turned)
    turned[..., j] = pi / 2
    at_right_angle = direction(turned)
    fixed = at_zero.copy()
    fixed[..., j:] = 0.0
    at_zero[..., :j] = at_right_angle[..., :j] = 0.0
    at_right_angle[..., j] = 0.0

    def point(angle: Floats) -> Floats:
        return sphere.at(fixed + np.cos(angle)[..., None] * at_zero + np.sin(angle)[..., None] * at_right_angle)

    return point


def search_orthant(signs: Floats) -> Floats:
    """Return the lower ends (…, q − 1) of the quarter circles of angles that give entries of these signs."""
    low = np.where(signs[..., :-1] > 0, 0.0, pi / 2)
    primary_negative = signs[..., -1] < 0
    quadrant = np.where(signs[..., -2] > 0, 3 * pi / 2, pi)
    low[..., -1] = np.where(primary_negative, quadrant, low[..., -1])
    return low
