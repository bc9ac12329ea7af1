"""The documentation is a site that builds without a warning, leads nowhere wrong, and loads nothing from elsewhere."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from types import ModuleType
from urllib.parse import unquote, urljoin, urlsplit

import pytest

import evenhand
from tests.web.served import chromium

pytestmark = pytest.mark.xdist_group("docs")  # so that the site is built once, not once a worker

DOCS = Path(__file__).parents[1] / "docs"
FETCHED = {"script": "src", "img": "src", "iframe": "src", "source": "src", "object": "data", "embed": "src"}


@dataclass
class Page(HTMLParser):
    """The addresses on a page: those that a reader may follow, those that a browser fetches, and its own anchors."""

    path: Path
    links: list[str] = field(default_factory=list)
    fetched: list[str] = field(default_factory=list)
    anchors: set[str] = field(default_factory=set)
    code: str = ""  # of scripts and styles

    def __post_init__(self) -> None:
        super().__init__()
        self.feed(self.path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = {name: value or "" for name, value in attrs}
        self.anchors |= {named[name] for name in ("id", "name") if name in named}
        self.code += named.get("style", "")
        if tag == "a" and "href" in named:
            self.links.append(named["href"])
        elif tag == "link" and named.get("rel") not in {"index", "search", "next", "prev", "author"}:
            self.fetched.append(named["href"])
        elif tag in FETCHED and FETCHED[tag] in named:
            self.fetched.append(named[FETCHED[tag]])

    def handle_data(self, data: str) -> None:
        if self.cdata_elem in {"script", "style"}:
            self.code += data


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the site, built as `make docs` builds it; a warning is an error."""
    folder = tmp_path_factory.mktemp("site")
    options = ["-q", "-W", "--keep-going", "-d", str(folder / "read")]
    command = [sys.executable, "-m", "sphinx", *options, str(DOCS), str(folder / "html")]
    built = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    assert (built.returncode, built.stderr) == (0, "")
    return folder / "html"


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[str, Page]:
    return {path.as_uri(): Page(path) for path in sorted(site.rglob("*.html"))}


def test_every_link_leads_to_a_page_and_a_place_on_it(pages: dict[str, Page]) -> None:
    broken = []
    for here, page in pages.items():
        for link in page.links:
            target = urlsplit(urljoin(here, link))
            if target.scheme != "file":
                continue
            there = pages.get(target._replace(fragment="").geturl())
            exists = there is not None or Path(unquote(target.path)).is_file()
            if not exists or (there and target.fragment and unquote(target.fragment) not in there.anchors):
                broken.append(f"{page.path.name}: {link}")
    assert broken == []


def test_nothing_is_loaded_from_elsewhere(site: Path, pages: dict[str, Page]) -> None:
    fetched = {address for page in pages.values() for address in page.fetched}
    assert [address for address in fetched if urlsplit(address).scheme not in {"", "data"} or address[:2] == "//"] == []
    code = {page.path.name: page.code for page in pages.values()}
    code |= {path.name: path.read_text(encoding="utf-8") for path in site.rglob("*.css")}
    from_elsewhere = re.compile(r"""(?:url\(|@import|import\(|src\s*[:=])\s*["']?(?:https?:)?//""")
    assert [name for name, text in code.items() if from_elsewhere.search(text)] == []


def test_the_reference_has_every_public_name(pages: dict[str, Page]) -> None:
    anchors = set[str]().union(*(page.anchors for page in pages.values() if page.path.parent.name == "reference"))
    public = {name for name in evenhand.__all__ if not isinstance(getattr(evenhand, name), ModuleType)}
    assert {f"evenhand.{name}" for name in public} <= anchors


def test_the_search_finds_a_guide_and_a_name_and_asks_nobody_else(site: Path) -> None:
    with chromium() as browser:
        page = browser.new_page(viewport={"width": 390, "height": 844})  # a phone's
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.goto((site / "search.html").as_uri() + "?q=interview")
        page.get_by_text("Search finished").wait_for()
        found = page.locator("ul.search li a").all_inner_texts()
        assert {"Take an interview yourself", "evenhand.interview"} <= set(found)
        for name in ("index.html", "tutorial.html", "reference/elicitation.html"):
            page.goto((site / name).as_uri())
            assert page.evaluate("document.documentElement.scrollWidth") <= 390
        assert [url for url in asked if urlsplit(url).scheme not in {"file", "data"}] == []
