"""A first draft of a study: from the rates of models, with words guessed for everything that people will read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from evenhand.display.names import printable
from evenhand.errors import EvenhandError
from evenhand.rates import GroupRates, Setting, group_rates_from_table
from evenhand.study.study import Study, check_size
from evenhand.typing import Label
from evenhand.wording.numerals import plural
from evenhand.wording.phrases import Phrases

TITLE = "Which model should decide?"
OPTIONS = {"stop": "best", "max_questions": 30}

_PEOPLE = re.compile(r"(women|men|girls|boys|people|children|adults|patients|others)\b")
_SEXES = {"f": "women", "female": "women", "w": "women", "m": "men", "male": "men"}
_SEX = ("sex", "gender")
_LONGEST = 80


def measured(
    table: Any,
    *,
    label: str,
    prediction: str | Sequence[str] | re.Pattern[str],
    group: str | Sequence[str],
    weight: str | None = None,
) -> dict[str, GroupRates]:
    """Return the rates of each model in a table of predictions."""
    several = prediction if isinstance(prediction, re.Pattern) else _pattern_or_list(prediction)
    found: Any = group_rates_from_table(table, label=label, prediction=several, group=group, weight=weight)
    rates = {prediction: found} if isinstance(found, GroupRates) else found
    return {str(name): one.in_measured_prevalence() for name, one in rates.items()}


def _pattern_or_list(prediction: str | Sequence[str]) -> Any:
    return prediction if isinstance(prediction, str) else list(prediction)


def drafted(
    rates: Mapping[str, GroupRates],
    *,
    label: str,
    group: str | Iterable[str],
    slug: str,
    title: str = TITLE,
    introduction: str | None = None,
    words: Phrases | None = None,
    options: Mapping[str, Any] | None = None,
    **others: Any,
) -> Study:
    """Return a study of these models; `label` and `group` are the columns that the words are guessed from."""
    if len(rates) < 2:
        raise EvenhandError(
            f"a study needs at least two models to choose from, but {_named(rates)}: name the columns of more "
            "predictions, or use wildcards such as 'model_*'"
        )
    first = next(iter(rates.values()))
    check_size(first.setting)
    assert first.counts is not None  # noqa: S101  # they were measured
    people = first.counts.sum(axis=-1)
    groups = [group] if isinstance(group, str) else list(group)
    return Study(
        slug=slug,
        title=title,
        introduction=introduction or guessed_introduction(len(rates), people.sum()),
        setting=first.setting,
        candidates=rates,
        words=words or guessed_words(first.setting, label=label, group=groups),
        population=people,
        options=OPTIONS if options is None else options,
        **others,
    )


def guessed_words(setting: Setting, *, label: str, group: Sequence[str]) -> Phrases:
    """Guess words from names: “women”, “whose repaid is 1”, “are predicted 0”. They are there to be changed."""
    return Phrases(
        groups={one: _who(one, group) for one in setting.groups},
        classes={one: f"whose {_shortened(label)} is {_quoted(one)}" for one in setting.classes},
        mistakes={(true, predicted): f"are predicted {_quoted(predicted)}" for true, predicted in setting.mistakes},
    )


def _who(group: Label, columns: Sequence[str]) -> str:
    name = _shortened(str(group))
    if isinstance(group, str) and _PEOPLE.match(name):
        return name
    if len(columns) > 1:
        return f"people of the group {_quoted(group)}"
    column = columns[0]
    if column.casefold() in _SEX and name.casefold() in _SEXES:
        return _SEXES[name.casefold()]
    return f"people whose {_shortened(column)} is {_quoted(group)}"


def _quoted(label: Label) -> str:
    name = _shortened(str(label))
    return f"“{name}”" if isinstance(label, str) else name


def _shortened(name: str) -> str:
    text = printable(name).strip()
    return f"{text[: _LONGEST - 1]}…" if len(text) > _LONGEST else text or "(no name)"


def _named(rates: Mapping[str, GroupRates]) -> str:
    return f"there is only {next(iter(rates))!r:.80}" if rates else "there is none"


def slug_of(name: str) -> str:
    """Make a study's name in its address of the name of a file.

    >>> slug_of("Loans (2025).csv")
    'loans-2025'
    """
    words = re.sub(r"[^a-z0-9]+", "-", name.split(".", maxsplit=1)[0].lower()).strip("-")
    return words[:40].strip("-") or "study"


def guessed_introduction(models: int, people: float) -> str:
    """Return what people read before they begin."""
    number = f"{people:,.0f} people" if float(people).is_integer() else "the same people"
    return (
        f"We have to choose between {plural(models, 'model')}, which were tested on {number}. Every model makes "
        "mistakes, and not equally many in every group. Which mistakes are worse, and how much does it matter that one "
        "group bears more of them? That is for people to say."
    )
