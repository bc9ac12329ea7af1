"""What a study is: the question it is about, in its own words, and the models to choose from."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property, partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from evenhand.checks.arrays import float_array
from evenhand.checks.documents import Format
from evenhand.checks.messages import expect, listed, shown
from evenhand.checks.text import check_characters, checked_text
from evenhand.elicitation.methods import Method, make, method_named
from evenhand.errors import EvenhandError
from evenhand.rates import GroupRates, Setting
from evenhand.region import FeasibleRegion
from evenhand.study.limits import MOST_GAPS, MOST_PICTURES
from evenhand.study.methods import check_plain, check_shown_exactly, method_document, method_fields
from evenhand.typing import Floats, Label
from evenhand.wording.phrases import Phrases

STUDY_FORMAT = Format(
    name="evenhand.study",
    what="study",
    fields=(
        "slug",
        "title",
        "introduction",
        "consent",
        "setting",
        "population",
        "words",
        "candidates",
        "method",
        "names_kept",
    ),
)
RESERVED = ("api", "healthz", "i", "static")
"""Addresses of the web app that no study may take."""

CONSENT = """\
Taking part is voluntary. Your answers, the reasons that you give, and when you gave them are kept on this server, for \
the people who run this study.

You can stop whenever you like, and come back. You can also withdraw at any time, on the page of your interview: \
your answers and reasons are then erased for good."""
"""What people agree to by beginning, where a study does not say it in words of its own."""

_SLUG = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?")
_LONGEST_TITLE, _LONGEST_PARAGRAPHS, _LONGEST_NAME = 200, 10_000, 200
_MOST_CANDIDATES = 1000
_QUESTIONS, _MOST_QUESTIONS = 30, 1000
"""Where a method can be told when to end: how many questions a person is asked by default, and at most."""
_AGREE = 1e-6


def is_slug(name: object) -> bool:
    """Whether a study could be called that."""
    return isinstance(name, str) and _SLUG.fullmatch(name) is not None


def checked_slug(value: object) -> str:
    """Return a study's name in its address, or say what such a name is like."""
    if not is_slug(value):
        raise EvenhandError(
            f"slug must be 1 to 40 small letters, digits and hyphens, such as 'loans-2025', but received {shown(value)}"
        )
    if value in RESERVED:
        raise EvenhandError(f"slug {value!r} is taken by the web app itself: choose another")
    return str(value)


def checked_title(value: object) -> str:
    """Return a study's title."""
    return checked_text(value, "title", longest=_LONGEST_TITLE)


def checked_paragraphs(value: object, name: str) -> str:
    """Return an introduction, or what people agree to: paragraphs with an empty line between two of them."""
    return checked_text(value, name, longest=_LONGEST_PARAGRAPHS, lines=True)


def checked_model_name(value: object) -> str:
    """Return the name of a model, as people will see it in the result."""
    return checked_text(value, "the name of a candidate", longest=_LONGEST_NAME)


def check_label(label: Label) -> None:
    """Refuse a class or a group whose name cannot be shown."""
    text = str(label)
    if len(text) > _LONGEST_NAME:
        raise EvenhandError(
            f"the name of a class or group has {len(text)} characters, but the limit is {_LONGEST_NAME}: shorten "
            f"{shown(label)}"
        )
    check_characters(text, "the name of a class or group")


def check_size(setting: Setting) -> None:
    """Refuse more classes and groups than people can look at."""
    classes, groups = len(setting.classes), len(setting.groups)
    mistakes = classes * (classes - 1)
    if mistakes * groups > MOST_PICTURES or mistakes * groups * (groups - 1) > 2 * MOST_GAPS:
        raise EvenhandError(
            f"people cannot compare models with {classes:,} classes and {groups:,} groups: merge some, or leave "
            "some out"
        )


def digest_of(text: str) -> str:
    """Return the SHA-256 of a study's text as it is stored, by which an interview says which study it is about.

    It is not taken of a `Study`: a later evenhand would write the same study with other fields.
    """
    return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True, eq=False, kw_only=True)
class Study:
    """One study: what people are asked about, and until when.

    Parameters
    ----------
    slug
        Where the study is found: small letters, digits and hyphens.
    title
        The question that the study is about, for the people who take it.
    introduction
        Plain paragraphs, with an empty line between two of them.
    consent
        What people agree to by beginning, in paragraphs too.
    setting
        The classes, the groups and their prevalence.
    candidates
        The models to choose from, with their rates.
    words
        The study's own words.
    population
        How many people each group has in each true class, (m, k); the prevalence must follow from it.
    method_name
        The name of the method that asks, as in `evenhand.elicit`.
    options
        Options of that method; the others are those that suit people.
    names_kept
        Whether the owner sees the label of a person's invitation beside their result; people are told before they
        begin.
    """

    slug: str
    title: str
    introduction: str
    setting: Setting
    candidates: Mapping[str, GroupRates]
    words: Phrases
    population: Floats
    consent: str = CONSENT
    method_name: str = "adaptive"
    options: Mapping[str, Any] = field(default_factory=dict)
    names_kept: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "slug", checked_slug(self.slug))
        expect(self.setting, "setting", Setting)
        check_size(self.setting)
        for label in (*self.setting.classes, *self.setting.groups):
            check_label(label)
        expect(self.words, "words", Phrases)
        self.words.check_complete(self.setting)
        object.__setattr__(self, "title", checked_title(self.title))
        for name in ("introduction", "consent"):
            object.__setattr__(self, name, checked_paragraphs(getattr(self, name), name))
        object.__setattr__(self, "population", self._checked_population())
        object.__setattr__(self, "candidates", self._checked_candidates())
        expect(self.names_kept, "names_kept", bool)
        expect(self.options, "options", Mapping)
        object.__setattr__(self, "options", MappingProxyType(_without_rows(self.options)))
        check_shown_exactly(self.method)  # which its options must make first
        check_plain(self.method)
        if (self.method.most_questions or 0) > _MOST_QUESTIONS:
            raise EvenhandError(
                f"there would be up to {self.method.most_questions} questions, but nobody answers more than "
                f"{_MOST_QUESTIONS}"
            )

    def __reduce__(self) -> tuple[Callable[[], Study], tuple[()]]:
        """Be pickled and copied as dictionaries: a view of one cannot be."""
        kept = {one.name: getattr(self, one.name) for one in fields(self)}
        return partial(Study, **kept | {name: dict(kept[name]) for name in ("candidates", "options")}), ()

    def _checked_population(self) -> Floats:
        shape = (len(self.setting.groups), len(self.setting.classes))
        population = float_array(
            self.population, "population", shape, "how many people each group has in each true class"
        )
        if not (np.isfinite(population).all() and (population > 0).all()):
            raise EvenhandError(f"population must be positive numbers, but received {shown(population.tolist())}")
        if not np.allclose(population / population.sum(axis=0), self.setting.prevalence, rtol=0.0, atol=_AGREE):
            raise EvenhandError(
                "population and the setting's prevalence do not agree: prevalence must be "
                "population / population.sum(axis=0)"
            )
        return population

    def _checked_candidates(self) -> Mapping[str, GroupRates]:
        expect(self.candidates, "candidates", Mapping)
        if len(self.candidates) > _MOST_CANDIDATES:
            raise EvenhandError(f"there are {len(self.candidates)} candidates, but {_MOST_CANDIDATES} is the most")
        names = [checked_model_name(name) for name in self.candidates]
        if len(set(names)) < len(names):
            raise EvenhandError(f"two candidates have the same name but for blanks around it: {listed(names)}")
        return MappingProxyType(dict(zip(names, self.candidates.values(), strict=True)))

    @cached_property
    def method(self) -> Method:
        """The method that asks, with its options; one object for all interviews."""
        known = method_named(self.method_name)
        usual = known.for_people(self.setting) | {"candidates": dict(self.candidates), "max_questions": _QUESTIONS}
        fitting = {name: value for name, value in usual.items() if name in known.option_names()}
        return make(self.method_name, self.setting, {**fitting, **self.options})

    def to_document(self) -> dict[str, Any]:
        """Return the study as JSON holds it."""
        setting = self.setting
        return STUDY_FORMAT.write(
            slug=self.slug,
            title=self.title,
            introduction=self.introduction,
            consent=self.consent,
            setting=setting.to_document(),
            population=self.population.tolist(),
            words={
                "groups": [self.words.groups[group] for group in setting.groups],
                "classes": [self.words.classes[name] for name in setting.classes],
                "mistakes": [self.words.mistakes[mistake] for mistake in setting.mistakes],
            },
            candidates=[_candidate_document(name, rates, setting) for name, rates in self.candidates.items()],
            method=method_document(self.method),
            names_kept=self.names_kept,
        )

    def to_json(self) -> str:
        """Return the study as a JSON document that `from_json` reads back exactly."""
        return json.dumps(self.to_document(), allow_nan=False)

    @classmethod
    def from_json(cls, text: str) -> Study:
        """Read a study that `to_json` wrote."""
        return cls._of_fields(STUDY_FORMAT.from_json(text))

    @classmethod
    def from_document(cls, document: object) -> Study:
        """Read a study that `to_document` returned."""
        return cls._of_fields(STUDY_FORMAT.read(document))

    @classmethod
    def _of_fields(cls, fields: dict[str, Any]) -> Study:
        try:
            return cls._read(fields)
        except (KeyError, TypeError, AttributeError, OverflowError) as error:
            raise EvenhandError(f"this study's document is not complete: {error!r:.200}") from error

    @classmethod
    def from_table(
        cls,
        table: Any,
        *,
        label: str,
        prediction: str | Sequence[str] | re.Pattern[str],
        group: str | Sequence[str],
        weight: str | None = None,
        slug: str,
        **texts: Any,
    ) -> Study:
        """Make a study of the models whose predictions are in a table; what is not said is guessed.

        Parameters
        ----------
        table, label, prediction, group, weight
            As in `evenhand.group_rates_from_table`; there must be at least two models.
        slug
            Where the study is found: small letters, digits and hyphens.
        **texts
            Any of `title`, `introduction`, `consent`, `words`, `method_name`, `options` and `names_kept`.

        Examples
        --------
        >>> import polars
        >>> table = polars.DataFrame({"repaid": [0, 0, 1, 1] * 2, "sex": list("fmfmfmfm"), "a": [0, 0, 1, 1] * 2,
        ...                           "b": [1, 0, 1, 0, 0, 1, 1, 0]})
        >>> study = Study.from_table(table, label="repaid", prediction=["a", "b"], group="sex", slug="loans")
        >>> dict(study.words.groups)
        {'f': 'women', 'm': 'men'}
        """
        from evenhand.study.draft import drafted, measured  # noqa: PLC0415  # which make studies

        rates = measured(table, label=label, prediction=prediction, group=group, weight=weight)
        return drafted(rates, label=label, group=group, slug=slug, **texts)

    @classmethod
    def from_file(cls, path: str | Path) -> Study:
        """Read a study from the TOML file that `to_toml` and `evenhand study draft` write.

        The error names every mistake in the file with its line.
        """
        from evenhand.study.study_file import read_study_file  # noqa: PLC0415

        return read_study_file(Path(path))

    def to_toml(self) -> str:
        """Return the study as a commented TOML file, for people to change; it holds the counts of each model."""
        from evenhand.study.study_file import write_study_file  # noqa: PLC0415

        return write_study_file(self)

    @classmethod
    def _read(cls, fields: dict[str, Any]) -> Study:
        setting = Setting.from_document(fields.pop("setting"))
        words, candidates = fields.pop("words"), fields.pop("candidates")
        name, options = method_fields(fields.pop("method"))
        return cls(
            setting=setting,
            words=Phrases(
                **{
                    name: dict(_aligned(getattr(setting, name), words[name], f"words.{name}"))
                    for name in ("groups", "classes", "mistakes")
                }
            ),
            candidates=_candidates(candidates, setting),
            method_name=name,
            options=options,
            **fields,
        )


def _without_rows(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return options whose region, if there is one, has its people counted in cells: a study holds nobody's row."""
    region = options.get("region")
    return {**options, "region": region.counted()} if isinstance(region, FeasibleRegion) else dict(options)


def _candidate_document(name: str, rates: GroupRates, setting: Setting) -> dict[str, Any]:
    """Return a model as JSON holds it; its own prevalence only where it differs from the study's."""
    own = None if rates.setting == setting else rates.setting.prevalence.tolist()
    counts, sizes = (None if array is None else array.tolist() for array in (rates.counts, rates.sizes))
    return {"name": name, "matrix": rates.matrix.tolist(), "counts": counts, "sizes": sizes, "prevalence": own}


def _candidates(documents: Any, setting: Setting) -> dict[str, GroupRates]:
    candidates = {}
    for document in documents:
        own = document["prevalence"]
        of = setting if own is None else Setting(setting.classes, setting.groups, own)
        arrays = {name: document[name] for name in ("matrix", "counts", "sizes")}
        candidates[document["name"]] = GroupRates(setting=of, **arrays)
    if len(candidates) < len(documents):
        raise EvenhandError("two candidates of this study have the same name")
    return candidates


def _aligned(of: tuple[Any, ...], phrases: Any, name: str) -> Iterator[tuple[Any, Any]]:
    if not isinstance(phrases, list) or len(phrases) != len(of):
        raise EvenhandError(f"{name} must be a list of {len(of)} phrases, but is {shown(phrases)}")
    yield from zip(of, phrases, strict=True)
