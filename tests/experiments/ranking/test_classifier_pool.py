"""The pool is trained once, the same by whomever, and nothing that goes wrong leaves a half-written cache."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import pytest
from tests.processors import run_on_each

from evenhand import EvenhandError
from evenhand.experiments.datasets import Dataset
from evenhand.experiments.ranking import classifier_pool, estimators
from evenhand.experiments.ranking.estimators import FAMILIES
from evenhand.experiments.ranking.split import Codes, Split


def made_up(classes: int = 2, rows: int = 400, seed: int = 0) -> Dataset:
    """People of two groups whose class shows in their features, in one group less than in the other."""
    rng = np.random.default_rng(seed)
    label, group = rng.integers(classes, size=rows), rng.integers(2, size=rows)
    features = rng.normal(size=(rows, 4)) + 0.9 * label[:, None] / (1 + group[:, None])
    names = ("one", "two", "three", "group")
    features[:, 3] = group
    return Dataset("made up", features, np.array(list("abc"))[label], np.array(["men", "women"])[group], names)


def counting(monkeypatch: pytest.MonkeyPatch, then: Callable[..., Codes] | None = None) -> list[str]:
    """Count the classifiers that are trained, and train them in some other way."""
    trained: list[str] = []
    real = estimators.predict

    def predict(family: str, *arguments: Any) -> Codes:
        trained.append(family)
        return (then or real)(family, *arguments)

    monkeypatch.setattr(estimators, "predict", predict)
    return trained


def predictions(trained: classifier_pool.ClassifierPool) -> list[list[int]]:
    return [member.predictions.tolist() for member in trained.members]


def left_unfinished(folder: Path) -> list[Path]:
    return list(folder.rglob("*.part"))


@pytest.mark.parametrize("classes", [2, 3])
def test_all_kinds_of_classifiers_tell_classes_apart(classes: int, tmp_path: Path) -> None:
    trained = classifier_pool.train(made_up(classes), count=10, cache=tmp_path, jobs=1)
    assert [member.classifier.family for member in trained.members] == 2 * list(FAMILIES)
    true = trained.split.testing.label
    right = [float(np.mean(member.predictions == true)) for member in trained.members]
    assert min(right) > 0.4
    assert np.mean(right) > (0.6 if classes == 2 else 0.45)


def test_the_same_seed_makes_the_same_pool_wherever_it_is_made(tmp_path: Path) -> None:
    alone = classifier_pool.train(made_up(), count=5, seed=3, cache=tmp_path / "alone", jobs=1)
    with joblib.parallel_config(backend="loky", n_jobs=2):
        together = classifier_pool.train(made_up(), count=5, seed=3, cache=tmp_path / "together")
    other = classifier_pool.train(made_up(), count=5, seed=4, cache=tmp_path / "alone", jobs=1)
    assert predictions(alone) == predictions(together)
    assert predictions(alone) != predictions(other)


def test_a_backend_that_gives_everything_at_the_end_will_do(tmp_path: Path) -> None:
    with joblib.parallel_config(backend="multiprocessing", n_jobs=1):
        assert len(classifier_pool.train(made_up(), count=2, cache=tmp_path).members) == 2


def test_what_was_trained_is_not_trained_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trained = counting(monkeypatch)
    few = classifier_pool.train(made_up(), count=2, cache=tmp_path, jobs=1)
    more = classifier_pool.train(made_up(), count=4, cache=tmp_path, jobs=1)
    again = classifier_pool.train(made_up(), count=4, cache=tmp_path, jobs=1)
    assert trained == list(FAMILIES)[:4]
    assert predictions(few) == predictions(more)[:2]
    assert predictions(again) == predictions(more)


def test_other_data_are_trained_on_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    classifier_pool.train(made_up(seed=0), count=2, cache=tmp_path, jobs=1)
    trained = counting(monkeypatch)
    classifier_pool.train(made_up(seed=1), count=2, cache=tmp_path, jobs=1)
    assert len(trained) == 2


def test_an_interrupted_training_goes_on_where_it_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(share: float) -> None:
        if share >= 0.5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        classifier_pool.train(made_up(), count=4, cache=tmp_path, jobs=1, progress=interrupt)
    trained = counting(monkeypatch)
    shares: list[float] = []
    classifier_pool.train(made_up(), count=4, cache=tmp_path, jobs=1, progress=shares.append)
    assert len(trained) == 2
    assert shares == [0.5, 0.75, 1.0]


@pytest.mark.parametrize("damage", [b"", b"PK\x03\x04 cut short", b"no archive at all"])
def test_a_damaged_file_is_trained_again(damage: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = classifier_pool.train(made_up(), count=2, cache=tmp_path, jobs=1)
    next(tmp_path.rglob("logistic-000.npz")).write_bytes(damage)
    trained = counting(monkeypatch)
    assert predictions(classifier_pool.train(made_up(), count=2, cache=tmp_path, jobs=1)) == predictions(before)
    assert trained == ["logistic"]


def test_predictions_of_other_hyper_parameters_are_not_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    classifier_pool.train(made_up(), count=2, cache=tmp_path, jobs=1)
    family = FAMILIES["logistic"]
    monkeypatch.setitem(FAMILIES, "logistic", family._replace(draw=lambda rng, k: {**family.draw(rng, k), "C": 0.5}))
    trained = counting(monkeypatch)
    classifier_pool.train(made_up(), count=2, cache=tmp_path, jobs=1)
    assert trained == ["logistic"]


def test_a_classifier_that_fails_to_fit_is_named_and_the_others_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = estimators.predict

    def fails(family: str, *arguments: Any) -> Codes:
        if family == "svm":
            raise RuntimeError("no margin")
        return real(family, *arguments)

    counting(monkeypatch, fails)
    with pytest.raises(EvenhandError, match=r"svm 0 of made up failed to fit with .*RuntimeError: no margin.*kept"):
        classifier_pool.train(made_up(), count=5, cache=tmp_path, jobs=1)
    assert {path.name for path in tmp_path.rglob("*.npz")} == {"logistic-000.npz", "perceptron-000.npz"}
    assert not left_unfinished(tmp_path)


def test_a_classifier_of_one_class_is_drawn_again_and_that_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, seen = estimators.predict, []

    def once(family: str, options: Any, training: Any, testing: Any) -> Codes:
        seen.append(options["seed"])
        return real(family, options, training, testing) if len(seen) != 1 else np.zeros(testing.label.size, np.intp)

    monkeypatch.setattr(estimators, "predict", once)
    trained = classifier_pool.train(made_up(), count=2, cache=tmp_path, jobs=1)
    assert len(set(seen)) == len(seen) == 3
    assert "'logistic 0' predicted one class for everybody" in trained.notes[0]
    assert classifier_pool.train(made_up(), count=2, cache=tmp_path, jobs=1).notes == trained.notes


def test_a_classifier_that_only_ever_predicts_one_class_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    counting(monkeypatch, lambda _family, _options, _training, testing: np.zeros(testing.label.size, np.intp))
    with pytest.raises(EvenhandError, match="logistic 0 of made up predicts 'a' for everybody, with all 5"):
        classifier_pool.train(made_up(), count=2, cache=tmp_path, jobs=1)
    assert not list(tmp_path.rglob("*.npz"))


def test_a_cell_that_is_empty_after_the_split_is_named() -> None:
    whole = made_up()
    kept = ~((whole.labels == "b") & (whole.groups == "women"))
    kept[np.flatnonzero(~kept)[0]] = True
    dataset = Dataset("made up", whole.features[kept], whole.labels[kept], whole.groups[kept], whole.feature_names)
    with pytest.raises(EvenhandError, match="made up has 1 rows of group 'women' in class 'b': too few"):
        Split.of(dataset, 0)


def test_a_split_has_forty_percent_of_every_cell_and_no_row_twice() -> None:
    split = Split.of(made_up(3), 0)
    assert sorted([*split.train, *split.test]) == list(range(400))
    for cell in {(int(g), int(c)) for g, c in zip(split.group, split.label, strict=True)}:
        everybody = (split.group == cell[0]) & (split.label == cell[1])
        assert everybody[split.test].sum() == round(0.4 * everybody.sum())


def test_a_cache_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "predictions").write_text("a file where a folder should be")
    with pytest.raises(EvenhandError, match=r"cannot write .*predictions"):
        classifier_pool.train(made_up(), count=2, cache=tmp_path, jobs=1)


def test_rates_can_be_measured_for_other_groups(tmp_path: Path) -> None:
    trained = classifier_pool.train(made_up(), count=2, cache=tmp_path, jobs=1)
    same = trained.rates_by(trained.split.testing.group, ("men", "women"))
    assert same == trained.rates
    swapped = trained.rates_by(1 - trained.split.testing.group, ("men", "women"))
    assert np.array_equal(swapped["logistic 0"].matrix, trained.rates["logistic 0"].matrix[::-1])


_TRAINED = """
import sys
from evenhand.experiments.datasets import load
from evenhand.experiments.ranking.estimators import predict
from evenhand.experiments.ranking.classifier_pool import classifiers
from evenhand.experiments.ranking.split import Split

split = Split.of(load("crime", sys.argv[1]), 0)
for one in classifiers(30, 0):
    if one.family == "logistic":
        print(predict(one.family, one.options(len(split.classes), 0), split.training, split.testing).tolist())
"""


@pytest.mark.raw_files
@pytest.mark.parametrize("data", ["real"], indirect=True)
def test_logistic_regressions_predict_the_same_on_every_processor(data: Path) -> None:
    printed = run_on_each(["-c", _TRAINED, str(data)])
    assert len(set(printed.values())) == 1
    assert len(next(iter(printed.values())).splitlines()) == 6
