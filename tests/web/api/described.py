"""A client that compares every reply of the API with what its OpenAPI document says of it."""

from __future__ import annotations

import re
from functools import cached_property
from typing import Any

from fastapi.testclient import TestClient
from jsonschema import Draft202012Validator

JSON = "application/json"


class DescribedClient(TestClient):
    """Sends requests, and refuses a reply that the OpenAPI document does not describe."""

    def request(self, method: str, url: Any, **options: Any) -> Any:
        """Send a request."""
        reply = super().request(method, url, **options)
        self.check(str(method), str(url).partition("?")[0], reply)
        return reply

    @cached_property
    def document(self) -> dict[str, Any]:
        """The OpenAPI document of the app."""
        document: dict[str, Any] = super().request("GET", "/api/openapi.json").json()
        return document

    def check(self, method: str, path: str, reply: Any) -> None:
        """Compare a reply with its schema; addresses and methods that are not described have problems only."""
        for template, operations in self.document["paths"].items():
            pattern = re.sub(r"{\w+}", "[^/]+", template)
            if re.fullmatch(pattern, path) and method.lower() in operations:
                responses = operations[method.lower()]["responses"]
                assert str(reply.status_code) in responses, f"{method} {template} does not say {reply.status_code}"
                if reply.status_code == 204:
                    assert "content" not in responses["204"]
                    return
                schema = responses[str(reply.status_code)]["content"][JSON]["schema"]
                break
        else:
            if reply.status_code < 400 or not path.startswith("/api/"):  # others are pages
                return
            schema = {"$ref": "#/components/schemas/ProblemReply"}
        assert reply.headers["content-type"] == JSON
        Draft202012Validator(schema | {"components": self.document["components"]}).validate(reply.json())
