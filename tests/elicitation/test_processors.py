"""The same questions and the same findings on every processor, however it rounds."""

from __future__ import annotations

import json

import numpy as np
from tests.processors import run_on_each


def test_every_interview_is_the_same_on_every_processor() -> None:
    printed = run_on_each(["-m", "tests.elicitation.every_interview"])
    (one, here), *others = ((processor, json.loads(text)) for processor, text in printed.items())
    assert len(here) == 104
    for other, there in others:
        for name, held in here.items():
            where = f"{name}: {one} and {other}"
            for part in ("answers", "left", "said"):
                assert held[part] == there[name][part], where
            for part in ("questions", "found"):
                differ = np.abs(np.array(held[part]) - np.array(there[name][part]))
                assert differ.max() < 1e-9, f"{where}, {part}"
