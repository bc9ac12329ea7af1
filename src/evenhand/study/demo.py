"""A stand-in for the demo study, until the real one is made from scikit-learn's diabetes data."""

from __future__ import annotations

import numpy as np

from evenhand.rates import GroupRates, Setting
from evenhand.study.study import Study, Words


def demo_study() -> Study:
    """Return a study with made-up models."""
    people = np.array([[120.0, 60.0], [90.0, 80.0]])
    setting = Setting(["stays", "worse"], ["under 50", "50 and over"], people / people.sum(axis=0))
    profiles = np.random.default_rng(0).uniform(0.05, 0.45, size=(20, 2, 2))
    return Study(
        slug="demo",
        title="Who is told that their diabetes will get worse?",
        introduction="Two models at a time. Which one would you rather have?",
        setting=setting,
        candidates={f"model {place}": GroupRates.from_vector(setting, p) for place, p in enumerate(profiles, 1)},
        words=Words(
            groups={"under 50": "people under 50", "50 and over": "people of 50 and over"},
            classes={"stays": "who will not get much worse", "worse": "who will get much worse"},
            mistakes={("stays", "worse"): "are alarmed for nothing", ("worse", "stays"): "are missed"},
        ),
        people=people,
    )
