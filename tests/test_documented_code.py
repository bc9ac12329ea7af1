"""What README and the guides say about the code is so: examples run as printed, options and files exist."""

from __future__ import annotations

import io
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
import sklearn
import typer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_validate
from typer.testing import CliRunner

import evenhand
from evenhand.cli.app import app
from evenhand.study.demo.demo import demo_study
from evenhand.study.store import Store

CHECKOUT = Path(__file__).parents[1]
PAGES = [*CHECKOUT.glob("*.md"), *sorted((CHECKOUT / "docs").glob("**/*.md"))]
TEXT = {page.relative_to(CHECKOUT).as_posix(): page.read_text(encoding="utf-8") for page in PAGES}
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NEEDS_A_SERVER = "docs/api.md"  # tests/web/api/test_guide.py runs it
CODE = {name: "\n".join(BLOCK.findall(text)) for name, text in TEXT.items() if name != NEEDS_A_SERVER}
COMMAND = re.compile(r"(?:^    |\$ |`)evenhand ([^`\n]+)", re.MULTILINE)
FILE = re.compile(r"`((?:[\w-]+/)+(?:[\w-]+\.\w+)?)`")  # a/b.py or a/b/


class Deployment(list[SimpleNamespace]):
    """One day in which the second classifier did clearly better."""

    def end(self) -> None:
        """Send the users home."""


def loans() -> dict[str, Any]:
    """Return what the pages take as given: people, their loans, three models, and someone who answers."""
    rng = np.random.default_rng(0)
    people = 400
    table = pd.DataFrame(
        {
            "repaid": rng.choice(["no", "yes"], people),
            "sex": rng.choice(["men", "women"], people),
            "age_band": rng.choice(["30 and over", "under 30"], people),
        }
    )
    for name, wrong in {"model_a": 0.1, "model_b": 0.3, "model_c": 0.4}.items():
        table[name] = np.where(rng.random(people) < wrong, np.where(table.repaid == "yes", "no", "yes"), table.repaid)
    score = np.where(table.repaid == "yes", 1.0, -1.0) + rng.normal(size=people)
    models = evenhand.group_rates_from_table(table, label="repaid", prediction="model_*", group="sex")
    setting = models["model_a"].setting
    metric = evenhand.FairMetric.random(setting, 0)
    person = evenhand.SimulatedOracle(metric)
    probabilities = np.stack([1 / (1 + np.exp(2 * score)), 1 / (1 + np.exp(-2 * score))], axis=1)
    region = evenhand.FeasibleRegion.from_scores(probabilities, table.repaid, sensitive_features=table.sex)
    return {
        "evenhand": evenhand,
        "table": table,
        "models": models,
        "setting": setting,
        "rates": evenhand.GroupRates.uniform(region.setting),
        "metric": metric,
        "elicited": evenhand.elicit(person, setting, max_questions=40, random_state=0),
        "my_oracle": person,
        **dict.fromkeys(("ana", "ben", "cem"), person),
        "show": lambda *_: None,
        "region": region,
        "deploy": lambda *_: Deployment(
            [SimpleNamespace(users_first=5000, good_first=1000, users_second=5000, good_second=2000)]
        ),
        "text": evenhand.ab_oracle(lambda *_: [(5000, 1000, 5000, 2000)]).to_json(),
        "X": pd.DataFrame({"score": score}),
        "y": table.repaid,
        "y_true": table.repaid,
        "y_pred": table.model_a,
        "groups": table.sex,
        "probabilities": probabilities,
        "model": LogisticRegression(),
        "grid": {"C": [0.1, 1.0]},
        "pandas": pd,
        "sklearn": sklearn,
        "GridSearchCV": GridSearchCV,
        "cross_validate": cross_validate,
    }


@pytest.mark.parametrize("page", [name for name, code in CODE.items() if code])
def test_the_code_on_a_page_runs(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin", io.StringIO("a\n" * 500))  # a person at the terminal, who prefers A
    with sklearn.config_context(), mpl.rc_context({"backend": "agg"}):
        if page == "docs/interview.md":
            options = ["--classes", "repays,defaults", "--groups", "women,men", "--method", "adaptive"]
            CliRunner().invoke(app, ["interview", "loans.interview.jsonl", *options], input="a\nq\n")
        if page == "docs/store.md":
            with Store("sqlite:///evenhand.db") as store:
                store.put_study(demo_study())
        exec(compile(CODE[page], page, "exec"), loans())  # noqa: S102


@pytest.mark.parametrize("page", TEXT)
def test_the_options_of_commands_on_a_page_exist(page: str) -> None:
    for line in COMMAND.findall(TEXT[page]):
        command: Any = typer.main.get_command(app)
        words = line.replace(",", " ").split()
        while words and isinstance(command, typer.core.TyperGroup) and words[0] in command.commands:
            command = command.commands[words.pop(0)]
        options = {name for parameter in command.params for name in [*parameter.opts, *parameter.secondary_opts]}
        assert {word for word in words if word.startswith("--")} <= options | {"--help"}, line


@pytest.mark.parametrize("page", TEXT)
def test_the_files_named_on_a_page_exist(page: str) -> None:
    roots = [CHECKOUT, CHECKOUT / "src/evenhand", CHECKOUT / "src/evenhand/elicitation"]
    ours = [name for name in FILE.findall(TEXT[page]) if not name.startswith("build/")]
    assert [name for name in ours if not any((root / name).exists() for root in roots)] == []
