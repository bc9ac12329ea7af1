"""The words of a study as a form: what was written in each field, what is wrong with it, and the sentences it makes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from evenhand.display.names import printable
from evenhand.errors import EvenhandError
from evenhand.rates import off_diagonal_entries
from evenhand.rates.rounding import OUT_OF
from evenhand.study.draft import guessed_introduction
from evenhand.study.study import Study, checked_paragraphs, checked_slug, checked_title
from evenhand.web.drafts import Draft
from evenhand.wording.phrases import Phrases, checked_phrase

NAMES_KEPT = "yes"
"""What a draft says where the box is ticked; where it is not, it says nothing."""


@dataclass(frozen=True)
class Field:
    """One field: its name in the form, what it is about, what is written in it, and what is wrong with that."""

    name: str
    about: str
    text: str
    problem: str = ""


@dataclass(frozen=True)
class ShownSentence:
    """A sentence as people will read it, made of fields."""

    group: Field
    true: Field
    people: int
    mistake: Field
    kind: str


@dataclass(frozen=True)
class WordsForm:
    """All fields."""

    base: Study
    draft: Draft
    texts: tuple[Field, ...]
    groups: tuple[Field, ...]
    classes: tuple[Field, ...]
    mistakes: tuple[Field, ...]
    names_kept: bool

    @classmethod
    def of(cls, draft: Draft, base: Study, taken: Collection[str]) -> WordsForm:
        """Show what was written in a draft, or else what was guessed; `taken` are the names of other studies."""
        setting, words = base.setting, base.words
        label = draft.label or "class"
        return cls(
            base=base,
            draft=draft,
            texts=tuple(_texts(draft, base, taken)),
            groups=tuple(
                _field(draft, f"group-{g}", f"{', '.join(draft.groups) or 'group'} = {group}", words.groups[group])
                for g, group in enumerate(setting.groups)
            ),
            classes=tuple(
                _field(draft, f"class-{i}", f"{label} = {name}", words.classes[name])
                for i, name in enumerate(setting.classes)
            ),
            mistakes=tuple(
                _field(
                    draft,
                    f"mistake-{at}",
                    f"{label} = {true}, but predicted {predicted}",
                    words.mistakes[true, predicted],
                )
                for at, (true, predicted) in enumerate(setting.mistakes)
            ),
            names_kept=draft.texts.get("names_kept", NAMES_KEPT if base.names_kept else "") == NAMES_KEPT,
        )

    @property
    def fields(self) -> tuple[Field, ...]:
        """All fields, in the order of the page."""
        return (*self.texts, *self.groups, *self.classes, *self.mistakes)

    @property
    def problems(self) -> tuple[Field, ...]:
        """The fields with which something is wrong."""
        return tuple(field for field in self.fields if field.problem)

    def sentences(self) -> Iterator[ShownSentence]:
        """Yield a sentence for each kind of mistake, with the number of the first model; the groups take turns."""
        rates = next(iter(self.base.candidates.values()))
        for at, (i, j) in enumerate(off_diagonal_entries(len(self.classes))):
            g = at % len(self.groups)
            people = int(np.rint(OUT_OF * rates.matrix[g, i, j]))
            yield ShownSentence(self.groups[g], self.classes[i], people, self.mistakes[at], f"mistake-{j}")

    def study(self) -> Study:
        """Return the study that the form makes, or raise an error with the first thing that is wrong."""
        for field in self.problems:
            raise EvenhandError(field.problem)
        setting, text = self.base.setting, {field.name: field.text for field in self.fields}
        options: dict[str, Any] = dict(self.base.options)
        if "questions" in text:
            options["max_questions"] = int(text["questions"])
        return replace(
            self.base,
            slug=text["slug"],
            title=text["title"],
            introduction=text["introduction"],
            consent=text["consent"],
            words=Phrases(
                groups={of: text[f"group-{g}"] for g, of in enumerate(setting.groups)},
                classes={of: text[f"class-{i}"] for i, of in enumerate(setting.classes)},
                mistakes={of: text[f"mistake-{at}"] for at, of in enumerate(setting.mistakes)},
            ),
            options=options,
            names_kept=self.names_kept,
        )


def _texts(draft: Draft, base: Study, taken: Collection[str]) -> Iterator[Field]:
    def address(text: object) -> str:
        slug = checked_slug(text)
        if slug in taken and slug != draft.edits:
            raise EvenhandError(f"there is a study {slug!r} already: choose another name for this one")
        if draft.edits is not None and slug != draft.edits:
            raise EvenhandError(f"this is a new version of the study {draft.edits!r}, which keeps its name")
        return slug

    introduction = base.introduction
    if draft.edits is None:
        introduction = guessed_introduction(len(base.candidates), float(base.population.sum()))
    yield _checked(draft, "title", "The question that the study is about", base.title, checked_title)
    yield _checked(draft, "slug", "Its name in the address", base.slug, address)
    yield _checked(
        draft,
        "introduction",
        "What people read first",
        introduction,
        lambda text: checked_paragraphs(text, "introduction"),
    )
    yield _checked(
        draft,
        "consent",
        "What people agree to by beginning",
        base.consent,
        lambda text: checked_paragraphs(text, "consent"),
    )
    if base.options.get("max_questions") is not None:
        usual = str(base.options["max_questions"])
        yield _checked(draft, "questions", "The most questions that a person is asked", usual, _number)


def _number(text: object) -> str:
    number = str(text).strip()
    if not (number.isascii() and number.isdecimal() and 1 <= len(number) <= 3 and int(number) >= 1):
        raise EvenhandError(f"the most questions must be a number from 1 to 999, but received {number[:40]!r}")
    return number


def _field(draft: Draft, name: str, about: str, guess: str) -> Field:
    shown = printable(about)
    return _checked(draft, name, shown, guess, lambda text: checked_phrase(text, f"the words for {shown!r}"))


def _checked(draft: Draft, name: str, about: str, guess: str, check: Callable[[object], str]) -> Field:
    text = draft.texts.get(name, guess)
    try:
        return Field(name, about, check(text))
    except EvenhandError as error:
        return Field(name, about, text, str(error))
