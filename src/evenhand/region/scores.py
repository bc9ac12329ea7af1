"""Checks class probabilities of the user's own data, and turns them into what each group can reach."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from evenhand.checks.columns import class_probabilities, sample_weights
from evenhand.checks.messages import listed, shown
from evenhand.errors import EvenhandError
from evenhand.rates import Setting, labels
from evenhand.rates import sensitive_features as features
from evenhand.rates.counting.tally import tally
from evenhand.rates.labels import Coded
from evenhand.region.calibration import AS_GIVEN, GroupCalibration
from evenhand.region.group_region import GroupRegion
from evenhand.typing import Floats, Groups

# If a singular value of the likelihoods, relative to the largest, is below this, only rounding tells two classes apart.
_NO_SIGNAL = 1e-7
_FAR_OFF = 5.0
# A class with a smaller share of its group is absent but for rounding: probabilities sum to 1 only this exactly.
_NEGLIGIBLE = 1e-12


class Scored(NamedTuple):
    """The setting, what each group can reach, the effective sample sizes (m, k), how calibrated, and warnings."""

    setting: Setting
    groups: tuple[GroupRegion, ...]
    sizes: Floats
    calibration: tuple[GroupCalibration, ...]
    warnings: tuple[str, ...]


def read_scores(
    probabilities: ArrayLike,
    y_true: ArrayLike | None,
    sensitive_features: Groups,
    sample_weight: ArrayLike | None,
    how: Sequence[str] | None = None,
) -> Scored:
    """Check the columns, and split the people by group; `how` says how each was calibrated."""
    chances = class_probabilities(
        probabilities,
        "probabilities",
        instead="; for two classes, np.column_stack([1 - p, p]) makes both columns",
    )
    rows, k = chances.shape
    if k < 2:
        raise EvenhandError(f"probabilities has {k} column: there must be one for each of at least two classes")
    group = features.read(sensitive_features, rows=rows, beside="probabilities")
    weight = np.ones(rows) if sample_weight is None else sample_weights(sample_weight, rows)
    true = None if y_true is None else _classes(y_true, rows, k)
    classes = tuple(range(k)) if true is None else true.labels
    regions, people, sizes, calibration = [], [], [], []
    for code, name in enumerate(group.labels):
        here = np.flatnonzero((group.codes == code) & (weight > 0))
        heaviest = weight[here].max(initial=0.0) or 1.0  # so that no squared weight over- or underflows
        region = GroupRegion(name, np.ascontiguousarray(chances[here].T), weight[here] / heaviest)
        counted = region.mass if true is None else tally(true.codes[here], k, region.weight)
        for mass in (counted, region.mass):
            _check_everyone_there(mass, name, classes)
        _check_signal(region, classes)
        regions.append(region)
        people.append(counted * heaviest)
        member = region.columns if true is None else (true.codes[here] == np.arange(k)[:, None])
        if true is not None:
            said = AS_GIVEN if how is None else how[code]
            measured = GroupCalibration.measured(name, region.columns, true.codes[here], region.weight, said)
            calibration.append(measured)
        sizes.append(counted**2 / (member @ region.weight**2))  # Kish's effective sample size
    table = np.array(people)
    setting = Setting.of_any_groups(classes, group.labels, table / table.sum(axis=0))
    warnings = () if true is None else tuple(_warnings(regions, table, np.array(sizes), calibration, classes))
    return Scored(setting, tuple(regions), np.array(sizes), tuple(calibration), warnings)


def _classes(y_true: ArrayLike, rows: int, k: int) -> Coded:
    true = labels.read(y_true, "y_true", what="classes", rows=rows, beside="probabilities")
    if len(true.labels) != k:
        raise EvenhandError(
            f"probabilities has {k} columns, but y_true has the {len(true.labels)} classes {listed(true.labels)}: "
            "there must be a column for each class, in sorted order, and at least one person in each class"
        )
    return true


def _check_everyone_there(people: Floats, group: object, classes: tuple[object, ...]) -> None:
    there = people > _NEGLIGIBLE * people.sum()
    if not there.all():
        absent = classes[int(there.argmin())]
        raise EvenhandError(
            f"group {shown(group)} has no people of class {shown(absent)} (with a positive weight or probability), so "
            "its rates there are undefined: add such people, merge groups or classes, or leave one out"
        )


def _check_signal(region: GroupRegion, classes: tuple[object, ...]) -> None:
    """Refuse a group in which the likelihoods of the classes are linearly dependent, so that no score tells them apart.

    Its rates then lie in a plane, and no ball around o is within reach: the paper's Assumption 1 fails.
    """
    likelihood = region.columns / region.mass[:, None]
    # Σₓ w·a aᵀ / Σᵢ aᵢ, a small matrix with the same null space as the likelihoods of all people
    scaled = likelihood * (region.weight / likelihood.sum(axis=0))
    values, vectors = np.linalg.eigh(scaled @ likelihood.T)
    if values[0] > _NO_SIGNAL**2 * values[-1]:
        return
    involved = np.abs(vectors[:, 0]) > 1e-3 * np.abs(vectors[:, 0]).max()
    same = [name for name, one in zip(classes, involved, strict=True) if one]
    constant = (np.ptp(region.columns, axis=1) <= 1e-12).all()
    why = (
        f"everybody has the same score {shown(region.columns[:, 0].tolist())}"
        if constant
        else f"the scores do not tell the classes {listed(same)} apart"
    )
    raise EvenhandError(
        f"group {shown(region.name)} has no signal: {why}, so no ball of rates around the uniform classifier's is "
        "within its reach (radius 0). Use a model that tells its classes apart, or merge classes or groups"
    )


def _warnings(
    groups: list[GroupRegion],
    people: Floats,
    sizes: Floats,
    calibration: list[GroupCalibration],
    classes: tuple[object, ...],
) -> Iterator[str]:
    """Say of each group whose probabilities chance does not explain how far they are off."""
    for group, counted, effective, measured in zip(groups, people, sizes, calibration, strict=True):
        share, expected = counted / counted.sum(), group.mass / group.mass.sum()
        error = np.sqrt(expected * (1 - expected) / effective.sum())
        far_off = np.abs(share - expected) / np.maximum(error, 1e-12)
        worst = int(far_off.argmax())
        if far_off[worst] > _FAR_OFF:  # calibration in the large: no bins are needed to see it
            said = (
                f"they put {expected[worst]:.1%} of its people in class {shown(classes[worst])}, but "
                f"{share[worst]:.1%} are"
            )
        elif measured.off:
            said = (
                f"they are {measured.error:.1%} off on average, and probabilities that are right would seem "
                f"{measured.by_chance:.1%} off"
            )
        else:
            continue
        advice = (
            " Calibrate them: calibrate=True, or the command without --as-given." if measured.how == AS_GIVEN else ""
        )
        yield (
            f"The probabilities are not calibrated in group {shown(group.name)}: {said}. Rates may be called within "
            f"reach that are not, and others out of reach that models have.{advice}"
        )
