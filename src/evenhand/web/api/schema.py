"""What the API takes and returns, as types: its OpenAPI document is made of them, and every reply is checked.

What belongs to the owner alone is in `owner_schema`.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from evenhand.elicitation.finding import VerdictKind

Label = bool | int | float | str
Matrix = list[list[float]]
StoredChoice = Literal["first", "second", "neither", "skip"]


class _Sent(BaseModel):
    """Something with exactly these fields."""

    model_config = ConfigDict(extra="forbid")


class NewAnswer(BaseModel):
    """An answer: "first" is the model shown as A, "second" the one shown as B, "neither" is "can't tell".

    `revision`, where given, is that of the interview as the person saw it: if it has changed since, that is refused.
    """

    model_config = ConfigDict(extra="forbid", strict=True)

    choice: StoredChoice
    why: str | None = None
    revision: int | None = None


class StudySummary(_Sent):
    """What a study is about: `population` is how many people each group has in each true class."""

    slug: str
    title: str
    classes: list[Label]
    groups: list[Label]
    prevalence: Matrix
    population: Matrix


class Decimals(_Sent):
    """How many decimals are shown of numbers of people, and of differences between them."""

    people: int
    differences: int


class QuestionDocument(_Sent):
    """Two models, `first` shown as A and `second` as B: the rate of each kind of mistake in each group (a row each).

    Kinds of mistake are (true class, predicted class), in the order of the classes. Rates are shown as people of
    `out_of`. `left` is about how many questions are left, this one included.
    """

    format: Literal["evenhand.question"]
    version: Literal[1]
    n: int
    first: Matrix
    second: Matrix
    swapped: bool
    undecided: bool
    out_of: int
    decimals: Decimals
    part: str
    left: int


class MetricDocument(_Sent):
    """A fairness metric, as `FairMetric.from_json` reads it."""

    format: Literal["evenhand.metric"]
    version: Literal[1]
    classes: list[Label]
    groups: list[Label]
    prevalence: Matrix
    family: str
    misclassification: list[float]
    violation: Matrix
    trade_off: float
    width: float | None


class IntervalsDocument(_Sent):
    """The interval of each weight, from and to."""

    misclassification: Matrix
    violation: list[Matrix]
    trade_off: list[float]


class RatioDocument(_Sent):
    """How much of two weights together is the first one's, its interval, and how probable it is that it counts more."""

    one: int
    other: int
    share: float
    low: float
    high: float
    probability: float


class RatiosDocument(_Sent):
    """How weights compare: mistakes, entries of the violation (row by row), one with the other, and in all."""

    mistakes: list[RatioDocument]
    violation: list[RatioDocument]
    in_mistakes: list[RatioDocument]
    trade_off: RatioDocument


class UncertaintyDocument(_Sent):
    """How well the weights are known: each lies in its interval with the probability `level`."""

    level: float
    intervals: IntervalsDocument
    ratios: RatiosDocument | None


class ChoiceDocument(_Sent):
    """What the answers say about the candidates.

    `best_certainty` is the probability that `best` is as good as the best (costs at most 0.002 more) by the rates as
    measured; `probabilities` say the same of each candidate, allowing for the sampling error of the rates. Several can
    be as good as the best, so these may add up to more than 1. `ranking_certainty` is the probability that a pair is
    in the order of `ranking`, on average over pairs.
    """

    best: str
    best_certainty: float | None
    probabilities: dict[str, float]
    ranking: list[str]
    ranking_certainty: float | None


class OtherRuleDocument(_Sent):
    """What explains the answers better than any metric of the family; `agrees` is null of a change of mind."""

    name: str
    agrees: int | None
    answers: int


class ReliabilityDocument(_Sent):
    """What the answers tell about how far to trust them."""

    attending: float
    lapse_rate: float
    lapse_interval: list[float]
    predictive: list[float]
    misfit: float
    other_rule: OtherRuleDocument | None
    consistency: float | None
    repeats: int


class VerdictDocument(_Sent):
    """Whether the answers are a basis for a decision; if not, why, and what would help."""

    kind: VerdictKind
    reason: str
    advice: str


class FindingDocument(_Sent):
    """What was learned from the answers; a part that the method cannot tell is null."""

    format: Literal["evenhand.finding"]
    version: Literal[1]
    metric: MetricDocument
    verdict: VerdictDocument
    warnings: list[str]
    stopped_because: str | None
    uncertainty: UncertaintyDocument | None
    choice: ChoiceDocument | None
    reliability: ReliabilityDocument | None


class StandingAnswer(_Sent):
    """An answer that stands."""

    n: int
    choice: StoredChoice
    why: str | None
    time: str


class InterviewReply(_Sent):
    """An interview as it stands: with the next question, or the result."""

    study: StudySummary
    revision: int
    answered: int
    about_left: int
    done: bool
    question: QuestionDocument | None
    result: FindingDocument | None
    answers: list[StandingAnswer]


class BegunInterview(InterviewReply):
    """An interview that has just begun: its token is the secret that opens it, and `address` its page."""

    token: str
    address: str


class Health(_Sent):
    """The store can be written."""

    status: Literal["ok"]


class ProblemDetails(_Sent):
    """What went wrong, and what to do about it; `code` is for programs."""

    code: str
    message: str
    hint: str


class ProblemReply(_Sent):
    """The one shape of errors."""

    error: ProblemDetails


class ConflictReply(ProblemReply):
    """Another answer to this question is stored: `stored`."""

    stored: StandingAnswer


Replies = dict[int | str, dict[str, Any]]

ANY_REQUEST: Replies = {
    403: {"model": ProblemReply, "description": "This was sent from another site's page, or is by invitation"},
    421: {"model": ProblemReply, "description": "The server does not go by the name in the address"},
    500: {"model": ProblemReply, "description": "Something failed here, or what is stored is damaged"},
    503: {"model": ProblemReply, "description": "The store cannot be reached or written just now: try again"},
}
"""The problems that every request may meet."""

GONE: Replies = {
    410: {"model": ProblemReply, "description": "The person has withdrawn, or the invitation does not hold any more"}
}
TOO_OFTEN: Replies = {
    429: {"model": ProblemReply, "description": "There were too many tries: wait as long as Retry-After says"}
}
UNKNOWN: Replies = {404: {"model": ProblemReply, "description": "There is no such study, interview or address"}}
TOO_LARGE: Replies = {413: {"model": ProblemReply, "description": "The body is more than can be sent at once"}}
CONFLICT: Replies = {
    409: {
        "model": ConflictReply | ProblemReply,
        "description": "Another answer is stored, or another question is the one to answer or undo now",
    }
}
NOT_ADMITTED: Replies = {
    409: {"model": ProblemReply, "description": "The study is closed, or all its places are taken"}
}
NOT_UNDERSTOOD: Replies = {
    400: {"model": ProblemReply, "description": "The body is not JSON"},
    422: {"model": ProblemReply, "description": "A part of the address or of the body is not what it must be"},
}
