"""One number for one thing: page, report, terminal and printed text say the same of a finding as its JSON.

Every number that a person reads is accounted for: what follows from the JSON document and the counts of the models is
written out here and struck out of each place, and then nothing with a digit may be left.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from html import unescape
from importlib.metadata import version
from itertools import combinations
from math import ceil, comb, floor, log10
from typing import Any
from unittest.mock import patch

import httpx2
import numpy as np
import pytest
from rich.console import Console
from tests.web.served import serving

from evenhand import FairMetric, GroupRates, rank
from evenhand.elicitation.codec import read_finding
from evenhand.metric import nearest
from evenhand.ranking import RankedModel
from evenhand.report.document import report
from evenhand.report.terminal.guide import result
from evenhand.report.terminal.ranking_table import RankingTable
from evenhand.study.demo.demo import demo_study
from evenhand.study.interview import Interview
from evenhand.study.result_file import read_result
from evenhand.study.store import Store
from evenhand.study.study import Study


@dataclass(frozen=True, eq=False)
class Told:
    """What every place says of one interview, and the document that it must agree with."""

    study: Study
    finding: dict[str, Any]
    answers: int
    later_places: dict[str, tuple[float, ...]]
    """The probabilities of the second and the third place, which the document does not have."""
    places: dict[str, str]

    @property
    def metric(self) -> FairMetric:
        return FairMetric.from_json(json.dumps(self.finding["metric"]))


Answers = Callable[[GroupRates, GroupRates], bool]


def minding_missed_people() -> Answers:
    """Return somebody who minds missed people most."""
    truth = FairMetric.from_weights(
        demo_study().setting, misclassification=[0.5, 1], violation=[[0.4, 1]], trade_off=0.3
    )
    return lambda a, b: truth.cost(a) < truth.cost(b)


def clicking() -> Answers:
    """Return somebody who clicks at random."""
    rng = np.random.default_rng(1)
    return lambda *_: bool(rng.random() < 0.5)


_PEOPLE: dict[str, tuple[Callable[[], Answers], dict[str, Any]]] = {
    "the demo": (minding_missed_people, {}),
    "about weights": (minding_missed_people, {"stop": "budget", "max_questions": 30}),
    "too few": (minding_missed_people, {"stop": "budget", "max_questions": 4}),
    "clicks": (clicking, {"max_questions": 20}),
}
DECIDED, UNDECIDED = ["the demo", "about weights"], ["too few", "clicks"]


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Told]]:
    """Return what the interview of somebody comes to, in every place."""
    known: dict[str, Told] = {}
    path = tmp_path_factory.mktemp("store") / "studies.db"
    with (
        patch("evenhand.study.store.new_seed", lambda: 0),
        Store(f"sqlite:///{path}") as store,
        serving(store) as served,
    ):

        def tell(name: str) -> Told:
            if name not in known:
                person, options = _PEOPLE[name]
                study = demo_study()
                study = replace(study, slug=name.replace(" ", "-"), options=dict(study.options) | options)
                store.put_study(study)
                interview = _answered(store, study.slug, person())
                known[name] = _told(interview, served.address)
            return known[name]

        yield tell


def _answered(store: Store, slug: str, answers: Answers) -> Interview:
    token = store.begin(slug)
    while (question := store.interview(token).question) is not None:
        store.answer(token, question.n, "first" if answers(question.a, question.b) else "second")
    return store.interview(token)


def _told(interview: Interview, address: str) -> Told:
    """Read the page and its JSON; from the JSON alone make the report, the terminal's text and what is printed."""
    with httpx2.Client(base_url=address, timeout=60) as client:
        page = client.get(f"/i/{interview.token}").text
        document = json.loads(client.get(f"/i/{interview.token}/result.json").text)
    candidates = interview.study.candidates
    elicited = read_result(document).elicited(candidates)
    html = report(elicited, candidates=candidates).html()
    # Without the questions, which are no findings, and the scales of charts.
    html = re.sub(r'<details>.*?</details>|<g class="mark-text role-axis-label".*?</g>', " ", html, flags=re.DOTALL)
    terminal = result(elicited, len(interview.answers), candidates=candidates)
    ranking = rank(elicited, candidates)
    decided = elicited.verdict.decided
    places = {
        "page": _text(re.sub(r"<svg.*?</svg>", " ", page, flags=re.DOTALL)),
        "report": _text(re.sub(r"<style>.*?</style>", " ", html, flags=re.DOTALL)),
        "terminal": _on_a_terminal(terminal, *([RankingTable(ranking)] if decided else [])),
        "printed": _squeezed(f"{elicited} {elicited.describe()} {ranking if decided else ''}"),
        "notebook": _text(re.sub(r"<style>.*?</style>", " ", elicited._repr_html_(), flags=re.DOTALL)),
    }
    later = {row.name: (row.place_probabilities or ())[1:3] for row in ranking}
    return Told(interview.study, document["finding"], len(interview.answers), later, places)


def _on_a_terminal(*shown: object) -> str:
    console = Console(file=io.StringIO(), width=300, markup=False, emoji=False, highlight=False)
    for one in shown:
        console.print(one)
    assert isinstance(console.file, io.StringIO)
    return _squeezed(console.file.getvalue())


def _text(html: str) -> str:
    return _squeezed(re.sub(r"<[^>]*>", " ", html))


def _squeezed(text: str) -> str:
    return " ".join(re.sub(r"[━●·│─]+", " ", unescape(text)).split())


@pytest.mark.parametrize("place", ["page", "report", "terminal", "printed", "notebook"])
@pytest.mark.parametrize("name", [*DECIDED, *UNDECIDED])
def test_every_number_is_that_of_the_json(told: Callable[[str], Told], name: str, place: str) -> None:
    one = told(name)
    assert (one.finding["verdict"]["kind"] == "decided") == (name in DECIDED)
    text = one.places[place]
    for snippet in sorted({*_follows(one), *_SAID_OF_ANY}, key=len, reverse=True):
        text = re.sub(rf"(?<![\w.,]){re.escape(snippet)}(?![\w]|[.,]\d)", " ", text)
    left = [text[max(0, found.start() - 60) : found.end() + 20] for found in re.finditer(r"\d[\d.]*", text)]
    assert left == []


@pytest.mark.parametrize("name", DECIDED)
def test_favourite_end_order_and_nearest_metric_are_the_same_everywhere(told: Callable[[str], Told], name: str) -> None:
    one = told(name)
    finding = read_finding(one.finding)
    assert finding.choice is not None
    assert finding.order is not None
    near = finding.describe().splitlines()[-2]
    assert near.startswith("The nearest metric with a name is" if finding.has_a_shape else "The answers do not tell")
    for place in ("page", "report", "terminal"):
        text = one.places[place]
        for sentence in (finding.order, near, *([finding.ended] if finding.ended else [])):
            assert sentence in text, (place, sentence)
        assert finding.choice.best in text
    printed = one.places["printed"]
    assert near in printed
    best = "Best" if finding.choice.apart() is None else "Favoured, on a small test set"
    assert f"{best}: {finding.choice.best!r}" in printed
    assert finding.stopped_because == ("best" if name == "the demo" else "budget")
    assert (finding.ended is not None) == (name == "the demo")


@pytest.mark.parametrize("name", UNDECIDED)
def test_where_nothing_is_decided_no_place_has_a_favourite_an_order_or_a_weight(
    told: Callable[[str], Told], name: str
) -> None:
    one = told(name)
    verdict = one.finding["verdict"]
    for place, text in one.places.items():
        assert verdict["reason"] in text, place
        assert verdict["advice"] in text, place
        if place != "report":  # which shows what each model does, in the order given
            assert not any(model in text for model in one.study.candidates), place
        for words in ("favour", "as good as the best", "right order", "count more", "counts more", "trade-off is"):
            assert words not in text, (place, words)
        for head in ("The weights", "The cost of", "What it costs", "p(1st)", "metric with a name"):
            assert head not in text, (place, head)


_SAID_OF_ANY = (
    "Of 100 pairs of models, about",
    "A point is one person of 100 in the same class.",
    "People of 100.",
    "from 0 (only mistakes) to 1 (only gaps between groups)",
    "(0: only mistakes, 1: only gaps between groups)",
    "costs you more than 0.002 less",
    "add up to more than 100 %",
    "p(1st) p(2nd) p(3rd)",
    "95% by sampling",
    "lines: 95% interval",
    "of 100 comparisons, decided differently",
    f"Written by evenhand {version('evenhand')}",
)


def _follows(told: Told) -> Iterator[str]:
    """Yield everything with a digit that may be said of a finding."""
    study, finding = told.study, told.finding
    yield from study.candidates
    yield from (*map(str, study.setting.groups), *study.words.groups.values(), *map(_short, study.candidates))
    yield from _of_answers(told)
    yield from _of_rates(study)
    if finding["verdict"]["kind"] == "decided":
        yield from _of_weights(told)
        yield from _of_ratios(finding["uncertainty"]["ratios"])
        yield from _of_the_choice(told)
        yield from _of_the_order(told)
        yield from _of_named_metrics(told)


def _of_answers(told: Told) -> Iterator[str]:
    n, reliability = told.answers, told.finding["reliability"]
    yield from (
        f"Your {n} answers favour",
        f"Not settled: your {n} answers favour",
        f"After your {n} answers",
        f"What your {n} answers say",
    )
    yield from (f"From {n} questions by", f"Questions {n}, by the method")
    expected = sum(chance > 0.5 for chance in reliability["predictive"])
    yield f"{expected} of {n} answers could be predicted"
    repeats, attending = reliability["repeats"], floor(100 * reliability["attending"])
    if repeats:
        same = _percent(reliability["consistency"])
        all_of_them = "it" if repeats == 1 else "all"
        told_as = {"0%": "none", "100%": all_of_them}.get(same, same)
        yield f"{repeats} question{'s' * (repeats > 1)} came again, and {told_as} got the same answer"
        yield f"Only {same} of the repeated questions"
    yield f"The probability that the answers follow a metric at all is {attending}%"
    yield f"random (probability {100 - attending}%)"
    low, high = map(_percent, reliability["lapse_interval"])
    yield f"About {_percent(reliability['lapse_rate'])} of the answers, between {low} and {high},"


def _of_rates(study: Study) -> Iterator[str]:
    """What each model does to people of 100, in the tables of the report and on the cards of the page."""
    words, setting = study.words, study.setting
    nobody, everybody, coin = np.zeros((2, 2)), np.ones((2, 2)), np.full((2, 2), 0.5)
    one, other = (np.where(np.arange(2) == i, everybody, nobody) for i in (1, 0))
    rates = {name: rates.vector for name, rates in study.candidates.items()}
    rates |= {f"“{setting.classes[0]}” for everybody": one, f"“{setting.classes[1]}” for everybody": other}
    rates |= {"a coin": coin}
    for i, (true, predicted) in enumerate(setting.mistakes):
        yield f"Of 100 who are “{true}”, wrongly predicted “{predicted}”"
        for name, vector in rates.items():
            exactly = 100 * vector[:, i]
            people = [floor(number + 0.5) for number in exactly]
            gap = "<1" if len(set(people)) == 1 and np.ptp(exactly) > 0 else f"{np.ptp(people)}"
            yield f"{_short(name)} {' '.join(map(_whole, people, exactly))} {gap}"
            if name not in study.candidates:
                continue
            for group, number, exact in zip(setting.groups, people, exactly, strict=True):
                who = f"{words.groups[group]} {words.classes[true]}"
                yield f"Of 100 {who}, {_whole(number, exact)} {words.mistakes[true, predicted]}"
            most = words.groups[setting.groups[int(exactly.argmax())]]
            yield f"Gap {gap} {'the groups are alike' if gap == '0' else f'more among {most}'}"
        shares = ", ".join(
            f"{100 * share:.0f} {group}" for group, share in zip(setting.groups, setting.prevalence[:, i], strict=True)
        )
        yield f"Of 100 people who are “{true}”: {shares}"
    yield f"They were {study.population.sum():.0f} people."


def _of_weights(told: Told) -> Iterator[str]:
    metric, uncertainty = told.finding["metric"], told.finding["uncertainty"]
    level = _percent(uncertainty["level"])
    yield from (f"with {level} probability", f"{level} interval", f"{level} intervals")
    weights, ends = (
        [*one["misclassification"], *np.reshape(one["violation"], shape).tolist(), one["trade_off"]]
        for one, shape in ((metric, -1), (uncertainty["intervals"], (-1, 2)))
    )
    for weight, (low, high) in zip(weights, ends, strict=True):
        yield f"{weight:.2f} {low:.2f} to {high:.2f}"
        yield f"{weight:.2f} {low:.2f}–{high:.2f}"
        yield f"{weight:.2f}"  # in the charts of the report
    yield f"the trade-off is about {weight:.2f}, between {low:.2f} and {high:.2f}, on a scale from 0 (only mistakes)"
    yield "to 1 (only gaps between groups)"


def _of_ratios(ratios: dict[str, Any]) -> Iterator[str]:
    """How many times as much one of two weights counts, or how many points of it the other is worth."""
    for ratio in [*ratios["mistakes"], *ratios["violation"], *ratios["in_mistakes"]]:
        share, low, high = (ratio[name] for name in ("share", "low", "high"))
        for value, least, most in ((share, low, high), (1 - share, 1 - high, 1 - low)):
            about, at_least, at_most = _times(value, round), _times(least, floor), _times(most, ceil)
            between = f"between {_both_digits(at_least)} and {_both_digits(at_most)}"
            yield f"counts about {about} times as much as"
            yield f"{between} times"
            yield f"counts at least {at_least} times as much as"
            yield f"counts as much as about {about} point{'s' * (about != '1')} more"
            yield between
            yield f"counts at least as much as {at_least} points more"
            yield f"counts at most as much as {at_most} points more"


def _of_the_choice(told: Told) -> Iterator[str]:
    choice, models = told.finding["choice"], len(told.study.candidates)
    best = _percent(choice["best_certainty"])
    yield f"as good as the best with {best} probability"
    yield f"as good as the best of the {models} models with {best} probability"
    yield f"Allowing for the small test set: {_percent(choice['probabilities'][choice['best']])}"
    yield f"is as good as the best with {_percent(max(choice['probabilities'].values()))} probability"
    yield f"with {_percent(choice['probabilities'][choice['best']])}: which of them looks best"
    others = [one for one in choice["probabilities"] if choice["probabilities"][one] >= 0.05 and one != choice["best"]]
    yield f"and {len(others) - 3} others."
    yield f"{floor(100 * choice['ranking_certainty'])} are in the right order"


def _of_the_order(told: Told) -> Iterator[str]:
    """The rows of the ranking on the page, in the report and at the terminal; by JSON's metric and probabilities."""
    study, chances = told.study, told.finding["choice"]["probabilities"]
    ranking = rank(told.metric, study.candidates)
    assert list(ranking.names) == told.finding["choice"]["ranking"]
    yield f"All {len(ranking)} models, the best for you first"
    yield f"The last {len(ranking.yardsticks)} lines take no model"
    yield f"… and {len(ranking) - 20} that cost more"
    for row in ranking:
        yield f"{row.place} {row.name} costs you {row.cost:.4f} as good as the best with {_percent(chances[row.name])}"
        assert row.interval is not None
        between = "{:.4f} – {:.4f}".format(*row.interval)
        of_places = " ".join(map(_percent, (chances[row.name], *told.later_places[row.name])))
        for name in (row.name, _short(row.name)):
            yield f"{row.place} {name} {row.cost:.4f} {between} {_parts(row)} {of_places}"
        yield f"{row.cost:.4f} (best: {_percent(chances[row.name])})"
    for one in ranking.yardsticks:
        yield f"– {one.name} would cost you {one.cost:.4f}"
        yield f"– {one.name} {one.cost:.4f} {_parts(one)}"
    cheapest = ranking.yardsticks[0]
    beaten = sum(row.cost >= cheapest.cost - 0.002 for row in ranking)
    yield f"and {beaten - 3} others do not clearly cost less than {cheapest.name} ({cheapest.cost:.4f})"


def _of_named_metrics(told: Told) -> Iterator[str]:
    models, pairs = told.study.candidates, comb(len(told.study.candidates), 2)
    for near in nearest(told.metric):
        number = round(100 * near.differs)
        yield f"{number} of 100 comparisons of made-up models"
        yield f"{number}"  # in the chart of the report
        costs = ([by.cost(one) for one in models.values()] for by in (told.metric, near.metric))
        own, its = (np.sign([one - other for one, other in combinations(each, 2)]) for each in costs)
        yield f"Among these models, it is {int((own != its).sum())} of the {pairs} pairs."


def _percent(probability: float) -> str:
    whole = floor(100 * probability + 1e-9)
    return "<1%" if whole == 0 < probability else f"{whole}%"


def _whole(people: int, exactly: float) -> str:
    return "<1" if people == 0 < exactly else ">99" if people == 100 > exactly else f"{people}"


def _parts(row: RankedModel) -> str:
    return f"{row.misclassification:.4f} {row.violation:.4f}"


def _short(name: str) -> str:
    return name if len(name) <= 40 else f"{name[:39]}…"


def _both_digits(number: str) -> str:
    """Return a number of a range, in which 3 is written 3.0 and 0.3 is written 0.30."""
    value = float(number)
    return number if not 0.1 <= value < 10 else f"{value:.2f}" if value < 1 else f"{value:.1f}"


def _times(share: float, towards: Callable[[float], int]) -> str:
    """Return how many times as much it is as the rest of the share, to two digits."""
    times = share / (1 - share) if share < 1 else np.inf
    if not 0 < times < np.inf:
        return "0"
    unit = 1.0 if times >= 20 else 10.0 ** (1 - floor(log10(times)))
    found = towards(times * unit) / unit
    return f"{found:.0f}" if found >= 20 else f"{found:.2g}"
