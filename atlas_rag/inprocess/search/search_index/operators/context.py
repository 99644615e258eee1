"""What an operator needs to become a query: mapping, partition, and where in the document it looks."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from atlas_rag.inprocess.errors import EngineRefusal
from atlas_rag.inprocess.search.algorithms.java_order import hash_map_order
from atlas_rag.inprocess.search.search_index.fields.text import StringField
from atlas_rag.inprocess.search.search_index.mapping import Node, SearchMapping
from atlas_rag.inprocess.search.search_index.names import ROOT_SCOPE, Scope
from atlas_rag.inprocess.search.search_index.partition import Partition
from atlas_rag.inprocess.search.search_index.queries.base import Query

Synonyms = Callable[[str], list[dict[str, Any]]]


@dataclass(frozen=True)
class Context:
    """Where operators are built.

    Args:
        scope: the embedded documents that paths are looked up in, or the root.
        synonyms: the documents of a synonym mapping, by its name.
        new_synonyms: use the graph-aware form of the `text` operator.
    """

    mapping: SearchMapping
    partition: Partition
    scope: Scope = ROOT_SCOPE
    synonyms: Synonyms | None = None
    new_synonyms: bool = False

    def build(self, operator: Mapping[str, Any]) -> Query:
        """Builds the query of an operator document (`{"text": {...}}`)."""
        from atlas_rag.inprocess.search.search_index.operators import (
            OPERATORS,  # operators need contexts, too
        )

        for name, spec in operator.items():
            maker = OPERATORS.get(name)
            if maker is not None and spec is not None:
                return maker(spec, self)
        raise KeyError(f"no operator in {sorted(operator)}")

    def within(self, scope: Scope) -> Context:
        """Returns the context of embedded documents."""
        return replace(self, scope=scope)

    def node(self, path: str) -> Node | None:
        """Returns the node of a path in this scope."""
        return self.mapping.node(path, self.scope)

    def strings(self, paths: Any) -> list[StringField]:
        """Returns the string fields that a path specification names, in order, without duplicates."""
        found: dict[str, StringField] = {}
        for path in paths if isinstance(paths, list) else [paths]:
            for field in self._strings_of(path):
                found.setdefault(field.name, field)
        return list(found.values())

    def _strings_of(self, path: Any) -> Sequence[StringField]:
        if isinstance(path, str):
            field = self._string(path, None)
        elif path.get("wildcard") is not None:
            return self._matching(path["wildcard"])
        else:
            field = self._string(path["value"], path.get("multi"))
        return [] if field is None else [field]

    def _string(self, path: str, multi: str | None) -> StringField | None:
        node = self.node(path)
        field = None if node is None else node.string
        if field is None or multi is None:
            return field
        if multi not in field.multi:
            raise EngineRefusal(f"path {path} has no multi analyzer named {multi}")
        return field.multi[multi]

    def _matching(self, pattern: str) -> list[StringField]:
        """Expands a wildcard over the paths that the partition has terms for, whatever their type."""
        glob = re.compile(".*".join(map(re.escape, pattern.split("*"))), re.DOTALL)
        paths = [path for path in self._term_paths() if glob.fullmatch(path)]
        return [self._string(path, None) or self.mapping.unmapped_string(path, self.scope) for path in paths]

    def _term_paths(self) -> list[str]:
        """Returns the paths of all fields with terms in this scope, in the engine's order."""
        key = ("term paths", self.scope)
        found = self.partition.derived.get(key)
        if found is None:
            start = f"{self.scope.prefix}$type:"
            names = hash_map_order([*self.partition.terms, f"{self.scope.prefix}$meta/id"])
            paths = (name[len(start) :].partition("/")[2] for name in names if name.startswith(start))
            found = self.partition.derived[key] = list(dict.fromkeys(paths))
        return found


def as_list(value: Any) -> list[Any]:
    """Returns a list as it is and anything else as a list of one."""
    return value if isinstance(value, list) else [value]


def plain_paths(paths: Any) -> list[str]:
    """Returns the paths of an operator that takes neither wildcards nor alternatives."""
    return [path if isinstance(path, str) else path["value"] for path in as_list(paths)]
