"""Schemathesis against the OpenAPI document: no failure of the server, no status and no body that it does not describe.

Requests are made from the document, valid and not; half of them name a study, an interview and an invitation that are
there, and bear the owner's token.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import FailureGroup
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from tests.support.quick import QuickRunner, study
from tests.web.api.test_studies import TOKEN

from evenhand.study.refusals import UnknownStudyError
from evenhand.study.store import Store
from evenhand.web.app import create_app
from evenhand.web.drafts import Drafts
from evenhand.web.owner import Owner
from evenhand.web.problems import STATUS

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with Store(f"sqlite:///{tmp_path_factory.mktemp('contract')}/store.db", runner=QuickRunner(3)) as store:
        store.put_study(study())
        yield store


@pytest.fixture(scope="module")
def api(store: Store, tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tmp_path_factory.mktemp("contract") / "drafts"
    app = create_app(store, owner=Owner.of(TOKEN), drafts=Drafts(folder))
    return schemathesis.openapi.from_asgi("/api/openapi.json", app)


document = schemathesis.pytest.from_fixture("api")


@document.parametrize()
@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
def test_every_reply_is_one_that_the_document_describes(case: Any, store: Store) -> None:
    store.open_study("loans", anyone=True)
    there: dict[str, Any] = {"slug": "loans", "n": 1}
    if case.path.endswith("{invitation}"):
        there["invitation"] = store.invite("loans")[0].id
    elif "{token}" in case.path:
        there["token"] = store.begin("loans", by_owner=True)
    if len(str(case.body)) % 2 or case.body is None:
        case.path_parameters = {name: there[name] for name in case.path_parameters or {}}
    headers = {"authorization": f"Bearer {TOKEN}"}
    case.call_and_validate(headers=headers, checks=CHECKS)


def test_a_status_that_is_not_described_is_noticed(api: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    case = api["/api/studies/{slug}"]["GET"].Case(path_parameters={"slug": "nowhere"})
    headers = {"authorization": f"Bearer {TOKEN}"}
    case.call_and_validate(headers=headers, checks=CHECKS)
    monkeypatch.setitem(STATUS, UnknownStudyError, (418, "unknown_study"))
    with pytest.raises(FailureGroup, match="418"):
        case.call_and_validate(headers=headers, checks=CHECKS)
