"""The widget that carries a page to the notebook and answers back; anywidget is an extra."""

from __future__ import annotations

from collections.abc import Callable
from importlib.resources import files
from typing import Any

from evenhand.errors import MissingExtraError

try:
    import anywidget
    import traitlets
except ModuleNotFoundError as error:
    raise MissingExtraError("anywidget", "notebook") from error


class Card(anywidget.AnyWidget):  # type: ignore[misc]  # it carries no types
    """Shows a page; `on_press` is told what was pressed."""

    _esm = files("evenhand.notebook").joinpath("static", "card.js").read_text(encoding="utf-8")
    page = traitlets.Unicode().tag(sync=True)
    style = traitlets.Unicode().tag(sync=True)

    def __init__(self, page: str, style: str, on_press: Callable[[dict[str, Any]], object]) -> None:
        super().__init__(page=page, style=style)
        self.on_msg(lambda _, pressed, __: on_press(pressed))
