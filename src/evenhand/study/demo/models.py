"""The models of the demo study: fitted here on scikit-learn's diabetes data, and counted on people they never saw.

`python -m evenhand.study.demo.models` makes `models.json` anew. The file is kept beside this module, so that the
demo starts at once and without scikit-learn; a test makes it again and compares.

The data has a score of how far the disease got within a year, and no line that medicine would draw in it. Here the
disease "gets much worse" where the score is above 180, which is so for about one patient in three.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evenhand.errors import MissingExtraError
from evenhand.rates import group_rates
from evenhand.typing import Floats

MUCH_WORSE_ABOVE = 180.0
OLDER_FROM = 50
CLASSES = ("stays stable", "gets much worse")
GROUPS = ("under 50", "50 and over")
_FOLDS = 10
_AGE, _SEX, _BMI, _PRESSURE = range(4)


@dataclass(frozen=True, eq=False)
class Patients:
    """The 442 patients: what is known of them, how far the disease got, and what that makes of them."""

    known: Floats
    score: Floats

    @classmethod
    def load(cls) -> Patients:
        """Read the data that scikit-learn carries, in its own units."""
        try:
            from sklearn.datasets import load_diabetes  # noqa: PLC0415  # scikit-learn is for making the file only
        except ImportError as error:
            raise MissingExtraError("scikit-learn", "models") from error
        data = load_diabetes(scaled=False)
        return cls(np.asarray(data.data, dtype=np.float64), np.asarray(data.target, dtype=np.float64))

    @property
    def worse(self) -> NDArray[np.bool_]:
        """Who gets much worse."""
        return np.asarray(self.score > MUCH_WORSE_ABOVE)

    @property
    def older(self) -> NDArray[np.bool_]:
        """Who is 50 or over."""
        return np.asarray(self.known[:, _AGE] >= OLDER_FROM)


@dataclass(frozen=True, eq=False)
class Model:
    """A scikit-learn estimator, and from which risk on it tells somebody that the disease will get much worse.

    With `alike` the line is drawn for each group on its own, where that share of the training patients who get much
    worse is missed in both. `without` leaves columns out.
    """

    estimator: Any
    threshold: float = 0.5
    alike: float | None = None
    without: tuple[int, ...] = ()

    def warns(self, patients: Patients, train: NDArray[np.intp], test: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Fit on the one and say whom of the other the model warns."""
        columns = [c for c in range(patients.known.shape[1]) if c not in self.without]
        known = patients.known[:, columns]
        fitted = self.estimator.fit(known[train], patients.worse[train])
        risk = fitted.predict_proba(known)[:, 1]
        line = np.full(len(risk), self.threshold)
        if self.alike is not None:
            for members in (patients.older, ~patients.older):
                learned_from = np.intersect1d(train, np.flatnonzero(members & patients.worse))
                line[members] = np.quantile(risk[learned_from], self.alike)
        return np.asarray(risk[test] >= line[test])


@dataclass(frozen=True)
class Rule:
    """A rule of thumb, which learns nothing: a warning from this body mass index and blood pressure on."""

    bmi: float
    pressure: float = 0.0

    def warns(self, patients: Patients, train: NDArray[np.intp], test: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Say whom of the test patients the rule warns."""
        del train
        known = patients.known[test]
        return np.asarray((known[:, _BMI] >= self.bmi) & (known[:, _PRESSURE] >= self.pressure))


def models() -> Mapping[str, Model | Rule]:
    """Return the models by the names that a person reads."""
    from sklearn.discriminant_analysis import (  # noqa: PLC0415  # as above
        LinearDiscriminantAnalysis,
        QuadraticDiscriminantAnalysis,
    )
    from sklearn.ensemble import (  # noqa: PLC0415
        ExtraTreesClassifier,
        GradientBoostingClassifier,
        RandomForestClassifier,
    )
    from sklearn.linear_model import LogisticRegression  # noqa: PLC0415
    from sklearn.naive_bayes import GaussianNB  # noqa: PLC0415
    from sklearn.neighbors import KNeighborsClassifier  # noqa: PLC0415
    from sklearn.neural_network import MLPClassifier  # noqa: PLC0415
    from sklearn.pipeline import make_pipeline  # noqa: PLC0415
    from sklearn.preprocessing import StandardScaler  # noqa: PLC0415
    from sklearn.tree import DecisionTreeClassifier  # noqa: PLC0415

    def scaled(estimator: Any) -> Any:
        return make_pipeline(StandardScaler(), estimator)

    def logistic(**options: Any) -> Any:
        return scaled(LogisticRegression(**options))

    forest = {"n_estimators": 150, "min_samples_leaf": 5, "random_state": 0}
    boosting = {"n_estimators": 60, "max_depth": 2, "random_state": 0}
    return {
        "Logistic regression": Model(logistic()),
        "Logistic regression, balanced": Model(logistic(class_weight="balanced")),
        "Logistic regression, cautious": Model(logistic(), threshold=0.25),
        "Logistic regression, sparing": Model(logistic(), threshold=0.65),
        "Logistic regression, blind to age and sex": Model(logistic(), threshold=0.4, without=(_AGE, _SEX)),
        "Logistic regression, a line for each age": Model(logistic(), alike=0.25),
        "Linear discriminant": Model(LinearDiscriminantAnalysis(), threshold=0.4),
        "Quadratic discriminant": Model(QuadraticDiscriminantAnalysis()),
        "Naive Bayes": Model(GaussianNB()),
        "Nearest neighbours": Model(scaled(KNeighborsClassifier(n_neighbors=21)), threshold=0.4),
        "Decision tree": Model(DecisionTreeClassifier(max_depth=3, random_state=0)),
        "Decision tree, balanced": Model(DecisionTreeClassifier(max_depth=3, class_weight="balanced", random_state=0)),
        "Random forest": Model(RandomForestClassifier(**forest)),
        "Random forest, cautious": Model(RandomForestClassifier(**forest), threshold=0.3),
        "Random forest, a line for each age": Model(RandomForestClassifier(**forest), alike=0.1),
        "Extra trees": Model(ExtraTreesClassifier(**forest), threshold=0.4),
        "Gradient boosting": Model(GradientBoostingClassifier(**boosting)),
        "Gradient boosting, cautious": Model(GradientBoostingClassifier(**boosting), threshold=0.3),
        "Small neural network": Model(
            scaled(MLPClassifier(hidden_layer_sizes=(6,), alpha=1.0, solver="lbfgs", max_iter=4000, random_state=0))
        ),
        "Rule: body mass index of 28 or more": Rule(bmi=28.0),
        "Rule: index of 26, blood pressure of 95": Rule(bmi=26.0, pressure=95.0),
    }


def counts(patients: Patients, model: Model | Rule) -> list[list[list[int]]]:
    """Count decisions by group, true class and predicted class; each patient is judged by a fit without them."""
    from sklearn.model_selection import StratifiedKFold  # noqa: PLC0415

    warned = np.zeros(len(patients.score), dtype=np.bool_)
    strata = 2 * patients.older + patients.worse
    for train, test in StratifiedKFold(_FOLDS, shuffle=True, random_state=0).split(patients.known, strata):
        warned[test] = model.warns(patients, train, test)
    rates = group_rates(patients.worse, warned, sensitive_features=patients.older)
    assert rates.counts is not None  # noqa: S101  # group_rates counts
    return [[[round(n) for n in row] for row in group] for group in rates.counts.tolist()]


def document() -> dict[str, Any]:
    """Return what `models.json` holds: for each model how many people were decided how."""
    patients = Patients.load()
    return {
        "classes": CLASSES,
        "groups": GROUPS,
        "counts": {name: counts(patients, model) for name, model in models().items()},
    }


def as_json(made: Mapping[str, Any]) -> str:
    """Write it with one line for each model, so that a change can be read."""
    lines = ",\n".join(f"    {json.dumps(name)}: {json.dumps(table)}" for name, table in made["counts"].items())
    head = "".join(f"  {json.dumps(key)}: {json.dumps(made[key])},\n" for key in ("classes", "groups"))
    return f'{{\n{head}  "counts": {{\n{lines}\n  }}\n}}\n'


if __name__ == "__main__":
    sys.stdout.write(as_json(document()))
