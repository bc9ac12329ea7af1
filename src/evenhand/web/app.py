"""The web app, put together: `create_app(store)`.

The store is at `request.app.state.store`. Handlers are plain functions (not `async`), so that they run in threads and
may wait for the store; an error of ours that a handler raises becomes the fitting page, or JSON under `/api`.
"""

from __future__ import annotations

from fastapi import FastAPI

from evenhand.study.store import Store
from evenhand.web import pages


def create_app(store: Store) -> FastAPI:
    """Return the app that serves a store's studies."""
    app = FastAPI(title="evenhand", docs_url=None, redoc_url=None, openapi_url=None, redirect_slashes=False)
    app.state.store = store
    app.include_router(pages.router)
    return app
