"""A family says what is unfair; its cost is linear in its features, with prices made of the weights."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenhand import EvenhandError, FairMetric, GroupRates, Setting
from evenhand.metric import MetricBatch
from evenhand.metric.families import Family, Gaps, family_named, register
from evenhand.metric.prior import Prior
from evenhand.metric.weights import Weights
from evenhand.rates.models import made_up_models
from evenhand.rates.profile import gaps
from evenhand.typing import Floats
from evenhand.wording.vocabulary import Words

cells = st.tuples(st.integers(2, 4), st.integers(2, 4))
seeds = st.integers(0, 2**32 - 1)


class Tolerated(Gaps):
    """Gaps count beyond a width only."""

    name, title, knots = "tolerated in a test", "gaps beyond a width", (0.0, 0.1, 0.3)

    def violation(self, profiles: Floats, setting: Setting, width: float) -> Floats:
        return np.maximum(gaps(profiles) - width, 0.0)


register(Tolerated)


@pytest.mark.parametrize("family", [Gaps(), Tolerated()], ids=lambda family: family.name)
@given(cell=cells, seed=seeds)
def test_a_cost_is_prices_times_features_and_the_sum_of_its_parts(
    family: Family, cell: tuple[int, int], seed: int
) -> None:
    rng = np.random.default_rng(seed)
    setting = Setting.random(*cell, rng)
    prior = Prior.of(setting, family.name)
    weights = prior.weights(rng.random((1, prior.size)))
    alone = Weights(
        weights.misclassification[0],
        weights.violation[0],
        weights.trade_off[0],
        None if weights.width is None else weights.width[0],
    )
    metric = FairMetric.of(setting, alone, family.name)
    profiles = made_up_models(setting, 20, rng)
    costs = metric.cost_of_profiles(profiles)
    features = family.features(profiles, setting)
    assert features @ family.prices(weights)[0] == pytest.approx(costs, abs=1e-14)
    of_mistakes, of_rows = family.parts(profiles, setting, alone)
    assert of_rows.shape[-1] == len(family.rows(Words.plain(setting)))
    assert of_mistakes + of_rows.sum(axis=-1) == pytest.approx(costs, abs=1e-14)
    assert metric.cost(GroupRates.from_vector(setting, profiles[0])) == pytest.approx(costs[0], abs=1e-14)
    assert FairMetric.from_json(metric.to_json()) == metric


@pytest.mark.parametrize("family", [Gaps(), Tolerated()], ids=lambda family: family.name)
def test_many_metrics_judge_a_profile_each_as_they_do_alone(family: Family) -> None:
    rng = np.random.default_rng(0)
    setting = Setting.random(3, 2, 0)
    prior = Prior.of(setting, family.name)
    weights = prior.weights(rng.random((8, prior.size)))
    profiles = made_up_models(setting, 8, rng)
    expected = np.einsum("nd,nd->n", family.prices(weights), family.features(profiles, setting))
    assert family.cost(profiles, setting, weights) == pytest.approx(expected, abs=1e-14)


@given(cells)
def test_the_number_of_weights_is_that_of_the_violation(cell: tuple[int, int]) -> None:
    """Gaps know it without measuring any."""
    setting = Setting.random(*cell, 0)
    q, pairs = len(setting.mistakes), len(setting.pairs)
    assert Family.dimensions(Gaps(), setting) == Gaps().dimensions(setting) == (q, pairs, q)


def test_between_two_knots_the_violation_is_interpolated() -> None:
    setting = Setting([0, 1], ["a", "b"], [[0.5, 0.5], [0.5, 0.5]])

    def cost(width: float) -> float:
        metric = FairMetric.from_weights(
            setting, misclassification=[1, 1], violation=[[1, 0]], trade_off=1.0, width=width, family=Tolerated.name
        )
        return float(metric.cost_of_profiles([[0.4, 0.0], [0.2, 0.0]]))

    assert cost(0.0) == pytest.approx(0.2)
    assert cost(0.1) == pytest.approx(0.1)
    assert cost(0.2) == pytest.approx(0.05), "half-way between 0.1 at one knot and 0 at the next"
    assert cost(0.3) == 0


def test_a_width_is_uniform_between_the_first_and_the_last_knot() -> None:
    prior = Prior.of(Setting.random(2, 2, 0), Tolerated.name)
    width = prior.weights(np.random.default_rng(0).random((4000, prior.size))).width
    assert width is not None
    assert np.quantile(width, [0.0, 0.5, 1.0]) == pytest.approx([0.0, 0.15, 0.3], abs=0.01)
    assert prior.degrees_of_freedom == Prior.of(Setting.random(2, 2, 0)).degrees_of_freedom + 1


def test_a_family_is_known_by_its_name() -> None:
    assert isinstance(family_named("gaps"), Gaps)
    with pytest.raises(EvenhandError, match=r"family must be one of 'gaps'.*but received 'gap'"):
        family_named("gap")
    with pytest.raises(EvenhandError, match="there is a family 'gaps' already"):
        register(type("Other", (Gaps,), {}))
    register(Gaps)  # defined again, as in a notebook
    nameless: type[Gaps] = type("Nameless", (Gaps,), {"name": None})
    with pytest.raises(EvenhandError, match=r"a family needs a name: .* in the class Nameless"):
        register(nameless)


def test_a_width_is_for_families_that_have_one_and_within_their_knots() -> None:
    setting = Setting.random(2, 2, 0)
    with pytest.raises(EvenhandError, match="the family 'gaps' has no width"):
        FairMetric.from_weights(setting, misclassification=[1, 1], violation=[[1, 1]], width=0.1)
    with pytest.raises(EvenhandError, match=r"width must be a number from 0\.0 to 0\.3"):
        FairMetric.from_weights(setting, misclassification=[1, 1], violation=[[1, 1]], width=0.4, family=Tolerated.name)


def test_a_batch_is_of_gaps() -> None:
    metric = FairMetric.from_weights(
        Setting.random(2, 2, 0), misclassification=[1, 1], violation=[[1, 1]], width=0.1, family=Tolerated.name
    )
    with pytest.raises(EvenhandError, match="of the family 'gaps', but received 'tolerated in a test'"):
        MetricBatch.of([metric])
