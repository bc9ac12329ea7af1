"""A population by A/B tests: what an experiment may yield, what is made of it, and how it goes on later."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from itertools import count
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pytest

from evenhand import (
    EvenhandError,
    FairMetric,
    FeasibleRegion,
    GroupRates,
    NotDecidedError,
    Setting,
    ab_oracle,
    elicit,
)
from evenhand.oracles import ABOracle, StandInClassifier

SETTING = Setting.random(2, 2, random_state=7)
TRUTH = FairMetric.random(SETTING, random_state=7)
PAIR = GroupRates.trivial(SETTING, 1), GroupRates.uniform(SETTING)
DAYS = [(400, 210, 400, 190), (800, 430, 800, 390), (1200, 660, 1200, 570), (1600, 880, 1600, 750)]
NAMES = ("users_first", "good_first", "users_second", "good_second")

Batch = tuple[int, int, int, int]


def yielding(*batches: Any) -> ABOracle:
    return ab_oracle(lambda *_: iter(batches))


def population(first: StandInClassifier, second: StandInClassifier) -> Iterator[Batch]:
    """Yield the counts of users whose outcomes are good with a probability that falls with the cost, without noise."""
    shares = [1 - TRUTH.cost(one.rates) for one in (first, second)]
    for users in count(1000, 1000):
        good = [round(float(users * share)) for share in shares]
        yield users, good[0], users, good[1]


def for_a_day(batches: int) -> Callable[..., Iterator[Batch]]:
    """Return the same experiment, which ends after so many batches."""

    def experiment(first: StandInClassifier, second: StandInClassifier) -> Iterator[Batch]:
        for _, counts in zip(range(batches), population(first, second), strict=False):
            yield counts

    return experiment


def test_the_arm_with_more_good_outcomes_is_preferred_as_soon_as_that_is_clear() -> None:
    oracle = yielding(*DAYS)
    assert oracle(*PAIR) is True
    assert oracle.tests[0].state == "first"
    assert oracle.users == oracle.tests[0].users == 2400
    assert oracle.questions == 1
    assert yielding(*((*day[2:], *day[:2]) for day in DAYS))(*PAIR) is False


@pytest.mark.parametrize(
    "counts",
    [
        DAYS,
        [dict(zip(NAMES, day, strict=True)) | {"day": "Monday"} for day in DAYS],
        np.array(DAYS),
        [np.array(day, dtype=np.int32) for day in DAYS],
        pd.DataFrame(DAYS, columns=NAMES).assign(day="Monday"),
        pl.DataFrame(DAYS, schema=NAMES, orient="row").select(reversed(NAMES)),
        pl.LazyFrame(DAYS, schema=NAMES, orient="row"),
        pl.DataFrame(DAYS, schema=NAMES, orient="row").to_arrow(),
    ],
    ids=["tuples", "dictionaries", "array", "arrays", "pandas", "polars", "lazy", "arrow"],
)
def test_counts_come_one_by_one_or_in_a_table(counts: Any) -> None:
    oracle = ab_oracle(lambda *_: counts)
    assert oracle(*PAIR) is True
    assert oracle.users == 2400


def test_sums_in_duckdb_are_counts_although_they_are_decimals() -> None:
    sums = ", ".join(f"sum({name}) as {name}" for name in NAMES)
    days = ", ".join(f"({day}, {', '.join(map(str, counts))})" for day, counts in enumerate(DAYS))
    query = f"select {sums} from (values {days}) as t (day, {', '.join(NAMES)}) group by day order by day"  # noqa: S608
    with duckdb.connect() as connection:
        assert ab_oracle(lambda *_: connection.sql(query))(*PAIR) is True


def test_experiments_get_the_classifiers_behind_the_rates() -> None:
    seen: list[Any] = []

    def experiment(first: Any, second: Any) -> Iterable[Batch]:
        seen.extend((first, second))
        return DAYS

    ab_oracle(experiment)(*PAIR)
    assert all(isinstance(one, StandInClassifier) for one in seen)
    assert (seen[0].rates, seen[1].rates) == PAIR
    rng = np.random.default_rng(0)
    region = FeasibleRegion.from_scores(rng.dirichlet(np.ones(2), size=200), sensitive_features=np.arange(200) % 2)
    uniform = GroupRates.uniform(region.setting)
    ab_oracle(experiment, classifier_for=region.classifier_for)(uniform, uniform)
    assert type(seen[-1]) is type(region.classifier_for(uniform))


def test_a_deployment_ends_when_the_test_is_decided() -> None:
    ended: list[int] = []

    def experiment(*_: Any) -> Iterator[Batch]:
        day = 0
        try:
            for day, counts in enumerate(DAYS, 1):  # noqa: B007
                yield counts
        finally:
            ended.append(day)

    running = experiment()  # kept here, so that nothing but the oracle ends it
    ab_oracle(lambda *_: running)(*PAIR)
    assert ended == [3]


def test_at_max_users_it_cannot_be_told() -> None:
    same = [(n, n // 2, n, n // 2) for n in range(100, 10_000, 100)]
    oracle = ab_oracle(lambda *_: same, max_users=1000)
    assert oracle(*PAIR) is None
    assert oracle.tests[0].state == "can't tell"
    assert oracle.users == 1000
    assert ab_oracle(lambda *_: DAYS, max_users=1600)(*PAIR) is None
    assert ab_oracle(lambda *_: DAYS[2:], max_users=1600)(*PAIR) is True  # of one batch all users count


def test_not_decided_yet_is_a_state_that_can_be_seen() -> None:
    oracle = yielding(*DAYS[:2])
    with pytest.raises(NotDecidedError, match="question 1 is not decided yet after 1,600 users") as raised:
        oracle(*PAIR)
    test = raised.value.test
    assert test is oracle.tests[0]
    assert (test.state, test.answer, test.users) == ("not decided yet", None, 1600)
    assert test.test.counts == DAYS[1]
    first, second = test.test.evidence
    assert second < 0 < first < np.log(2 / 0.05)
    assert oracle.questions == 0


@pytest.mark.parametrize("later", [DAYS[2:], DAYS, DAYS[1:]], ids=["what is new", "everything", "the last again"])
def test_a_test_goes_on_where_it_was_left(later: list[Batch]) -> None:
    oracle = yielding(*DAYS[:2])
    with pytest.raises(NotDecidedError):
        oracle(*PAIR)
    resumed = ab_oracle(lambda *_: later, resume=oracle.to_json())
    assert resumed(*PAIR) is True
    whole = yielding(*DAYS)
    whole(*PAIR)
    assert resumed.tests[0].test == whole.tests[0].test
    oracle.experiment = lambda *_: later  # the same oracle goes on as well
    assert oracle(*PAIR) is True


def test_an_elicitation_goes_on_day_by_day_as_if_it_had_never_stopped() -> None:
    options: dict[str, Any] = {"method": "adaptive", "stop": "budget", "max_questions": 8, "random_state": 0}
    whole = ab_oracle(population, max_users=20_000)
    expected = elicit(whole, SETTING, **options)
    kept, days = None, 0
    while True:
        oracle = ab_oracle(for_a_day(days), max_users=20_000, resume=kept)
        days += 1
        try:
            found = elicit(oracle, SETTING, **options)
        except NotDecidedError:
            kept = oracle.to_json()
        else:
            break
    assert days > 2
    assert found.metric == expected.metric
    assert oracle.users == whole.users
    assert [test.answer for test in oracle.tests] == [answer for _, answer in expected.history]


def test_decided_tests_are_not_run_again() -> None:
    oracle = yielding(*DAYS)
    oracle(*PAIR)

    def never(*_: Any) -> Any:
        raise AssertionError

    resumed = ab_oracle(never, resume=oracle.to_json())
    assert resumed(*PAIR) is True
    assert resumed.to_json() == oracle.to_json()


def test_kept_tests_belong_to_their_questions() -> None:
    oracle = yielding(*DAYS)
    oracle(*PAIR)
    with pytest.raises(EvenhandError, match="stored A/B test of question 1 compares two other classifiers"):
        ab_oracle(population, resume=oracle.to_json())(*PAIR[::-1])
    other = GroupRates.uniform(Setting.random(3, 2, random_state=0))
    with pytest.raises(EvenhandError, match="stored A/B test of question 1 compares two other classifiers"):
        ab_oracle(population, resume=oracle.to_json())(other, other)


@pytest.mark.parametrize(("option", "value"), [("error", 0.1), ("smallest", 0.02), ("max_users", 10)])
def test_tests_go_on_with_the_options_they_were_begun_with(option: str, value: Any) -> None:
    with pytest.raises(EvenhandError, match=f"began with {option}=.*but {option} is now {value}"):
        ab_oracle(population, resume=yielding().to_json(), **{option: value})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda test: test.pop("counts"), "test 1 of these A/B tests must have exactly first, second"),
        (lambda test: test.update(extra=1), "must have exactly"),
        (lambda test: test.update(counts=[1, 2, 3]), "counts must be four whole numbers"),
        (lambda test: test.update(counts=[1, 2, 3, 1]), "more good outcomes than users in the first arm: 2 of 1"),
        (lambda test: test.update(counts=[0, 0, 0, 0]), "is not the state of a test"),
        (lambda test: test.update(for_first=[0.0]), "for_first has shape"),
        (lambda test: test.update(for_second=[0.0, 0.0, 0.0, "x"]), "for_second must be numbers"),
        (lambda test: test.update(prefers_first="yes"), "is not the state of a test"),
        (lambda test: test.update(prefers_first=False), "is not the state of a test"),
        (lambda test: test.update(prefers_first=None), "is not the state of a test"),
        (lambda test: test.update(for_first=[0, 0, 0, 0]), "is not the state of a test"),
        (lambda test: test.update(first="x"), "first must be numbers"),
    ],
)
def test_a_record_that_was_changed_is_refused(change: Callable[[Any], object], message: str) -> None:
    oracle = yielding(*DAYS)
    oracle(*PAIR)
    document = json.loads(oracle.to_json())
    change(document["tests"][0])
    with pytest.raises(EvenhandError, match=message):
        ab_oracle(population, resume=json.dumps(document))


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": "evenhand-metric"}', 7])
def test_only_a_record_can_be_resumed(text: Any) -> None:
    with pytest.raises(EvenhandError, match="record of A/B tests"):
        ab_oracle(population, resume=text)


@pytest.mark.parametrize(
    ("batches", "message"),
    [
        ([DAYS[0], (399, 210, 400, 190)], "batch 2 of the experiment: users_first went down from 400 to 399"),
        ([DAYS[0], (800, 209, 800, 390)], "batch 2 of the experiment: good_first went down from 210 to 209"),
        ([DAYS[0], (0, 0, 0, 0)], "batch 2 of the experiment: users_first went down from 400 to 0"),
        ([(100, 101, 100, 50)], "batch 1 .* more good outcomes than users in the first arm: 101 of 100"),
        ([(100, 50, 100, 150)], "batch 1 .* more good outcomes than users in the second arm: 150 of 100"),
        ([DAYS[0], (401, 300, 400, 190)], "batch 2 .* 90 more good outcomes in the first arm .* only 1 more users"),
        ([(100, 50, 0, 0)], "the second arm of the experiment has no users, of 100 in all"),
        ([(0, 0, 5, 1), (0, 0, 9, 2)], "the first arm of the experiment has no users, of 9 in all"),
        ([(100_000, 50, 0, 0)], "the second arm of the experiment has no users"),
        ([(-1, 0, 10, 0)], "batch 1 of the experiment: users_first must be a whole number of at least 0, .* -1"),
        ([(10, -1, 10, 0)], "good_first must be a whole number"),
        ([(10, 5, float("nan"), 0)], "users_second must be a whole number of at least 0, but received nan"),
        ([(10, 5, float("inf"), 0)], "users_second must be a whole number"),
        ([(10, 5, 10, 2.5)], "good_second must be a whole number of at least 0, but received 2.5"),
        ([(10, 5, 10, None)], "good_second must be a whole number"),
        ([(10, 5, "10", 2)], "users_second must be a whole number of at least 0, but received '10'"),
        ([(True, 0, 10, 2)], "users_first must be a whole number of at least 0, but received True"),
        ([(np.True_, 0, 10, 2)], "users_first must be a whole number"),
        ([(10**30, 0, 10**30, 2)], "has 1,000,000,000,000,000,000,000,000,000,000 new users in the first arm"),
        ([DAYS[0], (1, 2, 3)], "batch 2 of the experiment must be four whole numbers, users_first, good_first"),
        ([DAYS[0], (1, 2, 3, 4, 5)], "batch 2 of the experiment must be four whole numbers"),
        ([7], "batch 1 of the experiment must be four whole numbers, .* but is 7"),
        (["four"], "batch 1 of the experiment must be four whole numbers"),
        ([None], "batch 1 of the experiment must be four whole numbers"),
        ([{"users_first": 3}], "batch 1 of the experiment lacks 'good_first', 'users_second', 'good_second'"),
    ],
)
def test_counts_that_cannot_be_are_refused_by_batch(batches: list[Any], message: str) -> None:
    with pytest.raises(EvenhandError, match=message) as raised:
        yielding(*batches)(*PAIR)
    assert not isinstance(raised.value, NotDecidedError)


def test_a_resumed_experiment_cannot_have_fewer_users_in_one_arm_than_before() -> None:
    oracle = yielding(*DAYS[:2])
    with pytest.raises(NotDecidedError):
        oracle(*PAIR)
    with pytest.raises(EvenhandError, match="batch 1 of the experiment: users_second went down from 800 to 700"):
        ab_oracle(lambda *_: [(900, 440, 700, 350)], resume=oracle.to_json())(*PAIR)


@pytest.mark.parametrize(
    "returned", [None, 7, "counts", {"users_first": 3}, object(), np.array(7)], ids=lambda one: type(one).__name__
)
def test_an_experiment_returns_batches(returned: Any) -> None:
    with pytest.raises(EvenhandError, match="an experiment must yield or return batches"):
        ab_oracle(lambda *_: returned)(*PAIR)


def test_a_table_has_each_column_once() -> None:
    table = pd.DataFrame([[*DAYS[0], 1]], columns=[*NAMES, "users_first"])
    with pytest.raises(EvenhandError, match=r"the experiment's table cannot be read: .*'users_first' 2 times"):
        ab_oracle(lambda *_: table)(*PAIR)


@pytest.mark.parametrize("error", [ValueError("no connection"), KeyboardInterrupt()], ids=repr)
def test_what_was_counted_before_an_experiment_failed_still_counts(error: BaseException) -> None:
    def failing(*_: Any) -> Iterator[Batch]:
        yield from DAYS[:2]
        raise error

    oracle = ab_oracle(failing)
    with pytest.raises(type(error)):
        oracle(*PAIR)
    assert (oracle.users, oracle.questions, oracle.tests[0].state) == (1600, 0, "not decided yet")
    assert ab_oracle(lambda *_: DAYS[2:], resume=oracle.to_json())(*PAIR) is True
    oracle.experiment = lambda *_: DAYS[2:]
    assert oracle(*PAIR) is True


def test_an_answer_is_not_lost_if_a_deployment_cannot_be_ended() -> None:
    def stuck(*_: Any) -> Iterator[Batch]:
        try:
            yield from DAYS
        finally:
            raise ValueError("still deployed")

    oracle = ab_oracle(stuck)
    with pytest.raises(ValueError, match="still deployed"):
        oracle(*PAIR)
    assert oracle(*PAIR) is True
    assert len(oracle.tests) == 1


def test_a_table_needs_its_columns() -> None:
    table = pd.DataFrame({"users_first": [10], "good": [3]})
    with pytest.raises(EvenhandError, match=r"lacks 'good_first', .* but has 'users_first', 'good'"):
        ab_oracle(lambda *_: table)(*PAIR)


def test_an_experiment_without_any_users_is_not_decided_yet() -> None:
    for batches in ([], [(0, 0, 0, 0)]):
        with pytest.raises(NotDecidedError, match="after 0 users"):
            yielding(*batches)(*PAIR)


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("error", 0, "error must be a probability between 0 and 0.5, but received 0"),
        ("error", 0.5, "error must be"),
        ("error", np.nan, "error must be"),
        ("error", "small", "error must be"),
        ("smallest", 0, "smallest must be a difference between 0 and 1, but received 0"),
        ("smallest", 1, "smallest must be"),
        ("max_users", 0, "max_users must be a whole number of at least 1, but received 0"),
        ("max_users", 1e5, "max_users must be a whole number"),
        ("classifier_for", 3, "classifier_for must be a function, but received 3"),
    ],
)
def test_options_that_cannot_be_are_refused(option: str, value: Any, message: str) -> None:
    with pytest.raises(EvenhandError, match=message):
        ab_oracle(population, **{option: value})


def test_an_experiment_is_a_function_of_two_classifiers() -> None:
    with pytest.raises(EvenhandError, match=re.escape("experiment must be a function, but received [(400, 210")):
        ab_oracle(DAYS)  # type: ignore[arg-type]
    with pytest.raises(EvenhandError, match="first must be a GroupRates"):
        ab_oracle(population)(PAIR[0].vector, PAIR[1])  # type: ignore[arg-type]


def test_a_method_that_needs_every_answer_says_so_where_the_users_do_not_tell() -> None:
    with pytest.raises(EvenhandError, match=r"the answer was None \(can't tell\).*take method='adaptive'"):
        elicit(ab_oracle(population, max_users=20_000), SETTING, method="bisection")


def test_the_error_of_the_tests_is_known_to_the_adaptive_method() -> None:
    options: dict[str, Any] = {"method": "adaptive", "stop": "budget", "max_questions": 12, "random_state": 0}
    oracle = ab_oracle(population, error=0.1)
    known = elicit(oracle, SETTING, **options).reliability
    assert known is not None
    assert known.lapse_rate == pytest.approx(0.2)  # half of the lapses are right by chance
    assert known.attending == 1
    assert known.repeats == 0
    told = elicit(ab_oracle(population), SETTING, error=0.2, **options).reliability
    assert told is not None
    assert told.lapse_rate == pytest.approx(0.4)
