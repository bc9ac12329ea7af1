"""The demo study: real patients, real models, and a decision to make between them."""

from __future__ import annotations

import json
from importlib.resources import files

import numpy as np

from evenhand.rates import GroupRates, Setting
from evenhand.study.study import Study
from evenhand.wording.phrases import Phrases

SLUG = "demo"

_INTRODUCTION = """\
A clinic wants to call in those of its diabetes patients whose disease will get much worse within a year. Nobody knows \
who they are, so a model is to say. Every model makes mistakes: it misses people who needed the care, it calls in \
people who did not, and not equally many in both age groups. Which mistakes are worse, and how much does it matter \
that one group bears more of them? That is for people to say.

There are 21 models. They were trained and tested on 442 real patients, whose data comes with the Python package \
scikit-learn. “Much worse” is a progression score above 180, which is our choice: about one patient in three."""


def demo_study() -> Study:
    """Return the study, whose models `evenhand.study.demo.models` made."""
    made = json.loads(files("evenhand.study.demo").joinpath("models.json").read_text(encoding="utf-8"))
    stable, worse = made["classes"]
    younger, older = made["groups"]
    counts = {name: np.array(table, dtype=np.float64) for name, table in made["counts"].items()}
    people = next(iter(counts.values())).sum(axis=-1)
    setting = Setting(made["classes"], made["groups"], people / people.sum(axis=0))
    return Study(
        slug=SLUG,
        title="Who is called in for extra care?",
        introduction=_INTRODUCTION,
        setting=setting,
        candidates={
            name: GroupRates(setting=setting, matrix=table / people[..., None], counts=table, sizes=people)
            for name, table in counts.items()
        },
        words=Phrases(
            groups={younger: "people under 50", older: "people 50 and over"},
            classes={stable: "who will stay stable", worse: "who will get much worse"},
            mistakes={(stable, worse): "are called in without need", (worse, stable): "are missed"},
        ),
        population=people,
        options={"stop": "best", "max_questions": 15},
    )
