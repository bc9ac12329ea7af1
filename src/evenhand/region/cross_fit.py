"""Cross-fitted and calibrated class probabilities: no model or calibration has seen the person it is applied to.

Each group is calibrated by itself where it has enough people. A calibration for everybody is off within a group whose
scores mean something else, and then the region leaves out rates that models have, the user's own among them.

scikit-learn is an extra and slow to import, so this module is imported only when an estimator is given.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evenhand.checks.arrays import whole_number
from evenhand.checks.columns import class_probabilities, sample_weights
from evenhand.checks.messages import shown
from evenhand.errors import EvenhandError, MissingExtraError
from evenhand.rates import labels
from evenhand.rates import sensitive_features as features
from evenhand.rates.counting.cells import cell_of_each, count_people
from evenhand.rates.counting.tally import tally
from evenhand.rates.labels import Coded
from evenhand.region.calibrator import ISOTONIC, LOGISTIC, Calibrator
from evenhand.typing import Floats, Groups

try:
    from sklearn import config_context
    from sklearn.model_selection import StratifiedKFold, cross_val_predict
    from sklearn.utils.validation import has_fit_parameter
except ModuleNotFoundError as error:
    raise MissingExtraError("scikit-learn", "models") from error

_ENOUGH = {ISOTONIC: 100, LOGISTIC: 20}
"""How many people of each class a group needs to be calibrated by itself in this way: docs/region.md says why."""

_SAME_SCORE = 1e-12


class Calibrated(NamedTuple):
    """Class probabilities (n, k), and for each group how they were calibrated."""

    probabilities: Floats
    how: tuple[str, ...]


def calibrated_probabilities(
    estimator: Any,
    X: Any,
    y: ArrayLike,
    sensitive_features: Groups,
    *,
    sample_weight: ArrayLike | None,
    folds: int,
    random_state: int,
) -> Calibrated:
    """Return P(Y | X) of each person, by a model and a calibration that have not seen this person."""
    for method in ("fit", "predict_proba"):
        if isinstance(estimator, type) or not callable(getattr(estimator, method, None)):
            raise EvenhandError(
                f"estimator must be a scikit-learn classifier with {method}, but received {shown(estimator)}"
            )
    people = _people(y, sensitive_features, sample_weight, folds, random_state)
    rows = people.true.codes.size
    try:
        length = X.shape[0] if hasattr(X, "shape") else len(X)
    except (TypeError, IndexError) as error:
        raise EvenhandError(f"X must have a row of features for each person, but received {shown(X)}") from error
    if length != rows:
        raise EvenhandError(f"X has {length} rows, but y has {rows}: they must describe the same people")
    # We pass parameters by name, so scikit-learn must not route them as well.
    with config_context(enable_metadata_routing=False):
        raw = cross_val_predict(
            estimator,
            X,
            people.true.codes,
            cv=people.splits,
            method="predict_proba",
            params=None if people.weight is None else {_weight_parameter(estimator): people.weight},
        )
        classes = len(people.true.labels)
        chances = class_probabilities(raw, "predict_proba of the estimator", rows=rows, classes=classes)
        return _calibrated(chances, people, "the estimator gives")


def calibrated_scores(
    probabilities: ArrayLike,
    y_true: ArrayLike,
    sensitive_features: Groups,
    *,
    sample_weight: ArrayLike | None,
    folds: int,
    random_state: int,
) -> Calibrated:
    """Return P(Y | X) of each person, by a calibration of their scores that has not seen this person."""
    people = _people(y_true, sensitive_features, sample_weight, folds, random_state)
    rows, classes = people.true.codes.size, len(people.true.labels)
    chances = class_probabilities(probabilities, "probabilities", rows=rows, classes=classes)
    with config_context(enable_metadata_routing=False):
        return _calibrated(chances, people, "the scores give")


class _People(NamedTuple):
    """The true class, group and weight of each person, and the folds: who is left in, and who is held out."""

    true: Coded
    group: Coded
    weight: Floats | None
    splits: list[tuple[NDArray[Any], NDArray[Any]]]


def _people(
    y: ArrayLike, sensitive_features: Groups, sample_weight: ArrayLike | None, folds: int, random_state: int
) -> _People:
    whole_number(random_state, "random_state", 0)
    true = labels.read(y, "y", what="classes")
    rows = true.codes.size
    group = features.read(sensitive_features, rows=rows, beside="y")
    if len(true.labels) < 2:
        raise EvenhandError(f"y has the single class {shown(true.labels[0])}: at least two are needed")
    weight = None if sample_weight is None else sample_weights(sample_weight, rows)
    fold = _fold_of_each(true, group, whole_number(folds, "folds", 2), random_state)
    splits = [(np.flatnonzero(fold != number), np.flatnonzero(fold == number)) for number in range(folds)]
    return _People(true, group, weight, splits)


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


def _check_that_scores_differ(raw: Floats, people: _People, who_gives: str) -> None:
    """Refuse a group in which each fold's model gives everybody the same score: scores would differ only by fold."""
    group = people.group
    for code, name in enumerate(group.labels):
        members = [raw[held_out[group.codes[held_out] == code]] for _, held_out in people.splits]
        several = [scores for scores in members if len(scores) > 1]
        if several and all(np.ptp(scores, axis=0).max() <= _SAME_SCORE for scores in several):
            raise EvenhandError(
                f"group {shown(name)} has no signal: {who_gives} everybody in it the same score, so that no "
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


def _calibrated(raw: Floats, people: _People, who_gives: str) -> Calibrated:
    """Calibrate each fold on the other folds."""
    _check_that_scores_differ(raw, people, who_gives)
    true, group, weight, splits = people
    calibrated = np.empty_like(raw)
    counts = [_least_people(people, others) for others, _ in splits]
    found = []
    for code in range(len(group.labels)):
        kind, alone = _kind(min(count[code] for count in counts))
        found.append(kind if alone else f"{kind}, of all groups")
        for others, held_out in splits:
            unseen = held_out[group.codes[held_out] == code]
            if not unseen.size:
                continue
            seen = others[group.codes[others] == code] if alone else others
            seen = seen if weight is None else seen[weight[seen] > 0]
            calibrator = Calibrator(kind, raw[seen], true.codes[seen], None if weight is None else weight[seen])
            calibrated[unseen] = calibrator(raw[unseen])
    return Calibrated(np.asarray(calibrated / calibrated.sum(axis=1, keepdims=True)), tuple(found))


def _least_people(people: _People, rows: NDArray[Any]) -> Floats:
    """Return how many people each group has in the class in which it has the fewest (m,)."""
    cell = cell_of_each(people.group.codes, len(people.group.labels), people.true)
    counted = rows if people.weight is None else rows[people.weight[rows] > 0]
    m, k = len(people.group.labels), len(people.true.labels)
    return np.asarray(tally(cell[counted], m * k).reshape(m, k).min(axis=1))


def _kind(least: float) -> tuple[str, bool]:
    """Return how to calibrate a group with so many people in its smallest class, and whether by itself."""
    for kind, enough in _ENOUGH.items():
        if least >= enough:
            return kind, True
    return LOGISTIC, False
