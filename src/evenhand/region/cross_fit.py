"""Cross-fitted and calibrated class probabilities: no model or calibration has seen the person it is applied to.

scikit-learn is an extra and slow to import, so this module is imported only when an estimator is given.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evenhand.checks.arrays import whole_number
from evenhand.checks.columns import class_probabilities, sample_weights
from evenhand.checks.messages import shown
from evenhand.errors import EvenhandError, MissingExtraError
from evenhand.rates import labels
from evenhand.rates import sensitive_features as features
from evenhand.rates.counting.cells import cell_of_each, count_people
from evenhand.rates.labels import Coded
from evenhand.typing import Floats, Groups

try:
    from sklearn import config_context
    from sklearn.base import BaseEstimator, ClassifierMixin
    from sklearn.calibration import CalibratedClassifierCV
    from sklearn.model_selection import StratifiedKFold, cross_val_predict
    from sklearn.utils.validation import has_fit_parameter
except ModuleNotFoundError as error:
    raise MissingExtraError("scikit-learn", "models") from error

_OWN_CALIBRATION = 50
"""A group with this many people in each class is calibrated by itself, a smaller one with data of all groups."""

_SAME_SCORE = 1e-12


class _Scores(ClassifierMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn carries no types
    """A classifier whose features are class probabilities, for scikit-learn to calibrate.

    Its decision function is their log-odds, so that probabilities which are calibrated already need a sigmoid of slope
    1 (Platt scaling).
    """

    def fit(self, X: Floats, y: NDArray[Any], sample_weight: Floats | None = None) -> _Scores:  # noqa: ARG002
        self.classes_ = np.arange(X.shape[1])
        return self

    def decision_function(self, X: Floats) -> Floats:
        inner = np.clip(X, 1e-12, 1 - 1e-12)
        odds = np.log(inner) - np.log1p(-inner)
        return odds[:, 1] if X.shape[1] == 2 else odds

    def predict(self, X: Floats) -> NDArray[Any]:
        return np.asarray(X.argmax(axis=1))


def calibrated_probabilities(
    estimator: Any,
    X: Any,
    y: ArrayLike,
    sensitive_features: Groups,
    *,
    sample_weight: ArrayLike | None,
    folds: int,
    random_state: int,
) -> Floats:
    """Return P(Y | X) of each person (n, k), by a model and a calibration that have not seen this person."""
    for method in ("fit", "predict_proba"):
        if isinstance(estimator, type) or not callable(getattr(estimator, method, None)):
            raise EvenhandError(
                f"estimator must be a scikit-learn classifier with {method}, but received {shown(estimator)}"
            )
    whole_number(random_state, "random_state", 0)
    true = labels.read(y, "y", what="classes")
    rows = true.codes.size
    group = features.read(sensitive_features, rows=rows, beside="y")
    if len(true.labels) < 2:
        raise EvenhandError(f"y has the single class {shown(true.labels[0])}: at least two are needed")
    try:
        length = X.shape[0] if hasattr(X, "shape") else len(X)
    except (TypeError, IndexError) as error:
        raise EvenhandError(f"X must have a row of features for each person, but received {shown(X)}") from error
    if length != rows:
        raise EvenhandError(f"X has {length} rows, but y has {rows}: they must describe the same people")
    weight = None if sample_weight is None else sample_weights(sample_weight, rows)
    fold = _fold_of_each(true, group, whole_number(folds, "folds", 2), random_state)
    splits = [(np.flatnonzero(fold != number), np.flatnonzero(fold == number)) for number in range(folds)]
    # We pass parameters by name, so scikit-learn must not route them as well.
    with config_context(enable_metadata_routing=False):
        raw = cross_val_predict(
            estimator,
            X,
            true.codes,
            cv=splits,
            method="predict_proba",
            params=None if weight is None else {_weight_parameter(estimator): weight},
        )
        chances = class_probabilities(raw, "predict_proba of the estimator", rows=rows, classes=len(true.labels))
        _check_that_scores_differ(chances, group, splits)
        return _calibrated(chances, true, group, weight, splits)


def _weight_parameter(estimator: Any) -> str:
    """Return the parameter through which the estimator takes sample weights; of a pipeline, that of the last step."""
    steps = getattr(estimator, "steps", None)
    name, last = steps[-1] if steps else ("", estimator)
    if not has_fit_parameter(last, "sample_weight"):
        raise EvenhandError(
            f"sample_weight was given, but {shown(last)} cannot be fitted with weights: leave it out, or take another "
            "estimator"
        )
    return f"{name}__sample_weight" if steps else "sample_weight"


def _check_that_scores_differ(raw: Floats, group: Coded, splits: list[tuple[NDArray[Any], NDArray[Any]]]) -> None:
    """Refuse a group in which each fold's model gives everybody the same score: scores would differ only by fold."""
    for code, name in enumerate(group.labels):
        members = [raw[held_out[group.codes[held_out] == code]] for _, held_out in splits]
        several = [scores for scores in members if len(scores) > 1]
        if several and all(np.ptp(scores, axis=0).max() <= _SAME_SCORE for scores in several):
            raise EvenhandError(
                f"group {shown(name)} has no signal: the estimator gives everybody in it the same score, so that no "
                "ball of rates around the uniform classifier's is within its reach (radius 0). Use a model that tells "
                "its classes apart, or merge groups"
            )


def _fold_of_each(true: Coded, group: Coded, folds: int, random_state: int) -> NDArray[Any]:
    """Assign people to folds, stratified by group and class, or by class alone if a cell is too small."""
    cell = cell_of_each(group.codes, len(group.labels), true)
    people = count_people(cell, group.labels, true.labels, None)
    of_class = people.sum(axis=0)
    if of_class.min() < folds:
        raise EvenhandError(
            f"class {shown(true.labels[int(of_class.argmin())])} has {int(of_class.min())} people, too few for {folds} "
            "folds: merge classes, or take fewer folds"
        )
    strata = np.where(people.ravel()[cell] >= folds, cell, people.size + true.codes.astype(np.intp))
    few = np.bincount(strata)[strata] < folds
    strata = np.where(few, -1, strata)  # people of strata that are still too small are spread in turn
    fold = np.arange(len(strata)) % folds
    regular = np.flatnonzero(~few)
    shuffled = StratifiedKFold(folds, shuffle=True, random_state=random_state)
    for number, (_, held_out) in enumerate(shuffled.split(regular, strata[regular])):
        fold[regular[held_out]] = number
    return fold


def _calibrated(
    raw: Floats, true: Coded, group: Coded, weight: Floats | None, splits: list[tuple[NDArray[Any], NDArray[Any]]]
) -> Floats:
    """Calibrate each fold on the other folds: a group by itself if it is large enough."""
    k = raw.shape[1]
    calibrated = np.empty_like(raw)
    for others, held_out in splits:
        for code in range(len(group.labels)):
            unseen = held_out[group.codes[held_out] == code]
            if not unseen.size:
                continue
            own = others[group.codes[others] == code]
            enough = (np.bincount(true.codes[own], minlength=k) >= _OWN_CALIBRATION).all()
            seen = own if enough else others
            scores = CalibratedClassifierCV(_Scores(), method="sigmoid", cv=2, ensemble=False)
            scores.fit(raw[seen], true.codes[seen], sample_weight=None if weight is None else weight[seen])
            calibrated[unseen] = scores.predict_proba(raw[unseen])
    return np.asarray(calibrated / calibrated.sum(axis=1, keepdims=True))
