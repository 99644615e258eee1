"""A server's error code and text to a `ServerError` with its remedy, without what it quotes."""

from __future__ import annotations

import re

from atlas_rag.errors import Code, ServerError

NOT_ENABLED = frozenset({31082, 6047401, 6047400})
INDEX_COMMANDS = ("createSearchIndexes", "updateSearchIndex", "dropSearchIndex")
ENGINE_REFUSAL = "PlanExecutor error during aggregation :: caused by :: "

NEXT_STEPS = {
    Code.SEARCH_NOT_ENABLED: "connect to Atlas or Atlas Local, or run mongot beside the server",
    Code.STAGE_UNKNOWN: "run a capability probe: the server is too old, or built without search",
    Code.NOT_AUTHORIZED: "grant the missing privilege; 'read' is enough for every query",
    Code.AUTHENTICATION_FAILED: "check user, password and authSource",
    Code.SERVER_TIMEOUT: "raise the time limit, or narrow the query",
    Code.CURSOR_LOST: "run the whole query again",
    Code.SEARCH_ENGINE_DOWN: "start the search engine (mongot) that the server is configured with",
    Code.TOO_LARGE: "return fewer or smaller documents",
    Code.OVERLOADED: "try again later, with less load",
    Code.SERVER_UNREACHABLE: "check address, network access list and TLS",
    Code.CONNECTION_LOST: "try again; look at the server if it repeats",
}

PROBLEMS = {
    Code.SEARCH_NOT_ENABLED: "This deployment has no search engine",
    Code.STAGE_UNKNOWN: "The server does not know a stage of the pipeline",
    Code.NOT_AUTHORIZED: "The user may not do this",
    Code.AUTHENTICATION_FAILED: "The server refused the credentials",
    Code.SERVER_TIMEOUT: "The server did not answer within the time limit",
    Code.CURSOR_LOST: "The cursor is gone",
    Code.SEARCH_ENGINE_DOWN: "The server cannot reach its search engine",
    Code.TOO_LARGE: "A document or message is too large",
    Code.OVERLOADED: "The server is overloaded",
}


def server_error(code: int | None, code_name: str, message: str) -> ServerError:
    """The error for a server's reply.

    Args:
        code: the server's numeric code, or None where it sent none.
        code_name: its symbolic name, or "".
        message: `errmsg` as sent; kept only as far as `redacted` lets it.
    """
    kind = _kind(code, message)
    text = redacted(code, message)
    return ServerError(
        f"{PROBLEMS.get(kind, 'The server refused the request')} (server code {code}: {text})",
        next_step=NEXT_STEPS.get(kind, "correct the request"),
        code=kind,
        server_code=code,
        code_name=code_name,
        server_message=text,
    )


def redacted(code: int | None, message: str) -> str:
    """The server's text without what it quotes: code 13 repeats the whole command, others quote values."""
    if code in (13, 8000):
        return re.split(r"command|: \{|\{", message, maxsplit=1)[0].strip()
    text = re.sub(r"\{.*\}", "{…}", message, flags=re.DOTALL)
    return text if len(text) <= 300 else text[:299] + "…"


def _kind(code: int | None, message: str) -> Code:
    if code in NOT_ENABLED or (code == 115 and "earch index" in message):
        return Code.SEARCH_NOT_ENABLED
    if code == 59 and any(name in message for name in INDEX_COMMANDS):
        return Code.SEARCH_NOT_ENABLED
    if code == 125 and "Search Index Management" in message:
        return Code.SEARCH_ENGINE_DOWN
    return {
        6: Code.SEARCH_ENGINE_DOWN,
        7: Code.SEARCH_ENGINE_DOWN,
        13: Code.NOT_AUTHORIZED,
        18: Code.AUTHENTICATION_FAILED,
        43: Code.CURSOR_LOST,
        50: Code.SERVER_TIMEOUT,
        462: Code.OVERLOADED,
        8000: Code.NOT_AUTHORIZED,
        10334: Code.TOO_LARGE,
        40324: Code.STAGE_UNKNOWN,
    }.get(code or 0, Code.REQUEST_REFUSED)
