"""The picture of what is within reach."""

from collections.abc import Iterator
from io import BytesIO
from typing import Any

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.patches import Circle, Polygon
from tests.region.made_up import people, region

from evenhand import EvenhandError, FeasibleRegion, group_rates
from evenhand.region import Sphere


@pytest.fixture(autouse=True)
def no_window() -> Iterator[None]:
    with mpl.rc_context({"backend": "agg"}):
        yield
    plt.close("all")


def test_for_two_classes_there_is_one_panel_with_regions_sphere_and_models() -> None:
    chances, y, group = people(2, 3, 150, 0)
    made_up = FeasibleRegion.from_scores(chances, sensitive_features=group)
    own = {"argmax $\\frac$": group_rates(y, chances.argmax(axis=1), sensitive_features=group)}
    axes = made_up.plot(own)
    assert axes.figure.axes == [axes]
    borders = [patch for patch in axes.patches if isinstance(patch, Polygon) and not patch.get_fill()]
    assert len(borders) == 3
    circles = [patch for patch in axes.patches if isinstance(patch, Circle)]
    assert made_up.sphere().radius in [circle.radius for circle in circles]
    points = np.array([np.asarray(line.get_xydata())[0] for line in axes.lines])
    for place in ([0.5, 0.5], [0, 1], [1, 0], *own["argmax $\\frac$"].vector):
        assert (np.abs(points - place).max(axis=1) < 1e-9).any()
    axes.figure.savefig(BytesIO())  # type: ignore[union-attr]


def test_for_three_classes_there_are_all_pairwise_projections() -> None:
    made_up = region(3, 2, 60)
    first = made_up.plot()
    assert first is first.figure.axes[0]
    assert sum(axes.get_visible() for axes in first.figure.axes) == 15
    assert sum(axes.get_visible() for axes in made_up.plot(mistakes=[0, 4]).figure.axes) == 1


def test_nine_groups_and_ten_models_can_be_told_apart() -> None:
    chances, y, group = people(2, 9, 450, 0)
    made_up = FeasibleRegion.from_scores(chances, sensitive_features=group)
    own = {f"model {n}": group_rates(y, chances.argmax(axis=1), sensitive_features=group) for n in range(10)}
    figure = made_up.plot(own).figure
    borders = [patch for patch in figure.axes[0].patches if isinstance(patch, Polygon) and not patch.get_fill()]
    assert len({(patch.get_edgecolor(), str(patch.get_linestyle())) for patch in borders}) == 9
    markers = [line.get_marker() for line in figure.legends[0].get_lines() if line.get_linestyle() == "None"]
    assert len(set(markers)) == len(markers) == 1 + 10


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"mistakes": [0]}, "mistakes must be 2 to 6 different indices"),
        ({"mistakes": [0, 9]}, "mistakes must be 2 to 6 different indices"),
        ({"models": [1]}, "models must map names to GroupRates"),
        ({"models": {"m": 1}}, "model 'm' must be GroupRates"),
        ({"sphere": "large"}, "sphere must be a Sphere"),
        ({"sphere": Sphere(np.full(6, 1 / 3), 0.1)}, "sphere has 6 dimensions, but there are 2 kinds of mistake"),
    ],
    ids=["few", "far", "list", "number", "no sphere", "another sphere"],
)
def test_what_cannot_be_drawn_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(EvenhandError, match=message):
        region(2, 2, 60).plot(**options)
