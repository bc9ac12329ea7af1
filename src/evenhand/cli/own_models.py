"""The options of `evenhand interview` that name models of one's own, and words for them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evenhand.errors import EvenhandError
from evenhand.rates.files import Columns
from evenhand.report.terminal.guide import TITLE
from evenhand.study.draft import OPTIONS, drafted

if TYPE_CHECKING:
    from evenhand.study.study import Study

_SLUG = "interview"  # it has no address


@dataclass(frozen=True, kw_only=True)
class OwnModels:
    """The options on the command line; None if not given."""

    candidates: list[Path] | None = None
    label: str | None = None
    prediction: list[str] | None = None
    group: list[str] | None = None
    weight: str | None = None
    words: Path | None = None

    def check(self, *, also: Mapping[str, object]) -> None:
        """Refuse options without the one that they belong to, and others that say what the models say."""
        if self.candidates is None:
            for name in ("label", "prediction", "group", "weight", "words"):
                if getattr(self, name):
                    raise EvenhandError(f"--{name} is about your own models: name their predictions with --candidates")
            return
        for option, given in also.items():
            if given:
                raise EvenhandError(
                    f"{option} was given with --candidates, whose files say which classes and groups there are: leave "
                    "it out"
                )

    def study(self, method: str | None, options: Mapping[str, Any]) -> Study:
        """Measure the models, and return what the interview is about."""
        from evenhand.study.study_file import read_words_file  # noqa: PLC0415  # most interviews need none

        if method not in {None, "adaptive"}:
            raise EvenhandError(
                f"--method {method} asks about made-up models only: leave it out, or leave out --candidates"
            )
        assert self.candidates is not None  # noqa: S101  # asked by the caller
        label, group = self.label or "label", self.group or ["group"]
        rates = Columns(label, self.prediction or ["prediction*"], group, self.weight).rates(self.candidates)
        setting = next(iter(rates.values())).setting if rates else None
        words = None if self.words is None or setting is None else read_words_file(self.words, setting)
        return drafted(
            rates, label=label, group=group, slug=_SLUG, title=TITLE, words=words, options={**OPTIONS, **options}
        )
