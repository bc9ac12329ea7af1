"""A finding as one JSON document, with the sample of metrics behind it and the answers, for `to_json` and `load`.

The sample has thousands of numbers, of which every bit counts: they are kept as bytes in base64, half as long as their
digits. All else is for people to read.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from evenhand.checks.arrays import whole_number
from evenhand.checks.documents import Format, checked_fields
from evenhand.checks.messages import expect, listed, shown
from evenhand.checks.text import any_text
from evenhand.elicitation.codec import finding_document, read_finding
from evenhand.elicitation.elicited import Elicited
from evenhand.elicitation.finding import Finding
from evenhand.elicitation.question import STORED, Answer, Question, word_for
from evenhand.errors import EvenhandError
from evenhand.metric import FairMetric, MetricSample
from evenhand.metric.families import family_named
from evenhand.metric.weights import Weights
from evenhand.rates import Setting
from evenhand.rates.asked import checked_rates
from evenhand.typing import Floats

ELICITED_FORMAT = Format(
    name="evenhand.elicited",
    what="elicited metric",
    fields=("finding", "sample", "method", "history"),
)

_SAMPLE = ("particles", "misclassification", "violation", "trade_off", "width", "probability")
_ASKED = ("first", "second", "part", "undecided", "left", "answer")
_MOST_PARTICLES = 10_000_000
_LITTLE_ENDIAN = np.dtype("<f8")


def elicited_json(finding: Finding) -> str:
    """Return a finding as a JSON document, with its sample and, if it has them, its answers."""
    sample = None if finding.uncertainty is None else finding.uncertainty.sample
    method, history = (finding.method, finding.history) if isinstance(finding, Elicited) else (None, None)
    return ELICITED_FORMAT.to_json(
        finding=finding_document(finding),
        sample=None if sample is None else _sample_document(sample),
        method=method,
        history=None if history is None else [_asked_document(*entry) for entry in history],
    )


def elicited_from_json(text: str | bytes) -> Finding:
    """Read a finding from the text of its document."""
    return read_elicited(ELICITED_FORMAT.write(**ELICITED_FORMAT.from_json(text)))


def read_elicited(document: object) -> Finding:
    """Read a finding back, or say what is wrong with its document; with answers it is an `Elicited`."""
    fields = ELICITED_FORMAT.read(document)
    finding = read_finding(fields["finding"])
    kept = vars(finding)
    if fields["sample"] is not None:
        if finding.uncertainty is None:
            raise EvenhandError("this elicited metric has a sample but no uncertainty: was the file edited?")
        sample = _read_sample(fields["sample"], finding.metric)
        kept = kept | {"uncertainty": replace(finding.uncertainty, sample=sample)}
    if (fields["method"] is None) != (fields["history"] is None):
        raise EvenhandError("this elicited metric has only one of method and history: was the file edited?")
    if fields["history"] is None:
        return Finding(**kept)
    expect(fields["history"], "history", list)
    history = tuple(_read_asked(entry, place, finding.metric.setting) for place, entry in enumerate(fields["history"]))
    return Elicited(**kept, method=any_text(fields["method"], "method"), history=history)


def _asked_document(question: Question, answer: Answer) -> dict[str, Any]:
    if isinstance(answer, np.ndarray):
        raise EvenhandError("these are the answers of many people at once, which a document does not hold")
    return {
        "first": question.first.tolist(),
        "second": question.second.tolist(),
        "part": question.part,
        "undecided": question.undecided,
        "left": question.left,
        "answer": word_for(answer),
    }


def _read_asked(entry: object, place: int, setting: Setting) -> tuple[Question, Answer]:
    try:
        fields = checked_fields(entry, "an answer", _ASKED)
        first, second = (checked_rates(fields[name], name, setting) for name in ("first", "second"))
        expect(fields["undecided"], "undecided", bool)
        answer = _read_answer(fields["answer"])
        left = None if fields["left"] is None else whole_number(fields["left"], "left", 0)
        part = any_text(fields["part"], "part")
    except EvenhandError as error:
        raise EvenhandError(f"answer {place + 1} of this elicited metric: {error}") from error
    return Question(first, second, part, undecided=fields["undecided"], left=left), answer


def _read_answer(word: object) -> Answer:
    if not (isinstance(word, str) and word in STORED):
        raise EvenhandError(f"an answer is one of {listed(tuple(STORED))}, but received {shown(word)}")
    return STORED[word]


def _sample_document(sample: MetricSample) -> dict[str, Any]:
    weights = sample.weights
    arrays = {"probability": sample.probability} | {name: getattr(weights, name) for name in _SAMPLE[1:5]}
    return {"particles": sample.probability.size} | {
        name: None if arrays[name] is None else _encoded(arrays[name]) for name in _SAMPLE[1:]
    }


def _read_sample(document: object, metric: FairMetric) -> MetricSample:
    fields = checked_fields(document, "a sample", _SAMPLE)
    n = whole_number(fields["particles"], "particles", 1)
    if n > _MOST_PARTICLES:
        raise EvenhandError(f"a sample of {n:,} metrics is not read: {_MOST_PARTICLES:,} is the most")
    q, rows, columns = family_named(metric.family).dimensions(metric.setting)
    width = None if metric.width is None else _decoded(fields["width"], "width", (n,))
    weights = Weights(
        _decoded(fields["misclassification"], "misclassification", (n, q)),
        _decoded(fields["violation"], "violation", (n, rows, columns)),
        _decoded(fields["trade_off"], "trade_off", (n,)),
        width,
    )
    probability = _decoded(fields["probability"], "probability", (n,))
    if abs(probability.sum() - 1) > 1e-6:
        raise EvenhandError("the probabilities of a sample must sum to 1: was the file edited?")
    return MetricSample(weights, probability, metric.family)


def _encoded(array: Floats) -> str:
    return b64encode(np.ascontiguousarray(array, dtype=_LITTLE_ENDIAN).tobytes()).decode("ascii")


def _decoded(value: object, name: str, shape: Sequence[int]) -> Floats:
    expect(value, f"{name} of a sample", str)
    try:
        content = b64decode(str(value), validate=True)
    except ValueError as error:
        raise EvenhandError(f"{name} of a sample is not base64: {error}") from error
    if len(content) != 8 * int(np.prod(shape)):
        raise EvenhandError(f"{name} of a sample must have {' × '.join(map(str, shape))} numbers of 8 bytes")
    array = np.frombuffer(content, _LITTLE_ENDIAN).astype(np.float64).reshape(shape)
    if not (np.isfinite(array) & (array >= 0)).all():
        raise EvenhandError(f"{name} of a sample must be finite and not negative")
    return array
