"""Feasible regions of the real data sets and of a million rows: time, and both kinds of sphere."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
from tests.region import made_up
from tests.support import raw_files

from bench.people import CONFIRMING
from evenhand import FeasibleRegion, group_rates
from evenhand.experiments import datasets

LIMITS = {"adult": 5, "wine": 20, "crime": 20}
_TOO_MANY_NEIGHBOURS = 10_000


def real(name: str) -> None:
    """Print the time of the region, the certified sphere and the picture, from given scores."""
    from sklearn.linear_model import LogisticRegression  # noqa: PLC0415
    from sklearn.model_selection import StratifiedKFold, cross_val_predict  # noqa: PLC0415
    from sklearn.preprocessing import StandardScaler  # noqa: PLC0415

    features, y, group = datasets.load(name, raw_files.folder())
    X = StandardScaler().fit_transform(features)
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    model = LogisticRegression(max_iter=2000)
    chances = cross_val_predict(model, X, y, cv=folds, method="predict_proba")
    start, used = time.perf_counter(), time.process_time()
    region = FeasibleRegion.from_scores(chances, y, sensitive_features=group)
    sphere = region.sphere()
    region.plot().figure.savefig(os.devnull, format="png")  # type: ignore[union-attr]
    wall, cpu = time.perf_counter() - start, time.process_time() - used
    axes = region.sphere("axes").radius
    print(
        f"  {name}: {wall:.1f} s ({cpu:.1f} s of processor time; at most {LIMITS[name]} s); "
        f"radius {sphere.radius:.4f}, none above {sphere.upper:.4f}, "
        f"Algorithm 3 {axes:.4f} ({sphere.radius / axes:.2f} times)"
    )
    start, used = time.perf_counter(), time.process_time()
    FeasibleRegion.from_estimator(model, X, y, group).sphere()
    wall, cpu = time.perf_counter() - start, time.process_time() - used
    print(f"    with from_estimator (logistic regression, 5 folds): {wall:.1f} s ({cpu:.1f} s of processor time)")


def own_models(name: str) -> None:
    """Print how far from reach models are that were cross-validated on the same rows, in standard errors."""
    from sklearn.ensemble import RandomForestClassifier  # noqa: PLC0415
    from sklearn.linear_model import LogisticRegression  # noqa: PLC0415
    from sklearn.model_selection import StratifiedKFold, cross_val_predict  # noqa: PLC0415
    from sklearn.naive_bayes import GaussianNB  # noqa: PLC0415
    from sklearn.neighbors import KNeighborsClassifier  # noqa: PLC0415
    from sklearn.preprocessing import StandardScaler  # noqa: PLC0415
    from sklearn.tree import DecisionTreeClassifier  # noqa: PLC0415

    features, y, group = datasets.load(name, raw_files.folder())
    X = StandardScaler().fit_transform(features)
    models = {
        "logistic": LogisticRegression(max_iter=500),
        "balanced": LogisticRegression(max_iter=500, class_weight="balanced"),
        "tree": DecisionTreeClassifier(max_depth=6, random_state=0),
        "bayes": GaussianNB(var_smoothing=1e-3),
        "forest": RandomForestClassifier(40, min_samples_leaf=5, random_state=0),
        "neighbours": KNeighborsClassifier(25),
    }
    classes = np.unique(y)
    thresholds = [np.ones(classes.size), *np.where(np.eye(classes.size), 0.4, 1.0)]
    seeds = CONFIRMING + np.arange(2)
    measured, within = 0, 0
    farthest: list[tuple[float, float, str]] = []
    for kind, model in models.items():
        if kind == "neighbours" and len(y) > _TOO_MANY_NEIGHBOURS:
            continue
        for seed in seeds.tolist():
            region = FeasibleRegion.from_estimator(model, X, y, group)
            folds = StratifiedKFold(5, shuffle=True, random_state=seed)
            chances = cross_val_predict(model, X, y, cv=folds, method="predict_proba")
            for costs in thresholds:
                mine = group_rates(y, classes[(costs * chances).argmax(axis=1)], sensitive_features=group)
                found = region.contains(mine)
                assert found.standard_errors is not None  # noqa: S101  # they were measured
                measured += 1
                within += found.by_chance
                farthest.append((float(found.standard_errors.max()), float(found.distance.max()), kind))
    errors, distance, kind = max(farthest)
    print(
        f"  {name}: {within} of {measured} within reach but for chance; the farthest ({kind}) {errors:.1f} standard "
        f"errors, at a distance of {distance:.3f}",
        flush=True,
    )


def flattery(people_of_a_group: int) -> None:
    """Print how much larger the sphere of calibrated scores is than that of the true probabilities, which are known.

    The scores are wrong within each group: too flat in one, too steep in the other.
    """
    ratios = []
    for seed in range(CONFIRMING, CONFIRMING + 12):
        chances, y, group = made_up.people(2, 2, 2 * people_of_a_group, seed, signal=0.6)
        scores = chances ** np.where(group == 0, 0.4, 2.0)[:, None]
        scores /= scores.sum(axis=1, keepdims=True)
        found = FeasibleRegion.from_scores(scores, y, sensitive_features=group, calibrate=True)
        true = FeasibleRegion.from_scores(chances, sensitive_features=group)
        ratios.append(found.sphere().radius / true.sphere().radius)
    low, high = np.quantile(ratios, [0.1, 0.9])
    print(
        f"  groups of {people_of_a_group}: the sphere of calibrated scores is {np.median(ratios):.2f} times the true "
        f"one (between {low:.2f} and {high:.2f} in eight of ten draws)",
        flush=True,
    )


def by_chance(classes: int, groups: int, people_of_a_group: int) -> None:
    """Print how often measured rates of a classifier on the border seem farther away than chance explains."""
    far, total = [], 0
    for seed in range(CONFIRMING, CONFIRMING + 5):
        chances, _, group = made_up.people(classes, groups, groups * people_of_a_group, seed)
        region = FeasibleRegion.from_scores(chances, sensitive_features=group)
        for cost in (0.25, 1.0, 3.0):
            decided = (np.where(np.arange(classes) == 0, cost, 1.0) * chances).argmax(axis=1)
            measured = made_up.measured_on_labels(chances, group, decided, draws=100, seed=seed)
            far.append(sum(not region.contains(rates).by_chance for rates in measured))
            total += 100
    print(
        f"  k = {classes}, m = {groups}, groups of {people_of_a_group}: {sum(far)} of {total} samples of classifiers "
        f"on the border seem out of reach (at most 1 % stated); at the worst of {len(far)} points {max(far)} of 100",
        flush=True,
    )


def a_million() -> None:
    """Print the time and memory of a million rows with three classes and four groups, in a separate process."""
    rng = np.random.default_rng(0)
    chances = rng.dirichlet([0.5, 0.6, 0.7], size=1_000_000)
    group = rng.integers(4, size=1_000_000)
    start, used = time.perf_counter(), time.process_time()
    region = FeasibleRegion.from_scores(chances, sensitive_features=group)
    sphere = region.sphere()
    classifier = region.classifier_for(sphere.at(np.eye(6)[0]))
    wall, cpu = time.perf_counter() - start, time.process_time() - used
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    print(
        f"  a million rows, k = 3, m = 4: {wall:.1f} s ({cpu:.1f} s of processor time; at most 60 s), {memory:.2f} GB "
        f"(at most 2); radius {sphere.radius:.4f}, a classifier of {classifier.members} members"
    )


def run() -> None:
    """Print all measurements."""
    for name in LIMITS:
        real(name)
    print("  What one has: models with several thresholds, cross-validated on the same rows as the region's scores")
    for name in datasets.NAMES:
        own_models(name)
    print("  Made-up people whose probabilities are known")
    for people_of_a_group in (150, 500, 2000):
        flattery(people_of_a_group)
    for classes, groups, people_of_a_group in ((2, 2, 100), (2, 2, 500), (2, 5, 500), (3, 2, 300), (3, 3, 1000)):
        by_chance(classes, groups, people_of_a_group)
    alone = "from bench.region import a_million; a_million()"
    subprocess.run([sys.executable, "-c", alone], check=True, cwd=Path(__file__).parents[1])  # noqa: S603


if __name__ == "__main__":
    run()
