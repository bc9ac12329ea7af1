"""`MixtureClassifier`: a classifier with given rates, to deploy and to store."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evenhand.checks.arrays import float_array, number, numbers
from evenhand.checks.columns import class_probabilities
from evenhand.checks.documents import Format
from evenhand.checks.messages import expect, shown
from evenhand.errors import EvenhandError
from evenhand.rates import GroupRates, Setting, labels
from evenhand.rates import sensitive_features as features
from evenhand.rates.setting import SETTING_FIELDS
from evenhand.region.plug_in import decisions
from evenhand.typing import Floats, Groups, RandomState

CLASSIFIER_FORMAT = Format(
    name="evenhand.classifier",
    what="classifier",
    fields=(*SETTING_FIELDS, "rates", "sizes", "weights", "shares"),
)

_SUM_TOLERANCE = 1e-9


@dataclass(frozen=True, eq=False, kw_only=True)
class MixtureClassifier:
    """A randomised classifier: in each group, a small mixture of plug-in classifiers of class probabilities.

    Parameters
    ----------
    rates
        Its rates on the data that it was made from, with their effective sample sizes.
    weights
        For each group an array (n, k, k): member number l predicts the class j with the largest
        Σ over i of `weights[l, i, j]` × P(class i | x), the first of them in a tie.
    shares
        For each group an array (n,): how often each member decides.

    Examples
    --------
    >>> from evenhand import FeasibleRegion
    >>> scores = [[0.9, 0.1], [0.5, 0.5], [0.1, 0.9], [0.8, 0.2], [0.2, 0.8]]
    >>> region = FeasibleRegion.from_scores(scores, sensitive_features=["a", "a", "a", "b", "b"])
    >>> classifier = region.classifier_for([0.5, 0.5])
    >>> MixtureClassifier.from_json(classifier.to_json()).rates == classifier.rates
    True
    """

    rates: GroupRates
    weights: tuple[Floats, ...]
    shares: tuple[Floats, ...]

    def __post_init__(self) -> None:
        expect(self.rates, "rates", GroupRates)
        m, k = len(self.setting.groups), len(self.setting.classes)
        for name in ("weights", "shares"):
            given = getattr(self, name)
            if not isinstance(given, tuple | list) or len(given) != m:
                raise EvenhandError(f"{name} must have one array for each of the {m} groups: received {shown(given)}")
        weights, shares = [], []
        for group, w, s in zip(self.setting.groups, self.weights, self.shares, strict=True):
            where = f" of group {shown(group)}"
            n = numbers(s, "shares" + where, "one per member of the mixture").size
            weights.append(float_array(w, "weights" + where, (n, k, k), "(members, classes, predictions)"))
            shares.append(float_array(s, "shares" + where, (n,), "one per member of the mixture"))
            if not np.isfinite(weights[-1]).all():
                raise EvenhandError(f"weights{where} must be finite")
            if not ((shares[-1] >= 0).all() and abs(shares[-1].sum() - 1) <= _SUM_TOLERANCE):
                raise EvenhandError(f"shares{where} must not be negative and must sum to 1: received {shown(s)}")
        object.__setattr__(self, "weights", tuple(weights))
        object.__setattr__(self, "shares", tuple(shares))

    @property
    def setting(self) -> Setting:
        """Its classes, groups and prevalence."""
        return self.rates.setting

    @cached_property
    def members(self) -> int:
        """The number of plug-in classifiers in all groups together."""
        return sum(map(len, self.shares))

    def predict_proba(self, probabilities: ArrayLike, sensitive_features: Groups) -> Floats:
        """Return the probability (n, k) of each prediction for each person, from their class probabilities P(Y | X)."""
        k = len(self.setting.classes)
        chances = class_probabilities(probabilities, "probabilities", classes=k)
        group = features.read(sensitive_features, known=self.setting.groups, rows=len(chances), beside="probabilities")
        predicted = np.empty(chances.shape)
        for code, (weights, shares) in enumerate(zip(self.weights, self.shares, strict=True)):
            here = np.flatnonzero(group.codes == code)
            for rows, chosen in decisions(np.ascontiguousarray(chances[here].T), weights):
                for j, by_member in enumerate(chosen):
                    predicted[here[rows], j] = shares @ by_member
        return np.asarray(predicted / predicted.sum(axis=1, keepdims=True))

    def sample(
        self,
        probabilities: ArrayLike,
        sensitive_features: Groups,
        random_state: RandomState = None,
    ) -> NDArray[Any]:
        """Draw a prediction for each person; the same `random_state` gives the same predictions."""
        predicted = self.predict_proba(probabilities, sensitive_features)
        return labels.drawn(predicted, self.setting.classes, random_state)

    def interval(self, level: float = 0.95) -> Floats:
        """Return where each rate lies on new data of the same size with probability `level`, (m, k, k, 2).

        Of n new people of one group and class, the number predicted a given class is binomial for any mixture. The
        intervals are its exact quantiles. They assume calibrated class probabilities: errors of calibration come on
        top.
        """
        from scipy.stats import binom  # noqa: PLC0415  # SciPy is slow to import

        level = number(level, "level", "a number between 0 and 1, like 0.95", lambda level: 0 < level < 1)
        if self.rates.sizes is None:
            raise EvenhandError("this classifier's rates came without sample sizes: make it with classifier_for")
        people = np.maximum(1, np.rint(self.rates.sizes))[..., None]
        ends = [binom.ppf(tail, people, self.rates.matrix) / people for tail in ((1 - level) / 2, (1 + level) / 2)]
        return np.clip(np.stack(ends, axis=-1), 0.0, 1.0)

    def to_json(self) -> str:
        """Return the classifier as a JSON document that `from_json` reads back exactly."""
        sizes = self.rates.sizes
        return CLASSIFIER_FORMAT.to_json(
            **self.setting.to_document(),
            rates=self.rates.matrix.tolist(),
            sizes=None if sizes is None else sizes.tolist(),
            weights=[array.tolist() for array in self.weights],
            shares=[array.tolist() for array in self.shares],
        )

    @classmethod
    def from_json(cls, text: str) -> MixtureClassifier:
        """Read a classifier that `to_json` wrote."""
        fields = CLASSIFIER_FORMAT.from_json(text)
        setting = Setting.of_any_groups(*(fields[name] for name in SETTING_FIELDS))
        for name in ("weights", "shares"):
            expect(fields[name], name, list)
        return cls(
            rates=GroupRates(setting=setting, matrix=fields["rates"], sizes=fields["sizes"]),
            weights=tuple(fields["weights"]),
            shares=tuple(fields["shares"]),
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, MixtureClassifier):
            return NotImplemented
        return self.to_json() == other.to_json()

    def __hash__(self) -> int:
        return hash(self.to_json())
