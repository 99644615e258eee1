"""Which paths an operator may use on which level of embedded documents.

`embeddedDocument` enters a level, `hasAncestor` and `hasRoot` leave it again; `returnScope` enters one for a
whole query. Source: MongoDB documentation of the three; the number of joins was measured on the engine.
"""

from __future__ import annotations

from collections.abc import Iterator

from atlas_rag.errors import CallError
from atlas_rag.stages.operators.embedded_document import EmbeddedDocument
from atlas_rag.stages.operators.has_ancestor import HasAncestor
from atlas_rag.stages.operators.has_root import HasRoot
from atlas_rag.stages.operators.more_like_this import MoreLikeThis
from atlas_rag.stages.operators.operator import Compound, Operator
from atlas_rag.stages.spelling import invalid

MAX_JOINS = 4
"""Joins above each other."""

_JOINS = (EmbeddedDocument, HasAncestor, HasRoot)


def check_scopes(operator: Operator, scope: str | None) -> None:
    """Refuses a query whose operators look beyond the level they are on.

    Args:
        operator: the whole query.
        scope: `returnScope`, or None for the documents of the collection themselves.

    Raises:
        CallError: INVALID_STAGE.
    """
    _visit(operator, scope, 0)


def check_filter(operator: Operator) -> None:
    """The same for a filter of a vector operator, whose own level the engine does not ask for.

    Raises:
        CallError: INVALID_STAGE.
    """
    if isinstance(operator, EmbeddedDocument):
        _visit(operator, None, 0)
    elif isinstance(operator, HasAncestor | HasRoot):
        check_filter(operator.operator)
    elif isinstance(operator, Compound):
        for clause in operator.clauses():
            check_filter(clause)


def _visit(operator: Operator, scope: str | None, joins: int) -> None:
    if scope is not None and not isinstance(operator, HasAncestor | HasRoot):
        for path in (*operator.looks_at(), *_scored(operator)):
            if not _covers(scope, path):
                raise invalid(f"{operator.label} looks at {path!r} from within {scope!r}", f"{scope}.…")
    if isinstance(operator, Compound):
        for clause in operator.clauses():
            _visit(clause, scope, joins)
    elif isinstance(operator, _JOINS):
        _join(operator, scope, joins + 1)


def _join(operator: Operator, scope: str | None, joins: int) -> None:
    if joins > MAX_JOINS:
        raise invalid(f"The query joins levels of documents {joins} times", f"at most {MAX_JOINS} times")
    if isinstance(operator, EmbeddedDocument):
        _embedded(operator.operator)
        _visit(operator.operator, operator.path, joins)
    elif isinstance(operator, HasAncestor | HasRoot):
        _leave(operator, scope, joins)


def _embedded(operator: Operator) -> None:
    if isinstance(operator, MoreLikeThis):
        raise _no_more_like_this()
    if isinstance(operator, Compound):
        for clause in operator.clauses():
            _embedded(clause)


def _leave(operator: HasAncestor | HasRoot, scope: str | None, joins: int) -> None:
    if scope is None:
        raise invalid(f"{operator.label} is not inside embedded documents", "embeddedDocument or returnScope")
    if isinstance(operator.operator, MoreLikeThis):
        raise _no_more_like_this()
    if isinstance(operator, HasRoot):
        _visit(operator.operator, None, joins)
        return
    ancestor = operator.ancestor_path
    if not _covers(ancestor, scope):
        raise invalid(f"hasAncestor.ancestorPath is {ancestor!r} within {scope!r}", f"a parent of {scope!r}")
    for path in _scored(operator):
        if not _covers(ancestor, path):
            raise invalid(f"hasAncestor scores by {path!r} from within {ancestor!r}", f"{ancestor}.…")
    _visit(operator.operator, ancestor, joins)


def _no_more_like_this() -> CallError:
    return invalid("moreLikeThis stands among embedded documents", "moreLikeThis outside of them")


def _scored(operator: Operator) -> Iterator[str]:
    score = getattr(operator, "score", None)
    return iter(()) if score is None else score.looks_at()


def _covers(scope: str, path: str) -> bool:
    return path.startswith(f"{scope}.")
