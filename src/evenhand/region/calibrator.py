"""Turns a model's scores into class probabilities that hold within a group; scikit-learn is an extra.

The scores of each class go through an isotonic regression (Zadrozny and Elkan 2002), which may take any rising shape,
or, where people are few, only through a logarithm. A multinomial logistic regression makes probabilities of all classes
of them (Platt 1999; for more classes Kull and others 2019). It also knows which class has the highest score: then the
people whom the model itself gives to a class have as many of each true class as their probabilities say, and so the
model itself stays within reach.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from evenhand.errors import MissingExtraError
from evenhand.typing import Floats

try:
    from sklearn.isotonic import IsotonicRegression
    from sklearn.linear_model import LogisticRegression
except ModuleNotFoundError as error:
    raise MissingExtraError("scikit-learn", "models") from error

ISOTONIC, LOGISTIC = "isotonic", "logistic"

_LEAST_SCORE = 1e-6
_STRENGTH = 10.0  # of the coefficients, as scikit-learn's C: weak shrinkage, so that few people make no extreme ones
_MOST_STEPS = 3000


class Calibrator:
    """A calibration of scores (n, k), fitted to true classes 0 … k − 1, all of which must be there."""

    def __init__(self, kind: str, scores: Floats, true: NDArray[Any], weight: Floats | None) -> None:
        self._classes = scores.shape[1]
        self._nearly_none = 0.5 / len(scores)
        self._rising: list[Any] = []
        if kind == ISOTONIC:
            for code, column in enumerate(scores.T):
                one = IsotonicRegression(out_of_bounds="clip", y_min=0.0, y_max=1.0)
                self._rising.append(one.fit(column, true == code, sample_weight=weight))
        columns = self._columns(scores)
        self._centre, spread = columns.mean(axis=0), columns.std(axis=0)
        self._spread = np.where(spread > 0, spread, 1.0)
        self._logistic = LogisticRegression(C=_STRENGTH, max_iter=_MOST_STEPS)
        self._logistic.fit(self._features(scores), true, sample_weight=weight)

    def __call__(self, scores: Floats) -> Floats:
        """Return the class probabilities of people with these scores (n, k)."""
        return np.asarray(self._logistic.predict_proba(self._features(scores)), dtype=np.float64)

    def _columns(self, scores: Floats) -> Floats:
        """Return the logarithm of each class's score, or of what the isotonic regression makes of it."""
        if not self._rising:
            inside = np.log(np.maximum(scores, _LEAST_SCORE))
            return np.asarray(inside - inside.mean(axis=1, keepdims=True))
        made = [one.predict(column) for one, column in zip(self._rising, scores.T, strict=True)]
        return np.asarray(np.log(np.maximum(np.array(made).T, self._nearly_none)))

    def _features(self, scores: Floats) -> Floats:
        highest = np.eye(self._classes)[scores.argmax(axis=1)]
        return np.hstack([(self._columns(scores) - self._centre) / self._spread, highest])
