"""Answers by A/B tests of two deployed classifiers: which has more good outcomes? (Section 2.2 of the paper)"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from evenhand.checks.arrays import float_array, number, numbers, whole_number
from evenhand.checks.documents import Format
from evenhand.checks.messages import expect, shown
from evenhand.errors import EvenhandError
from evenhand.oracles.classifiers import StandInClassifier
from evenhand.oracles.counts import arms, counts_of
from evenhand.oracles.sequential_test import MULTIPLES, Arms, SequentialTest
from evenhand.rates import GroupRates
from evenhand.rates.ties import ROUNDING
from evenhand.typing import Floats

State = Literal["first", "second", "can't tell", "not decided yet"]
_OPTIONS = ("error", "smallest", "max_users")
AB_TESTS_FORMAT = Format(name="evenhand.ab_tests", what="record of A/B tests", fields=(*_OPTIONS, "tests"))


class NotDecidedError(EvenhandError):
    """An experiment ended before its A/B test was decided; `test` is the state of the test.

    Examples
    --------
    >>> import evenhand
    >>> oracle = evenhand.ab_oracle(lambda first, second: [(20, 10, 20, 10)])
    >>> rates = evenhand.GroupRates.uniform(evenhand.Setting.random(2, 2, 0))
    >>> try:
    ...     oracle(rates, rates)
    ... except NotDecidedError:
    ...     print("go on with the experiment, and resume")
    go on with the experiment, and resume
    """

    def __init__(self, question: int, test: ABTest) -> None:
        super().__init__(
            f"question {question} is not decided yet after {test.users:,} users, and the experiment yields no more "
            "counts: save the oracle's to_json(), and resume with ab_oracle(..., resume=...) when there are more"
        )
        self.test = test


@dataclass(frozen=True, eq=False)
class ABTest:
    """The A/B test of one question: the two profiles (m, q), and the state of the test.

    Examples
    --------
    >>> import evenhand
    >>> oracle = evenhand.ab_oracle(lambda first, second: [(2000, 900, 2000, 400)])
    >>> rates = evenhand.GroupRates.uniform(evenhand.Setting.random(2, 2, 0))
    >>> answer = oracle(rates, rates)
    >>> oracle.tests[0].users, oracle.tests[0].state
    (4000, 'first')
    """

    first: Floats
    second: Floats
    test: SequentialTest
    max_users: int

    @property
    def state(self) -> State:
        """Which of the two is better by the test, "can't tell" after `max_users`, or "not decided yet"."""
        if self.test.prefers_first is not None:
            return "first" if self.test.prefers_first else "second"
        return "not decided yet" if self.users < self.max_users else "can't tell"

    @property
    def answer(self) -> bool | None:
        """Whether the first is preferred, or None if the test found no difference."""
        return self.test.prefers_first

    @property
    def users(self) -> int:
        """The number of users in both arms."""
        return self.test.counts.users

    def is_about(self, first: GroupRates, second: GroupRates) -> bool:
        """Return whether this test compares these two, up to rounding."""
        pairs = ((self.first, first.vector), (self.second, second.vector))
        return all(one.shape == other.shape and bool(np.abs(one - other).max() <= ROUNDING) for one, other in pairs)

    def to_document(self) -> dict[str, Any]:
        """Return the question and the state of its test, ready for JSON."""
        test = self.test
        return {
            "first": self.first.tolist(),
            "second": self.second.tolist(),
            "counts": list(test.counts),
            "weighed": list(test.weighed),
            "for_first": list(test.for_first),
            "for_second": list(test.for_second),
            "prefers_first": test.prefers_first,
        }

    @classmethod
    def from_document(cls, document: Any, fresh: SequentialTest, max_users: int, where: str) -> ABTest:
        """Read a test that `to_document` wrote."""
        names = ("first", "second", "counts", "weighed", "for_first", "for_second", "prefers_first")
        if not isinstance(document, dict) or set(document) != set(names):
            raise EvenhandError(f"{where} must have exactly {', '.join(names)}, but is {shown(document)}")
        first, second = (numbers(document[side], f"{where}: {side}", "a profile") for side in names[:2])
        counts, weighed = (arms(document[name], f"{where}: {name}") for name in ("counts", "weighed"))
        shape = MULTIPLES.shape
        wealth = [float_array(document[name], f"{where}: {name}", shape, "log wealth") for name in names[4:6]]
        decided = document["prefers_first"]
        for_first, for_second = (tuple(one.tolist()) for one in wealth)
        test = replace(
            fresh, counts=counts, weighed=weighed, for_first=for_first, for_second=for_second, prefers_first=decided
        )
        possible = min(counts.since(weighed)) >= 0 and np.isfinite(wealth).all() and isinstance(decided, bool | None)
        if not possible or not test.follows_from_evidence:
            raise EvenhandError(f"{where} is not the state of a test: {shown(document)}")
        return cls(first, second, test, max_users)


class ABOracle:
    """Answers by A/B tests, one for each question.

    Attributes
    ----------
    tests
        The test of each question so far; the last one may be unfinished.
    error
        The largest probability of a wrong answer; `method="adaptive"` takes it into account.

    Examples
    --------
    >>> import evenhand
    >>> oracle = evenhand.ab_oracle(lambda first, second: [(2000, 900, 2000, 400)])
    >>> rates = evenhand.GroupRates.uniform(evenhand.Setting.random(2, 2, 0))
    >>> oracle(rates, rates), oracle.tests[0].state
    (True, 'first')
    """

    def __init__(
        self,
        experiment: Callable[[Any, Any], Any],
        *,
        error: float,
        smallest: float,
        max_users: int,
        classifier_for: Callable[[GroupRates], Any],
        resume: str | None,
    ) -> None:
        for name, function in (("experiment", experiment), ("classifier_for", classifier_for)):
            if not callable(function):
                raise EvenhandError(f"{name} must be a function, but received {shown(function)}")
        self.experiment = experiment
        self.classifier_for = classifier_for
        self.error = number(error, "error", "a probability between 0 and 0.5", lambda value: 0 < value < 0.5)
        self.smallest = number(smallest, "smallest", "a difference between 0 and 1", lambda value: 0 < value < 1)
        self.max_users = whole_number(max_users, "max_users", 1)
        self.tests = [] if resume is None else list(self._kept(resume))
        self._answered = 0

    @property
    def questions(self) -> int:
        """The number of questions answered so far."""
        return self._answered

    @property
    def users(self) -> int:
        """The number of users in all tests together."""
        return sum(test.users for test in self.tests)

    def __call__(self, first: GroupRates, second: GroupRates) -> bool | None:
        """Return whether the first has more good outcomes, or None if `max_users` users do not decide it."""
        expect(first, "first", GroupRates)
        expect(second, "second", GroupRates)
        place = self._answered
        if place == len(self.tests):
            self.tests.append(ABTest(first.vector, second.vector, self._fresh, self.max_users))
        elif not self.tests[place].is_about(first, second):
            raise EvenhandError(
                f"the stored A/B test of question {place + 1} compares two other classifiers: resume with a new "
                "ab_oracle and the same method, options and random_state, from the first question on"
            )
        if self.tests[place].state == "not decided yet":
            self._run(place, self.experiment(self.classifier_for(first), self.classifier_for(second)))
        self._answered += 1
        return self.tests[place].answer

    def _run(self, place: int, yielded: Any) -> None:
        """Update the test with the counts of an experiment until it is decided."""
        try:
            for counts in counts_of(yielded, self.tests[place].test.counts):
                if counts.users >= self.max_users:
                    _expect_both_arms(counts)
                asked = self.tests[place]
                self.tests[place] = replace(asked, test=asked.test.after(counts))
                if self.tests[place].state != "not decided yet":
                    return
        finally:
            if isinstance(yielded, Generator):
                yielded.close()  # at once, so that the experiment can end the deployment
        _expect_both_arms(self.tests[place].test.counts)
        raise NotDecidedError(place + 1, self.tests[place])

    @property
    def _fresh(self) -> SequentialTest:
        return SequentialTest(error=self.error, smallest=self.smallest)

    def to_json(self) -> str:
        """Return all tests as a JSON document, for `ab_oracle(..., resume=...)`."""
        options = {name: getattr(self, name) for name in _OPTIONS}
        return AB_TESTS_FORMAT.to_json(**options, tests=[test.to_document() for test in self.tests])

    def _kept(self, text: str) -> Iterator[ABTest]:
        kept = AB_TESTS_FORMAT.from_json(text)
        tests = kept.pop("tests")
        for name, value in kept.items():
            if value != getattr(self, name):
                raise EvenhandError(
                    f"these A/B tests began with {name}={shown(value)}, but {name} is now "
                    f"{shown(getattr(self, name))}: resume with the same options"
                )
        expect(tests, "tests", list)
        for place, document in enumerate(tests, 1):
            yield ABTest.from_document(document, self._fresh, self.max_users, f"test {place} of these A/B tests")


def ab_oracle(
    experiment: Callable[[Any, Any], Any],
    *,
    error: float = 0.05,
    smallest: float = 0.01,
    max_users: int = 100_000,
    classifier_for: Callable[[GroupRates], Any] = StandInClassifier,
    resume: str | None = None,
) -> ABOracle:
    """Make an oracle that answers each question by an A/B test: it prefers the classifier with more good outcomes.

    The test is sequential: you may look at it after every batch, however small, and it ends as soon as it is decided.
    Assign users to the arms at random. Neither the assignment nor the end of a batch may depend on the outcomes of that
    batch.

    Parameters
    ----------
    experiment
        `experiment(first, second)` deploys two classifiers, and yields or returns batches. A batch has four counts,
        each since the experiment began: `users_first`, `good_first`, `users_second`, `good_second`. It is a tuple in
        this order, a mapping with these names, or a row of a table with these columns. Count a user once the outcome is
        known. When the test is decided, a generator is closed. If the batches end earlier, `NotDecidedError` is raised.
    error
        If the classifiers do not differ, the largest probability of an answer other than None. If they differ, the
        worse one is preferred with probability error / 2 at most. `method="adaptive"` uses `error` as the known share
        of wrong answers.
    smallest
        The smallest difference between the shares of good outcomes that matters. The test is designed for
        differences between this size and eight times as much.
    max_users
        If the test is not decided after this many users in both arms together, the answer is None (can't tell).
    classifier_for
        Returns a classifier with given rates, such as `FeasibleRegion.classifier_for`; by default a stand-in that
        draws predictions for people whose true class is known.
    resume
        What `to_json` of an earlier oracle returned. Elicit again with the same method, options and `random_state`: the
        decided tests answer at once, and the undecided one continues. Its experiment may yield only new batches
        (still counted since it began), or all batches again.

    Examples
    --------
    >>> from evenhand import GroupRates, Setting, ab_oracle
    >>> setting = Setting([0, 1], ["a", "b"], [[0.5, 0.5], [0.5, 0.5]])
    >>> def experiment(first, second):
    ...     yield 400, 210, 400, 190
    ...     yield 800, 440, 800, 350
    >>> oracle = ab_oracle(experiment)
    >>> oracle(GroupRates.trivial(setting, 1), GroupRates.uniform(setting))
    True
    >>> oracle.tests[0].state, oracle.users
    ('first', 1600)
    """
    return ABOracle(
        experiment,
        error=error,
        smallest=smallest,
        max_users=max_users,
        classifier_for=classifier_for,
        resume=resume,
    )


def _expect_both_arms(counts: Arms) -> None:
    for arm, users in (("first", counts.users_first), ("second", counts.users_second)):
        if users == 0 and counts.users > 0:
            raise EvenhandError(
                f"the {arm} arm of the experiment has no users, of {counts.users:,} in all: assign users to both arms "
                "at random"
            )
