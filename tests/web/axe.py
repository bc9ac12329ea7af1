"""What axe-core has to say about a page."""

from __future__ import annotations

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page


def violations(page: Page) -> str:
    """Return a report of everything that axe-core finds, with all of its rules; nothing if that is nothing."""
    results = Axe().run(page)
    return str(results.generate_report()) if results.violations_count else ""
