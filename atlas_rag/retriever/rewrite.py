"""Rewriting a question before it is searched: whether to search at all, with which words."""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from atlas_rag.errors import CallError

PASS = "[PASS]"  # noqa: S105 - a gate word, not a secret
KEYWORDS = "KEYWORDS:"


@dataclass(frozen=True, slots=True)
class RewriteDecision:
    """What becomes of a question.

    Args:
        search: False skips the whole retrieval (a greeting, small talk).
        query: the question to search for instead; None keeps the original.
        keywords: None uses the query; an empty tuple turns keyword search off for this question.

    Raises:
        CallError: INVALID_OPTION.
    """

    search: bool = True
    query: str | None = field(default=None, repr=False)
    keywords: tuple[str, ...] | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if not isinstance(self.search, bool):
            raise _refused("search", self.search, "True or False", "pass False to skip the search")
        if self.query is not None and not isinstance(self.query, str):
            raise _refused("query", self.query, "a string, or None", "leave it out to keep the question")
        words = self.keywords
        if words is None:
            return
        if not isinstance(words, (list, tuple)) or not all(isinstance(word, str) for word in words):
            raise _refused("keywords", words, "a list of strings, or None", "leave it out for the query's")
        object.__setattr__(self, "keywords", tuple(words))


class QueryRewriter(Protocol):
    """Turns a question, in the light of what was said before, into one that stands alone."""

    @property
    def id(self) -> str: ...
    @property
    def blocking(self) -> bool: ...

    def rewrite(
        self, question: str, history: Sequence[str]
    ) -> RewriteDecision | Awaitable[RewriteDecision]: ...


def read_reply(reply: str) -> RewriteDecision:
    """Reads a language model's reply of at most two parts: the query, then a line `KEYWORDS: a, b`.

    Only a reply that is `[PASS]` and nothing else skips the search: the word inside a longer reply is text.
    A `KEYWORDS:` line without words turns keyword search off; no such line leaves it to the query. A blank
    reply keeps the question.
    """
    text = reply.strip()
    if text == PASS:
        return RewriteDecision(search=False)
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    named = [line for line in lines if line.upper().startswith(KEYWORDS)]
    query = " ".join(line for line in lines if line not in named) or None
    if not named:
        return RewriteDecision(query=query)
    words = named[-1][len(KEYWORDS) :].split(",")
    return RewriteDecision(query=query, keywords=tuple(word.strip() for word in words if word.strip()))


def _refused(name: str, given: Any, expected: str, next_step: str) -> CallError:
    """The error for an argument; what a rewriter wrote is in none."""
    what = repr(given) if given is None or isinstance(given, (bool, int)) else f"a {type(given).__name__}"
    return CallError(f"RewriteDecision.{name} is {what}", expected=expected, next_step=next_step)
