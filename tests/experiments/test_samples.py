"""Asked about larger samples, one learns what the population tells."""

import numpy as np
import pytest

from evenhand import EvenhandError
from evenhand.experiments.samples import samples


def test_elicitation_from_samples_converges_to_elicitation_from_the_population() -> None:
    few, many = samples(sizes=(200, 20_000), methods=("bisection",), respondents=6)
    assert (np.median(many.distances, axis=1) < 0.5 * np.median(few.distances, axis=1)).all()
    assert many.as_json()["people_in_sample"] == 20_000


@pytest.mark.parametrize("options", [{"sizes": (5,)}, {"methods": ("adaptive",)}, {"respondents": 0}], ids=str)
def test_what_cannot_be_measured_is_refused(options: dict[str, object]) -> None:
    with pytest.raises(EvenhandError):
        samples(**options)  # type: ignore[arg-type]
