"""A method as JSON: its name and its options."""

from __future__ import annotations

import json
from typing import Any

from evenhand.checks.documents import checked_fields
from evenhand.checks.messages import expect, listed, shown
from evenhand.elicitation.methods import Method, make, method_named
from evenhand.errors import EvenhandError
from evenhand.rates import Setting
from evenhand.rates.rounding import OUT_OF
from evenhand.region import FeasibleRegion


def method_document(method: Method) -> dict[str, Any]:
    """Return a method as JSON holds it; what belongs to the study, such as the candidates, is left out."""
    return {"name": method.name} | method.options()


def method_fields(document: Any) -> tuple[str, dict[str, Any]]:
    """Return the name and the options that a method's document holds; it must have all of them, and no other."""
    name = document.get("name") if isinstance(document, dict) else None
    fields = checked_fields(document, "the method", ("name", *method_named(name).kept_options()))
    return fields["name"], {option: value for option, value in fields.items() if option != "name"}


def read_method(document: Any, setting: Setting) -> Method:
    """Read a method back."""
    return _made(*method_fields(document), setting)


def read_without_candidates(document: Any, setting: Setting) -> tuple[Method, dict[str, Any]]:
    """Read a method back whose candidates are not known, and the options that only make sense with them."""
    name, options = method_fields(document)
    about_them = {"stop": options["stop"]} if {"candidates", "stop"} <= set(method_named(name).option_names()) else {}
    return _made(name, options | dict.fromkeys(about_them), setting), about_them


def _made(name: str, options: dict[str, Any], setting: Setting) -> Method:
    try:
        return make(name, setting, options)
    except (TypeError, OverflowError) as error:
        raise EvenhandError(f"this setting and these options make no interview: {error}") from error


def check_plain(method: Method) -> None:
    """Refuse a method with options that JSON cannot hold."""
    try:
        if isinstance(region := getattr(method, "region", None), FeasibleRegion):
            region.to_document()  # refuses one with a row for each person
        json.dumps(method_document(method), allow_nan=False)
    except (TypeError, ValueError) as error:
        raise EvenhandError(f"an option of method={method.name!r} cannot be kept with the answers: {error}") from error


def check_shown_exactly(method: Method) -> None:
    """Refuse a method that learns from other numbers than those that a person is shown."""
    out_of = method.options().get("out_of")
    if out_of not in {None, OUT_OF}:
        raise EvenhandError(f"models are shown as people of {OUT_OF}, but out_of is {shown(out_of)}: take {OUT_OF}")


def check_kept(method: Method) -> None:
    """Refuse a method that would not come back whole when its file is opened again, or be shown as it is meant."""
    expect(method, "method", Method)
    check_shown_exactly(method)
    check_plain(method)
    if method.not_kept():
        raise EvenhandError(
            f"a file of answers does not keep {listed(method.not_kept())}: leave it out of the method's options"
        )
