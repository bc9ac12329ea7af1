"""The demo study: real people, real models, and a file that its script makes again."""

from __future__ import annotations

import json
from importlib.resources import files

import numpy as np
import pytest

from evenhand.study.demo.demo import demo_study
from evenhand.study.demo.models import CLASSES, GROUPS, Patients, as_json, counts, models
from evenhand.study.study import Study

MADE = json.loads(files("evenhand.study.demo").joinpath("models.json").read_text(encoding="utf-8"))
# These take some ten times as long as all others together.
QUICK = [name for name in models() if not any(word in name for word in ("forest", "trees", "boosting", "network"))]


def test_the_people_are_those_of_the_data() -> None:
    patients = Patients.load()
    study = demo_study()
    for g, members in enumerate((~patients.older, patients.older)):
        for i, outcome in enumerate((~patients.worse, patients.worse)):
            assert study.population[g, i] == (members & outcome).sum()
    assert (study.setting.classes, study.setting.groups) == (CLASSES, GROUPS)


def test_some_twenty_models_make_different_mistakes() -> None:
    study = demo_study()
    assert 18 <= len(study.candidates) <= 25
    assert len({rates.matrix.tobytes() for rates in study.candidates.values()}) == len(study.candidates)
    gaps = [float(np.abs(rates.vector[0] - rates.vector[1]).max()) for rates in study.candidates.values()]
    assert min(gaps) < 0.05
    assert max(gaps) > 0.15


@pytest.mark.parametrize("name", QUICK)
def test_the_file_is_what_the_script_makes(name: str) -> None:
    made = np.array(counts(Patients.load(), models()[name]))
    # A patient at the very line may fall on its other side on another processor.
    assert np.abs(made - np.array(MADE["counts"][name])).max() <= 2


def test_the_file_has_every_model_and_is_written_as_the_script_writes_it() -> None:
    assert list(MADE["counts"]) == list(models())
    assert as_json(MADE) == files("evenhand.study.demo").joinpath("models.json").read_text(encoding="utf-8")


def test_the_study_survives_a_round_trip() -> None:
    study = demo_study()
    assert Study.from_json(study.to_json()).to_json() == study.to_json()
