"""An interview as HTML for a cell: the templates and the style sheet of the pages, made to live in a shadow root."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

from jinja2 import Environment, PackageLoader

from evenhand.study.interview import Interview
from evenhand.web.templating import environment
from evenhand.web.views.interview_page import interview_page

_DARK = re.compile(r"@media \(prefers-color-scheme: dark\) \{\s*:root \{([^{}]*)\}\s*\}")
_IN_A_CELL = """
:host { display: block; container-type: inline-size; color-scheme: light; }
:host(.dark) { color-scheme: dark; }
.page { border-radius: 14px; padding: 4px 0; outline: none; }
.page.asking main { min-height: 0; }
.page .heads { position: static; }
.page .bar { position: static; margin: 12px 0 8px; border-width: 1px; border-radius: 14px; }
.help.open { display: block; }
.downloads, a[href^="/"], #keep { display: none; }
"""


@cache
def _environment() -> Environment:
    return environment(PackageLoader("evenhand.notebook"))


def page(state: Interview, note: str = "") -> str:
    """Return where an interview stands, with a note above it if something went wrong."""
    template, shown = interview_page(state, downloads={})
    return _environment().get_template(template).render(note=note, **shown)


@cache
def style() -> str:
    """Return the pages' style sheet for a cell: the size of the cell counts, and the theme of the notebook."""
    text = files("evenhand.web").joinpath("static", "evenhand.css").read_text(encoding="utf-8")
    text = _DARK.sub(r":host(.dark) {\1}", text)
    text = re.sub(r"(?m)^:root \{", ":host {", text)
    text = re.sub(r"(?m)^body \{", ".page {", text)
    text = text.replace("@media (max-width:", "@container (max-width:")
    return text + _IN_A_CELL
