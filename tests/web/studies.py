"""Studies of every size that a page must show, with words as long as people write them."""

from __future__ import annotations

import numpy as np

from evenhand.rates import GroupRates, Setting
from evenhand.study.study import Study
from evenhand.typing import Floats, Label
from evenhand.wording.phrases import Phrases

_GROUPS = {
    "women under 40": "women under 40",
    "men under 40": "men under 40",
    "women from 40": "women who are 40 or over",
    "men from 40": "men who are 40 or over",
    "unknown": "people whose age or sex is not known",
}
_CLASSES = {
    "stays stable": "who will stay stable",
    "gets worse": "who will get worse slowly",
    "gets much worse": "who will get much worse within a year",
    "needs a hospital": "who will need to be taken to a hospital",
}
_TOLD = (
    "are told that all is well",
    "are told to come back soon",
    "are called in for extra care",
    "are sent to a hospital",
)


def study_of(groups: int, classes: int, *, models: int = 6) -> Study:
    """Return a study of so many groups and classes, at the address `/g<groups>-c<classes>`."""
    rng = np.random.default_rng([groups, classes])
    group_words: dict[Label, str] = dict(list(_GROUPS.items())[:groups])
    class_words: dict[Label, str] = dict(list(_CLASSES.items())[:classes])
    people = rng.integers(20, 2000, size=(groups, classes)).astype(np.float64)
    setting = Setting(list(class_words), list(group_words), people / people.sum(axis=0))
    told = dict(zip(class_words, _TOLD, strict=False))
    return Study(
        slug=f"g{groups}-c{classes}",
        title="Who gets which care?",
        introduction="A clinic wants to give everybody the care they need.\n\nWhich mistakes are worse?",
        setting=setting,
        candidates={f"model {place}": _rates(setting, people, rng) for place in range(1, models + 1)},
        words=Phrases(
            groups=group_words,
            classes=class_words,
            mistakes={(true, predicted): told[predicted] for true, predicted in setting.mistakes},
        ),
        population=people,
        options={"max_questions": 3},
    )


def _rates(setting: Setting, people: Floats, rng: np.random.Generator) -> GroupRates:
    k = len(setting.classes)
    wrong = rng.uniform(0.05, 0.4, size=(*people.shape, 1))
    kinds = rng.dirichlet(np.ones(k - 1), size=people.shape)
    rates = GroupRates.from_vector(setting, (wrong * kinds).reshape(len(setting.groups), -1))
    return GroupRates(setting=setting, matrix=rates.matrix, sizes=people)
