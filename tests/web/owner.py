"""The owner of the tests: a client that is signed in, and a file of predictions to make a study of."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

from fastapi.testclient import TestClient
from httpx2 import Response

from evenhand.study.demo.example_file import NAME, example_file
from evenhand.study.store import Store
from evenhand.web.app import create_app
from evenhand.web.drafts import Drafts
from evenhand.web.owner import Owner

TOKEN = "a-token-of-the-tests-0123456789"  # noqa: S105  # it opens nothing else


def owner_of(store: Store, folder: Path, host: str = "study.example:8000") -> TestClient:
    """Return a client that is signed in; drafts are kept in the folder."""
    app = create_app(store, owner=Owner.of(TOKEN), drafts=Drafts(folder))
    client = TestClient(app, base_url=f"http://{host}", follow_redirects=False)
    assert client.get(f"/-/?token={TOKEN}").status_code == 303
    return client


def upload(client: TestClient, content: str | bytes | None = None, name: str = NAME) -> Response:
    """Send a file, by default the example file."""
    data = example_file() if content is None else content
    return client.post("/-/new", files={"file": (name, data.encode() if isinstance(data, str) else data)})


def follow(client: TestClient, sent: Response, step: str) -> str:
    """Return where a draft goes on, which must be at that step."""
    assert sent.status_code == 303, notices(sent)
    here, _, at = sent.headers["location"].rpartition("/")
    assert at == step
    return str(here)


def roles(client: TestClient, here: str) -> dict[str, str]:
    """Return the guesses of the page of columns, as its form sends them."""
    text = client.get(f"{here}/columns").text
    found = {}
    for name, options in re.findall(r'<select name="(role-\d+)".*?>(.*?)</select>', text, re.DOTALL):
        chosen = re.search(r'<option value="(\w*)" selected>', options)
        found[name] = chosen[1] if chosen else ""
    return found


def words(client: TestClient, here: str) -> dict[str, str]:
    """Return what stands in the form of words."""
    text = client.get(f"{here}/words").text
    fields = re.findall(r'<input id="([\w-]+)" name="\1" value="([^"]*)"', text)
    fields += re.findall(r'<textarea id="([\w-]+)" name="\1"[^>]*>(.*?)</textarea>', text, re.DOTALL)
    return {name: unescape(value) for name, value in fields}


def published(client: TestClient, content: str | bytes | None = None, **texts: str) -> str:
    """Make a study of a file, and return its name."""
    here = follow(client, upload(client, content), "columns")
    follow(client, client.post(f"{here}/columns", data=roles(client, here)), "models")
    keep = re.findall(r'name="keep" value="(\d+)"', client.get(f"{here}/models").text)
    follow(client, client.post(f"{here}/models", data={"keep": keep}), "words")
    follow(client, client.post(f"{here}/words", data=words(client, here) | texts), "preview")
    assert client.get(f"{here}/preview").status_code == 200
    done = client.post(f"{here}/publish")
    assert done.status_code == 303
    return str(done.headers["location"]).removeprefix("/-/studies/").partition("?")[0]


def notices(reply: Response) -> list[str]:
    """Return what a page says is wrong, as a person reads it."""
    found = re.findall(r'<(?:p|span) class="notice"[^>]*>(.*?)</(?:p|span)>', reply.text, re.DOTALL)
    return [" ".join(unescape(re.sub(r"<[^>]+>", "", one)).split()) for one in found]
