"""Answers read back from a file: what they say comes out again, with the sample of metrics that files leave out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from evenhand.elicitation import Adaptive, Elicited, Finding, History, Method
from evenhand.elicitation.procedure import seed_of
from evenhand.errors import EvenhandError
from evenhand.rates import GroupRates, Setting
from evenhand.rates.models import named_models
from evenhand.study.interview import InterviewState
from evenhand.study.study import Study
from evenhand.wording.numerals import plural


@dataclass(frozen=True, eq=False, kw_only=True)
class Answered:
    """The answers of one person.

    Attributes
    ----------
    method
        What asked.
    seed
        The seed of the interview, from which the same sample is drawn again.
    history
        The questions with their answers.
    told
        What the person was told at the end, where that is known.
    about_candidates
        The options by which the questions were about candidates, where these are not known.
    times
        When each answer was given, in ISO 8601.
    """

    method: Method
    seed: int
    history: History
    told: Finding | None = None
    about_candidates: Mapping[str, Any] = field(default_factory=dict)
    times: Sequence[str] = ()

    @classmethod
    def of(cls, state: InterviewState) -> Answered:
        """Return the answers that stand in an interview, which must have some."""
        if not state.history:
            raise EvenhandError("this interview has no answers: answer some questions first")
        times = [given.time for given in state.answers]
        return cls(method=state.method, seed=state.seed, history=state.history, told=state.finding, times=times)

    @property
    def setting(self) -> Setting:
        """What the questions were about."""
        return self.method.setting

    @property
    def what(self) -> str:
        """How many there are, in words."""
        return f"{plural(len(self.history), 'answer')} to questions of method={self.method.name!r}"

    @property
    def when(self) -> str:
        """The day of the answers, or the first and the last one."""
        days = sorted({time[:10] for time in self.times})
        return " to ".join(dict.fromkeys([*days[:1], *days[-1:]]))

    def elicited(self, candidates: Mapping[str, GroupRates] | None = None) -> Elicited:
        """Return what the answers say; with two models or more to choose from, also about these.

        The answers to a search are weighed by the adaptive method, since a search cannot say how sure it is.
        """
        own = named_models(candidates, self.setting) if candidates is not None and len(candidates) > 1 else None
        found = self._weighed(own)
        told = self.told
        if own is None and told is not None and told.uncertainty is not None and found.uncertainty is not None:
            found = replace(told, uncertainty=replace(told.uncertainty, sample=found.uncertainty.sample))
        elif told is not None and (told.choice is None or set(told.choice.ranking) == set(own or {})):
            found = replace(found, stopped_because=told.stopped_because)
        return Elicited(**vars(found), method=self.method.name, history=tuple(self.history))

    def _weighed(self, candidates: Mapping[str, GroupRates] | None) -> Finding:
        seed = seed_of(self.seed)
        for method in (self.method, Adaptive(setting=self.setting)):
            found = self._asked_about(candidates, method).finding_after(self.history, seed=seed)
            if found is not None:
                return found
        raise EvenhandError("no metric follows from these answers: this is a bug in evenhand, please report it")

    def _asked_about(self, candidates: Mapping[str, GroupRates] | None, method: Method) -> Method:
        """Return the method with candidates to say something about; questions about weights stay about weights."""
        if not candidates or "candidates" not in method.option_names():
            return method
        if isinstance(method, Adaptive) and method.candidates is None:
            about = {"stop": method.stop or "weights", **self.about_candidates}
            return method.with_options(candidates=candidates, **about)
        return method.with_options(candidates=candidates)


@dataclass(frozen=True, eq=False)
class StudyAnswers(Mapping[str, Elicited]):
    """A study, with what the answers of each interview say; interviews without answers are left out.

    Interviews go by their identities, which are not the secrets in their addresses.

    Attributes
    ----------
    study
        The newest version of the study.
    answers
        The answers of each interview.
    """

    study: Study
    answers: Mapping[str, Answered]

    @cached_property
    def _elicited(self) -> dict[str, Elicited]:
        return {}

    def __getitem__(self, interview: str) -> Elicited:
        if interview not in self._elicited:
            self._elicited[interview] = self.answers[interview].elicited()
        return self._elicited[interview]

    def __len__(self) -> int:
        return len(self.answers)

    def __iter__(self) -> Iterator[str]:
        return iter(self.answers)

    def __repr__(self) -> str:
        return f"StudyAnswers(study {self.study.slug!r}, {plural(len(self), 'interview')})"
