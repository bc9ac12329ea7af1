"""What a terminal shows as an SVG picture that stands alone: it fetches no font, nor anything else."""

from __future__ import annotations

import io
from pathlib import Path

from rich.console import Console, RenderableType
from rich.terminal_theme import TerminalTheme

from evenhand.files import write_file

_THEME = TerminalTheme(
    background=(252, 252, 250),
    foreground=(38, 42, 48),
    normal=[
        (38, 42, 48),
        (192, 57, 43),
        (46, 125, 50),
        (156, 110, 20),
        (41, 98, 181),
        (156, 39, 132),
        (14, 124, 134),
        (120, 126, 134),
    ],
)

# The names in braces are those that Rich fills in.
_TEMPLATE = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">
<style>
.{unique_id}-matrix {{
  font: {char_height}px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace;
}}
.{unique_id}-title {{ font: bold 18px system-ui, sans-serif; }}
{styles}
</style>
<defs>{lines}</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})">{backgrounds}<g class="{unique_id}-matrix">{matrix}</g></g>
</svg>
"""


def save_svg(picture: RenderableType, path: Path, *, title: str, width: int) -> None:
    """Draw a terminal of that many columns which shows the picture."""
    console = Console(
        markup=False,
        emoji=False,
        highlight=False,
        record=True,
        width=width,
        file=io.StringIO(),
        color_system="standard",
    )
    console.print(picture)
    svg = console.export_svg(title=title, theme=_THEME, code_format=_TEMPLATE, unique_id="evenhand")
    write_file(path, svg)
