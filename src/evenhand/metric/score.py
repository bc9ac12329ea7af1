"""A metric as a score of predictions, higher is better, and as a scorer that scikit-learn's searches can use.

scikit-learn's own `make_scorer` cannot pass `sensitive_features` on to `predict` as well (its issue 27977), which
models that treat groups differently need; so the scorer is a class of its own, made of scikit-learn's public parts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike

from evenhand.checks.columns import sample_weights
from evenhand.checks.messages import shown
from evenhand.errors import EvenhandError, MissingExtraError
from evenhand.rates import GroupRates, Label, Setting, group_rates, labels
from evenhand.rates import sensitive_features as features
from evenhand.rates.counting.cells import cell_of_each
from evenhand.rates.counting.tally import tally
from evenhand.typing import Floats, Groups

if TYPE_CHECKING:
    from evenhand.metric.fair_metric import FairMetric

_GROUPS, _WEIGHT = "sensitive_features", "sample_weight"
_NO_GROUPS = (
    "this score needs sensitive_features, the group of each person: pass it to fit of a search, or as "
    "params={'sensitive_features': …} to cross_validate, with metadata routing on "
    "(sklearn.set_config(enable_metadata_routing=True)); permutation_importance and others that pass "
    "nothing on take metric.scorer(sensitive_features=…)"
)


def rates_of_sample(
    setting: Setting, y_true: ArrayLike, y_pred: ArrayLike, groups: Groups, weight: ArrayLike | None
) -> GroupRates:
    """Measure predictions in a setting's classes and groups, with the prevalence of the sample itself."""
    rates = group_rates(y_true, y_pred, sensitive_features=groups, sample_weight=weight, setting=setting)
    return rates.in_measured_prevalence()


def rates_of_everybody(
    classes: tuple[Label, ...], y_true: ArrayLike, y_pred: ArrayLike, weight: ArrayLike | None
) -> Floats:
    """Measure predictions without regard to groups, (k, k)."""
    true = labels.read(y_true, "y_true", what="classes", known=classes)
    rows = true.codes.size
    predicted = labels.read(y_pred, "y_pred", what="classes", known=classes, rows=rows)
    share = None if weight is None else sample_weights(weight, rows)
    k = len(classes)
    people = tally(cell_of_each(true.codes, k, predicted), k * k, share).reshape(k, k)
    absent = np.flatnonzero(people.sum(axis=1) == 0)
    if absent.size:
        raise EvenhandError(f"nobody is of true class {shown(classes[absent[0]])}, so its rates are undefined")
    return np.asarray(people / people.sum(axis=1, keepdims=True))


class FairScorer:
    """Scores a fitted estimator by a metric: `scorer(estimator, X, y, sensitive_features=…)`, higher is better.

    In `GridSearchCV`, `cross_validate` and their kind, `sensitive_features` given to `fit` or as a parameter finds its
    way here by scikit-learn's metadata routing, and from here to `predict` if the estimator asks for it there with
    `set_predict_request(sensitive_features=True)`.
    """

    _sign = 1
    """What TunedThresholdClassifierCV reads, with the three that follow, to score by every threshold."""

    def __init__(self, metric: FairMetric, groups: Groups | None = None) -> None:
        self.metric = metric
        self.__name__ = "fair_score"  # what scikit-learn's displays write at the axis
        self._groups = groups
        self._people = None if groups is None else features.read(groups).codes.size
        self._requests: dict[str, bool | str | None] = {_GROUPS: True if groups is None else None, _WEIGHT: None}
        if groups is None and not _sklearn().get_config()["enable_metadata_routing"]:
            raise EvenhandError(
                "scikit-learn passes sensitive_features to a scorer only by metadata routing, which is off: call "
                "sklearn.set_config(enable_metadata_routing=True) first; metric.score and, for data that is not split, "
                "metric.scorer(sensitive_features=…) work without it"
            )

    def __call__(
        self,
        estimator: Any,
        X: Any,
        y_true: ArrayLike,
        *,
        sensitive_features: Groups | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> float:
        """Return the score of the estimator's predictions for X."""
        groups = self._groups_of(y_true) if sensitive_features is None else sensitive_features
        asked = _asked_by_predict(estimator, self._requests[_GROUPS])
        y_pred = estimator.predict(X, **dict.fromkeys(asked, groups))
        return self.metric.score(y_true, y_pred, sensitive_features=groups, sample_weight=sample_weight)

    def _score_func(
        self,
        y_true: ArrayLike,
        y_pred: ArrayLike,
        *,
        sensitive_features: Groups | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> float:
        """Score predictions, as threshold tuning does for every threshold."""
        groups = self._groups_of(y_true) if sensitive_features is None else sensitive_features
        return self.metric.score(y_true, y_pred, sensitive_features=groups, sample_weight=sample_weight)

    def _groups_of(self, y_true: ArrayLike) -> Groups:
        """Return the groups that this scorer holds, or say that it has none, or those of other people."""
        if self._groups is None:
            raise EvenhandError(_NO_GROUPS)
        people = np.shape(y_true)[0]
        if people != self._people:
            raise EvenhandError(
                f"this scorer holds the groups of {self._people} people, but is to score {people} of them: what splits "
                "or draws people needs metric.scorer() without groups, which gets theirs by metadata routing"
            )
        return self._groups

    @property
    def _kwargs(self) -> dict[str, Any]:
        return {}

    def _get_pos_label(self) -> None:
        return None  # the second class, as in scikit-learn

    def set_score_request(self, **requests: bool | str | None) -> Self:
        """Ask for `sample_weight` too, or for either under another name, as with scikit-learn's own scorers."""
        for name, request in requests.items():
            if name not in self._requests:
                raise EvenhandError(f"this score takes {_GROUPS} and {_WEIGHT}, not {shown(name)}")
            self._requests[name] = request
        return self

    def get_metadata_routing(self) -> Any:
        """Tell scikit-learn what to pass here."""
        from sklearn.utils.metadata_routing import MetadataRequest  # noqa: PLC0415

        request = MetadataRequest(owner=self)
        for name, alias in self._requests.items():
            request.score.add_request(param=name, alias=alias)
        return request

    def __repr__(self) -> str:
        return f"FairScorer(trade-off {self.metric.trade_off:.3f})"


def _sklearn() -> Any:
    try:
        import sklearn  # noqa: PLC0415  # too heavy for `import evenhand`
    except ModuleNotFoundError as error:
        raise MissingExtraError("scikit-learn", "models") from error
    return sklearn


def _asked_by_predict(estimator: Any, alias: bool | str | None) -> set[str]:
    """Return the names under which `predict` is to be told the groups, which may go by an alias in searches."""
    from sklearn.utils.metadata_routing import MetadataRequest, get_routing_for_object  # noqa: PLC0415

    routing = get_routing_for_object(estimator)
    asked: set[str] = routing.consumes("predict", [_GROUPS, *([alias] if isinstance(alias, str) else [])])
    # An alias is for those that pass metadata on, such as pipelines; a model's own `predict` knows it by its name.
    return {_GROUPS} if asked and isinstance(routing, MetadataRequest) else asked
