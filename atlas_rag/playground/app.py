"""The application: four addresses, nothing from other hosts, every text escaped by the page itself."""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable, Sequence
from importlib.resources import files
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from atlas_rag.errors import AtlasRagError, CallError
from atlas_rag.playground.asking import Table
from atlas_rag.playground.judgments import Judgments

MAX_QUESTION = 10_000
LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
Answer = Callable[[Request], Awaitable[Response]]


def make_app(tables: Sequence[Table], judgments: Judgments, *, token: str | None = None) -> Starlette:
    """The playground over these recipes.

    Args:
        tables: one for each recipe; the page can switch between them.
        token: what `?token=` must say; None for loopback alone, where other host names are refused.
    """
    page = (files(__package__) / "page.html").read_text("utf-8")

    async def show(request: Request) -> Response:
        nonce = secrets.token_urlsafe(16)
        policy = (
            f"default-src 'none'; connect-src 'self'; style-src 'nonce-{nonce}'; script-src 'nonce-{nonce}'"
        )
        headers = {"Content-Security-Policy": policy, "Referrer-Policy": "no-referrer"}
        return HTMLResponse(page.replace("{nonce}", nonce), headers=headers)

    async def about(request: Request) -> Response:
        return JSONResponse([table.about() for table in tables])

    async def ask(request: Request) -> Response:
        given = await _body(request)
        question, place = given.get("question"), given.get("recipe", 0)
        if not isinstance(question, str) or len(question) > MAX_QUESTION:
            raise CallError("There is no question", expected=f"text of at most {MAX_QUESTION} characters")
        if not isinstance(place, int) or not 0 <= place < len(tables):
            raise CallError("There is no such recipe", expected=f"0 to {len(tables) - 1}")
        condition = given.get("filter")
        return JSONResponse(await run_in_threadpool(tables[place].ask, question, condition, 10))

    async def judge(request: Request) -> Response:
        given = await _body(request)
        question, identity, relevant = (given.get(name) for name in ("question", "id", "relevant"))
        if not isinstance(question, str) or not isinstance(identity, str) or not isinstance(relevant, bool):
            raise CallError("That is no judgment", expected="question, id and relevant")
        if "\t" in identity or "\n" in identity:
            raise CallError("The _id cannot be written down", expected="an _id without tabs and line breaks")
        return JSONResponse({"judged": await run_in_threadpool(judgments.add, question, identity, relevant)})

    def guarded(answer: Answer) -> Answer:
        async def guard(request: Request) -> Response:
            if not _allowed(request, token):
                return JSONResponse({"error": "not allowed here"}, status_code=403)
            try:
                return await answer(request)
            except AtlasRagError as error:
                return JSONResponse({"error": str(error)}, status_code=400)

        return guard

    return Starlette(
        routes=[
            Route("/", guarded(show)),
            Route("/about", guarded(about)),
            Route("/ask", guarded(ask), methods=["POST"]),
            Route("/judge", guarded(judge), methods=["POST"]),
        ]
    )


def _allowed(request: Request, token: str | None) -> bool:
    """Whoever has the token; without one, pages of this machine only: no other site may ask by a browser."""
    if token is not None:
        given = request.query_params.get("token") or request.headers.get("x-token", "")
        return secrets.compare_digest(given, token)
    host = request.headers.get("host", "").rpartition(":")[0] or request.headers.get("host", "")
    origin = request.headers.get("origin")
    return host in LOOPBACK and (origin is None or origin.partition("//")[2].rpartition(":")[0] in LOOPBACK)


async def _body(request: Request) -> dict[str, Any]:
    try:
        given = await request.json()
    except ValueError:
        given = None
    if not isinstance(given, dict):
        raise CallError("The request is no JSON object", expected="an object")
    return given
