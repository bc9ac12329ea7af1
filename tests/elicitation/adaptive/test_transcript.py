"""What was asked: repeats are told from new questions, and their answers are compared."""

from __future__ import annotations

import numpy as np

from evenhand.elicitation.adaptive.transcript import Transcript
from evenhand.elicitation.inference.likelihood import FIRST, NEITHER, SECOND

A, B, C, D = (np.full((2, 2), rate) for rate in (0.1, 0.2, 0.3, 0.4))


def test_a_repeat_is_the_same_pair_on_either_side_but_for_rounding() -> None:
    transcript = Transcript().with_answer(A, B, FIRST, 0.9).with_answer(C, D, SECOND, 0.6)
    again = transcript.with_answer(B + 1e-12, A, SECOND, 0.7).with_answer(B, A, SECOND, 0.7).with_answer(C, D, FIRST, 1)
    assert [one.repeats for one in again.observations] == [None, None, 0, 2, 1]
    assert len(transcript) == 2, "a transcript never changes"


def test_consistency_is_the_share_of_repeats_with_the_same_preference() -> None:
    transcript = Transcript().with_answer(A, B, FIRST, 0.9).with_answer(C, D, NEITHER, 0.1)
    assert transcript.consistency is None
    same = transcript.with_answer(B, A, SECOND, 0.9)
    assert (same.consistency, same.repeats) == (1.0, 1)
    half = same.with_answer(C, D, FIRST, 0.9)
    assert (half.consistency, half.repeats) == (0.5, 2)
    other = transcript.with_answer(A, B, SECOND, 0.9)
    assert other.consistency == 0.0
    skipped = transcript.with_answer(B, A, None, None)
    assert (skipped.consistency, skipped.repeats) == (None, 0)


def test_only_questions_of_a_while_ago_are_repeated_and_only_once() -> None:
    transcript = Transcript().with_answer(A, B, FIRST, 0.9)
    assert transcript.repeatable() == []
    later = transcript.with_answer(A, C, FIRST, 0.9).with_answer(A, D, None, None).with_answer(B, C, FIRST, 0.9)
    assert later.repeatable() == [], "three others since"
    later = later.with_answer(B, D, FIRST, 0.9)
    assert later.repeatable() == [transcript.observations[0]]
    repeated = later.with_answer(B, A, SECOND, 0.9)
    assert repeated.repeatable() == [later.observations[1]], "neither the first again, nor one that was skipped"
    assert repeated.repeated_since(5)
    assert not repeated.repeated_since(6)


def test_a_pair_was_asked_about_in_either_order() -> None:
    transcript = Transcript().with_answer(A, B, FIRST, 0.9)
    assert transcript.asked(np.stack([B, A, C]), np.stack([A, B, A])).tolist() == [True, True, False]
    assert transcript.just_asked(A, B)
    assert transcript.just_asked(B, A)
    assert not transcript.with_answer(A, C, SECOND, 0.5).just_asked(A, B)


def test_skipped_questions_have_no_predictive_probability() -> None:
    assert Transcript().with_answer(A, B, FIRST, 0.9).with_answer(A, C, None, None).predictive == (0.9,)


def test_pairs_are_told_from_others_of_the_same_sum() -> None:
    """With whole people of a hundred, many pairs have the same rates in all."""
    transcript = Transcript().with_answer(A, D, FIRST, 0.9).with_answer(A + 1e-10, C, FIRST, 0.9)
    assert transcript.asked(np.stack([B, D, C, A]), np.stack([C, A, A, B])).tolist() == [False, True, True, False]
    assert Transcript().asked(np.stack([A]), np.stack([B])).tolist() == [False]
