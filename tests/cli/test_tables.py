"""`evenhand rates`, `rank` and `report`: from files of predictions to rates, an order, and a page."""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest
from tests.rates.test_table import MODELS, PEOPLE

from evenhand import EvenhandError, FairMetric, Setting, SimulatedOracle, elicit, group_rates, rank
from evenhand.cli import main
from evenhand.cli.app import app
from evenhand.elicitation import Adaptive, Bisection, Method, Paper
from evenhand.study import FileLog, Header, resume

METRIC = FairMetric.random(Setting(["yes", "no", "late"], ["women", "men"], [[0.5] * 3] * 2), 1)
ROLES = ["--label", "repaid", "--group", "sex"]
FRAME = pl.DataFrame(PEOPLE)


def run(*arguments: object) -> None:
    app([str(argument) for argument in arguments], standalone_mode=False)


@pytest.fixture
def metric(tmp_path: Path) -> Path:
    path = tmp_path / "metric.json"
    path.write_text(METRIC.to_json(), encoding="utf-8")
    return path


def test_names_of_columns_stand_between_commas_or_in_options_of_their_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    frame = FRAME.with_columns(pl.col("model_1").alias("model,3"), pl.col("sex").alias("again"))
    frame.write_csv(tmp_path / "p.csv")
    rates = ("rates", tmp_path / "p.csv", "--label", "repaid", "--json", "-")
    found = {}
    for given in (
        ("--prediction", "model_1, model_2"),
        ("--prediction", "model_1", "--prediction", "model_2"),
        ("--prediction", "model_[1,2]"),
        ("--prediction", "model,3", "--prediction", "model_1"),
    ):
        run(*rates, "--group", "sex", *given)
        found[given] = list(json.loads(capsys.readouterr().out))
    assert list(found.values()) == [["model_1", "model_2"]] * 3 + [["model,3", "model_1"]]
    run(*rates, "--group", "sex,again", "--prediction", "model_1")
    assert "men & men" in json.loads(capsys.readouterr().out)["model_1"]["groups"]
    with pytest.raises(EvenhandError, match="--prediction has an empty name in 'a', ''"):
        run(*rates, "--prediction", "a,")


@pytest.mark.parametrize(
    ("suffix", "write"),
    [
        (".csv", FRAME.write_csv),
        (".tsv", lambda path: FRAME.write_csv(path, separator="\t")),
        (".parquet", FRAME.write_parquet),
        (".arrow", FRAME.write_ipc),
        (".jsonl", FRAME.write_ndjson),
    ],
    ids=["csv", "tsv", "parquet", "arrow", "jsonl"],
)
def test_rates_of_any_file_are_those_of_its_columns(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], suffix: str, write: object
) -> None:
    file = tmp_path / f"predictions [1]{suffix}"
    write(file)  # type: ignore[operator]
    (tmp_path / f"predictions 1{suffix}").write_text("another file, which brackets might stand for", encoding="utf-8")
    run("rates", file, *ROLES, "--prediction", "model_[12]", "--json", "-")
    found = json.loads(capsys.readouterr().out)
    assert list(found) == ["model_1", "model_2"]
    wanted = group_rates(PEOPLE["repaid"], PEOPLE["model_2"], sensitive_features=PEOPLE["sex"])
    assert found["model_2"]["rates"] == wanted.matrix.tolist()
    assert found["model_2"]["classes"] == ["late", "no", "yes"]


@pytest.mark.parametrize(("predictions", "most"), [("model_0", 2), ("model_*", 5)], ids=["one", "all"])
def test_the_work_grows_no_faster_than_the_columns(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], predictions: str, most: float
) -> None:
    def calls(columns: int) -> int:
        held = (["no", "yes"] * len(FRAME))[: len(FRAME)]
        wide = FRAME.select("repaid", "sex").with_columns(**{f"model_{n}": pl.Series(held) for n in range(columns)})
        file = tmp_path / f"{columns}.csv"
        wide.write_csv(file)
        number = 0

        def count(frame: object, event: str, argument: object) -> None:
            nonlocal number
            number += event in {"call", "c_call"}

        sys.setprofile(count)
        try:
            run("rates", file, *ROLES, "--prediction", predictions, "--json", "-")
        finally:
            sys.setprofile(None)
        capsys.readouterr()
        return number

    calls(10)  # what is imported, and remembered, on first use
    few, many = calls(100), calls(400)
    assert many < most * few  # the square would be 16 times as much


def test_rates_are_shown_of_100_people(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    FRAME.write_parquet(tmp_path / "p.parquet")
    run("rates", tmp_path / "p.parquet", *ROLES, "--prediction", "model_1")
    shown = capsys.readouterr().out
    assert "model_1: predictions per 100 people of a group and true class" in shown
    assert "95% confidence interval" in shown


def test_a_terminal_that_knows_few_letters_breaks_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    FRAME.with_columns(sex=pl.col("sex") + "é").write_parquet(tmp_path / "p.parquet")
    written = io.BytesIO()
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(written, encoding="ascii", write_through=True))
    options = [*ROLES, "--prediction", "model_1"]
    monkeypatch.setattr("sys.argv", ["evenhand", "rates", str(tmp_path / "p.parquet"), *options])
    with pytest.raises(SystemExit, match=r"^0$"):
        main()
    assert b"women?" in written.getvalue()


def test_rank_gives_the_order_of_the_library(tmp_path: Path, capsys: pytest.CaptureFixture[str], metric: Path) -> None:
    FRAME.write_csv(tmp_path / "p.csv")
    run("rank", metric, tmp_path / "p.csv", *ROLES, "--prediction", "model_*", "--json", "-")
    found = json.loads(capsys.readouterr().out)
    candidates = {
        model: group_rates(PEOPLE["repaid"], PEOPLE[model], sensitive_features=PEOPLE["sex"]) for model in MODELS
    }
    wanted = rank(METRIC, candidates)
    assert [row["name"] for row in found] == list(wanted.names)
    assert [row["cost"] for row in found] == [row.cost for row in wanted]
    run("rank", metric, tmp_path / "p.csv", *ROLES, "--prediction", "model_*")
    assert "lower is better" in capsys.readouterr().out


def test_several_files_are_several_models(tmp_path: Path, capsys: pytest.CaptureFixture[str], metric: Path) -> None:
    for model in MODELS[:2]:
        FRAME.select("repaid", "sex", pl.col(model).alias("prediction")).write_csv(tmp_path / f"{model}.csv")
    run("rank", metric, *(tmp_path / f"{model}.csv" for model in MODELS[:2]), *ROLES, "--json", "-")
    assert sorted(row["name"] for row in json.loads(capsys.readouterr().out)) == MODELS[:2]
    with pytest.raises(EvenhandError, match="two models would both be called"):
        run("rank", metric, *[tmp_path / f"{MODELS[0]}.csv"] * 2, *ROLES)


def test_numbers_in_a_csv_are_text_if_the_metric_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    frame = pl.DataFrame({"label": [0, 1] * 4, "prediction": [0, 1, 1, 1] * 2, "group": [1, 1, 2, 2] * 2})
    frame.write_csv(tmp_path / "p.csv")
    for classes, groups in ((["0", "1"], ["1", "2"]), ([0, 1], [1, 2]), (["0", "1"], [1, 2])):
        metric = FairMetric.random(Setting(classes, groups, [[0.5, 0.5]] * 2), 0)
        (tmp_path / "m.json").write_text(metric.to_json(), encoding="utf-8")
        run("rank", tmp_path / "m.json", tmp_path / "p.csv", "--json", "-")
        assert json.loads(capsys.readouterr().out)[0]["name"] == "prediction"


def interviewed(path: Path, plan: Method | None = None, *, answers: int = 12) -> Path:
    plan = plan or Bisection(setting=METRIC.setting, tolerance=0.25)
    with FileLog(path, begin=lambda: Header(method=plan, seed=0)) as file:
        session = resume(file)
        state = session.state()
        while state.question is not None and len(state.answers) < answers:
            costs = [METRIC.cost(rates) for rates in (state.question.a, state.question.b)]
            state = session.answer(state.question.n, "first" if costs[0] < costs[1] else "second")
    return path


def test_a_report_on_an_interview_weighs_its_answers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    FRAME.write_csv(tmp_path / "p.csv")
    out, folder = tmp_path / "report.html", tmp_path / "charts"
    plan = Adaptive(setting=METRIC.setting, equal_pairs=True, stop="budget", max_questions=40)
    interview = interviewed(tmp_path / "my.interview.jsonl", plan, answers=40)
    models = ["--prediction", "model_1", "--prediction", "model_2"]
    run("report", interview, tmp_path / "p.csv", *ROLES, *models, "--out", out, "--charts", folder)
    assert str(out) in capsys.readouterr().out
    page = out.read_text(encoding="utf-8")
    for words in ("of 40 answers could be predicted", "with 90% probability", "p(1st)", "All 40 answers"):
        assert words in page
    written = sorted(path.name for path in folder.iterdir())
    assert written == [f"{name}.{kind}" for name in ("nearest", "ranking", "weights") for kind in ("png", "svg")]


def test_where_nothing_is_decided_there_is_no_order_and_the_report_leads_with_that(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    FRAME.write_csv(tmp_path / "p.csv")
    interview = interviewed(tmp_path / "my.interview.jsonl")
    models = ["--prediction", "model_1", "--prediction", "model_2"]
    with pytest.raises(EvenhandError, match=r"there is no order to show\. So few answers .* Answer more questions"):
        run("rank", interview, tmp_path / "p.csv", *ROLES, *models)
    out = tmp_path / "report.html"
    asked = ["--respondent", "a clinician", "--when", "in May"]
    run("report", interview, tmp_path / "p.csv", *ROLES, *models, "--out", out, "--charts", tmp_path / "charts", *asked)
    assert "There are no charts" in capsys.readouterr().out
    page = out.read_text(encoding="utf-8")
    for words in ("Too few answers to decide by", "a clinician", "in May"):
        assert words in page
    assert "Recommended" not in page
    assert "The weights" not in page


def test_an_interview_ranks_by_the_metric_that_its_person_was_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    FRAME.write_csv(tmp_path / "p.csv")
    plan = Adaptive(setting=METRIC.setting, equal_pairs=True, max_questions=4)
    interview = interviewed(tmp_path / "my.interview.jsonl", plan)
    with FileLog(interview) as file:
        told = resume(file).state().finding
    assert told is not None
    models = ["--prediction", "model_1", "--prediction", "model_2"]
    run("rank", interview, tmp_path / "p.csv", *ROLES, *models, "--json", "-")
    output = capsys.readouterr()
    candidates = {
        name: group_rates(PEOPLE["repaid"], PEOPLE[name], sensitive_features=PEOPLE["sex"]) for name in MODELS
    }
    costs = {row.name: row.cost for row in rank(told, candidates)}
    for row in json.loads(output.out):
        assert row["cost"] == pytest.approx(costs[row["name"]])
    assert "so few answers" in output.err.lower(), "what speaks against the answers is said beside the numbers"


def test_an_order_comes_with_how_certain_it_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    FRAME.write_csv(tmp_path / "p.csv")
    candidates = {
        name: group_rates(PEOPLE["repaid"], PEOPLE[name], sensitive_features=PEOPLE["sex"]) for name in MODELS
    }
    oracle = SimulatedOracle(METRIC)
    about_these = elicit(oracle, METRIC.setting, method="adaptive", candidates=candidates, random_state=0)
    about_weights = elicit(oracle, METRIC.setting, method="adaptive", stop="budget", max_questions=20, random_state=0)
    assert about_these.order is not None
    for found, said in ((about_these, True), (about_weights, False)):
        path = tmp_path / f"{said}.json"
        path.write_text(found.to_json(), encoding="utf-8")
        run("rank", path, tmp_path / "p.csv", *ROLES, "--prediction", "model_*")
        assert ("Of 100 pairs of models, about" in capsys.readouterr().out) == said


def test_how_certain_an_order_is_goes_with_no_other_order(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    candidates = {
        name: group_rates(PEOPLE["repaid"], PEOPLE[name], sensitive_features=PEOPLE["sex"]) for name in MODELS
    }
    found = elicit(SimulatedOracle(METRIC), METRIC.setting, method="adaptive", candidates=candidates, random_state=0)
    (tmp_path / "found.json").write_text(found.to_json(), encoding="utf-8")
    names = list(MODELS)
    FRAME.rename(dict(zip(names, names[::-1], strict=True))).write_csv(tmp_path / "others.csv")
    run("rank", tmp_path / "found.json", tmp_path / "others.csv", *ROLES, "--prediction", "model_*")
    shown = capsys.readouterr().out
    assert all(name in shown for name in names)
    assert "Of 100 pairs of models, about" not in shown, "these models only have the names of those asked about"


@pytest.fixture(scope="module")
def opened() -> Iterator[list[tuple[object, ...]]]:
    """What the process opens: the file, the mode and the flags."""
    found: list[tuple[object, ...]] = []
    watching = True
    sys.addaudithook(lambda event, about: found.append(about) if watching and event == "open" else None)
    yield found
    watching = False  # the hook itself stays for as long as the process


@pytest.mark.parametrize("end", [b"\n", b"", b'\n{"n": 13, "first": [[0.'], ids=["whole", "no-line-break", "cut-short"])
@pytest.mark.parametrize("command", ["rank", "report"])
def test_a_command_that_reads_an_interview_never_writes_to_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], opened: list[tuple[object, ...]], command: str, end: bytes
) -> None:
    FRAME.write_csv(tmp_path / "p.csv")
    path = interviewed(tmp_path / "my.interview.jsonl")
    path.write_bytes(path.read_bytes().rstrip() + end)
    path.chmod(0o444)
    before, there = path.read_bytes(), path.stat()
    opened.clear()
    out = ["--json", tmp_path / "r.json"] if command == "rank" else ["--out", tmp_path / "r.html"]
    run(command, path, tmp_path / "p.csv", *ROLES, "--prediction", "model_[12]", *out)
    flags = [int(str(how)) for name, _, how in opened if str(name) == str(path)]
    assert flags
    assert not any(how & (os.O_WRONLY | os.O_RDWR) for how in flags)
    after = path.stat()
    assert path.read_bytes() == before
    assert (after.st_ino, after.st_mtime_ns, after.st_ctime_ns) == (there.st_ino, there.st_mtime_ns, there.st_ctime_ns)
    assert ("was cut short" in capsys.readouterr().err) == end.startswith(b"\n{")
    if command == "report":
        assert "All 12 answers" in (tmp_path / "r.html").read_text(encoding="utf-8"), "a whole line counts"


def test_an_interview_that_goes_on_can_be_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = interviewed(tmp_path / "my.interview.jsonl")
    with FileLog(path):
        run("report", path, "--out", tmp_path / "r.html")
    assert (tmp_path / "r.html").exists()


def test_a_report_on_a_metric_needs_no_models(tmp_path: Path, metric: Path) -> None:
    run("report", metric, "--out", tmp_path / "r.html", "--title", "Ours")
    assert "<h1>Ours</h1>" in (tmp_path / "r.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["rank", "nowhere.json", "p.csv"], r"^nowhere\.json cannot be read: No such file"),
        (["rank", "p.csv", "p.csv"], "p.csv is no JSON document, nor the file of an interview"),
        (["rank", "metric.json", "nowhere.csv"], "there is no file nowhere.csv"),
        (["rank", "metric.json", "metric.json"], " has an unknown format: .*'.parquet'"),
        (["rank", "metric.json", "p.csv"], "p.csv: the table has no column 'label'.*'repaid', 'sex'"),
        (["rank", "metric.json", "broken.parquet", *ROLES], "broken.parquet cannot be read"),
        (["rank", "metric.json", "empty.csv", *ROLES], "empty.csv cannot be read"),
        (
            ["rank", "metric.json", "p.csv", "--label", "repaid", "--group", "age", "--prediction", "model_1"],
            "p.csv: the column 'age' has '30', '60' in 400 rows, but the groups are 'women', 'men'",
        ),
        (["rank", "metric.json", "more.csv", *ROLES], "'repaid' has 'never' in 1 row, but the classes are 'yes', 'no'"),
        (["rank", "metric.json", "twice.csv", *ROLES], "twice.csv has more than one column called 'sex': rename them"),
        (["rank", "metric.json", "mixed.jsonl", *ROLES], "mixed.jsonl cannot be read: .* changed from .* to number"),
        (["rank", "metric.json", "late.jsonl", *ROLES], "the column 'prediction_2' is missing .* in 400 rows"),
        (["rank", "metric.json", "\udcff.csv"], "is not in UTF-8: rename the file"),
        (
            ["rank", "deep.json", "p.csv"],
            "deep.json is no JSON document, nor .*: lists and objects",
        ),
        (["rank", "cut.json", "p.csv"], "cut.json is no JSON document"),
        (["rank", "newer.json", "p.csv"], "newer.json: this metric has version 2, but this evenhand reads version 1"),
        (["report", "metric.json", "--title", "\udcff"], r"cannot write report.html: '\\udcff' is not a character"),
        (["report", "metric.json", "--out", "nowhere/r.html"], "cannot write nowhere/r.html"),
        (["report", "begun.jsonl"], "begun.jsonl: this interview has no answers"),
        (["rates", "p.csv", *ROLES, "--prediction", "model_1", "--level", "2"], "level must be"),
    ],
    ids=lambda value: value[0] + "-" + value[1] if isinstance(value, list) else "",
)
def test_what_cannot_be_used_is_said_in_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, metric: Path, arguments: list[str], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    FRAME.write_csv("p.csv")
    Path("broken.parquet").write_bytes(b"PAR1 or not")
    Path("empty.csv").touch()
    one = FRAME.select("repaid", "sex", pl.col("model_1").alias("prediction"))
    never = one.head(1).with_columns(repaid=pl.lit("never"))
    pl.concat([one, never]).write_csv("more.csv")
    Path("twice.csv").write_text(FRAME.write_csv().replace("age", "sex", 1), encoding="utf-8")
    Path("mixed.jsonl").write_text(one.write_ndjson() + '{"repaid": 1, "sex": "men", "prediction": 1}', "utf-8")
    late = never.with_columns(repaid=pl.lit("yes"), prediction_2=pl.lit("yes"))
    Path("late.jsonl").write_text(one.write_ndjson() + late.write_ndjson(), encoding="utf-8")
    Path("\udcff.csv").write_text("label", encoding="utf-8")
    Path("deep.json").write_text("[" * 100_000, encoding="utf-8")
    Path("cut.json").write_text(METRIC.to_json()[:-20], encoding="utf-8")
    Path("newer.json").write_text(METRIC.to_json().replace('"version": 1', '"version": 2'), encoding="utf-8")
    with FileLog("begun.jsonl", begin=lambda: Header(method=Paper(setting=METRIC.setting))):
        pass
    with pytest.raises(EvenhandError, match=message):
        run(*arguments)
