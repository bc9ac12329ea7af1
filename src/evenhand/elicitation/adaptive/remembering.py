"""What an adaptive interview has learned as a snapshot, so that the next answer costs one step.

All random numbers follow from the seed and the number of the step. So to go on from a snapshot leads to the same
questions and the same finding as to replay the answers.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from evenhand.elicitation.adaptive.interviewer import Interviewer, Learned
from evenhand.elicitation.adaptive.transcript import Observation, Transcript
from evenhand.elicitation.inference.attention import Attention
from evenhand.elicitation.inference.model import Answers
from evenhand.elicitation.inference.posterior import Posterior
from evenhand.elicitation.snapshots import NoSnapshotError, SnapshotForm
from evenhand.elicitation.thresholds import QUESTIONS, RESPONSE, SAMPLER, STOPPING, WARNINGS

FORM = SnapshotForm(
    kinds=(Learned, Posterior, Answers, Attention, Transcript, Observation),
    left_out={Posterior: ("model", "prices", "before")},
    thresholds=(RESPONSE, SAMPLER, QUESTIONS, STOPPING, WARNINGS),
)


def snapshot_of(learned: Learned) -> bytes:
    """Return what was learned as bytes."""
    return FORM.write(learned)


def learned_from(snapshot: bytes, interviewer: Interviewer, answers: int) -> Learned | None:
    """Return what was learned from so many answers; None if these bytes do not hold it."""

    def of_posterior(kept: Mapping[str, Any]) -> dict[str, Any]:
        model = interviewer.model
        prices = model.prices(kept["latent"])
        return {"model": model, "prices": prices, "before": interviewer.weights_before()}

    try:
        learned = FORM.read(snapshot, {Posterior: of_posterior})
    except NoSnapshotError:
        return None
    fits = isinstance(learned, Learned) and len(learned.transcript) == answers
    return learned if fits and learned.beliefs.latent.shape[1:] == (interviewer.model.size,) else None
