"""One word for one thing: the glossary of CONTRIBUTING.md holds in the source."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from pathlib import Path

import pytest

import evenhand

PACKAGE = Path(evenhand.__file__).parent
SOURCES = sorted(PACKAGE.rglob("*.py"))
TEXTS = [*SOURCES, *sorted(PACKAGE.rglob("*.html")), *sorted(PACKAGE.rglob("*.j2"))]

# Each retired word, and the one to use.
RETIRED = {
    "discrepancy": "gap",
    "discrepancies": "gaps",
    "disparity": "gap",
    "disparities": "gaps",
    "clicker": "inattentive",
    "clickers": "inattentive",
    "foresee": "predict",
    "foreseen": "predicted",
    "habit": "response",
    "habits": "response",
    "judges": "subsample",
}
RETIRED_NAMES = {
    "AdaptivePlan": "Adaptive",
    "AnswerFile": "FileLog",
    "HabitPrior": "ResponsePrior",
    "Interviewed": "Transcript",
    "KeptAnswers": "FileLog",
    "PEOPLE": "OUT_OF",
    "Plan": "Method",
    "Reply": "Observation",
    "Structure": "Prior",
    "linear_features": "Family.features",
}
MANNERISMS = ("[Mm]ended", "[Aa]t hand", "[Oo]ne door", "[Ww]hoever", "(?<!there )is none", "[Ll]est")


def _words(text: str) -> set[str]:
    """Return the words of a text; an identifier is made of several."""
    return {word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", text)}


def test_no_class_name_is_defined_twice() -> None:
    places = defaultdict(list)
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                places[node.name].append(str(path.relative_to(PACKAGE)))
    assert {name: found for name, found in places.items() if len(found) > 1} == {}


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_no_retired_word_is_left(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert {word: RETIRED[word] for word in _words(text) & RETIRED.keys()} == {}
    names = set(re.findall(r"\w+", text))
    assert {name: RETIRED_NAMES[name] for name in names & RETIRED_NAMES.keys()} == {}
    assert [phrase for phrase in MANNERISMS if re.search(rf"\b{phrase}\b", text)] == []


PAGES = sorted([*PACKAGE.parents[1].glob("docs/*.md"), PACKAGE.parents[1] / "README.md"])
OLD_SENTENCES = (
    "[Ff]oreseen",
    r"\bless one\b",
    "that somebody attends",
    "it is really so with probability",
    "is as good as the best with probability",
    "answered with another reason",
)


@pytest.mark.parametrize("path", [*TEXTS, *PAGES], ids=lambda path: path.name)
def test_sentences_that_were_put_in_plain_words_do_not_come_back(path: Path) -> None:
    text = " ".join(path.read_text(encoding="utf-8").split())
    assert [phrase for phrase in OLD_SENTENCES if re.search(phrase, text)] == []


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_pages_have_no_mannered_words(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert [phrase for phrase in ("[Mm]ended", "[Aa]t hand", "[Ww]hoever") if re.search(rf"\b{phrase}\b", text)] == []
