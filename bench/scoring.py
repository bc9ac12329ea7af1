"""A grid search with a metric's scorer, against one with accuracy."""

from functools import partial

import numpy as np
import sklearn
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from bench.best import best_of
from evenhand import FairMetric, Setting


def run() -> None:
    """Print how much longer the search with the scorer takes."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(20_000, 20))
    group = rng.choice(["men", "women"], len(X))
    y = np.where(X[:, 0] + (group == "men") + rng.normal(size=len(X)) > 0, "yes", "no")
    metric = FairMetric.random(Setting.from_labels(y, sensitive_features=group), 0)
    with sklearn.config_context(enable_metadata_routing=True):
        search = partial(
            GridSearchCV,
            make_pipeline(StandardScaler(), LogisticRegression()),
            {"logisticregression__C": [0.001, 0.01, 0.1, 1.0]},
        )
        times = best_of(
            5,
            {
                "accuracy": lambda: search(scoring="accuracy").fit(X, y),
                "fair": lambda: search(scoring=metric.scorer()).fit(X, y, sensitive_features=group),
            },
        )
    print(f"  {times['fair']:.2f} s, {times['fair'] / times['accuracy']:.2f} times as long as with accuracy")
