"""Which paths an operator may use on which level of nested documents.

Inside `embeddedDocument` every path lies below its path, which is checked where it is read. `hasRoot` and
`hasAncestor` leave a level that `embeddedDocument`, `hasAncestor` or `returnScope` has entered; they and
`returnScope` are checked when the whole query was read. Filters of vector operators are not looked into.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from atlas_rag.grammar.kit import is_array
from atlas_rag.grammar.paths import paths_in
from atlas_rag.grammar.problem import At, Found, bare_problem, problem
from atlas_rag.grammar.scores import score_paths

MAX_JOINS: Final = 4
"""Joins above each other; the refusal speaks of fewer than there may be."""

_CLAUSES: Final = ("filter", "must", "mustNot", "should")
_SPANS: Final = ("little", "big", "operator", "include", "exclude")


@dataclass(frozen=True, slots=True)
class Scope:
    """A level of nested documents: the option that entered it, and its path."""

    option: str
    path: str

    def covers(self, path: str) -> bool:
        """Whether a path lies below this level."""
        return path.startswith(f"{self.path}.")


# ------------------------------------------------------------------ what an operator reads


def own_paths(name: str, body: Mapping[str, Any]) -> Iterator[str]:
    """The fields that a sound operator looks at itself, without clauses, children and score."""
    if name == "queryString":
        yield body["defaultPath"]
    elif name == "span":
        yield from _span_paths(body)
    elif name not in ("compound", "hasAncestor", "hasRoot", "moreLikeThis"):
        yield from paths_in(body["path"])


def _span_paths(span: Mapping[str, Any]) -> Iterator[str]:
    for name, body in span.items():
        if body is None:
            continue
        if name == "term":
            yield from paths_in(body["path"])
        else:
            for child in (*body.get("clauses", ()), *(body[one] for one in _SPANS if one in body)):
                yield from _span_paths(child)


def children(compound: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The operators inside a sound `compound`, as (name, body)."""
    for kind in _CLAUSES:
        clauses = compound.get(kind)
        if clauses is None:
            continue
        for clause in clauses if is_array(clauses) else (clauses,):
            yield operator_in(clause)


def operator_in(document: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    """The one operator of a sound document."""
    return next((name, body) for name, body in document.items() if body is not None)


# ------------------------------------------------------------------ embeddedDocument


def children_below_path(embedded: Mapping[str, Any], at: At, found: Found) -> None:
    """Every path inside `embeddedDocument` must lie below its own."""
    prefix = f"{embedded['path']}."
    name, body = operator_in(embedded["operator"])
    for child, path in _embedded_paths(name, body):
        if child == "moreLikeThis":
            text = "Operator: moreLikeThis not allowed in embeddedDocs"
            found.append(bare_problem(at, text, "scope"))
        elif not path.startswith(prefix):
            text = f"{path} is not a subfield of {embedded['path']}"
            found.append(problem(at, text, "scope"))


def _embedded_paths(name: str, body: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    if name in ("hasAncestor", "hasRoot"):
        return
    if name == "moreLikeThis":
        yield name, ""
        return
    for path in own_paths(name, body):
        yield name, path
    for path in score_paths(body.get("score")):
        yield name, path
    for child, child_body in children(body) if name == "compound" else ():
        yield from _embedded_paths(child, child_body)


# ------------------------------------------------------------------ returnScope, hasAncestor, hasRoot


def check_scopes(name: str, body: Mapping[str, Any], scope: Scope | None, at: At, found: Found) -> None:
    """Check the levels that a sound top operator goes through, from `returnScope` where there is one."""
    _Walk(at, found).visit(name, body, scope, 0)


class _Walk:
    """One pass over the operators of a query; stops at nothing, complains in reading order."""

    def __init__(self, at: At, found: Found) -> None:
        self._at, self._found, self._too_deep = at, found, False

    def visit(self, name: str, body: Mapping[str, Any], scope: Scope | None, depth: int) -> None:
        if name in ("hasAncestor", "hasRoot"):
            self._leave(name, body, scope, depth + 1)
            return
        if scope is not None:
            for path in own_paths(name, body):
                self._below(f"{name} operator path", path, scope)
            self._score_below(name, body, scope)
        if name == "embeddedDocument":
            self._join(body, Scope("embeddedDocument.path", body["path"]), depth + 1)
        if name == "compound":
            for child, child_body in children(body):
                self.visit(child, child_body, scope, depth)

    def _leave(self, name: str, body: Mapping[str, Any], scope: Scope | None, depth: int) -> None:
        if scope is None:
            self._complain(
                f"{name} operator requires embeddedDocument.path, hasAncestor.ancestorPath, "
                "or returnScope.path to be set."
            )
            return
        child, _ = operator_in(body["operator"])
        if child == "moreLikeThis":
            self._complain("Operator: moreLikeThis not allowed in embeddedDocument operator")
        if name == "hasRoot":
            self._join(body, None, depth)
            return
        ancestor = Scope("hasAncestor.ancestorPath", body["ancestorPath"])
        if not ancestor.covers(scope.path):
            below = f"{scope.option} '{scope.path}'"
            self._complain(f"hasAncestor.ancestorPath '{ancestor.path}' must be a parent of {below}")
            return
        self._score_below(name, body, ancestor)
        self._join(body, ancestor, depth)

    def _join(self, body: Mapping[str, Any], scope: Scope | None, depth: int) -> None:
        if depth > MAX_JOINS and not self._too_deep:
            self._too_deep = True
            self._complain(
                "Query must contain less than 4 occurrences of hasAncestor + hasRoot + embeddedDocuments."
            )
        child, child_body = operator_in(body["operator"])
        self.visit(child, child_body, scope, depth)

    def _score_below(self, name: str, body: Mapping[str, Any], scope: Scope) -> None:
        for path in score_paths(body.get("score")):
            self._below(f"{name} operator score path expression", path, scope)

    def _below(self, what: str, path: str, scope: Scope) -> None:
        if not scope.covers(path):
            self._complain(f"{what} '{path}' must be a descendant of {scope.option} '{scope.path}'")

    def _complain(self, text: str) -> None:
        self._found.append(bare_problem(self._at, text, "scope"))
