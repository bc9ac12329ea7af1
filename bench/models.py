"""Real candidates: a hundred classifiers each of incomes and of wines, measured on two to four groups."""

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier
from tests.support import raw_files

from evenhand import GroupRates, group_rates
from evenhand.experiments.datasets import Dataset, load

ROWS = 12_000
# By number of classes: the data set, and the two features (with thresholds) that divide its rows into groups.
_SOURCES = {2: ("adult", "sex=Female", 0.5, "race=White", 0.5), 3: ("wine", "colour=red", 0.5, "alcohol", 10.3)}


@cache
def real_models(classes: int, groups: int) -> dict[str, GroupRates]:
    """Return the rates of a hundred classifiers on test rows."""
    name, feature, cut, second_feature, second_cut = _SOURCES[classes]
    dataset = load(name, raw_files.folder())
    rows, labels, predictions = _predictions(name)
    first, second = dataset.feature(feature)[rows] > cut, dataset.feature(second_feature)[rows] > second_cut
    # Three groups: the second feature splits one of the two groups; four: it splits both.
    parted = {2: np.zeros_like(second), 3: first & second, 4: second}[groups]
    group = 2 * first + parted
    return {model: group_rates(labels, predicted, sensitive_features=group) for model, predicted in predictions.items()}


@cache
def _predictions(name: str) -> tuple[NDArray[np.intp], NDArray[Any], dict[str, NDArray[Any]]]:
    """Return test rows, their labels, and the predictions of a hundred classifiers."""
    rng = np.random.default_rng(0)
    dataset: Dataset = load(name, raw_files.folder())
    rows = rng.permutation(len(dataset.labels))[:ROWS]
    train, test = np.split(rows, [int(0.6 * len(rows))])
    predictions = {}
    for n, classifier in zip(range(100), _classifiers(rng), strict=False):
        some = rng.choice(train, size=int(rng.uniform(0.05, 0.5) * len(train)), replace=False)
        columns = rng.choice(dataset.features.shape[1], size=int(rng.uniform(0.3, 1.0) * dataset.features.shape[1]))
        classifier.fit(dataset.features[np.ix_(some, columns)], dataset.labels[some])
        leaning = np.exp(rng.normal(0, 0.5, size=len(classifier.classes_)))
        probabilities = classifier.predict_proba(dataset.features[np.ix_(test, columns)])
        predictions[f"model {n}"] = classifier.classes_[(probabilities * leaning).argmax(axis=1)]
    return test, dataset.labels[test], predictions


def _classifiers(rng: np.random.Generator) -> Iterator[Any]:
    while True:
        yield make_pipeline(StandardScaler(), LogisticRegression(C=10 ** rng.uniform(-3, 1), max_iter=500))
        yield DecisionTreeClassifier(max_depth=int(rng.integers(2, 12)), random_state=0)
        yield RandomForestClassifier(20, max_depth=int(rng.integers(2, 12)), random_state=0)
        yield make_pipeline(StandardScaler(), GaussianNB(var_smoothing=10 ** rng.uniform(-6, 0)))
        yield HistGradientBoostingClassifier(max_iter=30, random_state=0)
