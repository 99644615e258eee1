"""Hits to a prompt block within a budget, and why what is not in it is not in it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from atlas_rag.context import formatter
from atlas_rag.context.source import Source, clamp
from atlas_rag.errors import CallError, Code, RetrievalError
from atlas_rag.hits import Evidence, Hit
from atlas_rag.query.refusal import known_names, nearest, shown, unknown_name
from atlas_rag.query.values import plain_number

TokenCounter = Callable[[str], int]
Order = Literal["relevance", "recency", "edges"]
ORDERS: tuple[Order, ...] = ("relevance", "recency", "edges")
Fit = Literal["stop", "skip"]
FITS: tuple[Fit, ...] = ("stop", "skip")


def estimated_tokens(text: str) -> int:
    """One token per four characters, rounded up: a guess for when no tokenizer is at hand."""
    return math.ceil(len(text) / 4)


@known_names
@dataclass(frozen=True, slots=True)
class Budget:
    """How much context there may be.

    Args:
        max_tokens: of the whole block, heading included; None for no limit; default 1024.
        max_chars: of the sources' texts together; None for no limit.
        max_chars_per_source: longer texts are clamped with a visible mark; default 1200.
        count: counts the tokens of a text.
        fit: what happens at the first source that does not fit: "stop" drops it and all behind it
            (default, so that a short text never overtakes a better one), "skip" tries the next.
    """

    max_tokens: int | None = 1024
    max_chars: int | None = None
    max_chars_per_source: int | None = 1200
    count: TokenCounter = estimated_tokens
    fit: Fit = "stop"

    def __post_init__(self) -> None:
        for name in ("max_tokens", "max_chars", "max_chars_per_source"):
            value = plain_number(getattr(self, name))
            object.__setattr__(self, name, value)
            if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 1):
                raise CallError(
                    f"Budget.{name} is {shown(value)}",
                    expected="an integer of at least 1, or None",
                    next_step="pass a number, or None for no limit",
                )
        if not callable(self.count):
            raise CallError(
                f"Budget.count is {shown(self.count)}",
                expected="a function from a text to its tokens",
                next_step="leave it out for one token per four characters",
            )
        if self.fit not in FITS:
            meant = nearest(self.fit, FITS)
            raise CallError(
                f"Budget.fit is {shown(self.fit)}",
                expected=f"one of {', '.join(FITS)}",
                next_step=f"did you mean {meant!r}?" if meant else "leave it out for stop",
            )


@dataclass(frozen=True, slots=True)
class Paths:
    """Where a document keeps what a source shows; dotted paths.

    `metadata` names further fields; `updated` a date or number that grows, for the order by recency.
    """

    text: str = "text"
    title: str = "title"
    uri: str = "uri"
    metadata: tuple[str, ...] = ()
    updated: str | None = None


@dataclass(frozen=True, slots=True)
class Context:
    """A prompt block and what it is made of.

    Args:
        text: the block; empty where there is nothing to show.
        role: "user", never "system": quoted text must not arrive as an instruction.
        sources: in prompt order; ordinals follow relevance.
        fragments: what each source added; joined by blank lines they are `text`.
        dropped: hits that did not make it, each with its reason.
        tokens, chars: of the block, and of the sources' texts.
        evidence: of the retrieval, with what reached the prompt; None where no retriever built it.
    """

    text: str = field(repr=False)
    sources: tuple[Source, ...]
    fragments: tuple[str, ...] = field(repr=False)
    dropped: tuple[tuple[Hit, str], ...] = field(repr=False)
    tokens: int
    chars: int
    role: str = "user"
    evidence: Evidence | None = field(default=None, repr=False)


def build_context(
    hits: Sequence[Hit],
    budget: Budget | None = None,
    paths: Paths | None = None,
    *,
    order: Order = "relevance",
    references: bool = False,
) -> Context:
    """Packs the best hits that fit.

    Hits are taken in order of relevance until the budget is spent, then laid out: by relevance, the newest
    last, or the best at both ends ("edges"), where models look first.

    Raises:
        RetrievalError: RAG_CONTEXT_BUDGET_TOO_SMALL (7204) if not even the best source fits alone.
        CallError: INVALID_OPTION for an order by recency that the documents do not have.
    """
    if budget is not None and not isinstance(budget, Budget):
        raise CallError(
            f"The budget is {shown(budget)}",
            expected="a Budget",
            next_step=f"pass Budget({f'max_tokens={budget}' if isinstance(budget, int) else '…'})",
        )
    if order not in ORDERS:
        raise unknown_name("order of a context", order, ORDERS)
    budget, paths = budget or Budget(), paths or Paths()
    if order == "recency":
        _check_recency(hits, paths.updated)
    kept, dropped = _pack(hits, budget, paths, references)
    laid_out = _lay_out(kept, order, paths)
    parts = formatter.fragments(laid_out, references=references)
    text = formatter.JOINT.join(parts)
    chars = sum(len(source.text) for source in kept)
    return Context(text, tuple(laid_out), tuple(parts), tuple(dropped), budget.count(text), chars)


def _pack(
    hits: Sequence[Hit], budget: Budget, paths: Paths, references: bool
) -> tuple[list[Source], list[tuple[Hit, str]]]:
    kept: list[Source] = []
    dropped: list[tuple[Hit, str]] = []
    full: str | None = None
    for hit in hits:
        text = hit.value_at(paths.text)
        if not isinstance(text, str) or not text.strip():
            dropped.append((hit, "no-text"))
            continue
        if full is not None and budget.fit == "stop":
            dropped.append((hit, full))
            continue
        source = _source(hit, text, len(kept) + 1, budget, paths)
        reason = _misfit([*kept, source], budget, references)
        if reason is None:
            kept.append(source)
        elif not kept and budget.fit == "stop":
            raise _too_small(budget)
        else:
            full = reason
            dropped.append((hit, reason))
    if not kept and full is not None:
        raise _too_small(budget)
    return kept, dropped


def _misfit(sources: list[Source], budget: Budget, references: bool) -> str | None:
    if budget.max_chars is not None and sum(len(source.text) for source in sources) > budget.max_chars:
        return "over-char-budget"
    if budget.max_tokens is not None:
        text = formatter.render(sources, references=references)
        if budget.count(text) > budget.max_tokens:
            return "over-token-budget"
    return None


def _source(hit: Hit, text: str, ordinal: int, budget: Budget, paths: Paths) -> Source:
    title, uri = hit.value_at(paths.title), hit.value_at(paths.uri)
    shown = {path: hit.value_at(path) for path in paths.metadata}
    return Source(
        ordinal=ordinal,
        id=hit.id,
        text=clamp(text, budget.max_chars_per_source),
        title=title if isinstance(title, str) and title else None,
        uri=uri if isinstance(uri, str) and uri else None,
        metadata={path.replace(".", "_"): value for path, value in shown.items() if value is not None},
        hit=hit,
    )


def _lay_out(sources: list[Source], order: Order, paths: Paths) -> list[Source]:
    if order == "edges":
        return sources[0::2] + sources[1::2][::-1]
    if order == "recency":
        return sorted(sources, key=lambda source: _age(source, paths.updated or ""))
    return sources


def _check_recency(hits: Sequence[Hit], path: str | None) -> None:
    """Refuses an order by recency without a path, without values there, or with values that have no order."""
    kinds = {_kind(hit.value_at(path)) for hit in hits} - {None} if path is not None else set()
    if (path is not None and len(kinds) == 1) or not hits:
        return
    raise CallError(
        "There is no path to order by recency"
        if path is None
        else f"The documents hold {'values of several types' if kinds else 'no value'} at {path!r}",
        expected="a date, or a number that grows, in each document",
        next_step="name the path: Retriever(updated_path=…), or Paths(updated=…)",
    )


def _kind(value: Any) -> str | None:
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return "number"
    return None if value is None else type(value).__name__


def _age(source: Source, path: str) -> tuple[bool, Any]:
    value = source.hit.value_at(path) if source.hit is not None else None
    return (value is not None, value if value is not None else 0)


def _too_small(budget: Budget) -> RetrievalError:
    return RetrievalError(
        f"{budget.max_tokens} tokens and {budget.max_chars} characters cannot hold one source",
        expected="room for the heading and one clamped source",
        next_step="raise max_tokens or max_chars, or lower max_chars_per_source",
        code=Code.RAG_CONTEXT_BUDGET_TOO_SMALL,
    )
