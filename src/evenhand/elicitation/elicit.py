"""`elicit`: ask an oracle questions by a method, and return the metric that its answers point to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from evenhand.checks.arrays import whole_number
from evenhand.checks.messages import expect, listed, shown
from evenhand.elicitation.elicited import Elicited
from evenhand.elicitation.finding import Finding
from evenhand.elicitation.methods import Method, make
from evenhand.elicitation.procedure import Oracle, ask, conduct, seed_of, step
from evenhand.elicitation.question import Answer, History, Question
from evenhand.errors import EvenhandError
from evenhand.rates import GroupRates, Setting
from evenhand.typing import RandomState


def elicit(
    oracle: Oracle,
    setting: Setting | None = None,
    *,
    method: str | Method = "adaptive",
    random_state: RandomState = None,
    progress: Callable[[int, int], object] | None = None,
    **options: Any,
) -> Elicited:
    """Find out which fair performance metric an oracle holds.

    Parameters
    ----------
    oracle
        Any callable that gets two `GroupRates` and returns True if it prefers the first (the one of lower
        cost), False if the second. The adaptive method also takes None ("can't tell", which is information) and
        `evenhand.SKIP` (which is not), and reads how often the answers are wrong from the oracle's `error`, if it has
        one, as those of `evenhand.ab_oracle` have.
    setting
        The classes, groups and prevalence that the metric is about; by default those of the candidates, or of the
        method that you made.
    method
        `"adaptive"` (`evenhand.Adaptive`): for people, who may err; few questions, and a result with its uncertainty.
        `"paper"` (`evenhand.Paper`): Algorithm 1, question for question. `"least-squares"` (`evenhand.LeastSquares`):
        as many questions, more accurate for three and more classes. `"bisection"` (`evenhand.Bisection`): for right
        answers, less than a fifteenth of the questions. A method that you made with its options can be given itself.
    random_state
        Draws what is random: for the paper's method the points that searches start from (without it they start in
        the middle), for the adaptive one its sample and questions.
    progress
        Called after every answer with the number of questions asked and in all; for the adaptive method the second
        is an estimate that moves with the answers. The last call has the same number twice.
    options
        Those of the method, which its class documents: `evenhand.Paper`, `evenhand.LeastSquares`, `evenhand.Bisection`
        or `evenhand.Adaptive`.

    Examples
    --------
    >>> from evenhand import FairMetric, Setting, SimulatedOracle
    >>> setting = Setting.random(2, 2, random_state=7)
    >>> truth = FairMetric.random(setting, random_state=7)
    >>> elicited = elicit(SimulatedOracle(truth), setting, random_state=0)
    >>> elicited.questions < 60, max(elicited.metric.distance(truth)) < 0.05
    (True, True)
    >>> exact = elicit(SimulatedOracle(truth), setting, method="paper")
    >>> exact.questions, max(exact.metric.distance(truth)) < 0.002
    (574, True)
    """
    if not callable(oracle):
        raise EvenhandError(f"oracle must be a function of two classifiers' rates, but received {shown(oracle)}")
    if progress is not None and not callable(progress):
        raise EvenhandError(f"progress must be a function of two numbers, but received {shown(progress)}")
    about = _setting_of(method, options) if setting is None else setting
    chosen = _with_known_error(_chosen(method, about, options), oracle)
    history: list[tuple[Question, Answer]] = []

    def say(left: int) -> None:
        if progress is not None and history:
            progress(len(history), len(history) + left)

    def answer_to(question: Question) -> Answer:
        expect(question, f"what method={chosen.name!r} yields", Question)
        say(question.left or 1)
        answer = ask(oracle, question, about)
        history.append((question, answer))
        return answer

    finding = conduct(chosen.procedure(seed=seed_of(random_state)), answer_to)
    expect(finding, f"what method={chosen.name!r} returns", Finding)
    say(0)
    return Elicited(**vars(finding), method=chosen.name, history=tuple(history))


def next_question(
    setting: Setting, history: History, *, method: str | Method = "adaptive", random_state: int = 0, **options: Any
) -> Question | Finding:
    """Return what a method would ask next after these answers or, if it is done, what it found.

    A pure function: the same arguments always give the same question. For servers, which keep the history themselves.

    Parameters
    ----------
    setting
        The classes, groups and prevalence that the metric is about.
    history
        The questions asked so far, each with its answer: True if the first is preferred, False if the second and, for
        the adaptive method, None for "can't tell" and `evenhand.SKIP` for a question that was passed over.
    method
        As in `evenhand.elicit`. A method that searches refuses a history that holds other questions than its own; the
        adaptive one learns from any.
    random_state
        Draws what is random; keep it as long as the interview lasts.
    options
        Those of the method.

    Examples
    --------
    >>> from evenhand import FairMetric, Question, Setting, next_question
    >>> setting = Setting.random(2, 2, random_state=7)
    >>> truth = FairMetric.random(setting, random_state=7)
    >>> history = []
    >>> while isinstance(found := next_question(setting, history, stop="budget", max_questions=12), Question):
    ...     first_is_better = truth.cost_of_profiles(found.first) < truth.cost_of_profiles(found.second)
    ...     history.append((found, first_is_better))
    >>> len(history), found.stopped_because
    (12, 'budget')
    """
    # A generator, or None, would draw other questions each time.
    seed = seed_of(whole_number(random_state, "random_state", 0))
    return step(_chosen(method, setting, options).procedure(history, seed=seed))


def _setting_of(method: str | Method, options: dict[str, Any]) -> Setting:
    """Return the setting that a method was made for, or that all candidates were measured in."""
    if isinstance(method, Method):
        return method.setting
    candidates = options.get("candidates")
    rates = list(candidates.values()) if isinstance(candidates, Mapping) else []
    if not rates or not all(isinstance(one, GroupRates) for one in rates):
        raise EvenhandError(
            "setting may be left out where candidates, name → GroupRates, say what the metric is about: give one of "
            "the two"
        )
    setting: Setting = rates[0].setting
    for name, one in candidates.items() if candidates else ():
        if one.setting.same_names(setting) and not np.array_equal(one.setting.prevalence, setting.prevalence):
            raise EvenhandError(
                f"candidate {shown(name)} was measured on other people than the first one, so its groups have other "
                "shares of each class: give setting, to say for which of them the metric is"
            )
    return setting


def _chosen(method: str | Method, setting: Setting, options: dict[str, Any]) -> Method:
    """Return the method that was named, with its options, or the one that was made."""
    if isinstance(method, type) and issubclass(method, Method):
        raise EvenhandError(
            f"method is the class {method.__name__}: give its name, or an object that you made of it with its options, "
            f"method={method.__name__}(setting=setting, …)"
        )
    if not isinstance(method, Method):
        return make(method, setting, options)
    if options:
        raise EvenhandError(f"the method was made with its options: give {listed(tuple(options))} to it")
    expect(setting, "setting", Setting)
    if method.setting != setting:
        raise EvenhandError("the method was made for another setting: give the same one to both")
    return method


def _with_known_error(method: Method, oracle: Oracle) -> Method:
    """Return the method with the oracle's own error, where it has an option for it that was left open."""
    known = getattr(oracle, "error", None)
    has_one = isinstance(known, float | np.floating)
    if has_one and "error" in method.option_names() and method.options()["error"] is None:
        return method.with_options(error=known)
    return method
