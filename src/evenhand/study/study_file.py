"""A study as a TOML file that people write and read: its texts, its words, and the counts of each model."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from evenhand.checks.messages import expect, listed, shown
from evenhand.checks.toml import Toml, read_toml
from evenhand.elicitation.methods import make, method_named
from evenhand.errors import EvenhandError
from evenhand.rates import GroupRates, Setting
from evenhand.rates.labels import names as checked_labels
from evenhand.study.methods import method_document
from evenhand.study.study import (
    CONSENT,
    Study,
    check_label,
    checked_model_name,
    checked_paragraphs,
    checked_slug,
    checked_title,
)
from evenhand.typing import Floats, Label
from evenhand.wording.phrases import Phrases, checked_phrase

_TEXTS: Mapping[str, Callable[[object], str]] = {
    "slug": checked_slug,
    "title": checked_title,
    "introduction": partial(checked_paragraphs, name="introduction"),
    "consent": partial(checked_paragraphs, name="consent"),
}
_TABLES = ("method", "words", "data", "models")
_WORDS = ("groups", "classes", "mistakes")
_DATA = ("classes", "groups", "population", "sizes")
_MAY_LACK = ("consent", "names_kept", "method", "population", "sizes")
_MOST_SHOWN = 100

T = TypeVar("T")


@dataclass(frozen=True)
class FileMistake:
    """One mistake in a file, and its line where it has one."""

    line: int | None
    text: str

    def __str__(self) -> str:
        return self.text if self.line is None else f"line {self.line}: {self.text}"


class StudyFileError(EvenhandError):
    """A study's file has mistakes: all of them, in the order of their lines."""

    def __init__(self, name: str, mistakes: Sequence[FileMistake]) -> None:
        self.name, self.mistakes = name, tuple(mistakes)
        if len(mistakes) == 1:
            line = mistakes[0].line
            super().__init__(f"{name}{'' if line is None else f', line {line}'}: {mistakes[0].text}")
        else:
            every = "\n".join(f"  {mistake}" for mistake in mistakes[:_MOST_SHOWN])
            more = "\n  …" if len(mistakes) > _MOST_SHOWN else ""
            super().__init__(f"{name} has {len(mistakes)} mistakes:\n{every}{more}")


def read_study_file(path: Path) -> Study:
    """Read a study from a file, or name every mistake in it with its line."""
    return parse_study_file(_content(path), path.name)


def parse_study_file(content: bytes, name: str) -> Study:
    """Read a study from the content of a file, which messages call by its name."""
    return _StudyReader(read_toml(content, name), name).study()


def read_words_file(path: Path, setting: Setting) -> Phrases:
    """Read the words for a setting from a file: from its section `words`, whatever else the file holds."""
    reader = _Reader(read_toml(_content(path), path.name), path.name)
    words = reader.words(setting)
    reader.check()
    assert words is not None  # noqa: S101  # otherwise there was a mistake
    return words


def write_study_file(study: Study) -> str:
    """Return a study as a commented file, which `read_study_file` reads back exactly."""
    rateless = [name for name, rates in study.candidates.items() if rates.counts is None or rates.sizes is None]
    if rateless:
        raise EvenhandError(
            f"a study's file holds the counts of each model, but {shown(rateless[0])} came as rates only: measure it "
            "with group_rates or group_rates_from_table"
        )
    text = "\n".join(_written(study))
    if parse_study_file(text.encode(), "this file").to_json() != study.to_json():
        raise EvenhandError(
            "this study cannot be written as a file, which has one prevalence and one effective sample size for all "
            "models: `to_json` keeps it as it is"
        )
    return text


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise EvenhandError(f"the study's file {path} cannot be read: {error.strerror or error}") from error


class _Reader:
    """Reads a document part by part, and notes every mistake instead of stopping at the first."""

    def __init__(self, toml: Toml, name: str) -> None:
        self.toml, self.name = toml, name
        self.mistakes: list[FileMistake] = []

    def note(self, text: str, *path: str) -> None:
        self.mistakes.append(FileMistake(self.toml.line(*path), text))

    def noting(self, *path: str) -> _Noting:
        """Note the error that a block raises, and go on after it."""
        return _Noting(self, path)

    def check(self) -> None:
        """Raise an error with all mistakes, if there are any."""
        if self.mistakes:
            raise StudyFileError(self.name, sorted(self.mistakes, key=lambda mistake: mistake.line or 0))

    def table(self, *path: str, known: Collection[str] | None = None) -> dict[str, Any]:
        """Return a table of the document; keys that are not known are mistakes, and so are missing ones."""
        table: dict[str, Any] = self.toml.document
        for key in path:
            value = table.get(key, {})
            if not isinstance(value, dict):
                self.note(f"{key} must be a table, but is {shown(value)}", *path)
                return {}
            table = value
        if known is not None:
            where = "[" + ".".join(path) + "]" if path else "the file"
            for key in table:
                if key not in known:
                    self.note(f"{where} has no {shown(key)}: it takes {listed(tuple(known))}", *path, key)
            for key in known:
                if key not in table and key not in _MAY_LACK:
                    self.note(f"{where} lacks {key}", *path, key)
        return table

    def words(self, setting: Setting) -> Phrases | None:
        """Return the words for a setting, unless there is a mistake in them."""
        before = len(self.mistakes)
        self.table("words", known=_WORDS)
        groups = self._phrases(setting.groups, "words", "groups")
        classes = self._phrases(setting.classes, "words", "classes")
        of_true = self._named(self.table("words", "mistakes"), setting.classes, "words", "mistakes")
        mistakes = {
            (true, predicted): phrase
            for true in of_true
            for predicted, phrase in self._phrases(
                [one for one in setting.classes if one != true], "words", "mistakes", str(true)
            ).items()
        }
        if len(self.mistakes) > before:
            return None
        return Phrases(groups=groups, classes=classes, mistakes=mistakes)

    def _phrases(self, labels: Sequence[Label], *path: str) -> dict[Label, str]:
        phrases = {}
        for label, phrase in self._named(self.table(*path), labels, *path).items():
            with self.noting(*path, str(label)):
                phrases[label] = checked_phrase(phrase, f"{'.'.join(path)}[{shown(label)}]")
        return phrases

    def _named(self, table: Mapping[str, T], labels: Sequence[Label], *path: str) -> dict[Label, T]:
        """Return a table's values by the labels that its keys name, in the order of the labels."""
        known = {str(label): label for label in labels}
        for key in table:
            if key not in known:
                self.note(
                    f"[{'.'.join(path)}] has {shown(key)}, which is not one of {listed(tuple(known))}", *path, key
                )
        for key in known:
            if key not in table:
                self.note(f"[{'.'.join(path)}] lacks {shown(key)}", *path, key)
        return {label: table[key] for key, label in known.items() if key in table}


class _Noting:
    """The block of `_Reader.noting`."""

    def __init__(self, reader: _Reader, path: tuple[str, ...]) -> None:
        self._reader, self._path = reader, path

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> bool:
        if isinstance(error, EvenhandError):
            self._reader.note(str(error), *self._path)
        elif isinstance(error, TypeError | ValueError | OverflowError):
            self._reader.note(f"{'.'.join(self._path)} cannot be read: {error}", *self._path)
        return isinstance(error, TypeError | ValueError | OverflowError)


class _StudyReader(_Reader):
    """Reads a whole study."""

    def study(self) -> Study:
        """Return the study, or raise an error with all mistakes."""
        self.table(known=(*_TEXTS, "names_kept", *_TABLES))
        texts, names_kept = self._texts(), self._names_kept()
        data = self.table("data", known=_DATA)
        classes = self._labels(data, "classes", 2)
        groups = self._labels(data, "groups", 2)
        name, options = self._method()
        if classes is None or groups is None:  # what follows is about them
            self.check()
            raise AssertionError
        shape = (len(groups), len(classes))
        people = {
            name: self._people(data[name], shape, "data", name) for name in ("population", "sizes") if name in data
        }
        counts = self._counts(classes, groups)
        of_first = next((each.sum(axis=-1) for each in counts.values()), np.ones(shape))
        population = people.get("population", of_first)
        setting = Setting(classes, groups, population / population.sum(axis=0))
        words = self.words(setting)
        self._check_options(name, options, setting)
        self.check()
        assert words is not None  # noqa: S101  # otherwise there was a mistake
        models = {name: _rates(each, setting, people.get("sizes")) for name, each in counts.items()}
        try:
            return Study(
                setting=setting,
                candidates=models,
                words=words,
                population=population,
                method_name=name,
                options=options,
                names_kept=names_kept,
                **texts,
            )
        except (EvenhandError, TypeError, OverflowError) as error:  # the rest was checked: an option of the method
            mistake = FileMistake(self.toml.line("method"), str(error))
            raise StudyFileError(self.name, [mistake]) from error

    def _texts(self) -> dict[str, str]:
        texts = {}
        for name, check in _TEXTS.items():
            if name in self.toml.document:
                with self.noting(name):
                    texts[name] = check(self.toml.document[name])
        return {"consent": CONSENT} | texts

    def _names_kept(self) -> bool:
        names_kept = self.toml.document.get("names_kept", False)
        with self.noting("names_kept"):
            expect(names_kept, "names_kept", bool)
        return names_kept is True

    def _labels(self, data: Mapping[str, Any], name: str, least: int) -> tuple[Label, ...] | None:
        if name not in data:
            return None
        with self.noting("data", name):
            if not isinstance(data[name], list):
                raise EvenhandError(f"{name} must be a list, but is {shown(data[name])}")
            labels = checked_labels(data[name], name, least=least)
            for label in labels:
                check_label(label)
            return labels
        return None

    def _people(self, value: object, shape: tuple[int, int], *path: str) -> Floats:
        """Return a number for each group (a row) and true class; what is wrong is noted, and stands as ones."""
        with self.noting(*path):
            people = _numbers(value, shape, "a row for each group, with a number for each true class")
            if not (people > 0).all():
                raise EvenhandError(f"{path[-1]} must be positive numbers, but is {shown(value)}")
            return people
        return np.ones(shape)

    def _counts(self, classes: Sequence[Label], groups: Sequence[Label]) -> dict[str, Floats]:
        counts = {}
        k = len(classes)
        expected = "a row for each true class, with a number of people for each prediction"
        models = self.table("models")
        if len(models) < 2 and "models" in self.toml.document:
            self.note(f"a study needs at least two models to choose from, but [models] has {len(models)}", "models")
        for model in models:
            before = len(self.mistakes)
            with self.noting("models", model):
                checked_model_name(model)
            of_groups = self._named(self.table("models", model), groups, "models", model)
            tables = []
            for group, value in of_groups.items():
                with self.noting("models", model, str(group)):
                    table = _numbers(value, (k, k), expected)
                    if not ((table >= 0).all() and (table.sum(axis=-1) > 0).all()):
                        raise EvenhandError("no count may be negative, and each true class needs somebody")
                    tables.append(table)
            if len(self.mistakes) == before:
                counts[model] = np.stack(tables)
        return counts

    def _method(self) -> tuple[str, dict[str, Any]]:
        options = dict(self.table("method"))
        name = options.pop("name", "adaptive")
        try:
            known = tuple(method_named(name).kept_options())
        except EvenhandError as error:
            self.note(str(error), "method", "name")
            return "adaptive", {}
        for option in options:
            if option not in known:
                self.note(
                    f"the method {name!r} has no option {shown(option)}: it has {listed(known)}", "method", option
                )
        return name, options

    def _check_options(self, name: str, options: Mapping[str, Any], setting: Setting) -> None:
        """Note each option that the method refuses by itself; whether they fit together is seen when it is made."""
        models = {"one": GroupRates.uniform(setting), "other": GroupRates.trivial(setting, setting.classes[0])}
        for option, value in options.items():
            if not any(mistake.line == self.toml.line("method", option) for mistake in self.mistakes):
                about = {"candidates": models} if "candidates" in method_named(name).option_names() else {}
                needed = {"max_questions": 1} if value == "budget" else {}
                with self.noting("method", option):
                    make(name, setting, about | needed | {option: value})


def _numbers(value: object, shape: tuple[int, ...], what: str) -> Floats:
    try:
        numbers = np.array(value, dtype=np.float64)
    except (TypeError, ValueError):
        numbers = np.empty(0)
    if numbers.shape != shape or not np.isfinite(numbers).all() or _has_other_than_numbers(value):
        raise EvenhandError(f"there must be {what} ({' × '.join(map(str, shape))}), but there is {shown(value)}")
    return numbers


def _has_other_than_numbers(value: object) -> bool:
    """Whether a list holds text or true and false, which NumPy would take for numbers."""
    if isinstance(value, list):
        return any(map(_has_other_than_numbers, value))
    return isinstance(value, bool) or not isinstance(value, int | float)


def _rates(counts: Floats, setting: Setting, sizes: Floats | None) -> GroupRates:
    people = counts.sum(axis=-1)
    prevalence = people / people.sum(axis=0)
    same = np.array_equal(prevalence, setting.prevalence)
    return GroupRates(
        setting=setting if same else Setting(setting.classes, setting.groups, prevalence),
        matrix=counts / people[..., None],
        counts=counts,
        sizes=people if sizes is None else sizes,
    )


def _written(study: Study) -> Iterator[str]:
    setting, words = study.setting, study.words
    yield "# A study. `evenhand study add` checks this file, and puts the study into a store."
    yield "# Change whatever people will read until it sounds like your field. Nobody's row is in here: counts only."
    yield ""
    yield f"slug = {_text(study.slug)}  # its address: small letters, digits and hyphens"
    yield f"title = {_text(study.title)}"
    yield f"introduction = {_paragraphs(study.introduction)}"
    yield "# What people agree to by beginning."
    yield f"consent = {_paragraphs(study.consent)}"
    yield "# Whether you see the label of a person's invitation beside their result; people are told before they begin."
    yield f"names_kept = {_value(study.names_kept)}"
    yield ""
    yield from _written_method(study)
    yield "# A person reads sentences of these words: “Of 100 (group) (true class), 12 (mistake).” For example:"
    yield f"# {_example(study)}"
    yield "[words.groups]"
    for group in setting.groups:
        yield f"{_text(str(group))} = {_text(words.groups[group])}"
    yield ""
    yield "[words.classes]"
    for one in setting.classes:
        yield f"{_text(str(one))} = {_text(words.classes[one])}"
    for true in setting.classes:
        yield ""
        yield f"[words.mistakes.{_text(str(true))}]  # people of this true class who are predicted …"
        for predicted in setting.classes:
            if predicted != true:
                yield f"{_text(str(predicted))} = {_text(words.mistakes[true, predicted])}"
    yield ""
    yield "[data]"
    yield f"classes = {_value(setting.classes)}"
    yield f"groups = {_value(setting.groups)}"
    first = next(iter(study.candidates.values()))
    assert first.counts is not None  # noqa: S101  # asked by the caller
    assert first.sizes is not None  # noqa: S101
    if not np.array_equal(first.counts.sum(axis=-1), study.population):
        yield "# How many people each group (a row) has in each true class."
        yield f"population = {_value(study.population.tolist())}"
    if not np.array_equal(first.counts.sum(axis=-1), first.sizes):
        yield "# Kish's effective sample size of each group (a row) and true class: the people were weighted."
        yield f"sizes = {_value(first.sizes.tolist())}"
    yield ""
    yield "# How many people each model decided how: for each group a row for each true class, and in it a number for"
    yield "# each prediction, in the order of the classes."
    for name, rates in study.candidates.items():
        yield f"[models.{_text(name)}]"
        assert rates.counts is not None  # noqa: S101
        for group, counts in zip(setting.groups, rates.counts.tolist(), strict=True):
            yield f"{_text(str(group))} = {_value(counts)}"
        yield ""


def _written_method(study: Study) -> Iterator[str]:
    options = dict(_options(study))
    region = options.pop("region", None)
    yield "[method]"
    for name, value in options.items():
        yield from _COMMENTS.get(name, ())
        yield f"{name} = {_value(value)}"
    yield ""
    if region is not None:
        yield "# What each group can reach: cells of ten people or more, their number and probabilities."
        yield "[method.region]"
        for name, value in region.items():
            yield f"{name} = {_value(value)}"
        yield ""


_COMMENTS = {
    "stop": (
        '# "best" ends when one model is clearly the best for the person, "ranking" when the order of all models is',
        '# clear, "weights" when every weight is known well, and "budget" after exactly max_questions.',
    ),
    "max_questions": ("# The most questions that a person is asked.",),
}


def _options(study: Study) -> Iterator[tuple[str, Any]]:
    """Yield the method's name and those of its options that are not as they would be for any study."""
    usual = method_document(Study(**_parts(study) | {"options": {}}).method)
    own = method_document(study.method)
    for name, value in own.items():
        if name in {"name", "max_questions"} or (value is not None and value != usual[name]):
            yield name, value


def _parts(study: Study) -> dict[str, Any]:
    names = ("slug", "title", "introduction", "setting", "candidates", "words", "population", "consent", "method_name")
    return {name: getattr(study, name) for name in names}


def _example(study: Study) -> str:
    """Return a sentence as people will read it."""
    group, (true, predicted) = study.setting.groups[0], study.setting.mistakes[0]
    words = study.words
    return f"“Of 100 {words.groups[group]} {words.classes[true]}, 12 {words.mistakes[true, predicted]}.”"


def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _paragraphs(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"""', '""\\"')
    return f'"""\n{escaped}\n"""'


def _value(value: Any) -> str:
    """Return a value as TOML writes it; whole numbers of people without a fraction."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{name} = {_value(each)}" for name, each in value.items()) + "}"
    if isinstance(value, Sequence):
        return "[" + ", ".join(map(_value, value)) + "]"
    return str(int(value)) if isinstance(value, float) and value.is_integer() and abs(value) < 2**53 else repr(value)
