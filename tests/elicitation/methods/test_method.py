"""A method is a frozen object with its options and no seed; `elicit` and the others only pass on what it takes."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any

import numpy as np
import pytest

from evenhand import (
    Adaptive,
    Bisection,
    EvenhandError,
    FairMetric,
    GroupRates,
    LeastSquares,
    Method,
    Paper,
    Question,
    Setting,
    SimulatedOracle,
    elicit,
    next_question,
    replay,
)
from evenhand.elicitation.methods import make, method_named, names, register
from evenhand.elicitation.procedure import seed_of
from evenhand.errors import HistoryError

SETTING = Setting.random(2, 2, 0)
TRUTH = FairMetric.random(SETTING, 0)
QUICK: dict[str, dict[str, Any]] = {
    "paper": {"tolerance": 0.2, "cycles": 1},
    "least-squares": {"tolerance": 0.2, "cycles": 1},
    "bisection": {"tolerance": 0.2},
    "adaptive": {"max_questions": 5},
}
OPTIONS = sorted({option for name in QUICK for option in method_named(name).option_names()})


def asked(first: Any) -> Question:
    return Question(first, np.full((2, 2), 0.4))


def nobody(first: GroupRates, second: GroupRates) -> bool:
    pytest.fail("a question was asked")


def same(one: object, other: object) -> bool:
    assert isinstance(one, Question)
    return isinstance(other, Question) and np.array_equal([one.first, one.second], [other.first, other.second])


def test_the_built_in_methods_have_their_names() -> None:
    assert names() == ("paper", "least-squares", "bisection", "adaptive")
    assert [method_named(name) for name in names()] == [Paper, LeastSquares, Bisection, Adaptive]


@pytest.mark.parametrize(("name", "option"), list(product(QUICK, OPTIONS)))
def test_a_method_takes_its_own_options_and_no_other(name: str, option: str) -> None:
    having = [other for other in QUICK if option in method_named(other).option_names()]
    if name in having:
        default = getattr(make(name, SETTING, {}), option)
        assert getattr(make(name, SETTING, {option: default}), option) == default
        return
    said = f"method='{name}' has no option '{option}': leave it out, or take " + " or ".join(
        f"method='{other}'" for other in having
    )
    options: dict[str, Any] = {option: None}
    for refused in (
        lambda: elicit(nobody, SETTING, method=name, **options),
        lambda: next_question(SETTING, [], method=name, **options),
        lambda: make(name, SETTING, options),
    ):
        with pytest.raises(EvenhandError) as error:
            refused()
        assert str(error.value) == said


def test_an_option_that_no_method_has_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(EvenhandError, match="method='bisection' has no option 'confidense': it has 'tolerance', "):
        elicit(nobody, SETTING, method="bisection", confidense=0.9)
    with pytest.raises(
        EvenhandError, match=r"method='adaptive' has no option 'confidense': did you mean 'confidence'\?"
    ):
        elicit(nobody, SETTING, method="adaptive", confidense=0.9)


def test_a_class_is_no_method_yet() -> None:
    with pytest.raises(EvenhandError, match=r"the class Bisection: .* method=Bisection\(setting=setting, …\)"):
        elicit(nobody, SETTING, method=Bisection)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", QUICK)
def test_a_method_that_was_made_is_the_same_as_its_name_with_options(name: str) -> None:
    made = make(name, SETTING, QUICK[name])
    by_name = elicit(SimulatedOracle(TRUTH), SETTING, method=name, random_state=3, **QUICK[name])
    for _ in range(2):  # one object serves many people
        by_object = elicit(SimulatedOracle(TRUTH), SETTING, method=made, random_state=3)
        assert by_object.metric == by_name.metric
        assert by_object.method == name
        assert all(same(one, other) for (one, _), (other, _) in zip(by_object.history, by_name.history, strict=True))


def test_a_method_that_was_made_has_its_options_and_its_setting() -> None:
    with pytest.raises(EvenhandError, match="made with its options: give 'tolerance' to it"):
        elicit(nobody, SETTING, method=Paper(setting=SETTING), tolerance=0.1)
    with pytest.raises(EvenhandError, match="made for another setting"):
        elicit(nobody, SETTING, method=Paper(setting=Setting.random(2, 2, 1)))


def test_the_default_is_for_people() -> None:
    told = elicit(lambda *_: None, SETTING, max_questions=3, random_state=0)
    assert (told.method, told.questions, told.stopped_because) == ("adaptive", 3, "budget")


def test_candidates_say_what_the_metric_is_about() -> None:
    models = {f"all {name}": GroupRates.trivial(SETTING, name) for name in SETTING.classes}
    about: dict[str, Any] = {"candidates": models, "max_questions": 4, "random_state": 0}
    assert elicit(SimulatedOracle(TRUTH), **about).metric == elicit(SimulatedOracle(TRUTH), SETTING, **about).metric
    made = Adaptive(setting=SETTING, candidates=models, max_questions=4)
    assert elicit(SimulatedOracle(TRUTH), method=made, random_state=0).metric.setting == SETTING
    elsewhere = {"here": GroupRates.uniform(SETTING), "there": GroupRates.uniform(Setting.random(2, 2, 9))}
    with pytest.raises(EvenhandError, match="candidate 'there' was measured on other people than the first one"):
        elicit(nobody, candidates=elsewhere)
    nothing: tuple[dict[str, Any], ...] = ({}, {"candidates": {}}, {"candidates": [models]}, {"candidates": {"A": 1}})
    for given in nothing:
        with pytest.raises(EvenhandError, match="setting may be left out where candidates, name → GroupRates, say"):
            elicit(nobody, **given)


@pytest.mark.parametrize("name", QUICK)
def test_every_question_says_how_many_are_left_and_progress_ends_at_its_total(name: str) -> None:
    said: list[tuple[int, int]] = []
    elicited = elicit(
        SimulatedOracle(TRUTH),
        SETTING,
        method=name,
        random_state=0,
        progress=lambda asked, total: said.append((asked, total)),
        **QUICK[name],
    )
    assert [asked for asked, _ in said] == list(range(1, elicited.questions + 1))
    assert said[-1] == (elicited.questions, elicited.questions)
    assert all(question.left is not None and question.left >= 1 for question, _ in elicited.history)
    if make(name, SETTING, QUICK[name]).exact_length:
        assert [question.left for question, _ in elicited.history] == [*range(elicited.questions, 0, -1)]


def test_progress_ends_at_its_total_when_an_interview_ends_before_it_was_thought_to() -> None:
    said: list[tuple[int, int]] = []
    candidates = {f"model {n}": GroupRates.from_vector(SETTING, np.full((2, 2), n / 4)) for n in range(3)}
    elicited = elicit(
        SimulatedOracle(TRUTH),
        SETTING,
        method="adaptive",
        candidates=candidates,
        random_state=0,
        progress=lambda asked, total: said.append((asked, total)),
    )
    assert elicited.stopped_because == "best"
    assert len(said) == elicited.questions
    assert said[-1] == (elicited.questions, elicited.questions)
    assert said[-2][1] >= elicited.questions


@pytest.mark.parametrize("name", QUICK)
def test_a_procedure_goes_on_where_a_history_ends(name: str) -> None:
    method = make(name, SETTING, QUICK[name])
    history = elicit(SimulatedOracle(TRUTH), SETTING, method=method, random_state=8).history
    for place in (0, 1, len(history) - 1):
        asked = next(method.procedure(history[:place], seed=seed_of(8)))
        assert same(asked, history[place][0])
        assert asked.left == history[place][0].left
    again = next_question(SETTING, history, method=method, random_state=8)
    assert not isinstance(again, Question)


@pytest.mark.parametrize("name", ["paper", "least-squares", "bisection"])
def test_a_search_names_the_entry_that_is_not_its_own(name: str) -> None:
    method = make(name, SETTING, QUICK[name])
    history = list(elicit(SimulatedOracle(TRUTH), SETTING, method=method).history)
    question, answer = history[3]
    for place, change in (
        (3, [*history[:3], (Question(question.first + 1e-6, question.second), answer)]),
        (3, [*history[:3], (question, None), *history[4:]]),
        (len(history), [*history, history[-1]]),
    ):
        with pytest.raises(HistoryError) as error:
            next(method.procedure(change))
        assert error.value.place == place
    nearly = [(Question(question.first + 1e-13, question.second), answer) for question, answer in history]
    assert replay(lambda: method.procedure(nearly), []) is not None


@pytest.mark.parametrize("method", [Paper, LeastSquares])
def test_a_seed_draws_where_searches_start(method: type[Paper]) -> None:
    three = method(setting=Setting.random(3, 2, 0), tolerance=0.3, cycles=1)
    answers = [True] * 12
    middle, one, again, other = (replay(partial(three.procedure, seed=seed), answers) for seed in (None, 1, 1, 2))
    assert same(one, again)
    assert not same(one, other)
    assert not same(one, middle)


def test_one_rule_seeds_every_procedure() -> None:
    assert seed_of(None) is None
    assert seed_of(5) == seed_of(np.random.default_rng(5)) == int(np.random.default_rng(5).integers(2**62))
    with pytest.raises(EvenhandError, match="random_state"):
        seed_of(-1)


def test_an_adaptive_method_is_set_up_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made = Adaptive(setting=SETTING, max_questions=2, candidates=_two_models())
    next(made.procedure(seed=1))
    parts = ("prior", "_candidates", "_sphere", "_pool", "_goal")
    before = [vars(made)[part] for part in parts]
    next(made.procedure(seed=2))
    made.finding_after([(next(made.procedure(seed=1)), True)], seed=1)
    assert all(vars(made)[part] is one for part, one in zip(parts, before, strict=True))


def test_one_adaptive_method_asks_many_people_at_once_what_it_asks_each_alone() -> None:
    seeds = range(6)
    alone = [elicit(SimulatedOracle(TRUTH), SETTING, method=_fresh(), random_state=seed) for seed in seeds]
    shared = _fresh()
    with ThreadPoolExecutor(max_workers=6) as pool:
        asked = lambda seed: elicit(SimulatedOracle(TRUTH), SETTING, method=shared, random_state=seed)  # noqa: E731
        together = list(pool.map(asked, seeds))
    for one, other in zip(alone, together, strict=True):
        assert one.metric == other.metric
        assert all(same(mine, theirs) for (mine, _), (theirs, _) in zip(one.history, other.history, strict=True))


def _fresh() -> Adaptive:
    return Adaptive(setting=SETTING, max_questions=4, candidates=_two_models())


def _two_models() -> dict[str, GroupRates]:
    return {f"{rate}": GroupRates.from_vector(SETTING, np.full((2, 2), rate)) for rate in (0.2, 0.4)}


def test_what_a_method_says_so_far_is_what_it_says_when_these_answers_are_the_last() -> None:
    options: dict[str, Any] = {"stop": "budget", "max_questions": 9}
    elicited = elicit(SimulatedOracle(TRUTH), SETTING, method="adaptive", random_state=4, **options)
    so_far = Adaptive(setting=SETTING).finding_after(elicited.history, seed=seed_of(4))
    assert so_far is not None
    assert so_far.metric == elicited.metric
    assert so_far.warnings == elicited.warnings
    assert Adaptive(setting=SETTING).finding_after([], seed=4) is None
    assert Paper(setting=SETTING).finding_after(elicited.history) is None


def test_options_are_plain_and_make_the_method_again() -> None:
    mistakes = SETTING.mistakes
    for method in (
        Adaptive(
            setting=SETTING, gaps_in=mistakes[:1], misclassification=np.array([1.0, 3.0]), confidence=np.float64(0.9)
        ),
        Paper(setting=SETTING, cuts=[{1}], tolerance=0.1),
    ):
        options = method.options()
        again: Method = make(method.name, SETTING, options)
        assert again.options() == options
        assert all(not isinstance(value, np.ndarray | np.generic | tuple | set) for value in options.values())
        assert same(next(method.procedure(seed=1)), next(again.procedure(seed=1)))
    assert Adaptive(setting=SETTING).not_kept() == ()
    assert Adaptive(setting=SETTING, candidates=_two_models()).not_kept() == ("candidates",)


@pytest.mark.parametrize("name", QUICK)
@pytest.mark.parametrize(
    "odd",
    [
        None,
        True,
        10**400,
        "0.5",
        float("nan"),
        float("inf"),
        1e-320,
        Decimal("0.1"),
        Fraction(1, 10),
        np.float32(0.1),
        np.int64(200),
        [],
        [[None]],
        [[np.array([0, 1]), 1]],
        "w" * 10_000,
    ],
    ids=lambda odd: repr(odd)[:20],
)
def test_whatever_an_option_is_given_is_kept_as_plain_json_or_refused_in_words(name: str, odd: object) -> None:
    for option in method_named(name).option_names():
        said = ""
        try:
            method = make(name, SETTING, {option: odd})
        except EvenhandError as error:
            said = str(error)
        assert len(said) < 1000
        if not said:
            again = make(name, SETTING, json.loads(json.dumps(method.options(), allow_nan=False)))
            assert again.options() == method.options()


@pytest.mark.parametrize(
    "options",
    [
        {"particles": None},
        {"particles": 10**12},
        {"out_of": 10**400},
        {"max_questions": 10**400},
        {"interval_width": 1e-320},
    ],
)
def test_an_adaptive_method_that_could_not_ask_a_question_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(EvenhandError, match=next(iter(options))):
        Adaptive(setting=SETTING, **options)


def test_a_list_that_is_changed_later_changes_no_method() -> None:
    mistakes = [list(SETTING.mistakes[0])]
    method = Adaptive(setting=SETTING, gaps_in=mistakes)  # type: ignore[arg-type]
    mistakes[0].reverse()
    assert method.gaps_in == SETTING.mistakes[:1]
    assert method.options()["gaps_in"] == [list(SETTING.mistakes[0])]


def test_a_method_cannot_take_the_name_of_another() -> None:
    class Mine(Paper):
        name = "adaptive"

    with pytest.raises(EvenhandError, match="there is a method 'adaptive' already"):
        register(Mine)
    assert method_named("adaptive") is register(Adaptive)


@pytest.mark.parametrize("name", QUICK)
@pytest.mark.parametrize(
    ("history", "message"),
    [
        (None, "history must be a Sequence"),
        ({}, "history must be a Sequence"),
        (iter(()), "history must be a Sequence"),
        ("ab", r"history\[0\]: an entry must be a Question and its answer"),
        ([(None, True)], r"history\[0\]: an entry must be a Question and its answer"),
        ([(asked([[0.5] * 2] * 2), True, 1)], r"history\[0\]: an entry must be a Question"),
        ([(asked([["a", "b"]] * 2), True)], r"history\[0\]: "),
        ([(asked([[None, {}]] * 2), True)], r"history\[0\]: "),
        ([(asked([]), True)], r"history\[0\]: "),
    ],
    ids=range(9),
)
def test_what_is_no_history_is_refused_with_its_place(name: str, history: Any, message: str) -> None:
    with pytest.raises(EvenhandError, match=message):
        next_question(SETTING, history, method=name, **QUICK[name])


@pytest.mark.parametrize("name", QUICK)
def test_a_history_that_went_through_json_is_one_of_lists(name: str) -> None:
    first = next_question(SETTING, [], method=name, **QUICK[name])
    assert isinstance(first, Question)
    lists = [[first, True]]
    after = next_question(SETTING, lists, method=name, **QUICK[name])  # type: ignore[arg-type]
    assert same(next_question(SETTING, [(first, True)], method=name, **QUICK[name]), after)


def test_other_options_are_those_of_the_method() -> None:
    with pytest.raises(EvenhandError, match=r"method='paper' has no option 'confidence': .*method='adaptive'"):
        Paper(setting=SETTING).with_options(confidence=0.9)


def test_an_oracle_says_how_often_it_errs_in_any_precision() -> None:
    class Erring:
        error = np.float32(0.75)

        def __call__(self, first: GroupRates, second: GroupRates) -> bool:
            return nobody(first, second)

    with pytest.raises(EvenhandError, match="error must be a probability"):
        elicit(Erring(), SETTING, method="adaptive")
