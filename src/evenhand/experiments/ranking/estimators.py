"""The five families of classifiers in the paper's pool, with random hyper-parameters.

The paper varies hyper-parameters but does not list them. Most families here also weight the classes at random, since
what matters to a person who has to choose is how the models of a pool trade one mistake for another.

The fairness-constrained models deviate from the paper, which uses those of Narasimhan et al. (2019).
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from evenhand.errors import MissingExtraError
from evenhand.experiments.ranking import group_rules
from evenhand.experiments.ranking.split import Codes, Rows
from evenhand.typing import Floats

try:
    from fairlearn import postprocessing, reductions
    from lightgbm import LGBMClassifier
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import StratifiedKFold, cross_val_predict
    from sklearn.neural_network import MLPClassifier
    from sklearn.preprocessing import StandardScaler
    from sklearn.svm import SVC, LinearSVC
    from threadpoolctl import threadpool_limits
except ModuleNotFoundError as error:
    raise MissingExtraError(error.name or "scikit-learn", "experiments") from error

Options = dict[str, Any]
"""Hyper-parameters as plain values, so that they can be stored with the predictions."""

_OPTIMUM = 1e-9
_KERNEL_ROWS = 3000
"""Kernel machines learn from at most this many rows, since their time grows with the square of the rows."""


class Estimator(NamedTuple):
    """A family: how to draw options for a number of classes, and how to fit and predict with them."""

    draw: Callable[[np.random.Generator, int], Options]
    predict: Callable[[Options, Rows, Rows, int], Codes]


def predict(family: str, options: Options, training: Rows, testing: Rows) -> Codes:
    """Fit a classifier on the training rows, and return its predictions for the test rows."""
    options = dict(options)
    seed = options.pop("seed")
    scaler = StandardScaler().fit(training.features)
    training, testing = (Rows(scaler.transform(rows.features), rows.label, rows.group) for rows in (training, testing))
    with threadpool_limits(1), warnings.catch_warnings():  # classifiers run in parallel, so each uses one thread
        # A model that was stopped early is a valid member of the pool, too.
        warnings.simplefilter("ignore", ConvergenceWarning)
        return np.asarray(FAMILIES[family].predict(options, training, testing, seed), dtype=np.intp)


def _log_uniform(rng: np.random.Generator, low: float, high: float) -> float:
    return float(f"{np.exp(rng.uniform(np.log(low), np.log(high))):.4g}")


def _class_weights(rng: np.random.Generator, classes: int) -> list[float]:
    return [_log_uniform(rng, 0.4, 2.5) for _ in range(classes)]


def _sample_weight(options: Options, label: Codes) -> Floats:
    return np.asarray(np.array(options["class_weights"])[label])


# Logistic regression


def _draw_logistic(rng: np.random.Generator, classes: int) -> Options:
    return {"C": _log_uniform(rng, 1e-4, 10), "class_weights": _class_weights(rng, classes)}


def _logistic(C: float) -> LogisticRegression:
    """Return a logistic regression that is fitted to its unique optimum.

    The default solver stops before the optimum, at a point that depends on the processor's rounding.
    """
    return LogisticRegression(C=C, solver="newton-cholesky", tol=_OPTIMUM)


def _predict_logistic(options: Options, training: Rows, testing: Rows, seed: int) -> Codes:  # noqa: ARG001
    model = _logistic(options["C"])
    model.fit(training.features, training.label, sample_weight=_sample_weight(options, training.label))
    return np.asarray(model.predict(testing.features))


# Multi-layer perceptron


def _draw_perceptron(rng: np.random.Generator, classes: int) -> Options:
    layers = [[8], [16], [32], [64], [16, 16], [32, 16]]
    return {
        "hidden_layer_sizes": layers[rng.integers(len(layers))],
        "activation": ["relu", "tanh"][rng.integers(2)],
        "alpha": _log_uniform(rng, 1e-5, 1),
        "learning_rate_init": _log_uniform(rng, 5e-4, 1e-2),
        "max_iter": int(rng.integers(8, 25)),
        "class_weights": _class_weights(rng, classes),
    }


def _predict_perceptron(options: Options, training: Rows, testing: Rows, seed: int) -> Codes:
    chosen = {name: value for name, value in options.items() if name != "class_weights"}
    model = MLPClassifier(**chosen, random_state=seed)
    model.fit(training.features, training.label, sample_weight=_sample_weight(options, training.label))
    return np.asarray(model.predict(testing.features))


# Support vector machine


def _draw_svm(rng: np.random.Generator, classes: int) -> Options:
    return {
        "kernel": ["linear", "rbf", "poly"][rng.integers(3)],
        "C": _log_uniform(rng, 1e-2, 10),
        "gamma": _log_uniform(rng, 0.1, 3),
        "class_weights": _class_weights(rng, classes),
    }


def _predict_svm(options: Options, training: Rows, testing: Rows, seed: int) -> Codes:
    rng = np.random.default_rng(seed)
    chosen = np.arange(training.label.size)
    if options["kernel"] == "linear":
        model = LinearSVC(C=0.01 * options["C"], dual=False, random_state=seed)
    else:
        chosen = rng.permutation(chosen)[:_KERNEL_ROWS]
        gamma = options["gamma"] / training.features.shape[1]
        model = SVC(kernel=options["kernel"], C=options["C"], gamma=gamma, coef0=1.0, degree=2, random_state=seed)
    weight = _sample_weight(options, training.label[chosen])
    model.fit(training.features[chosen], training.label[chosen], sample_weight=weight)
    return np.asarray(model.predict(testing.features))


# LightGBM


def _draw_boosting(rng: np.random.Generator, classes: int) -> Options:
    return {
        "n_estimators": int(rng.integers(10, 120)),
        "num_leaves": int(rng.integers(3, 40)),
        "learning_rate": _log_uniform(rng, 0.02, 0.3),
        "min_child_samples": int(rng.integers(5, 60)),
        "colsample_bytree": round(float(rng.uniform(0.4, 1)), 2),
        "class_weights": _class_weights(rng, classes),
    }


def _boosting(seed: int, **options: Any) -> LGBMClassifier:
    return LGBMClassifier(**options, n_jobs=1, deterministic=True, force_row_wise=True, random_state=seed, verbose=-1)


def _predict_boosting(options: Options, training: Rows, testing: Rows, seed: int) -> Codes:
    model = _boosting(seed, **{name: value for name, value in options.items() if name != "class_weights"})
    model.fit(training.features, training.label, sample_weight=_sample_weight(options, training.label))
    return np.asarray(model.predict(testing.features))


# Fairness-constrained models

_CONSTRAINTS = ("demographic_parity", "equalized_odds", "true_positive_rate_parity", "false_positive_rate_parity")
_MOMENTS = {
    "demographic_parity": reductions.DemographicParity,
    "equalized_odds": reductions.EqualizedOdds,
    "true_positive_rate_parity": reductions.TruePositiveRateParity,
    "false_positive_rate_parity": reductions.FalsePositiveRateParity,
}
_MOST_ROUNDS = 10


def _draw_fair(rng: np.random.Generator, classes: int) -> Options:
    base = ["logistic", "boosting"][rng.integers(2)]
    if classes > 2:
        return {
            "how": "group rules",
            "base": base,
            "penalty": _log_uniform(rng, 0.05, 5),
            "class_weights": _class_weights(rng, classes),
        }
    return {
        "how": ["reduction", "post-processing"][rng.integers(2)],
        "base": base,
        "constraint": _CONSTRAINTS[rng.integers(len(_CONSTRAINTS))],
        "slack": _log_uniform(rng, 0.003, 0.1),
        "objective": ["accuracy_score", "balanced_accuracy_score"][rng.integers(2)],
        "class_weights": _class_weights(rng, classes),
    }


def _predict_fair(options: Options, training: Rows, testing: Rows, seed: int) -> Codes:
    base = _logistic(C=0.1) if options["base"] == "logistic" else _boosting(seed, n_estimators=40, num_leaves=7)
    how = {"reduction": _by_reduction, "post-processing": _by_post_processing, "group rules": _by_group_rules}
    return how[options["how"]](base, options, training, testing, seed)


def _by_reduction(base: Any, options: Options, training: Rows, testing: Rows, seed: int) -> Codes:
    constraint = _MOMENTS[options["constraint"]](difference_bound=options["slack"])
    weights = options["class_weights"]
    # Costs depend on the true class: that of a false negative is 1, that of a false positive 0.
    objective = reductions.ErrorRate(costs={"fn": weights[1] / sum(weights), "fp": weights[0] / sum(weights)})
    model = reductions.ExponentiatedGradient(
        base, constraint, objective=objective, eps=options["slack"], max_iter=_MOST_ROUNDS
    )
    with warnings.catch_warnings():
        # Warnings about Fairlearn's use of pandas, which users cannot act on.
        warnings.simplefilter("ignore", DeprecationWarning)
        model.fit(training.features, training.label, sensitive_features=training.group)
    return np.asarray(model.predict(testing.features, random_state=seed))


def _by_post_processing(base: Any, options: Options, training: Rows, testing: Rows, seed: int) -> Codes:
    base.fit(training.features, training.label, sample_weight=_sample_weight(options, training.label))
    model = postprocessing.ThresholdOptimizer(
        estimator=base,
        constraints=options["constraint"],
        objective=options["objective"],
        prefit=True,
        predict_method="predict_proba",
        grid_size=200,
    )
    model.fit(training.features, training.label, sensitive_features=training.group)
    return np.asarray(model.predict(testing.features, sensitive_features=testing.group, random_state=seed))


def _by_group_rules(base: Any, options: Options, training: Rows, testing: Rows, seed: int) -> Codes:
    weight = np.array(options["class_weights"])
    folds = StratifiedKFold(3, shuffle=True, random_state=seed)
    # Out-of-fold predictions, since an estimator is overconfident on the rows that it was fitted to.
    unseen = cross_val_predict(base, training.features, training.label, cv=folds, method="predict_proba")
    rules = group_rules.tune(unseen * weight, training.label, training.group, penalty=options["penalty"])
    base.fit(training.features, training.label)
    return group_rules.decide(base.predict_proba(testing.features) * weight, testing.group, rules)


FAMILIES = {
    "logistic": Estimator(_draw_logistic, _predict_logistic),
    "perceptron": Estimator(_draw_perceptron, _predict_perceptron),
    "svm": Estimator(_draw_svm, _predict_svm),
    "lightgbm": Estimator(_draw_boosting, _predict_boosting),
    "fair": Estimator(_draw_fair, _predict_fair),
}
"""The families, by the first part of a classifier's name."""
