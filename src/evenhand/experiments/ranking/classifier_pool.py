"""The pool of classifiers to rank: trained in parallel, with cached predictions, so that an interrupted run can resume.

Only this process writes predictions, each to a file of its own, atomically, wherever the classifiers are trained.
"""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import version
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from evenhand.checks.arrays import whole_number
from evenhand.checks.messages import listed
from evenhand.checks.nesting import loads
from evenhand.errors import EvenhandError
from evenhand.experiments.cache import keep
from evenhand.experiments.datasets import Dataset
from evenhand.experiments.ranking import estimators
from evenhand.experiments.ranking.estimators import FAMILIES, Options
from evenhand.experiments.ranking.split import Codes, Rows, Split
from evenhand.experiments.ranking.spreading import each
from evenhand.rates import GroupRates, group_rates

_RECIPE = 2
"""Increase this when the same options mean different training, so that old predictions are not reused."""
_ATTEMPTS = 5


@dataclass(frozen=True)
class Classifier:
    """A classifier of the pool: its family, its number within the family, and the seed of all its randomness."""

    family: str
    number: int
    seed: int

    def __str__(self) -> str:
        return f"{self.family} {self.number}"

    def options(self, classes: int, attempt: int) -> Options:
        """Draw the hyper-parameters and the training seed; each attempt draws others."""
        rng = np.random.default_rng([self.seed, *self.family.encode(), self.number, attempt])
        return {**FAMILIES[self.family].draw(rng, classes), "seed": int(rng.integers(2**31))}


@dataclass(frozen=True, eq=False)
class Trained:
    """A classifier's predictions for the test rows, and the options that it was trained with."""

    classifier: Classifier
    options: Options
    attempt: int
    predictions: Codes


@dataclass(frozen=True, eq=False)
class ClassifierPool:
    """All classifiers of a data set, and their rates; `kept` of them came from the cache."""

    split: Split
    members: tuple[Trained, ...]
    kept: int

    @cached_property
    def rates(self) -> dict[str, GroupRates]:
        """The rates of each classifier on the test rows, by name."""
        return self.rates_by(self.split.group[self.split.test], self.split.groups)

    def rates_by(self, group: Codes, names: tuple[str, ...]) -> dict[str, GroupRates]:
        """Return the rates for another grouping of the test rows."""
        classes, groups = np.array(self.split.classes), np.array(names)[group]
        true = classes[self.split.label[self.split.test]]
        return {
            str(member.classifier): group_rates(true, classes[member.predictions], sensitive_features=groups)
            for member in self.members
        }

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes on single classifiers."""
        again = [member for member in self.members if member.attempt]
        note = (
            f"{self.split.dataset.name}: {listed([str(member.classifier) for member in again])} predicted one class "
            "for everybody with the first hyper-parameters, so others were drawn"
        )
        return (note,) if again else ()


def classifiers(count: int, seed: int) -> list[Classifier]:
    """Return `count` classifiers, evenly over all families; a smaller pool is the beginning of a larger one."""
    whole_number(count, "classifiers", 2)
    whole_number(seed, "seed", 0)
    kinds = list(FAMILIES)
    return [Classifier(kinds[place % len(kinds)], place // len(kinds), seed) for place in range(count)]


def train(
    dataset: Dataset,
    *,
    count: int = 100,
    seed: int = 0,
    cache: Path,
    jobs: int | None = None,
    progress: Callable[[float], object] | None = None,
) -> ClassifierPool:
    """Train the pool, except for classifiers whose predictions are cached.

    `jobs` is the number of processes, by default that of the active joblib backend. The predictions do not depend on
    it.
    """
    split = Split.of(dataset, seed)
    folder = cache / "predictions" / _key(split, seed)
    wanted = classifiers(count, seed)
    kept = {one: _read(_path(folder, one), one, split) for one in wanted}
    say = progress or (lambda _: None)
    missing = [one for one, trained in kept.items() if trained is None]
    say(1 - len(missing) / count)
    rows = split.training, split.testing
    work = [(one, *rows, split.classes, dataset.name) for one in missing]
    for done, trained in enumerate(each(_train_one, work, jobs), 1):
        _write(_path(folder, trained.classifier), trained)
        kept[trained.classifier] = trained
        say(1 - (len(missing) - done) / count)
    return ClassifierPool(split, tuple(member for member in kept.values() if member is not None), count - len(missing))


def _train_one(one: Classifier, training: Rows, testing: Rows, classes: tuple[str, ...], dataset: str) -> Trained:
    """Fit a classifier; draw its options again if it predicts the same class for everybody, which says nothing."""
    for attempt in range(_ATTEMPTS):
        options = one.options(len(classes), attempt)
        try:
            predictions = estimators.predict(one.family, options, training, testing)
        except Exception as error:
            raise EvenhandError(
                f"{one} of {dataset} failed to fit with {options}: {type(error).__name__}: {error}. Classifiers "
                "trained before are kept; another --seed draws other hyper-parameters"
            ) from error
        if np.unique(predictions).size > 1:
            return Trained(one, options, attempt, predictions)
    only = classes[int(predictions[0])]
    raise EvenhandError(
        f"{one} of {dataset} predicts {only!r} for everybody, with all {_ATTEMPTS} sets of hyper-parameters that were "
        "drawn. Classifiers trained before are kept; another --seed draws others"
    )


def _key(split: Split, seed: int) -> str:
    """Return a cache key, which changes with the data, the seed, the recipe and the versions of libraries."""
    digest = hashlib.sha256()
    for array in (split.dataset.features, split.label, split.group, split.test):
        digest.update(np.ascontiguousarray(array).tobytes())
    versions = [version(package) for package in ("scikit-learn", "lightgbm", "fairlearn")]
    digest.update(json.dumps([_RECIPE, seed, versions]).encode())
    return f"{split.dataset.name}-{digest.hexdigest()[:16]}"


def _path(folder: Path, one: Classifier) -> Path:
    return folder / f"{one.family}-{one.number:03d}.npz"


def _write(path: Path, trained: Trained) -> None:
    described = json.dumps({"options": trained.options, "attempt": trained.attempt})
    packed = io.BytesIO()
    np.savez_compressed(packed, predictions=trained.predictions.astype(np.uint8), described=np.array(described))
    keep(path, packed.getvalue())


def _read(path: Path, one: Classifier, split: Split) -> Trained | None:
    """Return a cached classifier, or None if there is none or its options differ from today's."""
    try:
        with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as packed:
            predictions: NDArray[np.uint8] = packed["predictions"]
            described = loads(str(packed["described"]))
        options, attempt = described["options"], described["attempt"]
        fits = (
            predictions.shape == split.test.shape
            and predictions.max() < len(split.classes)
            and one.options(len(split.classes), attempt) == options
        )
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile):
        return None  # damaged: the classifier is trained again, and the file overwritten
    return Trained(one, options, attempt, predictions.astype(np.intp)) if fits else None
