"""`NotebookOracle`: an interview in a cell of a notebook.

`elicit(oracle, …)` waits for each answer, and a notebook cannot: while a cell runs, no click reaches the kernel. So
this object runs the procedure itself. Each click is a message to the kernel, which takes the answer, works out what
comes next and shows it. A later cell reads the result.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from evenhand.checks.arrays import generator
from evenhand.checks.messages import expect, shown
from evenhand.elicitation import Elicited
from evenhand.elicitation.procedure import Oracle, ask
from evenhand.elicitation.question import word_for
from evenhand.errors import EvenhandError
from evenhand.rates import GroupRates
from evenhand.rates.models import named_models
from evenhand.study.answers import Answered
from evenhand.study.draft import OPTIONS, TITLE, drafted
from evenhand.study.interview import LARGEST_SEED, Interview
from evenhand.study.log.memory import MemoryLog
from evenhand.study.runner import Runner
from evenhand.study.session import Session
from evenhand.study.study import Study
from evenhand.study.study_file import read_words_file
from evenhand.typing import RandomState
from evenhand.wording.numerals import plural
from evenhand.wording.phrases import Phrases

if TYPE_CHECKING:
    from evenhand.notebook.widget import Card

_NOTHING_YET = "no question is answered yet: show this object in a cell, and answer in it"


class NotebookOracle:
    """Asks about your models in a notebook, with the cards of the web pages; show it as the last line of a cell.

    Parameters
    ----------
    candidates
        The models to choose from, name → `GroupRates`, measured on the same people.
    words
        What the groups, classes and mistakes are called: `evenhand.Phrases`, or a path to a study's file with a section
        `words`. By default they are made of the names.
    title
        The question that it is about.
    random_state
        Draws what is random.
    options
        Those of `evenhand.Adaptive`, such as `max_questions` (30 unless given).

    Examples
    --------
    >>> import evenhand
    >>> classes = ["repays", "defaults"]
    >>> strict = {"women": [[60, 40], [5, 95]], "men": [[70, 30], [5, 95]]}
    >>> lax = {"women": [[95, 5], [40, 60]], "men": [[90, 10], [30, 70]]}
    >>> measured = evenhand.GroupRates.from_confusion_matrices
    >>> models = {"strict": measured(strict, classes=classes), "lax": measured(lax, classes=classes)}
    >>> asked = NotebookOracle(models, random_state=0)
    >>> asked.elicited
    Traceback (most recent call last):
      ...
    evenhand.errors.EvenhandError: no question is answered yet: show this object in a cell, and answer in it
    >>> mind = evenhand.FairMetric.random(models["lax"].setting, random_state=0)
    >>> person = evenhand.SimulatedOracle(mind)
    >>> asked.answer_by(person).elicited.best in models
    True
    """

    def __init__(
        self,
        candidates: Mapping[str, GroupRates],
        *,
        words: Phrases | str | Path | None = None,
        title: str = TITLE,
        random_state: RandomState = None,
        **options: Any,
    ) -> None:
        expect(candidates, "candidates", Mapping)
        self.study = _study(candidates, words, title, options)
        seed = int(generator(random_state).integers(LARGEST_SEED))
        begun = Interview(token="", study=self.study, method=self.study.method, seed=seed)  # no address
        self._session = Session(MemoryLog(), "", begun, Runner())
        self._session.log.append("", [self._session.outcome(begun)], after=0)
        self._card: Card | None = None
        self._latest: tuple[int, Elicited] | None = None

    @property
    def elicited(self) -> Elicited:
        """What the answers say; an error before all questions are answered."""
        state = self._session.state()
        if state.finding is None:
            answered = len(state.answers)
            if not answered:
                raise EvenhandError(_NOTHING_YET)
            raise EvenhandError(
                f"{plural(answered, 'answer')} so far, and about {state.about_left} questions left: answer them in the "
                "cell that shows this object, or read .so_far"
            )
        return self._weighed(state)

    @property
    def so_far(self) -> Elicited:
        """What the answers say so far."""
        state = self._session.state()
        if not state.answers:
            raise EvenhandError(_NOTHING_YET)
        return self._weighed(state)

    def answer_by(self, oracle: Oracle) -> NotebookOracle:
        """Let an oracle answer all questions that are left, as where nobody is there to click; return this object."""
        state = self._session.state()
        while (asked := state.question) is not None:
            answer: Any = ask(oracle, asked.question, self.study.setting)
            on_screen = answer != asked.swapped if isinstance(answer, bool) else answer
            state = self._session.answer(asked.n, word_for(on_screen))
        self._show()
        return self

    def __call__(self, first: GroupRates, second: GroupRates) -> NoReturn:  # noqa: ARG002
        """Refuse to be asked by `elicit`, which would wait for a click that cannot come."""
        raise EvenhandError(
            "a notebook cannot wait for a click in the middle of a cell: do not give this object to elicit, but show "
            "it as the last line of a cell, and read .elicited in a later one"
        )

    def __repr__(self) -> str:
        state = self._session.state()
        answered = plural(len(state.answers), "answer")
        left = "all questions are answered" if state.question is None else f"about {state.about_left} questions left"
        return f"NotebookOracle({len(self.study.candidates)} models, {answered}, {left})"

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        """Show the present page, live where the notebook knows widgets, and as it stands now elsewhere."""
        from evenhand.notebook.page import page, style  # noqa: PLC0415  # Jinja2 is an extra
        from evenhand.notebook.widget import Card  # noqa: PLC0415  # so is anywidget

        shown_now = page(self._session.state())
        if self._card is None:
            self._card = Card(shown_now, style(), self.pressed)
        made = self._card._repr_mimebundle_(**kwargs)  # how a widget is shown
        data, *metadata = made if isinstance(made, tuple) else (made,)
        still = f'<div><template shadowrootmode="open"><style>{style()}</style>{shown_now}</template></div>'
        data = {**data, "text/plain": repr(self), "text/html": still}
        return (data, *metadata) if metadata else data

    @property
    def page(self) -> str:
        """The page that the cell shows, in HTML; empty as long as no cell shows it."""
        return "" if self._card is None else str(self._card.page)

    @property
    def finished(self) -> bool:
        """Whether all questions are answered."""
        return self._session.state().question is None

    def pressed(self, pressed: Mapping[str, Any]) -> None:
        """Take what was pressed on the page, as the cell sends it; what cannot be taken is said on the page."""
        note = ""
        try:
            self._take(pressed)
        except EvenhandError as error:
            note = str(error)
        self._show(note)

    def _take(self, pressed: Mapping[str, Any]) -> None:
        revision, n = str(pressed.get("revision", "")), pressed.get("n")
        if not (isinstance(n, int) and revision.isdecimal()):
            raise EvenhandError(f"the notebook sent {shown(dict(pressed))}, which is no answer")
        if pressed.get("what") == "undo":
            self._session.undo(n, revision=int(revision))
        else:
            self._session.answer(n, str(pressed.get("choice")), pressed.get("why") or None, revision=int(revision))

    def _show(self, note: str = "") -> None:
        if self._card is not None:
            from evenhand.notebook.page import page  # noqa: PLC0415

            self._card.page = page(self._session.state(), note)

    def _weighed(self, state: Interview) -> Elicited:
        """Return what the answers say, with the sample behind it, which takes a while to draw."""
        if self._latest is None or self._latest[0] != state.revision:
            self._latest = state.revision, Answered.of(state).elicited()
        return self._latest[1]


def _study(
    candidates: Mapping[str, GroupRates], words: Phrases | str | Path | None, title: str, options: Mapping[str, Any]
) -> Study:
    """Return what is asked about, with words made of the names where none are given."""
    first = next(iter(candidates.values()), None)
    if not isinstance(first, GroupRates):
        raise EvenhandError(f"candidates must map names to GroupRates, but received {shown(candidates)}")
    models = named_models(candidates, first.setting, least=2, owner="the first candidate")
    for name, rates in models.items():
        if rates.counts is None:
            raise EvenhandError(
                f"{shown(name)} came as rates only, but the cards say how many people there are: measure it with "
                "group_rates or group_rates_from_table"
            )
    if isinstance(words, str | Path):
        phrases = read_words_file(Path(words), first.setting)
    else:
        phrases = Phrases.plain(first.setting) if words is None else words
        expect(phrases, "words", Phrases)
    return drafted(
        models, label="", group="", slug="notebook", title=title, words=phrases, options={**OPTIONS, **options}
    )
