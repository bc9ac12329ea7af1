"""A metric, checked: a setting, a family and the weights of mistakes, of unfairness, and of one against the other."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, overload

import numpy as np
from numpy.typing import ArrayLike

from evenhand.checks.arrays import generator, numbers
from evenhand.checks.documents import Format
from evenhand.checks.messages import expect, listed, shown
from evenhand.display.frames import Library, as_frame
from evenhand.errors import EvenhandError
from evenhand.metric import display, weight_table
from evenhand.metric.checked import (
    check_norm,
    check_profiles,
    checked_trade_off,
    checked_weights,
    checked_width,
)
from evenhand.metric.families import Family, Gaps, family_named
from evenhand.metric.score import FairScorer, rates_of_everybody, rates_of_sample
from evenhand.metric.sentences import CAVEAT, EXACT, nearness, sentences
from evenhand.metric.weights import Weights, misclassification_norm, violation_norm
from evenhand.rates import GroupRates, Setting, off_diagonal
from evenhand.rates.setting import SETTING_FIELDS
from evenhand.typing import Floats, Groups, RandomState
from evenhand.wording.vocabulary import Words

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Name = TypeVar("Name", bound=Hashable)

METRIC_FORMAT = Format(
    name="evenhand.metric",
    what="metric",
    fields=(*SETTING_FIELDS, "family", "misclassification", "violation", "trade_off", "width"),
)


class Distance(NamedTuple):
    """The three errors that the paper reports: ‖a − â‖₂, ‖vec B − vec B̂‖₂ and |λ − λ̂|.

    Examples
    --------
    >>> from evenhand import Setting
    >>> metric = FairMetric.random(Setting.random(2, 2, 0), 0)
    >>> metric.distance(metric)
    Distance(misclassification=0.0, violation=0.0, trade_off=0.0)
    """

    misclassification: float
    violation: float
    trade_off: float


@dataclass(frozen=True, eq=False, repr=False)
class FairMetric:
    """A fair performance metric, Definition 1 of the paper. It is a cost: lower is better.

    Ψ = (1 − λ)·⟨a, overall rates⟩ + λ·Σ over pairs of groups ⟨bᵘᵛ, |rᵘ − rᵛ|⟩

    That is the family "gaps". Other families put another violation in the place of |rᵘ − rᵛ|.

    Weights must be normalised; `from_weights` takes any others.

    Parameters
    ----------
    setting
        The classes, groups and prevalence.
    misclassification
        a (q,): the weight of each kind of mistake, ‖a‖₂ = 1.
    violation
        B (rows, columns): the weight of each entry of the violation, Σ over rows ‖b‖₂ = 1. For gaps there is a row for
        each of the m(m−1)/2 pairs of groups, and a column for each kind of mistake.
    trade_off
        λ between 0 (only mistakes count) and 1 (only the violation counts).
    width
        Beyond which unfairness counts, in a family that has a width.
    family
        The name of the family.

    Examples
    --------
    >>> from evenhand import GroupRates, Setting
    >>> setting = Setting(["repays", "defaults"], ["women", "men"], [[0.5, 0.4], [0.5, 0.6]])
    >>> metric = FairMetric(setting, misclassification=[0.6, 0.8], violation=[[0.8, 0.6]], trade_off=0.25)
    >>> metric
    FairMetric(2 classes, 2 groups, trade-off 0.250)
    >>> round(metric.cost(GroupRates.trivial(setting, "repays")), 4)
    0.6
    """

    setting: Setting
    family: str
    weights: Weights

    def __init__(
        self,
        setting: Setting,
        *,
        misclassification: ArrayLike,
        violation: ArrayLike,
        trade_off: float,
        width: float | None = None,
        family: str = Gaps.name,
    ) -> None:
        form = family_named(family)
        a, B = checked_weights(setting, form, misclassification, violation)
        check_norm(float(misclassification_norm(a)), "misclassification", "‖a‖₂")
        check_norm(float(violation_norm(B)), "violation", "Σ‖bᵘᵛ‖₂")
        share = np.asarray(checked_trade_off(trade_off))[()]  # a scalar: quicker than an array without axes
        object.__setattr__(self, "setting", setting)
        object.__setattr__(self, "family", family)
        object.__setattr__(self, "weights", Weights(a, B, share, checked_width(width, form)))

    @classmethod
    def of(cls, setting: Setting, weights: Weights, family: str = Gaps.name) -> FairMetric:
        """Return the metric with these weights, which must be normalised."""
        return cls(
            setting,
            misclassification=weights.misclassification,
            violation=weights.violation,
            trade_off=float(weights.trade_off),
            width=None if weights.width is None else float(weights.width),
            family=family,
        )

    @property
    def misclassification(self) -> Floats:
        """The weight of each kind of mistake, a (q,)."""
        return self.weights.misclassification

    @property
    def violation(self) -> Floats:
        """The weight of each entry of the violation, B (rows, columns)."""
        return self.weights.violation

    @property
    def trade_off(self) -> float:
        """λ between 0 (only mistakes count) and 1 (only the violation counts)."""
        return float(self.weights.trade_off)

    @property
    def width(self) -> float | None:
        """The width beyond which unfairness counts, or None where the family has none."""
        return None if self.weights.width is None else float(self.weights.width)

    @property
    def form(self) -> Family:
        """The family, which says what is unfair about rates."""
        return family_named(self.family)

    @classmethod
    def from_weights(
        cls,
        setting: Setting,
        *,
        misclassification: ArrayLike,
        violation: ArrayLike,
        trade_off: float | None = None,
        width: float | None = None,
        family: str = Gaps.name,
    ) -> FairMetric:
        """Normalise any non-negative weights, keeping the same preferences.

        The cost is ⟨misclassification, overall rates⟩ + Σ⟨violation, gaps⟩, or with a `trade_off` λ the first times
        1 − λ plus the second times λ. A part without any weight does not matter; its weights are set equal.

        Examples
        --------
        >>> setting = Setting([0, 1], ["a", "b"], [[0.5, 0.5], [0.5, 0.5]])
        >>> metric = FairMetric.from_weights(setting, misclassification=[3, 4], violation=[[0, 5]])
        >>> metric.misclassification, metric.trade_off
        (array([0.6, 0.8]), 0.5)
        """
        form = family_named(family)
        a, B = checked_weights(setting, form, misclassification, violation)
        share = checked_trade_off(trade_off) if trade_off is not None else 0.5
        # In a unit in which nothing is too large for a float.
        unit = max(float(a.max()), float(B.max()))
        a, a_unit = _to_one(a)
        B, B_unit = _to_one(B)
        cost_of_mistakes = (1 - share) * float(misclassification_norm(a)) * (a_unit / unit if unit else 0.0)
        cost_of_violation = share * float(violation_norm(B)) * (B_unit / unit if unit else 0.0)
        if cost_of_mistakes + cost_of_violation == 0:
            raise EvenhandError("all weights are zero, so no model would be preferred to any other")
        trade = cost_of_violation / (cost_of_mistakes + cost_of_violation)
        return cls.of(setting, Weights.normalised(a, B, np.array(trade), checked_width(width, form)), family)

    @classmethod
    def random(cls, setting: Setting, random_state: RandomState = None) -> FairMetric:
        """Draw a metric of gaps: entries of a and B uniform on (0, 1), then normalised; λ uniform on (0, 1).

        The paper's experiments use random metrics and give no distribution; this one is ours.
        """
        expect(setting, "setting", Setting)
        return cls.of(setting, Weights.random(family_named(Gaps.name).dimensions(setting), generator(random_state)))

    @overload
    def cost(self, rates: GroupRates) -> float: ...
    @overload
    def cost(self, rates: Mapping[Name, GroupRates]) -> dict[Name, float]: ...
    @overload
    def cost(self, rates: Sequence[GroupRates]) -> list[float]: ...
    def cost(self, rates: GroupRates | Mapping[Name, GroupRates] | Sequence[GroupRates]) -> object:
        """Return the cost of a model, or of each model of a mapping or a sequence.

        `GroupRates` bring their own prevalence, so that a metric elicited in one population can judge models in
        another. `cost_of_profiles` takes arrays.

        Examples
        --------
        >>> setting = Setting([0, 1], ["a", "b"], [[0.5, 0.5], [0.5, 0.5]])
        >>> metric = FairMetric.from_weights(setting, misclassification=[3, 4], violation=[[0, 5]])
        >>> metric.cost({"all 0": GroupRates.trivial(setting, 0), "all 1": GroupRates.trivial(setting, 1)})
        {'all 0': 0.4, 'all 1': 0.3}
        """
        if isinstance(rates, GroupRates):
            return self._cost_of(rates)
        if isinstance(rates, Mapping) and all(isinstance(one, GroupRates) for one in rates.values()):
            return {name: self._cost_of(one) for name, one in rates.items()}
        if isinstance(rates, list | tuple) and all(isinstance(one, GroupRates) for one in rates):
            return [self._cost_of(one) for one in rates]
        raise EvenhandError(
            f"cost takes GroupRates, or a mapping or a list of them, but received {shown(rates)}: make them with "
            "GroupRates(setting=…, matrix=…) or group_rates; for an array of profiles there is cost_of_profiles"
        )

    def _cost_of(self, rates: GroupRates) -> float:
        self._check_names(rates.setting)
        return float(self.form.cost(rates.vector, rates.setting, self.weights))

    def cost_of_profiles(self, profiles: ArrayLike) -> Floats:
        """Return the costs (…) of profiles (…, m, q): off-diagonal rates, group by group, in row-major order.

        Profiles have this metric's own prevalence. `GroupRates.vector` is a profile; `GroupRates.matrix` is not.

        Examples
        --------
        >>> setting = Setting([0, 1], ["a", "b"], [[0.5, 0.5], [0.5, 0.5]])
        >>> metric = FairMetric.from_weights(setting, misclassification=[3, 4], violation=[[0, 5]])
        >>> metric.cost_of_profiles([[[0.0, 0.5], [0.0, 0.5]], [[0.1, 0.0], [0.2, 0.0]]])
        array([0.2  , 0.045])
        """
        array = numbers(profiles, "profiles", "(…, groups, kinds of mistake)")
        check_profiles(array, self.setting)
        return np.asarray(self.form.cost(array, self.setting, self.weights))

    def score(
        self,
        y_true: ArrayLike,
        y_pred: ArrayLike,
        *,
        sensitive_features: Groups,
        sample_weight: ArrayLike | None = None,
    ) -> float:
        """Return how good predictions are, the higher the better: minus their cost.

        Classes and groups are those of this metric; how many people they have is read off the sample, and every
        group must have somebody of every true class.

        Examples
        --------
        >>> setting = Setting([0, 1], ["a", "b"], [[0.5, 0.5], [0.5, 0.5]])
        >>> metric = FairMetric.from_weights(setting, misclassification=[3, 4], violation=[[0, 5]])
        >>> metric.score([0, 0, 1, 1], [0, 0, 1, 0], sensitive_features=["a", "b", "a", "b"])
        -0.7
        """
        return 0.0 - self.cost(rates_of_sample(self.setting, y_true, y_pred, sensitive_features, sample_weight))

    def scorer(self, *, sensitive_features: Groups | None = None) -> FairScorer:
        """Return a scorer for scikit-learn's searches and cross-validation, which routes `sensitive_features` here.

        Needs `sklearn.set_config(enable_metadata_routing=True)`. In a search:
        `GridSearchCV(model, grid, scoring=metric.scorer()).fit(X, y, sensitive_features=groups)`.

        Parameters
        ----------
        sensitive_features
            The group of each person, for what passes nothing on to scorers and scores all of `X`, such as
            `permutation_importance`. It needs no metadata routing.

        Examples
        --------
        >>> import sklearn
        >>> from sklearn.linear_model import LogisticRegression
        >>> from sklearn.model_selection import GridSearchCV
        >>> X, y, sex = [[0], [1], [2], [3]] * 6, [0, 0, 1, 1] * 6, ["women", "men"] * 12
        >>> metric = FairMetric.random(Setting.from_labels(y, sensitive_features=sex), 0)
        >>> with sklearn.config_context(enable_metadata_routing=True):
        ...     search = GridSearchCV(LogisticRegression(), {"C": [1e-6, 1]}, scoring=metric.scorer(), cv=3)
        ...     search.fit(X, y, sensitive_features=sex).best_params_
        {'C': 1}
        """
        return FairScorer(self, sensitive_features)

    def cost_of_mistakes(
        self, y_true: ArrayLike, y_pred: ArrayLike, *, sample_weight: ArrayLike | None = None
    ) -> float:
        """Return ⟨a, rates⟩ of a sample, whatever the groups: the cost of mistakes alone, before any trade-off.

        It needs no `sensitive_features`, so that Fairlearn's `MetricFrame` can take it apart group by group.
        """
        rates = rates_of_everybody(self.setting.classes, y_true, y_pred, sample_weight)
        return float(off_diagonal(rates) @ self.misclassification)

    def distance(self, other: FairMetric) -> Distance:
        """Return how far the other metric's weights are from these."""
        expect(other, "other", FairMetric)
        self._check_names(other.setting)
        if self.family != other.family:
            raise EvenhandError(
                f"this metric is of the family {shown(self.family)}, but the other one of {shown(other.family)}: "
                "the weights of two families are about other things, so they have no distance"
            )
        return Distance(*self.weights.distance(other.weights).tolist())

    def _check_names(self, other: Setting) -> None:
        for what in ("classes", "groups"):
            mine, theirs = getattr(self.setting, what), getattr(other, what)
            if mine != theirs:
                differ = self.setting.how_names_differ(other, "the metric", "what it was given")
                raise EvenhandError(
                    f"this metric is about the {what} {listed(mine)}, but received {listed(theirs)}: "
                    f"they must be the same, in the same order"
                    + (f" ({differ})" if differ else "; GroupRates.arranged puts rates in a setting's order")
                )

    def to_json(self) -> str:
        """Return the metric as a JSON document that `from_json` reads back exactly."""
        return METRIC_FORMAT.to_json(
            **self.setting.to_document(),
            family=self.family,
            misclassification=self.misclassification.tolist(),
            violation=self.violation.tolist(),
            trade_off=self.trade_off,
            width=self.width,
        )

    @classmethod
    def from_json(cls, text: str) -> FairMetric:
        """Read a metric that `to_json` wrote."""
        fields = METRIC_FORMAT.from_json(text)
        setting = Setting(*(fields.pop(name) for name in SETTING_FIELDS))
        return cls(setting, **fields)

    def describe(self, *, mistakes: Mapping[Any, str] | None = None) -> str:
        """Say in plain sentences what this metric prefers, and which metric with a name comes nearest.

        The weights are taken as exact; `describe` of what `evenhand.elicit` returned says how far answers support them.

        `mistakes` gives kinds of mistake the domain's own words: `{("repays", "defaults"): "a false refusal"}`, where
        the first is the true class.
        """
        from evenhand.metric.nearest import nearest  # noqa: PLC0415  # which makes metrics itself

        said = sentences(self, Words.spoken(self.setting, mistakes))
        return "\n".join([*said, EXACT, nearness(nearest(self)[0]), CAVEAT])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, FairMetric):
            return NotImplemented
        return (
            self.setting == other.setting
            and self.family == other.family
            and np.array_equal(self.misclassification, other.misclassification)
            and np.array_equal(self.violation, other.violation)
            and self.trade_off == other.trade_off
            and self.width == other.width
        )

    def __hash__(self) -> int:
        return hash((self.setting, self.misclassification.tobytes(), self.violation.tobytes(), self.trade_off))

    def to_frame(self, library: Library | None = None) -> Any:
        """Return the weights as a data frame of pandas, Polars or PyArrow: by default of the one that is imported."""
        return as_frame(display.columns(display.weight_rows(self)), library)

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the weights, and return the axes.

        It draws on `ax` or, without one, on a new figure. Needs the extra `figures`.
        """
        return display.plot(self, None, None, ax)

    def __repr__(self) -> str:
        k, m = len(self.setting.classes), len(self.setting.groups)
        family = "" if self.family == Gaps.name else f", family {self.family!r}"
        return f"FairMetric({k} classes, {m} groups, trade-off {self.trade_off:.3f}{family})"

    def __str__(self) -> str:
        return weight_table.as_text(self)

    def _repr_html_(self) -> str:
        return weight_table.as_html(self)


def _to_one(weights: Floats) -> tuple[Floats, float]:
    """Divide weights by the largest of them; return that too."""
    largest = float(weights.max())
    return (weights / largest if largest > 0 else weights), largest
