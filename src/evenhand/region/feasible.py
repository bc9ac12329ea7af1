"""`FeasibleRegion`: the rates that some classifier can achieve on the user's own data, group by group."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from math import sqrt
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from evenhand.checks.arrays import float_array, number, numbers, whole_number
from evenhand.checks.columns import class_probabilities
from evenhand.checks.documents import Format
from evenhand.checks.messages import expect, listed, shown
from evenhand.display.displayed import Displayed
from evenhand.display.table import Table
from evenhand.errors import EvenhandError
from evenhand.rates import GroupRates, Setting, matrix_from_vector, uniform_rates
from evenhand.rates.setting import SETTING_FIELDS
from evenhand.rates.ties import ROUNDING
from evenhand.region import display
from evenhand.region.ball import NO_BALL, Bounds, ball_by_axes, largest_ball
from evenhand.region.calibration import GroupCalibration
from evenhand.region.cells import counted
from evenhand.region.classifier import MixtureClassifier
from evenhand.region.group_region import GroupRegion
from evenhand.region.scores import read_scores
from evenhand.region.search import MixtureSearch, Nearest
from evenhand.region.sphere import Sphere, common_sphere
from evenhand.typing import Floats, Groups, Label
from evenhand.wording.numerals import plural

if TYPE_CHECKING:
    from matplotlib.axes import Axes

REGION_FORMAT = Format(
    name="evenhand.region",
    what="region",
    fields=(*SETTING_FIELDS, "cells", "sizes", "calibration", "warnings"),
)
SphereMethod = Literal["axes", "certified"]
METHODS: tuple[SphereMethod, ...] = get_args(SphereMethod)
_ATTAINED = 5e-7
_FAR_BY_CHANCE = 0.01
_NO_RATE = 1e6
"""Larger numbers are refused as mistakes of input: their distance from the region means nothing, and may overflow."""


class OutOfReachError(EvenhandError):
    """No classifier has these rates: `nearest` are the nearest within reach, at `distance` (m,) of each group.

    Examples
    --------
    >>> from evenhand import FeasibleRegion
    >>> scores = [[0.9, 0.1], [0.5, 0.5], [0.1, 0.9], [0.8, 0.2], [0.2, 0.8]]
    >>> region = FeasibleRegion.from_scores(scores, sensitive_features=["a", "a", "a", "b", "b"])
    >>> try:
    ...     region.classifier_for([0.0, 0.0])
    ... except OutOfReachError as error:
    ...     print(error.nearest.vector.round(2).tolist())
    [[0.23, 0.23], [0.2, 0.2]]
    """

    def __init__(self, message: str, nearest: GroupRates, distance: Floats) -> None:
        super().__init__(message)
        self.nearest = nearest
        self.distance = distance


@dataclass(frozen=True, eq=False)
class Containment:
    """Whether rates are within reach, with the proof; true if they are.

    Attributes
    ----------
    inside
        Whether every group comes within the tolerance of the rates: the answer to the paper's OP1.
    distance
        How far each group stays from the rates, (m,).
    by_group
        For each group the nearest mixture of plug-in classifiers and, where the group cannot reach the rates, the
        direction that separates them from everything it can reach.
    standard_errors
        The distance of each group (m,) in standard errors of rates that are measured on so many people; None if the
        rates came without the numbers of people.

    Examples
    --------
    >>> scores = np.array([[0.9, 0.1], [0.5, 0.5], [0.1, 0.9], [0.8, 0.2], [0.2, 0.8]])
    >>> region = FeasibleRegion.from_scores(scores, sensitive_features=["a", "a", "a", "b", "b"])
    >>> found = region.contains([0.0, 0.0])
    >>> bool(found), found.distance.round(2).tolist(), found.farthest
    (False, [0.33, 0.28], 0)
    """

    inside: bool
    distance: Floats
    by_group: tuple[Nearest, ...] = field(repr=False)
    standard_errors: Floats | None = None

    @property
    def by_chance(self) -> bool:
        """Whether the rates are within reach, or so near that measuring them on few people explains it.

        Of a hundred models that are within reach and measured so, at most about one seems farther away than this in
        some group. The direction in which rates are out of reach is that of their errors, so the limit is the one for
        all directions at once (Scheffé 1953).
        """
        if self.inside or self.standard_errors is None:
            return self.inside
        from scipy.special import chdtri  # noqa: PLC0415  # SciPy is slow to import

        most = sqrt(chdtri(self.by_group[0].rates.size, _FAR_BY_CHANCE / len(self.standard_errors)))
        return bool((self.standard_errors <= most).all())

    @property
    def farthest(self) -> int:
        """The place of the group that speaks most against the rates: by standard errors or, without them, by distance.

        Few people may be far away by chance, and many be out of reach although they are near.
        """
        return int((self.distance if self.standard_errors is None else self.standard_errors).argmax())

    def __bool__(self) -> bool:
        return self.inside


@dataclass(frozen=True, eq=False, repr=False)
class FeasibleRegion(Displayed):
    """What each group can reach. Make it with `from_scores` or `from_estimator`.

    The region assumes that the class probabilities are calibrated: a classifier's rate P(predict j | class i) in a
    group is the mean of its decisions, with each person weighted by P(class i | x).

    Attributes
    ----------
    setting
        The classes, the groups (here a single one is allowed), and their prevalence.
    groups
        What each group can reach.
    sizes
        The effective sample size of each group and class, (m, k).
    calibration
        How well calibrated the probabilities of each group are; empty where the true classes are not known.
    warnings
        A sentence for each reason to doubt the probabilities.
    in_cells
        Whether people are counted in cells, by `counted`, so that the region holds nobody's row.

    Examples
    --------
    >>> scores = np.array([[0.9, 0.1], [0.5, 0.5], [0.1, 0.9], [0.8, 0.2], [0.2, 0.8]])
    >>> region = FeasibleRegion.from_scores(scores, sensitive_features=["a", "a", "a", "b", "b"])
    >>> sphere = region.sphere()
    >>> round(sphere.radius, 4)
    0.3638
    >>> classifier = region.classifier_for(sphere.at(np.array([0.0, 1.0])))
    >>> classifier.rates.vector.round(4)
    array([[0.5   , 0.8638],
           [0.5   , 0.8638]])
    """

    setting: Setting
    groups: tuple[GroupRegion, ...] = field(repr=False)
    sizes: Floats = field(repr=False)
    calibration: tuple[GroupCalibration, ...] = field(default=(), repr=False)
    warnings: tuple[str, ...] = ()
    in_cells: bool = False

    @classmethod
    def from_scores(
        cls,
        probabilities: ArrayLike,
        y_true: ArrayLike | None = None,
        *,
        sensitive_features: Groups,
        sample_weight: ArrayLike | None = None,
        calibrate: bool = False,
        folds: int = 5,
        random_state: int = 0,
    ) -> FeasibleRegion:
        """Make the region from class probabilities P(Y | X) on the user's data.

        Parameters
        ----------
        probabilities
            An array (n, k), its columns in the sorted order of the classes.
        y_true
            The true classes, if known. They give the names of the classes (otherwise 0, 1, …) and the number of people
            of each class in each group. `warnings` says where the probabilities contradict them.
        sensitive_features
            The group of each person.
        sample_weight
            The weight of each person; by default all count equally.
        calibrate
            Calibrate the probabilities within each group, by people whose calibration has not seen them
            (cross-fitting with so many `folds`); this needs `y_true` and the extra `models`. Without it, they must be
            calibrated already, in every group.
        """
        chances, how = probabilities, None
        if calibrate:
            if y_true is None:
                raise EvenhandError("probabilities are calibrated by true classes: give y_true, or leave out calibrate")
            from evenhand.region.cross_fit import calibrated_scores  # noqa: PLC0415  # scikit-learn is an extra

            chances, how = calibrated_scores(
                probabilities,
                y_true,
                sensitive_features,
                sample_weight=sample_weight,
                folds=folds,
                random_state=random_state,
            )
        return cls(*read_scores(chances, y_true, sensitive_features, sample_weight, how))

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: ArrayLike,
        sensitive_features: Groups,
        *,
        sample_weight: ArrayLike | None = None,
        folds: int = 5,
        random_state: int = 0,
    ) -> FeasibleRegion:
        """Make the region from a scikit-learn classifier, fitted or not; needs the extra `models`.

        Each person's probabilities come from a model and a calibration that have not seen this person (cross-fitting
        with so many `folds`), so that over-fitting does not enlarge the region. Each group is calibrated by itself,
        if it has enough people; `calibration` says how, and how well.
        """
        from evenhand.region.cross_fit import calibrated_probabilities  # noqa: PLC0415  # scikit-learn is an extra

        chances, how = calibrated_probabilities(
            estimator, X, y, sensitive_features, sample_weight=sample_weight, folds=folds, random_state=random_state
        )
        return cls(*read_scores(chances, y, sensitive_features, sample_weight, how))

    def counted(self, cells: int = 200) -> FeasibleRegion:
        """Return the region of people who are counted together where their class probabilities are similar.

        It holds nobody's row: a group has at most so many cells of at least ten people, with their number and their
        mean probabilities. What it calls within reach is within reach. In the made-up cases of our tests, its sphere is
        smaller by less than a hundredth for two and three classes, and by less than a twentieth for four.
        """
        if self.in_cells:
            return self
        most = whole_number(cells, "cells", len(self.setting.classes))
        return replace(self, groups=tuple(counted(group, most) for group in self.groups), in_cells=True)

    def to_document(self) -> dict[str, Any]:
        """Return a region of cells as JSON holds it; one that holds a row for each person is refused."""
        if not self.in_cells:
            raise EvenhandError(
                "this region holds a row for each person, which is not kept: take region.counted(), which holds counts"
            )
        return REGION_FORMAT.write(
            **self.setting.to_document(),
            cells=[[[float(n), *chances] for n, chances in _rows(group)] for group in self.groups],
            sizes=self.sizes.tolist(),
            calibration=[asdict(one) for one in self.calibration],
            warnings=list(self.warnings),
        )

    def to_json(self) -> str:
        """Return the region, its people counted in cells, as a JSON document that `from_json` reads back."""
        return json.dumps(self.counted().to_document(), ensure_ascii=False, allow_nan=False)

    @classmethod
    def from_json(cls, text: str) -> FeasibleRegion:
        """Read a region that `to_json` wrote."""
        return cls._of_fields(REGION_FORMAT.from_json(text))

    @classmethod
    def from_document(cls, document: object) -> FeasibleRegion:
        """Read a region that `to_document` returned."""
        return cls._of_fields(REGION_FORMAT.read(document))

    @classmethod
    def _of_fields(cls, fields: dict[str, Any]) -> FeasibleRegion:
        setting = Setting.of_any_groups(*(fields[name] for name in SETTING_FIELDS))
        shape = (len(setting.groups), len(setting.classes))
        expect(fields["cells"], "cells", list)
        if len(fields["cells"]) != shape[0]:
            raise EvenhandError(f"cells must have a list for each of the {shape[0]} groups")
        groups = tuple(
            _group_of(name, cells, shape[1]) for name, cells in zip(setting.groups, fields["cells"], strict=True)
        )
        sizes = float_array(fields["sizes"], "sizes", shape, "(groups, classes)")
        for name in ("calibration", "warnings"):
            expect(fields[name], name, list)
        for warning in fields["warnings"]:
            expect(warning, "a warning", str)
        calibration = tuple(GroupCalibration.from_document(one) for one in fields["calibration"])
        if calibration and tuple(one.group for one in calibration) != setting.groups:
            raise EvenhandError(
                f"calibration is of the groups {listed([one.group for one in calibration])}, but the region has "
                f"{listed(setting.groups)}: was the file edited?"
            )
        return cls(setting, groups, sizes, calibration, tuple(fields["warnings"]), in_cells=True)

    def support(self, directions: ArrayLike) -> Floats:
        """Return the rates (…, m, q) of each group that lie farthest in directions (…, q): the largest ⟨d, r⟩.

        To find the best classifiers for given costs of mistakes, use the direction −costs.
        """
        q = len(self.setting.mistakes)
        towards = numbers(directions, "directions", "(…, kinds of mistake)")
        if towards.shape[-1:] != (q,) or not np.isfinite(towards).all():
            raise EvenhandError(
                f"directions must be finite, with a last axis of {q} kinds of mistake, but received {shown(directions)}"
            )
        flat = towards.reshape(-1, q)
        if not len(flat):
            return np.empty((*towards.shape[:-1], len(self.groups), q))
        farthest = np.stack([group.corners(flat).rates for group in self.groups], axis=1)
        return farthest.reshape(*towards.shape[:-1], len(self.groups), q)

    def contains(self, rates: GroupRates | ArrayLike, tolerance: float = 1e-6) -> Containment:
        """Return whether each group comes within a tolerance (in ‖·‖₂) of rates, with the proof: the paper's OP1.

        `rates` are `GroupRates`, a profile (m, q), or one vector (q,) for all groups.
        """
        tolerance = number(tolerance, "tolerance", "a number that is not negative", lambda value: value >= 0)
        profile = self._profile(rates)
        found = tuple(MixtureSearch(group).nearest(target) for group, target in zip(self.groups, profile, strict=True))
        distance = np.array([one.distance for one in found])
        errors = _standard_errors(found, rates) if isinstance(rates, GroupRates) and rates.sizes is not None else None
        return Containment(bool((distance <= tolerance + ROUNDING).all()), distance, found, errors)

    def sphere(self, method: SphereMethod = "certified") -> Sphere:
        """Return a sphere around o that every group can reach.

        Parameters
        ----------
        method
            `"axes"`: by Algorithm 3 of the paper. `"certified"`: the largest sphere that we can prove to be within
            reach. In both cases, the sphere's `upper` is an upper bound of the radius of any sphere within reach.
        """
        if not (isinstance(method, str) and method in METHODS):
            raise EvenhandError(f"method must be one of {listed(METHODS)}, but received {shown(method)}")
        bounds, limiting = self._by_axes if method == "axes" else self._certified
        if bounds.lower < NO_BALL:
            raise EvenhandError(
                f"group {shown(limiting.name)} has next to no signal: the largest ball of rates around the uniform "
                f"classifier's that is certainly within its reach has radius {max(0.0, bounds.lower):.2g}. "
                "Use a model that tells its classes apart, or merge classes or groups"
            )
        return Sphere(uniform_rates(len(self.setting.classes)), bounds.lower, bounds.upper)

    @cached_property
    def _by_axes(self) -> tuple[Bounds, GroupRegion]:
        return ball_by_axes(self.groups)

    @cached_property
    def _certified(self) -> tuple[Bounds, GroupRegion]:
        return largest_ball(self.groups)

    def classifier_for(self, rates: GroupRates | ArrayLike) -> MixtureClassifier:
        """Return a classifier with these rates: in each group a mixture of at most q + 1 plug-in classifiers.

        `rates` are `GroupRates`, a profile (m, q), or one vector (q,) for all groups. If they are out of reach, the
        `OutOfReachError` has their distance and the nearest rates within reach.
        """
        found = self.contains(rates, tolerance=_ATTAINED)
        attained = np.stack([one.rates for one in found.by_group])
        reached = GroupRates(setting=self.setting, matrix=matrix_from_vector(attained), sizes=self.sizes)
        if not found:
            far = found.farthest
            raise OutOfReachError(
                f"no classifier of these scores has these rates: group {shown(self.setting.groups[far])} stays at "
                f"least {found.distance[far]:.4g} away{_in_errors(found, far)}. The nearest rates within reach are, "
                f"group by group, {[[round(float(rate), 4) for rate in one] for one in attained]} (.nearest)",
                reached,
                found.distance,
            )
        return MixtureClassifier(
            rates=reached,
            weights=tuple(one.corners.weights for one in found.by_group),
            shares=tuple(one.shares for one in found.by_group),
        )

    def _profile(self, rates: GroupRates | ArrayLike) -> Floats:
        if isinstance(rates, GroupRates):
            if not rates.setting.same_names(self.setting):
                raise EvenhandError(
                    f"this region has the classes {listed(self.setting.classes)} and the groups "
                    f"{listed(self.setting.groups)}, but the rates have {listed(rates.setting.classes)} and "
                    f"{listed(rates.setting.groups)}: they must be the same, in the same order"
                )
            return rates.vector
        m, q = shape = (len(self.setting.groups), len(self.setting.mistakes))
        array = numbers(rates, "rates", "(groups, kinds of mistake)")
        if array.shape == (q,):
            array = np.broadcast_to(array, (m, q))
        array = float_array(array, "rates", shape, "(groups, kinds of mistake), or one vector for all groups")
        if not (np.abs(array) <= _NO_RATE).all():
            raise EvenhandError(f"rates must lie between 0 and 1, but received {shown(rates)}")
        return array

    def __repr__(self) -> str:
        k, m = len(self.setting.classes), len(self.setting.groups)
        return f"FeasibleRegion({k} classes, {plural(m, 'group')}, {self.sizes.sum():,.6g} people)"

    def _table(self) -> Table:
        return display.table_of_region(self)

    def _columns(self) -> dict[str, list[Any]]:
        return display.columns_of_region(self)

    def plot(
        self,
        models: Mapping[str, GroupRates] | None = None,
        *,
        sphere: Sphere | None = None,
        mistakes: ArrayLike | None = None,
    ) -> Axes:
        """Draw the regions of all groups, o, the sphere, the trivial classifiers and, as dots, your own models.

        For two classes this is the paper's Figure 2 on real data. For more, each panel is a projection on two kinds of
        mistake. `mistakes` selects two to six of them by their indices in `setting.mistakes`; by default the first six
        are drawn. Returns the axes, of several panels those of the first; `.figure.axes` has them all, and
        `.figure.savefig("region.png")` saves the picture. Needs the extra `figures`.
        """
        from evenhand.region.picture import picture  # noqa: PLC0415  # Matplotlib is an extra

        drawn = self.sphere() if sphere is None else sphere
        expect(drawn, "sphere", Sphere)
        if drawn.dimension != (q := len(self.setting.mistakes)):
            raise EvenhandError(f"sphere has {drawn.dimension} dimensions, but there are {q} kinds of mistake")
        return picture(self, models, drawn, mistakes)


def _rows(group: GroupRegion) -> Iterator[tuple[float, list[float]]]:
    """Return the number of people and the class probabilities of each cell."""
    yield from zip(group.weight.tolist(), group.columns.T.tolist(), strict=True)


def _group_of(name: Label, cells: ArrayLike, classes: int) -> GroupRegion:
    """Read the cells of a group."""
    where = f"the cells of group {shown(name)}"
    table = numbers(cells, where, "a number of people and the class probabilities of each")
    if table.ndim != 2 or table.shape[1] != 1 + classes or not len(table):
        raise EvenhandError(f"{where} must each have a number of people and {classes} class probabilities")
    if not (np.isfinite(table).all() and (table[:, 0] > 0).all()):
        raise EvenhandError(f"{where} must have positive, finite numbers of people")
    chances = class_probabilities(table[:, 1:], where, classes=classes)
    group = GroupRegion(name, np.ascontiguousarray(chances.T), table[:, 0])
    if not (group.mass > 0).all():
        raise EvenhandError(f"{where} have nobody of some class, so its rates there are undefined")
    return group


def _standard_errors(found: Sequence[Nearest], rates: GroupRates) -> Floats:
    """Return each group's distance in standard errors of measured rates, along the direction that separates them.

    Of the people of one class, the predictions are multinomial; the classes are independent. Half a person is added to
    each prediction, as Jeffreys' prior does: otherwise a rate that is measured as 0 would have no error.
    """
    assert rates.sizes is not None  # noqa: S101  # asked by the caller
    errors = np.zeros(len(found))
    for place, (one, matrix, sizes) in enumerate(zip(found, rates.matrix, rates.sizes, strict=True)):
        if one.direction is None:
            continue
        steps = matrix_from_vector(one.direction)
        np.fill_diagonal(steps, 0.0)
        people = sizes[:, None]
        rate = (people * matrix + 0.5) / (people + 0.5 * len(sizes))
        mean = (steps * rate).sum(axis=1)
        errors[place] = one.distance / sqrt((((steps**2 * rate).sum(axis=1) - mean**2) / sizes).sum())
    return errors


def _in_errors(found: Containment, far: int) -> str:
    """Say how many standard errors of its measured rates a group is away."""
    if found.standard_errors is None:
        return ""
    said = f", {found.standard_errors[far]:.2g} standard errors of rates measured on so many people"
    return said + (", which chance explains" if found.by_chance else "")


def sphere_for(setting: Setting, radius: float | None, region: FeasibleRegion | None) -> Sphere:
    """Return the sphere that questions come from: that of the region, if there is one.

    Examples
    --------
    >>> sphere_for(Setting([0, 1], ["a", "b"], [[0.5, 0.5], [0.5, 0.5]]), 0.1, None).radius
    0.1
    """
    expect(setting, "setting", Setting)
    if region is None:
        return common_sphere(len(setting.classes), radius)
    expect(region, "region", FeasibleRegion)
    _ = setting.pairs  # refuses a single group
    if not setting.same_names(region.setting):
        raise EvenhandError(
            f"the region has the classes {listed(region.setting.classes)} and groups "
            f"{listed(region.setting.groups)}, but the setting has {listed(setting.classes)} and "
            f"{listed(setting.groups)}: they must be the same, in the same order"
        )
    largest = region.sphere()
    if radius is None:
        return largest
    wanted = Sphere(largest.center, radius)
    if wanted.radius > largest.radius:
        raise EvenhandError(
            f"radius is {radius}, but only spheres up to {largest.radius:.6g} are certainly within reach of all "
            "groups: omit it, or choose a smaller one"
        )
    return wanted
