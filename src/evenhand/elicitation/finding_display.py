"""What was found as people who program look at it: one line, a table with intervals, columns, and a plot."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from evenhand.checks.messages import shown
from evenhand.display.table import Table
from evenhand.errors import EvenhandError
from evenhand.metric import display
from evenhand.metric.display import Ends, ShownWeight

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from evenhand.elicitation.finding import Finding


def ends_of(finding: Finding) -> Ends | None:
    """Return where the weights lie."""
    lies = finding.intervals
    return None if lies is None else (lies.misclassification, lies.violation, lies.trade_off)


def rows_of(finding: Finding) -> list[ShownWeight]:
    """Return every weight with its interval."""
    return display.weight_rows(finding.metric, ends_of(finding))


def headline(finding: Finding) -> str:
    """Return in a few words what there is to know first."""
    if not finding.verdict.decided:
        return f"not decided: {finding.verdict.kind}"
    return "decided" if finding.best is None else f"best {shown(finding.best)}"


def text_of(finding: Finding, head: str) -> str:
    """Return the weights with what is known of them, the favourite and each doubt; or why nothing should be decided."""
    if not finding.verdict.decided:
        said = [head, f"{finding.verdict.reason} {finding.verdict.advice}"]
        return "\n".join([*said, *_warned(finding)])
    weights = str(finding.metric) if finding.uncertainty is None else str(_weights(finding))
    return "\n".join([head, weights, *_favoured(finding), *_warned(finding)])


def _weights(finding: Finding) -> Table:
    """Return the weights with their intervals, as far as these are known, and say what the trade-off is."""
    level = None if finding.uncertainty is None else finding.uncertainty.level
    scale = f"The trade-off goes from 0 (only mistakes) to 1 (only {finding.metric.form.title})."
    return replace(display.table_with_intervals(finding.metric, ends_of(finding), level), notes=[scale])


def _favoured(finding: Finding) -> list[str]:
    choice = finding.choice
    ended = [] if finding.ended is None else [finding.ended]
    if choice is None:
        return ended
    apart = choice.apart()
    said = [] if choice.best_certainty is None else choice.sentences()
    best = "Favoured, but not settled"
    if finding.settled:
        best = "Best" if apart is None else "Favoured, on a small test set"
    about = [line for line in (apart, choice.outdone) if line is not None]
    return [f"{best}: {shown(choice.best)}", *about, *said, *ended]


def _warned(finding: Finding) -> list[str]:
    return [f"Warning: {warning}" for warning in finding.doubts]


def html_of(finding: Finding, head: str) -> str:
    """Return the weights with their intervals, the best candidate and each doubt; or why nothing should be decided."""
    if not finding.verdict.decided:
        said = [finding.verdict.reason, finding.verdict.advice, *_warned(finding)]
        return Table([head], [[sentence] for sentence in said]).html()
    table = _weights(finding)
    return replace(table, title=head, notes=[*table.notes, *_favoured(finding), *_warned(finding)]).html()


def plot_of(finding: Finding, ax: Axes | None) -> Axes:
    """Draw the weights with their intervals, unless nothing should be said about them."""
    if not finding.verdict.decided:
        raise EvenhandError(
            f"{finding.verdict.reason} {finding.verdict.advice} So there is nothing to plot; metric.plot() draws the "
            "weights all the same"
        )
    level = None if finding.uncertainty is None else finding.uncertainty.level
    return display.plot(finding.metric, ends_of(finding), level, ax)
