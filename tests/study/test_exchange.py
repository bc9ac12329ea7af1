"""A study as one file: exported and imported it is the same study, with the same answers and the same result."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.support.quick import SETTING, QuickRunner, study

from evenhand import EvenhandError, FairMetric
from evenhand.study.exchange import content_digest, export_study, import_study
from evenhand.study.refusals import UnknownStudyError
from evenhand.study.runner import Runner
from evenhand.study.store import Store
from evenhand.web.api.interviews import state_document


def opened(url: str, questions: int = 3) -> Store:
    return Store(url, runner=QuickRunner(questions))


def taken(store: Store, *choices: str) -> str:
    token = store.begin("loans")
    for n, choice in enumerate(choices, 1):
        store.answer(token, n, choice, "why <b>not</b>?\nΨ" if n == 1 else None)
    return token


@pytest.fixture
def elsewhere(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/elsewhere.db"


def test_an_export_imported_elsewhere_is_the_same_to_the_last_byte(store_url: str, elsewhere: str) -> None:
    with opened(store_url) as here, opened(elsewhere) as there:
        here.put_study(study())
        tokens = [taken(here, *choices) for choices in (["first"], ["second", "skip", "neither"], [])]
        here.undo(tokens[0], 1)
        document = export_study(here, "loans")
        added = import_study(there, document)
        assert (added.slug, added.interviews, added.answers, added.known) == ("loans", 3, 4, 0)
        assert export_study(there, "loans") == document
        for token in tokens:
            assert state_document(there.interview(token)) == state_document(here.interview(token))
            assert token not in document
        assert not there.breaks()
        there.answer(tokens[0], 1, "neither")


def test_what_an_interview_found_is_found_again_elsewhere(tmp_path: Path, elsewhere: str) -> None:
    truth = FairMetric.random(SETTING, 3)
    with Store(f"sqlite:///{tmp_path}/here.db") as here, Store(elsewhere) as there:
        here.put_study(study(models=5, max_questions=6))
        token = here.begin("loans")
        interview = here.interview(token)
        while interview.question is not None:
            asked = interview.question
            choice = "first" if truth.cost(asked.a) < truth.cost(asked.b) else "second"
            interview = here.answer(token, asked.n, choice)
        import_study(there, export_study(here, "loans"))
        found = there.interview(token)
        assert interview.finding is not None
        assert found.finding is not None
        assert found.finding.metric == interview.finding.metric
        # … and not only because it was written down: the answers themselves lead to it.
        again = Runner().step(found.method, found.seed, found.history)
        distance = again.metric.distance(interview.finding.metric)  # type: ignore[union-attr]
        assert max(distance) <= 1e-9
        one, other = (
            finding.choice.ranking_certainty for finding in (found.finding, interview.finding) if finding.choice
        )
        assert one == pytest.approx(other, abs=1e-9)


def test_importing_again_adds_only_what_is_new(store_url: str, elsewhere: str) -> None:
    with opened(store_url) as here, opened(elsewhere) as there:
        here.put_study(study())
        token = taken(here, "first")
        early = export_study(here, "loans")
        import_study(there, early)
        assert import_study(there, early).known == 1
        here.answer(token, 2, "second")
        late = export_study(here, "loans")
        added = import_study(there, late)
        assert (added.interviews, added.answers, added.known) == (1, 1, 0)
        assert import_study(there, early).known == 1
        assert export_study(there, "loans") == late


def test_an_interview_that_went_on_differently_is_refused_and_nothing_is_added(store_url: str, elsewhere: str) -> None:
    with opened(store_url) as here, opened(elsewhere) as there:
        here.put_study(study())
        token = taken(here, "first")
        import_study(there, export_study(here, "loans"))
        there.answer(token, 2, "first")
        here.answer(token, 2, "second")
        taken(here, "neither")
        before = export_study(there, "loans")
        with pytest.raises(EvenhandError, match="went on differently"):
            import_study(there, export_study(here, "loans"))
        assert export_study(there, "loans") == before


def test_earlier_versions_of_a_study_come_along(store_url: str, elsewhere: str) -> None:
    with opened(store_url) as here, opened(elsewhere) as there:
        here.put_study(study())
        token = taken(here, "first")
        here.put_study(study(models=7))
        import_study(there, export_study(here, "loans"))
        assert len(there.study("loans").candidates) == 7
        assert len(there.interview(token).study.candidates) == 3


def test_a_study_that_is_not_there_cannot_be_exported(store_url: str) -> None:
    with opened(store_url) as store, pytest.raises(UnknownStudyError):
        export_study(store, "loans")


def changed(change: Callable[[Any], object]) -> Callable[[str], str]:
    """Change an export and give it a digest that fits, as a forger would."""

    def apply(text: str) -> str:
        document = json.loads(text)
        change(document)
        document["digest"] = content_digest({name: document[name] for name in ("slug", "studies", "interviews")})
        return json.dumps(document)

    return apply


def events(document: Any) -> Any:
    return document["interviews"][0]["events"]


def found(document: Any) -> Any:
    return events(document)[-1]["detail"]


def interval(low: float | None, high: float) -> dict[str, Any]:
    """Return the uncertainty of a finding whose weights all lie in the same interval."""
    ends = [low, high]
    intervals = {"misclassification": [ends] * 2, "violation": [[ends] * 2], "trade_off": ends}
    return {"level": 0.9, "intervals": intervals, "ratios": None}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda _: "", "nor any JSON"),
        (lambda _: "[" * 100_000, "nor any JSON"),
        (lambda _: "[]", 'its "format" is not'),
        (lambda text: text.replace('"version": 1', '"version": 2', 1), "version 2"),
        (lambda text: text.replace('"choice": "first"', '"choice": "second"'), "digest does not fit"),
        (lambda text: text[:-2] + ', "more": 1}', "should not have: 'more'"),
        (changed(lambda d: d.update(interviews=3)), "must be a list"),
        (changed(lambda d: d.update(studies=[])), "study .* is missing"),
        (changed(lambda d: d.update(slug="jobs")), "holds another one"),
        (changed(lambda d: d["interviews"][0].update(id="../x")), "has the id"),
        (changed(lambda d: d["interviews"].append(d["interviews"][0])), "has the id"),
        (changed(lambda d: d["interviews"][0].update(events=[])), "has no events"),
        (changed(lambda d: events(d).pop(0)), "begins with an event"),
        (changed(lambda d: events(d).pop(1)), "cannot follow"),
        (changed(lambda d: events(d)[2].update(choice="both")), "choice"),
        (changed(lambda d: events(d)[2].update(n=-1)), "whole number"),
        (changed(lambda d: events(d)[2].update(n=7)), "cannot follow"),
        (changed(lambda d: events(d)[2].update(kind="deleted")), "kind"),
        (changed(lambda d: events(d)[2].update(why="\x00")), "cannot be shown"),
        (changed(lambda d: events(d)[2].update(why=[])), "why must be a str"),
        (changed(lambda d: events(d)[2].update(time="yesterday")), "time"),
        (changed(lambda d: events(d)[2].update(detail=[])), "not an object"),
        (changed(lambda d: events(d)[2]["detail"].update(first=[[1]])), "shape"),
        (changed(lambda d: events(d)[2]["detail"].pop("part")), "part"),
        (changed(lambda d: events(d)[-1]["detail"].update(metric=None)), "this JSON document is not a metric"),
        (changed(lambda d: events(d)[0]["detail"].update(seed="x")), "damaged"),
        (changed(lambda d: events(d)[0]["detail"].update(seed=-1)), "damaged"),
        (changed(lambda d: events(d)[1]["detail"].update(left="x")), "left"),
        (changed(lambda d: events(d)[1]["detail"].update(first=[[0, 7], [0, 0]])), "between 0 and 1"),
        (changed(lambda d: events(d)[-1]["detail"]["choice"].update(best="nobody")), "does not have: 'nobody'"),
        (changed(lambda d: found(d)["choice"]["probabilities"].update({"\ud800": 1.0})), "a name .* half a character"),
        (changed(lambda d: found(d)["choice"].update(probabilities={"model 1": 1.0})), "each (model|candidate)"),
        (
            changed(lambda d: found(d)["choice"].update(ranking=["model 1"] * 3)),
            "ranking must have each candidate once",
        ),
        (changed(lambda d: found(d)["choice"].update(ranking="model 1")), "ranking must be a list"),
        (changed(lambda d: found(d).update(warnings=["\ud800"])), "warnings contains"),
        (changed(lambda d: found(d).update(stopped_because="\u202e")), "stopped_because contains"),
        (changed(lambda d: found(d)["metric"].update(groups=["\ud800", "men"])), "half a character"),
        (changed(lambda d: found(d)["metric"].update(prevalence=[[0.5, 0.5]] * 2)), "about other classes, groups"),
        (changed(lambda d: found(d)["metric"].update(family="gone")), "family must be one of"),
        (changed(lambda d: found(d).update(uncertainty=interval(None, 1.0))), "from one number to a larger one"),
        (changed(lambda d: found(d).update(uncertainty=interval(0.5, 0.4))), "from one number to a larger one"),
        (changed(lambda d: found(d).update(uncertainty=interval(-1e308, 1e308))), "from one number to a larger one"),
        (changed(lambda d: events(d)[1]["detail"].update(part="\ud800")), "part contains"),
        (changed(lambda d: events(d)[1]["detail"]["decimals"].update(people=10**400)), "at most 15 decimals"),
        (changed(lambda d: events(d)[0].update(n=10**30)), "answers no question"),
        (changed(lambda d: events(d)[0].update(why="x")), "answers no question"),
        (changed(lambda d: d["studies"][0]["detail"]["method"].update(particles=None)), "particles must be"),
        (changed(lambda d: d["studies"][0]["detail"]["method"].update(particles=10**12)), "particles must be"),
        (changed(lambda d: d["studies"][0].update(n=10**30)), "only interviews have"),
        (lambda text: text.replace('"seed": ', '"seed": 1e999, "was": '), "number that JSON does not know"),
        (changed(lambda d: d["studies"][0]["detail"].update(title="<x>\u202e")), "cannot be shown"),
    ],
    ids=range(51),
)
def test_a_file_that_is_no_export_is_refused_and_nothing_is_added(
    tmp_path: Path, elsewhere: str, change: Callable[[str], str], words: str
) -> None:
    with opened(f"sqlite:///{tmp_path}/here.db") as here, opened(elsewhere) as there:
        here.put_study(study())
        taken(here, "first", "first", "first")
        with pytest.raises(EvenhandError, match=words):
            import_study(there, change(export_study(here, "loans")))
        assert not there.studies()
