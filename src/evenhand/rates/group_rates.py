"""`GroupRates`: the rates of a classifier in each group, with their uncertainty."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import ArrayLike

from evenhand.checks.arrays import float_array, generator, number, whole_number
from evenhand.checks.messages import expect, shown
from evenhand.display.displayed import Displayed
from evenhand.display.table import Table
from evenhand.errors import EvenhandError
from evenhand.rates import display, labels
from evenhand.rates.profile import matrix_from_vector, off_diagonal, trivial_rates, uniform_rates
from evenhand.rates.setting import Setting
from evenhand.rates.ties import ROUNDING
from evenhand.typing import Floats, Label, RandomState

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class GroupRates(Displayed):
    """The rates `matrix[g, i, j]` = P(predict j | true class i, group g) of one classifier.

    Parameters
    ----------
    setting
        The classes, groups and prevalence.
    matrix
        An array (m, k, k); each row sums to 1.
    counts
        If known, the (weighted) number of people behind each rate, (m, k, k).
    sizes
        If known, Kish's effective sample size of each group and true class, (m, k); with equal weights, the number
        of people. The confidence intervals of the rates need it.

    Examples
    --------
    >>> from evenhand import group_rates
    >>> rates = group_rates([0, 0, 1, 1] * 2, [0, 1, 1, 1] * 2, sensitive_features=["women"] * 4 + ["men"] * 4)
    >>> rates
    GroupRates(2 classes, 2 groups, 8 people)
    >>> rates["women", 0, 1]
    0.5
    >>> rates["women"]
    array([[0.5, 0.5],
           [0. , 1. ]])
    """

    setting: Setting
    matrix: Floats
    counts: Floats | None = None
    sizes: Floats | None = None

    def __post_init__(self) -> None:
        expect(self.setting, "setting", Setting)
        m, k = len(self.setting.groups), len(self.setting.classes)
        object.__setattr__(self, "matrix", self._checked_matrix((m, k, k)))
        for name, shape in (("counts", (m, k, k)), ("sizes", (m, k))):
            value = getattr(self, name)
            if value is not None:
                object.__setattr__(self, name, _checked_counts(value, name, shape))

    def _checked_matrix(self, shape: tuple[int, int, int]) -> Floats:
        matrix = float_array(self.matrix, "matrix", shape, "(groups, true classes, predicted classes)")
        # NaN fails every comparison, so it is refused here too.
        wrong = ~((matrix >= -ROUNDING) & (matrix <= 1 + ROUNDING))
        if wrong.any():
            g, i, j = np.argwhere(wrong)[0]
            raise EvenhandError(
                f"the rate of {self._where(g, i)} predicted {shown(self.setting.classes[j])} is {matrix[g, i, j]:.6g}: "
                "rates lie between 0 and 1"
            )
        matrix = np.clip(matrix, 0.0, 1.0)
        sums = matrix.sum(axis=-1)
        wrong = np.abs(sums - 1) > 1e-6
        if wrong.any():
            g, i = np.argwhere(wrong)[0]
            raise EvenhandError(
                f"the rates of {self._where(g, i)} sum to {sums[g, i]:.6g} over the predictions, not to 1"
            )
        matrix.flags.writeable = False
        return matrix

    def _where(self, g: int, i: int) -> str:
        return f"group {shown(self.setting.groups[g])}, true class {shown(self.setting.classes[i])},"

    @classmethod
    def from_vector(cls, setting: Setting, vector: ArrayLike) -> GroupRates:
        """Make rates from a profile (m, q): the off-diagonal entries, group by group."""
        expect(setting, "setting", Setting)
        shape = (len(setting.groups), len(setting.mistakes))
        profile = float_array(vector, "a profile", shape, "(groups, kinds of mistake)")
        return cls(setting=setting, matrix=matrix_from_vector(profile))

    @classmethod
    def from_confusion_matrices(
        cls, matrices: Mapping[Any, ArrayLike], *, classes: Sequence[Label], setting: Setting | None = None
    ) -> GroupRates:
        """Make rates from the confusion matrix of each group, as scikit-learn counts them.

        Parameters
        ----------
        matrices
            Group → matrix (k, k): how many people of true class i (row) were predicted class j (column). A pandas
            Series of matrices will do, too.
        classes
            The class of each row and column.
        setting
            The classes, groups and prevalence; by default those of the counts.

        Examples
        --------
        >>> counts = {"women": [[30, 10], [5, 15]], "men": [[60, 20], [10, 30]]}
        >>> rates = GroupRates.from_confusion_matrices(counts, classes=["repays", "defaults"])
        >>> rates.vector
        array([[0.25, 0.25],
               [0.25, 0.25]])
        """
        from evenhand.rates.confusion import counted  # noqa: PLC0415  # which makes rates

        return counted(matrices, classes, setting)

    @classmethod
    def from_metric_frame(cls, frame: Any, *, classes: Sequence[Label], setting: Setting | None = None) -> GroupRates:
        """Make rates from Fairlearn's `MetricFrame`.

        Parameters
        ----------
        frame
            A frame with scikit-learn's `confusion_matrix` among its metrics; or, for two classes, with a true (or
            false) positive rate and a false (or true) negative rate, such as Fairlearn's `false_positive_rate`.
        classes
            The classes in the order of the confusion matrix; with rates, the positive class is the second one.
        setting
            The classes, groups and prevalence. Rates need it, since a frame of rates does not hold the prevalence.

        Examples
        --------
        >>> from fairlearn.metrics import MetricFrame
        >>> from sklearn.metrics import confusion_matrix
        >>> y, predicted, sex = [0, 0, 1, 1] * 2, [0, 1, 1, 1] * 2, ["women"] * 4 + ["men"] * 4
        >>> frame = MetricFrame(metrics=confusion_matrix, y_true=y, y_pred=predicted, sensitive_features=sex)
        >>> GroupRates.from_metric_frame(frame, classes=[0, 1]).vector
        array([[0.5, 0. ],
               [0.5, 0. ]])
        """
        from evenhand.rates.confusion import from_frame  # noqa: PLC0415

        return from_frame(frame, classes, setting)

    @classmethod
    def trivial(cls, setting: Setting, prediction: object) -> GroupRates:
        """Return the rates of the classifier that predicts one class for everyone (the paper's eᵢ)."""
        expect(setting, "setting", Setting)
        place = labels.place_of(prediction, setting.classes, "prediction")
        return cls._alike(setting, trivial_rates(len(setting.classes))[place])

    @classmethod
    def uniform(cls, setting: Setting) -> GroupRates:
        """Return the rates of the classifier that predicts every class equally often (the paper's o)."""
        expect(setting, "setting", Setting)
        return cls._alike(setting, uniform_rates(len(setting.classes)))

    @classmethod
    def _alike(cls, setting: Setting, rates: Floats) -> GroupRates:
        return cls.from_vector(setting, np.broadcast_to(rates, (len(setting.groups), rates.size)))

    @overload
    def __getitem__(self, names: tuple[Label, Label, Label]) -> float: ...
    @overload
    def __getitem__(self, names: tuple[Label, Label] | Label) -> Floats: ...
    def __getitem__(self, names: tuple[Label, ...] | Label) -> float | Floats:
        """Return rates by name: of a group, (k, k); of a true class in it, (k,); of one prediction, a number."""
        given = names if isinstance(names, tuple) else (names,)
        if not 1 <= len(given) <= 3:
            raise EvenhandError(f"rates go by group, true class and predicted class, but received {shown(names)}")
        kinds = (
            (self.setting.groups, "the group", "groups"),
            *((self.setting.classes, f"the {of} class", "classes") for of in ("true", "predicted")),
        )
        places = (
            labels.place_of(name, known, what, among) for name, (known, what, among) in zip(given, kinds, strict=False)
        )
        found = self.matrix[tuple(places)]
        return float(found) if len(given) == 3 else np.asarray(found)

    __iter__ = None
    """Rates go by name, and not one after another."""

    @cached_property
    def vector(self) -> Floats:
        """The profile (m, q): the off-diagonal rates of each group in row-major order."""
        vector = off_diagonal(self.matrix)
        vector.flags.writeable = False
        return vector

    @cached_property
    def overall(self) -> Floats:
        """The rates (k, k) over all groups, equation (3) of the paper: Σ over groups of prevalence × rate."""
        overall: Floats = np.einsum("gi,gij->ij", self.setting.prevalence, self.matrix)
        overall.flags.writeable = False
        return overall

    def interval(self, level: float = 0.95) -> Floats:
        """Return Wilson's confidence interval of each rate, (m, k, k, 2).

        With sample weights, the sample size is Kish's effective one. If the rates were measured from a randomised
        classifier's class probabilities, the interval is conservative.
        """
        if self.sizes is None:
            raise EvenhandError(
                "these rates came without counts, so their uncertainty is unknown: measure them with group_rates"
            )
        level = number(level, "level", "a number between 0 and 1, like 0.95", lambda level: 0 < level < 1)
        z2 = NormalDist().inv_cdf((1 - level) / 2) ** 2  # the lower tail, which stays exact at levels close to 1
        n, p = self.sizes[..., None], self.matrix
        middle = (p + z2 / (2 * n)) / (1 + z2 / n)
        half = np.sqrt(z2 / n * (p * (1 - p) + z2 / (4 * n))) / (1 + z2 / n)
        # Rounding may put a rate of 0 or 1 just outside its interval.
        low, high = np.minimum(middle - half, p), np.maximum(middle + half, p)
        interval: Floats = np.clip(np.stack([low, high], axis=-1), 0.0, 1.0)
        return interval

    def draw(self, size: int, random_state: RandomState = None) -> Floats:
        """Draw profiles (size, m, q) from the posterior of the rates, given the people they were measured on.

        Each row of rates has a Dirichlet posterior, whose prior is worth one person, spread evenly over the
        predictions. Without `sizes`, all profiles are the measured one.
        """
        n, rng = whole_number(size, "size", 1), generator(random_state)
        if self.sizes is None:
            return np.broadcast_to(self.vector, (n, *self.vector.shape))
        shape = self.matrix * self.sizes[..., None] + 1 / len(self.setting.classes)
        drawn = rng.standard_gamma(shape, size=(n, *shape.shape))
        return off_diagonal(drawn / drawn.sum(axis=-1, keepdims=True))

    def in_measured_prevalence(self) -> GroupRates:
        """Return the same rates in a setting whose prevalence is that of the people they were measured on."""
        if self.counts is None:
            raise EvenhandError(
                "these rates came without counts, so the prevalence that they were measured at is unknown: "
                "measure them with group_rates"
            )
        people = self.counts.sum(axis=-1)
        here = Setting(self.setting.classes, self.setting.groups, people / people.sum(axis=0))
        return GroupRates(setting=here, matrix=self.matrix, counts=self.counts, sizes=self.sizes)

    def arranged(self, setting: Setting) -> GroupRates:
        """Return the same rates with classes and groups in the order of another setting with the same names."""
        expect(setting, "setting", Setting)
        mine = self.setting
        if mine.same_names(setting):
            return self
        differ = mine.how_names_differ(setting, "the rates", "the setting")
        if differ:
            raise EvenhandError(f"the names of the rates and of the setting differ ({differ})")
        groups = np.array([mine.groups.index(group) for group in setting.groups])
        classes = np.array([mine.classes.index(one) for one in setting.classes])
        square, rows = np.ix_(groups, classes, classes), np.ix_(groups, classes)
        return GroupRates(
            setting=Setting(setting.classes, setting.groups, mine.prevalence[rows]),
            matrix=self.matrix[square],
            counts=None if self.counts is None else self.counts[square],
            sizes=None if self.sizes is None else self.sizes[rows],
        )

    def __repr__(self) -> str:
        k, m = len(self.setting.classes), len(self.setting.groups)
        people = "" if self.counts is None else f", {self.counts.sum():,.6g} people"
        return f"GroupRates({k} classes, {m} groups{people})"

    def _table(self) -> Table:
        return display.table_of_rates(self)

    def _columns(self) -> dict[str, list[Any]]:
        return display.columns_of_rates(self)

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the rates of each kind of mistake by group, with confidence intervals, and return the axes.

        It draws on `ax` or, without one, on a new figure. Needs the extra `figures`.
        """
        return display.plot_of_rates(self, ax)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, GroupRates):
            return NotImplemented
        return self.setting == other.setting and np.array_equal(self.matrix, other.matrix)

    def __hash__(self) -> int:
        return hash((self.setting, self.matrix.tobytes()))


def _checked_counts(value: Floats, name: str, shape: tuple[int, ...]) -> Floats:
    array = float_array(value, name, shape, "(groups, true classes, …)")
    least = 0.0 if name == "counts" else np.nextafter(0, 1)
    if not (np.isfinite(array).all() and (array >= least).all()):
        raise EvenhandError(f"{name} must be finite and {'not negative' if name == 'counts' else 'positive'}")
    return array
