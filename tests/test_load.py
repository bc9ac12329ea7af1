"""What comes out of one part of evenhand goes into all others: every document loads, ranks and reports alike."""

from __future__ import annotations

import json
import pickle
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import evenhand
from evenhand import Adaptive, Elicited, EvenhandError, FairMetric, FeasibleRegion, Finding, SimulatedOracle, elicit
from evenhand.cli.app import app
from evenhand.documents import read_document
from evenhand.elicitation import Choice
from evenhand.elicitation.codec import finding_document
from evenhand.study import FileLog, Header, resume
from evenhand.study.answers import Answered, StudyAnswers
from evenhand.study.exchange import export_study
from evenhand.study.interview import Interview
from evenhand.study.result_file import result_document
from evenhand.study.store import Store
from evenhand.study.study import Study
from tests.support.quick import SETTING, study

TRUTH = FairMetric.random(SETTING, 3)
STUDY = replace(study(models=4), options={"max_questions": 6, "stop": "budget"})
METHOD = Adaptive(setting=SETTING, max_questions=5)


def run(*arguments: object) -> None:
    app([str(argument) for argument in arguments], standalone_mode=False)


def take(store: Store, questions: int) -> Interview:
    token = store.begin(STUDY.slug)
    state = store.interview(token)
    while state.question is not None and len(state.answers) < questions:
        costs = [TRUTH.cost(rates) for rates in (state.question.a, state.question.b)]
        store.answer(token, state.question.n, "first" if costs[0] < costs[1] else "second")
        state = store.interview(token)
    return state


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a document of each kind, and predictions."""
    here = tmp_path_factory.mktemp("documents")
    elicited = elicit(SimulatedOracle(TRUTH), method=METHOD, random_state=0)
    with FileLog(here / "my.interview.jsonl", begin=lambda: Header(method=METHOD, seed=7)) as file:
        session = resume(file)
        for n in (1, 2, 3):
            session.answer(n, "first")
    with Store(f"sqlite:///{here}/store.db") as store:
        store.put_study(STUDY)
        finished, _begun, _unanswered = take(store, 99), take(store, 2), take(store, 0)
        store.withdraw(take(store, 2).token)
        (here / "export.json").write_text(export_study(store, STUDY.slug), encoding="utf-8")
    documents = {
        "metric.json": TRUTH.to_json(),
        "elicited.json": elicited.to_json(),
        "finding.json": Finding(metric=TRUTH).to_json(),
        "api.json": json.dumps(finding_document(elicited)),
        "result.json": json.dumps(result_document(finished)),
        "study.json": STUDY.to_json(),
    }
    rng = np.random.default_rng(0)
    columns = {"label": SETTING.classes, "group": SETTING.groups, "prediction_1": SETTING.classes}
    columns["prediction_2"] = SETTING.classes
    table = pl.DataFrame({name: rng.choice(values, 400) for name, values in columns.items()})
    table.write_csv(here / "p.csv")
    drafted = Study.from_table(table, label="label", prediction="prediction_*", group="group", slug="drafted")
    documents["study.toml"] = drafted.to_toml()
    for name, text in documents.items():
        (here / name).write_text(text, encoding="utf-8")
    return here


METRICS = ["metric.json", "elicited.json", "finding.json", "api.json", "my.interview.jsonl", "result.json"]
SAID = {
    "metric.json": "a metric",
    "elicited.json": "an elicited metric, with 5 answers to questions of method='adaptive'",
    "finding.json": "what was found, without the answers",
    "api.json": "what was found, without the answers",
    "my.interview.jsonl": "an interview, with 3 answers to questions of method='adaptive'",
    "result.json": "the result of an interview of the study 'loans', with 6 answers to questions of method='adaptive'",
    "export.json": "the study 'loans', with 2 interviews that have answers",
    "study.json": "a study without answers",
    "study.toml": "a study without answers",
}


def metric_of(loaded: object) -> FairMetric:
    if isinstance(loaded, FairMetric):
        return loaded
    assert isinstance(loaded, Finding)
    return loaded.metric


@pytest.mark.parametrize("name", SAID)
def test_every_document_loads_and_says_what_it_is(folder: Path, name: str) -> None:
    assert read_document(folder / name).what == SAID[name]
    assert evenhand.load(str(folder / name)) is not None


def test_a_study_and_a_classifier_load_as_what_they_are(folder: Path, tmp_path: Path) -> None:
    assert evenhand.load(folder / "study.json").to_json() == STUDY.to_json()  # type: ignore[union-attr]
    drafted = evenhand.load(folder / "study.toml")
    assert isinstance(drafted, Study)
    assert drafted.slug == "drafted"
    scores = np.array([[0.9, 0.1], [0.5, 0.5], [0.1, 0.9], [0.8, 0.2], [0.2, 0.8]])
    region = FeasibleRegion.from_scores(scores, sensitive_features=["a", "a", "a", "b", "b"])
    classifier = region.classifier_for(region.sphere().at(np.array([0.0, 1.0])))
    (tmp_path / "c.json").write_text(classifier.to_json(), encoding="utf-8")
    assert evenhand.load(tmp_path / "c.json").rates == classifier.rates  # type: ignore[union-attr]
    (tmp_path / "r.json").write_text(region.to_json(), encoding="utf-8")
    loaded = evenhand.load(tmp_path / "r.json")
    assert loaded.to_json() == region.to_json()  # type: ignore[union-attr]


def test_a_document_that_an_editor_saved_with_a_mark_in_front_loads_and_bytes_do_not(tmp_path: Path) -> None:
    (tmp_path / "m.json").write_text(TRUTH.to_json(), encoding="utf-8-sig")
    assert evenhand.load(tmp_path / "m.json") == TRUTH
    (tmp_path / "b.json").write_bytes(b"\xff\x00{")
    with pytest.raises(EvenhandError, match=r"b\.json is no JSON document, nor the file of an interview"):
        evenhand.load(tmp_path / "b.json")
    (tmp_path / "m.json").write_text(TRUTH.to_json(), encoding="utf-16")
    with pytest.raises(EvenhandError, match="if it is text, save it as UTF-8"):
        evenhand.load(tmp_path / "m.json")


@pytest.mark.parametrize(
    ("path", "message"),
    [("a\0b", r"'a\\x00b' is no name of a file"), (None, "path must be a str"), (3, "path must be")],
)
def test_what_is_no_path_is_refused(path: object, message: str) -> None:
    with pytest.raises(EvenhandError, match=message):
        evenhand.load(path)  # type: ignore[arg-type]


def test_a_pickle_is_refused_and_not_run(tmp_path: Path) -> None:
    (tmp_path / "m.json").write_bytes(pickle.dumps(TRUTH))
    with pytest.raises(EvenhandError, match="is no JSON document, nor the file of an interview"):
        evenhand.load(tmp_path / "m.json")


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"best": "nobody"}, "ranking must have each candidate once, and among them the best, 'nobody'"),
        ({"ranking": ["model 1", "model 1"]}, "ranking must have each candidate once"),
        ({"probabilities": {"x": 0.5}}, "probabilities must have each candidate once"),
        ({"probabilities": {"x": 0.5, "model 1": 0.5}}, "ranking and probabilities are of different candidates"),
    ],
)
def test_a_choice_among_other_candidates_is_refused(tmp_path: Path, wrong: dict[str, object], message: str) -> None:
    choice = Choice(best="model 1", probabilities={"model 1": 0.9, "2": 0.1}, ranking=("model 1", "2"))
    document = json.loads(Finding(metric=TRUTH, choice=choice).to_json())
    (tmp_path / "f.json").write_text(json.dumps(document), encoding="utf-8")
    assert evenhand.load(tmp_path / "f.json").choice == choice  # type: ignore[union-attr]
    document["finding"]["choice"] |= wrong
    (tmp_path / "f.json").write_text(json.dumps(document), encoding="utf-8")
    with pytest.raises(EvenhandError, match=message):
        evenhand.load(tmp_path / "f.json")


@pytest.mark.parametrize("name", METRICS)
def test_rank_and_report_take_them_all_and_say_what_they_got(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    run("rank", folder / name, folder / "p.csv", "--json", "-")
    told = capsys.readouterr()
    assert f"{folder / name}: {SAID[name]}.\n" in told.err
    rows = json.loads(told.out)
    assert {row["name"] for row in rows} == {"prediction_1", "prediction_2"}
    assert ("p(place 1)" in rows[0]) == (name in {"elicited.json", "my.interview.jsonl", "result.json"})
    loaded = evenhand.load(folder / name)
    by_hand = evenhand.group_rates_from_table(
        pl.read_csv(folder / "p.csv"), label="label", prediction="prediction_*", group="group", setting=SETTING
    )
    for row in rows:
        here = by_hand[row["name"]].in_measured_prevalence()
        assert row["cost"] == pytest.approx(metric_of(loaded).cost(here), abs=1e-9)
    run("report", folder / name, folder / "p.csv", "--out", tmp_path / "r.html")
    assert "prediction_1" in (tmp_path / "r.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("source", [["my.interview.jsonl"], ["result.json"], ["export.json", "--interview", "1"]])
def test_a_report_says_when_the_questions_were_answered_unless_it_is_told(
    folder: Path, tmp_path: Path, source: list[str]
) -> None:
    shown = []
    for given in ([], ["--when", "in May"]):
        run("report", folder / source[0], *source[1:], "--out", tmp_path / "r.html", *given)
        page = (tmp_path / "r.html").read_text(encoding="utf-8")
        shown += re.findall(r"<dt>When</dt> <dd>(.*?)</dd>", page)
    assert re.fullmatch(r"\d{4}-\d\d-\d\d( to \d{4}-\d\d-\d\d)?", shown[0])
    assert shown[1:] == ["in May"]


def test_the_days_of_answers_are_the_first_and_the_last() -> None:
    days = ["2026-05-02T09:30:00.000+00:00", "2026-05-01T23:30:00.000+00:00", "2026-05-02T09:31:00.000+00:00"]
    told = [Answered(method=METHOD, seed=0, history=(), times=times).when for times in ([], days[:1], days)]
    assert told == ["", "2026-05-02", "2026-05-01 to 2026-05-02"]


def test_a_result_is_what_the_person_was_told_with_the_sample_it_came_from(folder: Path) -> None:
    loaded = evenhand.load(folder / "result.json")
    with Store(f"sqlite:///{folder}/store.db") as store:
        exported = evenhand.load(folder / "export.json")
        assert isinstance(exported, StudyAnswers)
        assert len(exported) == 2
        assert repr(exported) == "StudyAnswers(study 'loans', 2 interviews)"
        assert store.study("loans").to_json() == exported.study.to_json()
    finished = [one for one in exported.values() if one.questions == 6]
    assert finished == [loaded]
    assert isinstance(loaded, Elicited)
    assert loaded.choice is not None
    assert loaded.uncertainty is not None
    assert loaded.uncertainty.sample is not None
    told = json.loads((folder / "result.json").read_text(encoding="utf-8"))["finding"]
    assert told == json.loads(json.dumps(finding_document(loaded)))


@pytest.mark.parametrize("stop", [None, "best", "ranking", "weights", "budget"])
def test_a_result_loads_whatever_its_study_asked_about_and_ranks_by_the_metric_that_was_told(
    tmp_path: Path, stop: str | None
) -> None:
    about = replace(STUDY, options={"max_questions": 30} | ({} if stop is None else {"stop": stop}))
    with Store(f"sqlite:///{tmp_path}/store.db") as store:
        store.put_study(about)
        told = take(store, 99)
    (tmp_path / "result.json").write_text(json.dumps(result_document(told)), encoding="utf-8")
    assert told.finding is not None
    assert (told.finding.stopped_because == "best") == (stop in {None, "best"})
    assert metric_of(evenhand.load(tmp_path / "result.json")) == told.finding.metric
    answers = read_document(tmp_path / "result.json").content
    assert isinstance(answers, Answered)
    again = answers.elicited(STUDY.candidates)
    assert again.metric == told.finding.metric
    assert again.choice == told.finding.choice
    assert (again.stopped_because, again.order) == (told.finding.stopped_because, told.finding.order)
    others = {f"other {name}": rates for name, rates in STUDY.candidates.items()}
    assert answers.elicited(others).stopped_because == "budget", "nothing was settled about these"


def test_an_export_ranks_the_models_of_its_study_by_the_interview_that_is_named(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(EvenhandError, match=r"has 2 interviews with answers: name one with --interview.*\n +1 .* 6 "):
        run("rank", folder / "export.json")
    exported = evenhand.load(folder / "export.json")
    assert isinstance(exported, StudyAnswers)
    for place, (identity, one) in enumerate(exported.items(), 1):
        printed = []
        for named in (str(place), identity[:8]):
            run("rank", folder / "export.json", "--interview", named, "--json", "-")
            printed.append(capsys.readouterr().out)
        assert printed[0] == printed[1]
        expected = evenhand.rank(one, STUDY.candidates)
        assert [row["name"] for row in json.loads(printed[0])] == list(expected.names)
    for wrong in ("0", "9", "zzzz", "a"):
        with pytest.raises(EvenhandError, match=f"--interview '{wrong}' is not one of them"):
            run("rank", folder / "export.json", "--interview", wrong)


@pytest.mark.parametrize(
    ("write", "arguments", "message"),
    [
        (lambda folder: folder / "metric.json", ["--interview", "1"], "is for a study's export, but .* is a metric"),
        (lambda folder: folder / "metric.json", [], "no models to rank: name files of their predictions"),
        (lambda folder: folder / "study.json", [], "is a study without answers, and no metric follows from that"),
        (lambda folder: folder / "p.csv", [], "is no JSON document, nor the file of an interview"),
        (lambda folder: folder / "none.json", [], "cannot be read: No such file"),
        (lambda folder: folder, [], "cannot be read: Is a directory"),
    ],
)
def test_what_holds_no_metric_is_refused_in_a_sentence(
    folder: Path, write: Callable[[Path], Path], arguments: list[str], message: str
) -> None:
    with pytest.raises(EvenhandError, match=message):
        run("rank", write(folder), *arguments)


@pytest.fixture
def damaged(folder: Path, tmp_path: Path) -> Callable[..., Path]:
    def change(**fields: object) -> Path:
        document = json.loads((folder / "result.json").read_text(encoding="utf-8"))
        path = tmp_path / "damaged.json"
        path.write_text(json.dumps(document | fields), encoding="utf-8")
        return path

    return change


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"format": "example.other"}, "its format is 'example.other', but 'evenhand.metric'"),
        ({"format": ["evenhand.metric"]}, "not a document of evenhand that can be loaded"),
        ({"answers": []}, "this result has no answers"),
        ({"answers": [1]}, "answer 1 must be a JSON object"),
        ({"answers": {}}, "answers must be"),
        ({"seed": -1}, "seed must be a whole number"),
        ({"method": {"name": "guess"}}, "method must be one of"),
        ({"finding": None}, "not a finding"),
        ({"version": 7}, "use a newer evenhand"),
    ],
)
def test_a_damaged_result_says_what_is_wrong(
    damaged: Callable[..., Path], fields: dict[str, object], message: str
) -> None:
    path = damaged(**fields)
    with pytest.raises(EvenhandError, match=message) as error:
        evenhand.load(path)
    assert str(path) in str(error.value)
