"""The tutorial runs from its first cell to its last, and leaves a report behind."""

from pathlib import Path

import nbformat
from nbclient import NotebookClient

TUTORIAL = Path(__file__).parent.parent / "docs" / "tutorial.ipynb"


def test_the_tutorial_runs(tmp_path: Path) -> None:
    notebook = nbformat.read(TUTORIAL, as_version=4)
    NotebookClient(notebook, timeout=600, resources={"metadata": {"path": str(tmp_path)}}).execute()
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "Who is told that their diabetes will get worse?" in page
    pages = [output["data"].get("text/html", "") for cell in notebook.cells for output in _shown(cell)]
    assert any("who will get worse" in page and "Prefer A" in page for page in pages)  # nobody is there to click
    texts = [output.get("text", "") for cell in notebook.cells for output in cell.get("outputs", [])]
    assert any("missing a patient who will get worse" in text.lower() for text in texts)


def _shown(cell: nbformat.NotebookNode) -> list[nbformat.NotebookNode]:
    return [output for output in cell.get("outputs", []) if "data" in output]
