"""A metric can be read in a terminal and in a notebook, whatever its labels hold."""

import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenhand import FairMetric, Setting
from evenhand.display.names import columns_of

HALVES = [[0.5, 0.5], [0.5, 0.5]]
METRIC = FairMetric(
    Setting(["repays", "defaults"], ["women", "men"], HALVES),
    misclassification=[0.6, 0.8],
    violation=[[0.8, 0.6]],
    trade_off=0.25,
)


def test_the_text_is_a_table_of_the_weights() -> None:
    assert str(METRIC) == (
        "FairMetric: trade-off 0.250 (0: only mistakes, 1: only gaps between groups)\n"
        "                   repays → defaults  defaults → repays\n"
        "  mistakes                     0.600              0.800\n"
        "  gap women | men              0.800              0.600"
    )


class Cells(HTMLParser):
    """Collects the tags and the texts of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def read(html: str) -> Cells:
    cells = Cells()
    cells.feed(html)
    cells.close()
    return cells


def test_the_notebook_shows_the_same_numbers() -> None:
    texts = read(METRIC._repr_html_()).texts
    for text in ("repays → defaults", "defaults → repays", "mistakes", "gap women | men", "0.600", "0.800"):
        assert text in texts
    assert any("trade-off 0.250" in text for text in texts)


HOSTILE = [
    "<script>alert(1)</script>",
    "'><img src=x onerror=alert(1)>",
    '"&lt;b&gt;',
    "new\nline",
    "\x1b[2Jcleared",
    "\u202egnp.exe",
    "x" * 100_000,
    "",
    "   ",
]


@pytest.mark.parametrize("name", HOSTILE, ids=lambda name: repr(name)[:20])
def test_a_name_stays_a_name(name: str) -> None:
    metric = FairMetric.random(Setting([name, "other"], ["group", name], HALVES), 0)
    text = str(metric)
    assert len(text.splitlines()) == 4
    assert all(line.isprintable() for line in text.split("\n"))
    text.encode("utf-8")
    assert len(text) < 1000
    page = metric._repr_html_()
    page.encode("utf-8")
    assert set(read(page).tags) <= {"table", "caption", "style", "tfoot", "thead", "tbody", "tr", "th", "td"}
    assert len(page) < 5000


def test_names_that_look_alike_are_told_apart() -> None:
    text = str(FairMetric.random(Setting(["a", "a "], ["x\u00a0y", "x y"], HALVES), 0))
    assert "1: a → 2: a" in text
    assert "2: a → 1: a" in text
    assert re.search(r"gap x\\xa0y \| x y", text)


@given(st.lists(st.text(), min_size=2, max_size=4, unique=True), st.integers(0, 100))
def test_every_row_of_the_table_is_equally_wide(names: list[str], seed: int) -> None:
    drawn = Setting.random(len(names), len(names), seed)
    lines = str(FairMetric.random(Setting(names, names, drawn.prevalence), seed)).split("\n")[1:]
    assert len({columns_of(line) for line in lines}) == 1
    assert len(lines) == 2 + len(names) * (len(names) - 1) // 2
