"""Scores that no region can be made of are refused, with the group, class or row that is to blame."""

from typing import Any

import numpy as np
import pytest
from tests.region.made_up import people

from evenhand import EvenhandError, FeasibleRegion
from evenhand.region import Sphere

CHANCES, LABELS, GROUP = people(3, 2, 90, 0)
NAMES = np.array(["women", "men"])[GROUP]


def with_row(row: Any) -> Any:
    chances = CHANCES.copy()
    chances[7] = row
    return chances


def without_signal(*, rows: Any) -> Any:
    """In these rows class 1 is always as likely as class 2, relative to how many there are."""
    chances = CHANCES.copy()
    both = chances[rows, 1] + chances[rows, 2]
    chances[rows, 1], chances[rows, 2] = 0.4 * both, 0.6 * both
    return chances


WOMEN = NAMES == "women"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"probabilities": with_row([1.2, -0.2, 0])}, "probabilities in row 7 is .*between 0 and 1 and sum to 1"),
        ({"probabilities": with_row([0.5, 0.2, 0.2])}, "probabilities in row 7"),
        ({"probabilities": with_row([np.nan, 0.5, 0.5])}, "probabilities in row 7 is .nan"),
        ({"probabilities": CHANCES[:, 0]}, r"shape \(90,\), but must have \(90, k\).*column_stack"),
        ({"probabilities": np.ones((90, 1))}, "at least two classes"),
        ({"probabilities": "scores"}, "probabilities must be numbers"),
        ({"probabilities": np.full((90, 3), 1 / 3)}, "group 'men' has no signal: everybody has the same score"),
        ({"probabilities": without_signal(rows=WOMEN)}, "group 'women' has no signal: .* the classes 1, 2 apart"),
        ({"sensitive_features": NAMES[:-1]}, "sensitive_features has 89 rows, but probabilities has 90"),
        ({"sensitive_features": [None, *NAMES[1:]]}, "sensitive_features is missing"),
        ({"sample_weight": np.where(WOMEN, 0.0, 1.0)}, "group 'women' has no people of class 0"),
        ({"sample_weight": -np.ones(90)}, "sample_weight is -1.0 in row 0"),
        ({"y_true": np.minimum(LABELS, 1)}, r"3 columns, but y_true has the 2 classes 0, 1"),
        ({"y_true": np.where(WOMEN & (LABELS == 2), 1, LABELS)}, "group 'women' has no people of class 2"),
        ({"y_true": LABELS[:5]}, "y_true has 5 rows, but probabilities has 90"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_the_error_says_what_is_wrong(options: dict[str, Any], message: str) -> None:
    given = {"probabilities": CHANCES, "sensitive_features": NAMES, **options}
    with pytest.raises(EvenhandError, match=message):
        FeasibleRegion.from_scores(**given)


def test_a_class_that_nobody_of_a_group_may_be_in_is_refused() -> None:
    chances = CHANCES.copy()
    chances[WOMEN] = [0.5, 0.5, 0.0]
    with pytest.raises(EvenhandError, match="group 'women' has no people of class 2"):
        FeasibleRegion.from_scores(chances, sensitive_features=NAMES)


@pytest.mark.parametrize("scale", [1e300, 1e-300])
def test_only_the_proportions_of_weights_count(scale: float) -> None:
    plain = FeasibleRegion.from_scores(CHANCES, LABELS, sensitive_features=NAMES)
    scaled = FeasibleRegion.from_scores(CHANCES, LABELS, sensitive_features=NAMES, sample_weight=np.full(90, scale))
    assert scaled.sphere().radius == pytest.approx(plain.sphere().radius)
    assert scaled.sizes == pytest.approx(plain.sizes)
    assert scaled.setting.prevalence == pytest.approx(plain.setting.prevalence)


def test_a_class_that_is_there_by_rounding_alone_is_refused() -> None:
    chances = np.array([[1.0, 1e-300], [1.0, 5e-300]])
    with pytest.raises(EvenhandError, match="group 'x' has no people of class 1"):
        FeasibleRegion.from_scores(chances, sensitive_features=["x", "x"])


def test_next_to_no_signal_leaves_no_sphere() -> None:
    nearly = np.array([[0.5, 0.5], [0.5 + 1e-6, 0.5 - 1e-6]] * 5)
    region = FeasibleRegion.from_scores(nearly, sensitive_features=["x"] * 10)
    with pytest.raises(EvenhandError, match="group 'x' has next to no signal"):
        region.sphere()


@pytest.mark.parametrize("classes", [2, 3, 4])
def test_the_sphere_shrinks_with_the_signal_until_there_is_none(classes: int) -> None:
    draws = np.random.default_rng(0).uniform(-1, 1, size=(8, classes))

    def sphere(signal: float) -> Sphere:
        scores = 1 / classes + signal * draws
        scores /= scores.sum(axis=1, keepdims=True)
        return FeasibleRegion.from_scores(scores, sensitive_features=["x"] * 8).sphere()

    assert sphere(1e-4).radius == pytest.approx(sphere(1e-2).radius / 100, rel=0.03)
    with pytest.raises(EvenhandError, match="group 'x' has next to no signal"):
        sphere(2e-7 * classes)
