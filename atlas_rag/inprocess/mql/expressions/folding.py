"""Constants computed ahead of the documents: the work of the server's optimizer, after its parser's."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.expressions.scope import Constant, Evaluate, FoldingError

_AHEAD: ContextVar[bool] = ContextVar("constants are computed ahead", default=True)


def fold(compute: Callable[[], Any]) -> Evaluate:
    """Returns a constant; its failure is one of the pipeline, not of a document."""
    if not computes_ahead():
        return lambda row, variables: compute()
    try:
        return Constant(compute())
    except FoldingError:
        raise
    except CommandError as error:
        raise FoldingError(error.code, error.message, error.code_name) from None


def computes_ahead() -> bool:
    """True unless within `parsing_only`."""
    return _AHEAD.get()


@contextmanager
def parsing_only() -> Iterator[None]:
    """Computes no constants in what is compiled within: only literals are `Constant`, the rest fails late."""
    token = _AHEAD.set(False)
    try:
        yield
    finally:
        _AHEAD.reset(token)


@contextmanager
def parsing_constant() -> Iterator[None]:
    """Computes the constants in what is compiled within even while parsing, their failures the parser's."""
    token = _AHEAD.set(True)
    try:
        yield
    except FoldingError as error:
        raise CommandError(error.code, error.message, error.code_name) from None
    finally:
        _AHEAD.reset(token)
