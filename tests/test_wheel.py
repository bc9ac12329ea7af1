"""The wheel works where there is no checkout: everything that the commands read is inside it."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import tarfile
import venv
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from shutil import rmtree
from tempfile import mkdtemp
from zipfile import ZipFile

import httpx2
import polars as pl
import pytest

from evenhand import FairMetric, group_rates, rank
from tests.rates.test_table import MODELS, PEOPLE

pytestmark = pytest.mark.xdist_group("wheel")  # so that it is built and installed once, not once a worker

CHECKOUT = Path(__file__).parents[1]
RATES = {model: group_rates(PEOPLE["repaid"], PEOPLE[model], sensitive_features=PEOPLE["sex"]) for model in MODELS}
PREDICTIONS = ["predictions.csv", "--label", "repaid", "--group", "sex", "--prediction", "model_*"]
ELICIT_AND_RANK = """
import evenhand
print(evenhand.__file__)
rates = {
    name: evenhand.group_rates(list("nynynyny"), list(predicted), sensitive_features=list("aabbaabb"))
    for name, predicted in {"wrong": "ynynynyn", "right": "nynynyny"}.items()
}
setting = rates["right"].setting
truth = evenhand.FairMetric.random(setting, 0)
elicited = evenhand.elicit(evenhand.SimulatedOracle(truth), setting, method="paper")
print(elicited.questions, *evenhand.rank(elicited.metric, rates).names)
"""


def finish(*command: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    words = [str(word) for word in command]
    return subprocess.run(words, cwd=cwd, env=_surroundings(), capture_output=True, text=True, check=False)  # noqa: S603


def succeed(*command: object, cwd: Path) -> str:
    done = finish(*command, cwd=cwd)
    assert done.returncode == 0, f"{command} failed:\n{done.stdout}{done.stderr}"
    return done.stdout


def _surroundings() -> dict[str, str]:
    """Return the user's environment variables, pip's too, without those that lead to the checkout or to a store."""
    return {name: value for name, value in os.environ.items() if name not in {"PYTHONPATH", "EVENHAND_STORE"}}


@dataclass(frozen=True)
class Environment:
    """A virtual environment, empty at first."""

    folder: Path

    def __post_init__(self) -> None:
        venv.create(self.folder, symlinks=True)

    def install(self, wheel: str) -> None:
        # Byte code would take longer to compile than the commands take to run.
        options = ["--python", self.folder, "install", "--no-compile", "--constraint", CHECKOUT / "constraints.txt"]
        succeed(sys.executable, "-m", "pip", *options, wheel, cwd=self.folder)

    @property
    def python(self) -> Path:
        return self.folder / "bin" / "python"

    @property
    def evenhand(self) -> Path:
        return self.folder / "bin" / "evenhand"

    def refusal(self, *arguments: str, cwd: Path) -> str:
        """Return the one line with which a command fails."""
        done = finish(self.evenhand, *arguments, cwd=cwd)
        assert (done.returncode, done.stdout) == (1, "")
        (line,) = done.stderr.splitlines()
        return line


@pytest.fixture(scope="session")
def deleting() -> Iterator[ThreadPoolExecutor]:
    """Wait in the end for what is deleted meanwhile."""
    with ThreadPoolExecutor(1) as pool:
        yield pool


@pytest.fixture(scope="module")
def outside(deleting: ThreadPoolExecutor) -> Iterator[Path]:
    """Return a folder outside the checkout.

    It holds a gigabyte in the end, of which pytest would keep three; as some disks take a minute to delete that, other
    tests go on meanwhile.
    """
    folder = Path(mkdtemp(prefix="evenhand-wheel-")).resolve()
    assert not folder.is_relative_to(CHECKOUT.resolve())
    yield folder
    deleting.submit(rmtree, folder)


@pytest.fixture(scope="module")
def built(outside: Path) -> Path:
    """Build both distributions, as for a release: the source distribution, and from that the wheel."""
    folder = outside / "dist"
    succeed(sys.executable, "-m", "build", "--outdir", folder, CHECKOUT, cwd=outside)
    return folder


@pytest.fixture(scope="module")
def wheel(built: Path) -> Path:
    (wheel,) = built.glob("*.whl")
    return wheel


@pytest.fixture(scope="module")
def complete(outside: Path, wheel: Path) -> Environment:
    """Install the wheel with all extras into an empty environment."""
    environment = Environment(outside / "complete")
    environment.install(f"{wheel}[all]")
    return environment


@pytest.fixture
def metric(tmp_path: Path) -> FairMetric:
    """Write a metric and the predictions of some models to the folder that the commands are run in."""
    metric = FairMetric.random(RATES[MODELS[0]].setting, 1)
    (tmp_path / "metric.json").write_text(metric.to_json(), encoding="utf-8")
    pl.DataFrame(PEOPLE).write_csv(tmp_path / "predictions.csv")
    return metric


def test_the_wheel_holds_the_package_and_the_licence_and_nothing_else(wheel: Path) -> None:
    source = CHECKOUT / "src"
    package = {
        path.relative_to(source).as_posix(): path.read_bytes()
        for path in source.glob("evenhand/**/*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    with ZipFile(wheel) as archive:
        held = {name: archive.read(name) for name in archive.namelist()}
    about = {name.partition(".dist-info/")[2]: held.pop(name) for name in list(held) if ".dist-info/" in name}
    assert held == package
    assert "evenhand/py.typed" in held
    assert sorted(about) == ["METADATA", "RECORD", "WHEEL", "entry_points.txt", "licenses/LICENSE"]
    assert about["licenses/LICENSE"] == (CHECKOUT / "LICENSE").read_bytes()


def test_the_source_distribution_holds_the_tests_and_no_caches(built: Path) -> None:
    (file,) = built.glob("*.tar.gz")
    with tarfile.open(file) as archive:
        held = {PurePosixPath(*PurePosixPath(name).parts[1:]) for name in archive.getnames()}
    assert PurePosixPath("tests/test_wheel.py") in held
    assert PurePosixPath("constraints.txt") in held
    assert not [path for path in held if {".git", ".venv", "__pycache__", ".mypy_cache"} & set(path.parts)]


def test_without_extras_the_library_works_and_the_command_names_the_extra_it_needs(
    outside: Path, wheel: Path, tmp_path: Path, metric: FairMetric
) -> None:
    bare = Environment(outside / "bare")
    bare.install(f"{wheel}")
    place, found = succeed(bare.python, "-c", ELICIT_AND_RANK, cwd=tmp_path).splitlines()
    assert Path(place).is_relative_to(bare.folder)
    assert found == "574 right wrong"
    for arguments in ([], ["--help"], ["demo"]):
        assert bare.refusal(*arguments, cwd=tmp_path).startswith(
            "evenhand: this needs typer, which is not installed: pip install 'evenhand[cli]'"
        )

    bare.install(f"{wheel}[cli]")
    assert "Find out which fairness metric" in succeed(bare.evenhand, "--help", cwd=tmp_path)
    for command, package, extra in (
        (["serve", "--no-open"], "sqlalchemy", "web"),
        (["rates", *PREDICTIONS], "polars", "tables"),
        (["report", "metric.json"], "altair", "report"),
    ):
        assert bare.refusal(*command, cwd=tmp_path).startswith(
            f"evenhand: this needs {package}, which is not installed: pip install 'evenhand[{extra}]'"
        )


@contextmanager
def served(installed: Environment, folder: Path) -> Iterator[httpx2.Client]:
    """Run the server as long as the block lasts, then stop it as Ctrl+C does."""
    command = [str(installed.evenhand), "serve", "--no-open", "--port", "0"]
    with subprocess.Popen(command, cwd=folder, env=_surroundings(), stdout=subprocess.PIPE, text=True) as process:  # noqa: S603
        try:
            assert process.stdout is not None
            address = process.stdout.readline().partition("/-/?token=")[0]
            with httpx2.Client(base_url=address, follow_redirects=True, timeout=60, trust_env=False) as client:
                yield client
            process.send_signal(signal.SIGINT)
            assert process.wait(timeout=60) == 0
        finally:
            process.kill()


def test_serve_has_its_pages_and_their_style_and_keeps_an_answer(complete: Environment, tmp_path: Path) -> None:
    with served(complete, tmp_path) as client:
        introduction = client.get("/").raise_for_status()
        page = client.post(introduction.url.path).raise_for_status()
        assert "Question 1" in page.text
        static = {f"/static/{file.name}" for file in (CHECKOUT / "src/evenhand/web/static").iterdir()}
        assert {address.partition("?")[0] for address in re.findall(r'"(/static/[^"]+)"', page.text)} <= static
        for address in static:
            assert client.get(address).raise_for_status().content
        interview = page.url.path
        answered = client.post(f"{interview}/answers/1", data={"choice": "second"}).raise_for_status()
        assert answered.url.path == interview
        assert "Question 2" in answered.text
    assert (tmp_path / "evenhand.db").is_file()


def test_demo_recovers_the_metric(complete: Environment, tmp_path: Path) -> None:
    assert "574 questions" in succeed(complete.evenhand, "demo", cwd=tmp_path)


def test_rates_are_those_of_the_library(complete: Environment, tmp_path: Path, metric: FairMetric) -> None:
    found = json.loads(succeed(complete.evenhand, "rates", *PREDICTIONS, "--json", "-", cwd=tmp_path))
    assert {model: one["rates"] for model, one in found.items()} == {
        model: rates.matrix.tolist() for model, rates in RATES.items()
    }


def test_rank_gives_the_order_of_the_library(complete: Environment, tmp_path: Path, metric: FairMetric) -> None:
    found = json.loads(succeed(complete.evenhand, "rank", "metric.json", *PREDICTIONS, "--json", "-", cwd=tmp_path))
    assert [row["name"] for row in found] == list(rank(metric, RATES).names)


def test_report_writes_a_page_with_charts(complete: Environment, tmp_path: Path, metric: FairMetric) -> None:
    succeed(complete.evenhand, "report", "metric.json", *PREDICTIONS, cwd=tmp_path)
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "<svg" in page
    assert all(model in page for model in MODELS)
