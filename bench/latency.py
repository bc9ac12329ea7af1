"""Latency: from a click to the next question, through a real server, for two sizes of study.

The limits are those of the project: 95 of 100 clicks answered within 200 ms for two classes and groups with 20
candidates, within 400 ms for three and three with 100. From the last click until the result page is there, it may be
300 and 600 ms.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection
from pathlib import Path
from subprocess import PIPE, Popen
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from tests.support.quick import study as quick_study

from evenhand import FairMetric, GroupRates, Setting
from evenhand.study.store import Store
from evenhand.study.study import Study
from evenhand.wording.phrases import Phrases

INTERVIEWS = 8
FLIPS = 0.1
CELLS = {"two": (2, 2, 20, 0.2, 0.3), "three": (3, 3, 100, 0.4, 0.6)}


@dataclass
class Clicks:
    """The times of clicks in seconds."""

    next_question: list[float] = field(default_factory=list)
    result: list[float] = field(default_factory=list)
    undone: list[float] = field(default_factory=list)


def made_up_study(slug: str, classes: int, groups: int, models: int) -> Study:
    """Return a study with random models, which are wrong about 5 to 40 of 100 people of each group and class."""
    rng = np.random.default_rng(1)
    people = rng.integers(50, 500, size=(groups, classes)).astype(float)
    setting = Setting(range(classes), [f"group {g}" for g in range(groups)], people / people.sum(axis=0))
    wrong = rng.uniform(0.05, 0.4, size=(models, groups, classes, 1))
    kinds = rng.dirichlet(np.ones(classes - 1), size=wrong.shape[:-1])
    profiles = (wrong * kinds).reshape(models, groups, -1)
    return Study(
        slug=slug,
        title="Which model?",
        introduction="Which one would you rather have?",
        setting=setting,
        candidates={
            f"model {n}": GroupRates(setting=setting, matrix=GroupRates.from_vector(setting, one).matrix, sizes=people)
            for n, one in enumerate(profiles)
        },
        words=Phrases(
            groups={group: f"people of {group}" for group in setting.groups},
            classes={label: f"who are {label}" for label in setting.classes},
            mistakes={(true, predicted): f"are taken for {predicted}" for true, predicted in setting.mistakes},
        ),
        population=people,
    )


def run() -> None:
    """Click through interviews, and print the times."""
    with TemporaryDirectory() as folder:
        url = f"sqlite:///{folder}/store.db"
        with Store(url) as store:
            store.put_study(quick_study("demo"))
            for slug, (classes, groups, models, *_) in CELLS.items():
                store.put_study(made_up_study(slug, classes, groups, models))
        with _served(url) as port:
            for slug, (classes, groups, models, *limits) in CELLS.items():
                clicks = Clicks()
                for person in range(INTERVIEWS):
                    _take(port, slug, np.random.default_rng(person), clicks)
                _say(f"{classes} classes, {groups} groups, {models} candidates", clicks, *limits)


def _say(what: str, clicks: Clicks, next_question: float, result: float) -> None:
    for name, seconds in vars(clicks).items():
        limit = result if name == "result" else next_question
        median, high = (1000 * np.quantile(seconds, level) for level in (0.5, 0.95))
        print(
            f"{what}, {name.replace('_', ' ')}: median {median:.0f} ms, p95 {high:.0f} ms of {len(seconds)} clicks "
            f"({high / 1000 / limit:.2f} of the limit of {1000 * limit:.0f} ms)"
        )


def _take(port: int, slug: str, rng: np.random.Generator, clicks: Clicks) -> None:
    """Take an interview as a simulated respondent, who sometimes errs and undoes one answer."""
    connection = HTTPConnection("127.0.0.1", port)
    state, _ = _ask(connection, "POST", f"/api/studies/{slug}/interviews")
    about = state["study"]
    setting = Setting(about["classes"], about["groups"], about["prevalence"])
    truth = FairMetric.random(setting, rng)
    token = state["token"]
    answers = f"/api/interviews/{token}/answers"
    undone = False
    while not state["done"]:
        n = state["question"]["n"]
        costs = [truth.cost(_rates(setting, state["question"][side])) for side in ("first", "second")]
        first = (costs[0] < costs[1]) != (rng.random() < FLIPS)
        state, seconds = _ask(connection, "PUT", f"{answers}/{n}", {"choice": "first" if first else "second"})
        if undone and n == 4:  # the first answer after an undo: the procedure replays the earlier ones
            clicks.undone.append(seconds)
        elif state["done"]:
            clicks.result.append(seconds)
        else:
            clicks.next_question.append(seconds)
        if n == 4 and not undone and not state["done"]:
            undone = True
            state, _ = _ask(connection, "DELETE", f"{answers}/4")
    began = time.perf_counter()
    connection.request("GET", f"/i/{token}")
    connection.getresponse().read()
    clicks.result[-1] += time.perf_counter() - began
    connection.close()


def _rates(setting: Setting, shown: Any) -> GroupRates:
    return GroupRates.from_vector(setting, np.array(shown))


def _ask(connection: HTTPConnection, method: str, path: str, body: Any = None) -> tuple[Any, float]:
    began = time.perf_counter()
    connection.request(method, path, json.dumps(body) if body else None, {"content-type": "application/json"})
    response = connection.getresponse()
    reply = json.loads(response.read())
    if response.status not in {200, 201}:
        raise RuntimeError(f"{method} {path}: {response.status} {reply}")
    return reply, time.perf_counter() - began


@contextmanager
def _served(url: str) -> Iterator[int]:
    command = [str(Path(sys.executable).with_name("evenhand")), "serve", "--no-open", "--port", "0", "--store", url]
    with Popen(command, stdout=PIPE, text=True) as process:  # noqa: S603
        assert process.stdout is not None  # noqa: S101
        try:
            yield int(process.stdout.readline().partition("/-/")[0].rpartition(":")[2])
        finally:
            process.terminate()
