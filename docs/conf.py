"""The documentation as a site: Sphinx reads the guides and the docstrings, and `make docs` writes HTML."""

from importlib.metadata import version as version_of
from typing import Any

project = "evenhand"
author = "The evenhand maintainers"
version = release = version_of("evenhand")

extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]

# The guides are Markdown as GitHub shows it. The tutorial keeps the outputs it was saved with; a test runs it.
myst_heading_anchors = 4
nb_execution_mode = "off"

# In docstrings, single backticks hold a public name, which becomes a link, or other code.
default_role = "py:obj"
autodoc_default_options = {"members": True, "member-order": "bysource"}
autodoc_preserve_defaults = True
autodoc_typehints = "none"
napoleon_google_docstring = False
napoleon_attr_annotations = False
napoleon_use_ivar = True
toc_object_entries_show_parents = "hide"

html_theme = "furo"
html_title = f"evenhand {version}"
html_show_copyright = False
html_show_sphinx = False
html_copy_source = False


def as_written(app: Any, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:  # noqa: ARG001
    """Keep a docstring from being read as markup that it does not mean."""
    # |x| is an absolute value, not a substitution.
    lines[:] = [line if line.lstrip().startswith(">>>") else line.replace("|", r"\|") for line in lines]
    if what == "property":  # Napoleon takes what stands before a colon on the first line for a type.
        lines.insert(0, "")


def setup(app: Any) -> None:
    """Register what Sphinx calls."""
    app.connect("autodoc-process-docstring", as_written, priority=400)  # before Napoleon
