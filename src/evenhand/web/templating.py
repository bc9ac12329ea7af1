"""How templates are read: the pages' own, for the server and for a notebook."""

from __future__ import annotations

from jinja2 import BaseLoader, ChoiceLoader, Environment, PackageLoader, StrictUndefined

from evenhand.display.names import capitalised, printable
from evenhand.rates.rounding import OUT_OF
from evenhand.report.reliability import DOUBT, HELP, where_it_lies
from evenhand.wording.numerals import a_cost, percent, two_decimals


def environment(*before: BaseLoader) -> Environment:
    """Return the templates of the pages; a template that a loader `before` them has takes the place of theirs."""
    made = Environment(
        loader=ChoiceLoader([*before, PackageLoader("evenhand.web")]),
        autoescape=True,
        auto_reload=False,  # otherwise every page looks whether its templates have changed
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals["doubt"] = DOUBT
    made.globals["help"] = HELP
    made.globals["people"] = OUT_OF
    made.filters["capitalised"] = capitalised
    made.filters["printable"] = printable
    made.filters["lies"] = where_it_lies
    made.filters["cost"] = a_cost
    made.filters["percent"] = percent
    made.filters["weight"] = two_decimals
    return made
