"""`Setting`: the classes, the groups and their prevalence, which are the same for every model."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from evenhand.checks.arrays import float_array, generator, whole_number
from evenhand.checks.columns import sample_weights
from evenhand.checks.documents import checked_fields
from evenhand.checks.messages import listed, shown
from evenhand.display.displayed import Displayed
from evenhand.display.table import Table
from evenhand.errors import EvenhandError
from evenhand.rates import display, labels
from evenhand.rates import sensitive_features as features
from evenhand.rates.counting.cells import cell_of_each, count_people
from evenhand.rates.profile import by_true_class, group_pairs, off_diagonal_entries
from evenhand.typing import Floats, Groups, Label, RandomState

SETTING_FIELDS = ("classes", "groups", "prevalence")
"""The fields of a setting in a JSON document."""

_SUM_TOLERANCE = 1e-6

_MOST_DRAWN = 10_000_000


@dataclass(frozen=True, eq=False, repr=False)
class Setting(Displayed):
    """The classes, the groups, and `prevalence[g, i]` = P(group g | true class i).

    Parameters
    ----------
    classes, groups
        At least two of each, with different names (text or numbers, not both).
    prevalence
        An array (m, k) of positive numbers; each column sums to 1.

    Examples
    --------
    >>> Setting(["repays", "defaults"], ["women", "men"], [[0.5, 0.4], [0.5, 0.6]]).pairs
    (('women', 'men'),)
    """

    classes: tuple[Label, ...]
    groups: tuple[Label, ...]
    prevalence: Floats

    def __init__(self, classes: ArrayLike, groups: ArrayLike, prevalence: ArrayLike) -> None:
        self._take(classes, groups, prevalence, least_groups=2)

    @classmethod
    def of_any_groups(cls, classes: ArrayLike, groups: ArrayLike, prevalence: ArrayLike) -> Setting:
        """Make a setting that may have a single group, for uses that compare no groups."""
        setting = cls.__new__(cls)
        setting._take(classes, groups, prevalence, least_groups=1)  # noqa: SLF001  # of this class
        return setting

    def _take(self, classes: ArrayLike, groups: ArrayLike, prevalence: ArrayLike, *, least_groups: int) -> None:
        object.__setattr__(self, "classes", labels.names(classes, "classes"))
        object.__setattr__(self, "groups", labels.names(groups, "groups", least=least_groups))
        object.__setattr__(self, "prevalence", self._checked(prevalence))

    def _checked(self, prevalence: ArrayLike) -> Floats:
        shape = (len(self.groups), len(self.classes))
        array = float_array(prevalence, "prevalence", shape, "one row per group, one column per class")
        # NaN fails every comparison, so it is refused here too.
        wrong = ~((array > 0) & (array <= 1 + _SUM_TOLERANCE))
        if wrong.any():
            g, i = np.argwhere(wrong)[0]
            raise EvenhandError(
                f"prevalence of group {shown(self.groups[g])} in class {shown(self.classes[i])} is {array[g, i]}: "
                "it must be above 0 and at most 1 (the rates of a group without a class are undefined)"
            )
        sums = array.sum(axis=0)
        i = int(np.abs(sums - 1).argmax())
        if abs(sums[i] - 1) > _SUM_TOLERANCE:
            raise EvenhandError(
                f"prevalence in class {shown(self.classes[i])} sums to {sums[i]:.6g} over the groups, not to 1: "
                "it is P(group | class), so divide each column by its sum"
            )
        return array

    @classmethod
    def from_labels(
        cls, y_true: ArrayLike, *, sensitive_features: Groups, sample_weight: ArrayLike | None = None
    ) -> Setting:
        """Take the classes, the groups (both sorted) and the prevalence from a labelled sample."""
        true = labels.read(y_true, "y_true", what="classes")
        group = features.read(sensitive_features, rows=true.codes.size)
        weight = None if sample_weight is None else sample_weights(sample_weight, true.codes.size)
        cell = cell_of_each(group.codes, len(group.labels), true)
        people = count_people(cell, group.labels, true.labels, weight)
        return cls(true.labels, group.labels, people / people.sum(axis=0))

    @classmethod
    def random(cls, classes: int, groups: int, random_state: RandomState = None) -> Setting:
        """Draw a setting: prevalence uniform on (0.1, 1.1), then normalised so that each class sums to 1.

        The paper does not say which populations its experiments use. This distribution is ours; it keeps every group
        from being very small.
        """
        k, m = whole_number(classes, "classes", 2), whole_number(groups, "groups", 2)
        if k * m > _MOST_DRAWN:
            raise EvenhandError(f"a setting is drawn with at most {_MOST_DRAWN:,} classes × groups: take fewer")
        prevalence = generator(random_state).uniform(0.1, 1.1, size=(m, k))
        return cls(range(1, k + 1), range(1, m + 1), prevalence / prevalence.sum(axis=0))

    def __repr__(self) -> str:
        return f"Setting(classes {listed(self.classes)}; groups {listed(self.groups)})"

    def _table(self) -> Table:
        return display.table_of_setting(self)

    def _columns(self) -> dict[str, list[Any]]:
        return display.columns_of_setting(self)

    def to_document(self) -> dict[str, Any]:
        """Return the setting as JSON holds it."""
        return {"classes": list(self.classes), "groups": list(self.groups), "prevalence": self.prevalence.tolist()}

    @classmethod
    def from_document(cls, document: object) -> Setting:
        """Read a setting that `to_document` wrote, or say what is wrong with it."""
        return cls(**checked_fields(document, "setting", SETTING_FIELDS))

    @property
    def pairs(self) -> tuple[tuple[Label, Label], ...]:
        """The pairs of groups, in the order in which violation weights are kept."""
        if len(self.groups) < 2:
            raise EvenhandError(
                f"there is only one group, {shown(self.groups[0])}, so there are no gaps between groups: "
                "at least two groups are needed"
            )
        return tuple((self.groups[u], self.groups[v]) for u, v in group_pairs(len(self.groups)))

    @property
    def mistakes(self) -> tuple[tuple[Label, Label], ...]:
        """The (true class, predicted class) of each coordinate of a vector of rates."""
        return tuple((self.classes[i], self.classes[j]) for i, j in off_diagonal_entries(len(self.classes)))

    @cached_property
    def tau(self) -> Floats:
        """The paper's τ (m, q): the prevalence, spread over the coordinates of a vector of rates."""
        tau = by_true_class(self.prevalence)
        tau.flags.writeable = False
        return tau

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Setting):
            return NotImplemented
        return self.same_names(other) and np.array_equal(self.prevalence, other.prevalence)

    def __hash__(self) -> int:
        return hash((self.classes, self.groups, self.prevalence.tobytes()))

    def same_names(self, other: Setting) -> bool:
        """Whether the other setting has the same classes and groups in the same order."""
        return self.classes == other.classes and self.groups == other.groups

    def how_names_differ(self, other: Setting, me: str, them: str) -> str:
        """Return a text on the classes and groups that only one of two settings has; "" if both have the same."""
        found = []
        for what in ("classes", "groups"):
            mine, theirs = getattr(self, what), getattr(other, what)
            only_mine, only_theirs = set(mine) - set(theirs), set(theirs) - set(mine)
            parts = [
                f"{listed([name for name in names if name in only])} only in {owner}"
                for names, only, owner in ((mine, only_mine, me), (theirs, only_theirs, them))
                if only
            ]
            if parts and set(map(str, only_mine)) & set(map(str, only_theirs)):
                parts.append("text and numbers are different names")
            found += [f"{what}: {', '.join(parts)}"] if parts else []
        return "; ".join(found)
