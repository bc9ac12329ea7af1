"""A small study whose next question costs nothing, so that what is measured, or tested, is the store."""

from __future__ import annotations

import numpy as np

from evenhand import FairMetric, GroupRates, Question, Setting
from evenhand.elicitation import Adaptive, History, Method
from evenhand.elicitation.finding import Choice, Finding
from evenhand.study.runner import Runner, history_digest
from evenhand.study.study import Study
from evenhand.wording.phrases import Phrases

PEOPLE = np.array([[60.0, 25.0], [40.0, 75.0]])
SETTING = Setting(["repays", "defaults"], ["women", "men"], PEOPLE / PEOPLE.sum(axis=0))
WORDS = Phrases(
    groups={"women": "women", "men": "men"},
    classes={"repays": "who would repay", "defaults": "who would not"},
    mistakes={("repays", "defaults"): "are refused", ("defaults", "repays"): "get a loan all the same"},
)


def study(slug: str = "loans", *, models: int = 3, max_questions: int = 8) -> Study:
    """Return a study of lending with a few made-up models."""
    profiles = np.random.default_rng(0).integers(5, 40, size=(models, 2, 2)) / 100
    return Study(
        slug=slug,
        title="Who is refused a loan?",
        introduction="Two models at a time.\n\nWhich one would you rather have?",
        setting=SETTING,
        candidates={f"model {n}": GroupRates.from_vector(SETTING, p) for n, p in enumerate(profiles, 1)},
        words=WORDS,
        population=PEOPLE,
        options={"max_questions": max_questions},
    )


class QuickRunner(Runner):
    """Asks something that follows from all answers before, as the real one does, and is done after so many."""

    def __init__(self, questions: int) -> None:
        super().__init__()
        self.questions = questions

    def step(self, method: Method, seed: int, history: History, *, interview: str = "") -> Question | Finding:
        """Return a question drawn from a hash of what came before."""
        left = self.questions - len(history)
        rng = np.random.default_rng(int(history_digest(seed, history), 16))
        if left <= 0:
            candidates = method.candidates if isinstance(method, Adaptive) else None
            metric, best = FairMetric.random(method.setting, rng), str(rng.choice(list(candidates or {})))
            return Finding(metric=metric, choice=Choice(best=best))
        first, second = rng.integers(0, 101, size=(2, *method.setting.tau.shape)) / 100
        return Question(first, second, "quick", undecided=True, left=left)
