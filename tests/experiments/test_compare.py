"""The methods side by side on the same people."""

import numpy as np
import pytest

from evenhand import EvenhandError
from evenhand.experiments import compare, figures, information_limit


def test_every_method_meets_the_same_people_and_better_ones_need_fewer_questions() -> None:
    attempts = compare(flips=(0.0,), respondents=3, budgets=(5, 12), seed=1)
    methods = {
        method: [one for one in attempts if one.method == method] for method in ("paper", "bisection", "adaptive")
    }
    assert [one.questions for one in methods["adaptive"]] == [5, 12]
    assert methods["paper"][-1].questions == 574
    assert methods["bisection"][-1].questions == 33
    assert np.median(methods["bisection"][-1].largest) < 0.001
    assert all(one.errors.shape == (3, 3) for one in attempts)
    figure = figures.comparison_figure(attempts)
    assert [line.get_label() for line in figure.axes[0].lines] == [*methods, "information limit"]


def test_results_do_not_depend_on_the_number_of_jobs() -> None:
    one, two = (compare(flips=(0.2,), respondents=2, budgets=(3,), seed=2, jobs=jobs) for jobs in (1, 2))
    assert [attempt.as_json() for attempt in one] == [attempt.as_json() for attempt in two]


def test_the_information_limit_counts_bits() -> None:
    """Two classes and groups have three free weights; a quarter is one bit for each."""
    assert information_limit(2, 2, 0.25, 0.0) == pytest.approx(3)
    assert information_limit(2, 2, 0.125, 0.0) == pytest.approx(6)
    assert information_limit(2, 2, 0.25, 0.1) == pytest.approx(3 / (1 - 0.468996), rel=1e-5)
    assert information_limit(2, 2, 0.25, 0.5) == float("inf")
    assert information_limit(2, 2, 0.6, 0.0) == 0


@pytest.mark.parametrize(
    "options",
    [{"classes": (1,)}, {"groups": (1,)}, {"budgets": (0,)}, {"respondents": 0}, {"jobs": 0}, {"flips": (2.0,)}],
)
def test_what_cannot_be_compared_is_refused(options: dict[str, object]) -> None:
    with pytest.raises(EvenhandError):
        compare(**options)  # type: ignore[arg-type]


def test_what_is_asked_for_twice_is_measured_once() -> None:
    once, twice = (compare(classes=(2,) * n, flips=(0.1,) * n, respondents=1, budgets=(2,)) for n in (1, 2))
    assert [one.as_json() for one in once] == [one.as_json() for one in twice]
