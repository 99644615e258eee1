"""An index definition as a tree of paths: what is indexed where, and how a query finds it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from atlas_rag.grammar.field_types import DYNAMIC
from atlas_rag.inprocess.errors import EngineRefusal
from atlas_rag.inprocess.search.analysis import registry
from atlas_rag.inprocess.search.search_index.fields.autocomplete import AutocompleteField, autocomplete_field
from atlas_rag.inprocess.search.search_index.fields.base import Field
from atlas_rag.inprocess.search.search_index.fields.exact import (
    ExactField,
    boolean_field,
    object_id_field,
    token_field,
    uuid_field,
)
from atlas_rag.inprocess.search.search_index.fields.geo import GeoField, geo_field
from atlas_rag.inprocess.search.search_index.fields.numeric import (
    DateField,
    NumberField,
    date_field,
    number_field,
)
from atlas_rag.inprocess.search.search_index.fields.text import Analyzers, StringField, string_field
from atlas_rag.inprocess.search.search_index.fields.vector import VectorField, vector_field
from atlas_rag.inprocess.search.search_index.names import ROOT_SCOPE, Scope

_DYNAMIC_TYPES: Mapping[str, Mapping[str, Any]] = {name: {"type": name} for name in DYNAMIC}


class Node:
    """One path under one scope: its types, and what its children are.

    Args:
        dynamic: the types that an unlisted child gets, None where children must be listed.
        is_static: the definition lists the path.
    """

    def __init__(self, mapping: SearchMapping, path: str, scope: Scope) -> None:
        self.mapping = mapping
        self.path = path
        self.scope = scope
        self.fields: dict[str, Any] = {}
        self.children: dict[str, Node] = {}
        self.is_static = False
        self.dynamic: Mapping[str, Mapping[str, Any]] | None = None
        self.embedded: Node | None = None
        self.stored_source: Any = None
        self._by_type: dict[type, tuple[Field, ...]] = {}

    def child(self, name: str) -> Node | None:
        """Returns the node of a child, made on first use where the parent is dynamic."""
        found = self.children.get(name)
        if found is None and self.dynamic is not None:
            path = f"{self.path}.{name}" if self.path else name
            found = Node(self.mapping, path, self.scope)
            found.dynamic = self.dynamic
            for kind, spec in self.dynamic.items():
                found.fields[kind] = self.mapping.field(kind, spec, found)
            self.children[name] = found
        return found

    def fields_for(self, kind: type) -> tuple[Field, ...]:
        """Returns the fields that take values of a Python type."""
        found = self._by_type.get(kind)
        if found is None:
            takers = [field for field in self.fields.values() if _takes(field, kind)]
            # Two types of one path, such as number and numberFacet, may share what they keep.
            found = self._by_type[kind] = tuple({field.name: field for field in takers}.values())
        return found

    @property
    def string(self) -> StringField | None:
        """The `string` field, if mapped."""
        return self.fields.get("string")

    @property
    def token(self) -> ExactField | None:
        """The `token` field, if mapped."""
        return self.fields.get("token")

    @property
    def number(self) -> NumberField | None:
        """The `number` field, if mapped."""
        return self.fields.get("number")

    @property
    def date(self) -> DateField | None:
        """The `date` field, if mapped."""
        return self.fields.get("date")

    @property
    def geo(self) -> GeoField | None:
        """The `geo` field, if mapped."""
        return self.fields.get("geo")

    @property
    def autocomplete(self) -> AutocompleteField | None:
        """The `autocomplete` field, if mapped."""
        return self.fields.get("autocomplete")


def _takes(field: Field, kind: type) -> bool:
    """Whether a field takes values of a Python type; booleans are no numbers."""
    if issubclass(kind, bool):
        return bool in field.accepts
    return issubclass(kind, field.accepts)


class SearchMapping:
    """A whole definition, read once.

    Args:
        definition: a well-formed definition of type "search".
        lossy: whether approximate vector searches may miss hits.
    """

    def __init__(self, definition: Mapping[str, Any], *, lossy: bool = False) -> None:
        self.definition = definition
        self._lossy = lossy
        self.registry = registry(definition.get("analyzers") or ())
        self._analyzers = Analyzers(
            self.registry, definition.get("analyzer"), definition.get("searchAnalyzer")
        )
        self._type_sets = {each["name"]: each["types"] for each in definition.get("typeSets") or ()}
        self.scopes: dict[str, Scope] = {"": ROOT_SCOPE}
        self.scope_nodes: dict[str, Node] = {}
        self.root = self._document(definition["mappings"], "", ROOT_SCOPE)
        self.scope_nodes[""] = self.root

    def node(self, path: str, scope: Scope = ROOT_SCOPE) -> Node | None:
        """Finds the node of a full path as seen from a scope; None where it is not mapped."""
        node: Node | None = self.scope_nodes[scope.path]
        rest = path
        if scope.path:
            if not path.startswith(scope.path + "."):
                return None
            rest = path[len(scope.path) + 1 :]
        for name in rest.split("."):
            if node is None:
                return None
            node = node.child(name)
        return node

    def listed(self, path: str, scope: Scope) -> Node | None:
        """Finds the node of a path that may be sorted and counted by as seen from a scope.

        Below a scope only listed paths may: listed there, or by a `document` beside the embedded ones.
        """
        node = self.node(path, scope)
        if not scope.path or (node is not None and node.is_static):
            return node
        beside = self.node(path)
        return (node or beside) if beside is not None and beside.is_static else None

    def nodes(self, scope: Scope = ROOT_SCOPE) -> Iterator[Node]:
        """Yields every node known below a scope, without entering embedded ones."""
        waiting = list(self.scope_nodes[scope.path].children.values())
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(node.children.values())

    def vector_fields(self) -> dict[str, VectorField]:
        """Returns all vector fields by name; they are never mapped dynamically."""
        return {
            field.name: field
            for scope in self.scopes.values()
            for node in self.nodes(scope)
            for field in node.fields.values()
            if isinstance(field, VectorField)
        }

    def unmapped_string(self, path: str, scope: Scope) -> StringField:
        """Returns the string field that a query looks in for a path that has none: nothing is there."""
        return string_field({}, scope, path, self._analyzers)

    def field(self, kind: str, spec: Mapping[str, Any], node: Node) -> Any:
        """Makes the field of one type at a node."""
        scope, path = node.scope, node.path
        if kind == "string":
            return string_field(spec, scope, path, self._analyzers)
        if kind == "autocomplete":
            return autocomplete_field(spec, scope, path, self._analyzers)
        if kind in ("token", "stringFacet", "sortableStringBetaV1"):
            return token_field(spec, scope, path)
        if kind in ("number", "numberFacet", "sortableNumberBetaV1"):
            return number_field(spec, scope, path)
        if kind in ("date", "dateFacet", "sortableDateBetaV1"):
            return date_field(scope, path)
        if kind in ("vector", "knnVector"):
            return vector_field(spec, scope, path, lossy=self._lossy)
        if kind == "geo":
            return geo_field(spec, scope, path)
        if kind == "autoEmbedVector":
            raise EngineRefusal(
                f'the type "{kind}" at path "{path}" needs an embedding service, which the in-process '
                'engine does not have; embed the text yourself and map a field of type "vector"'
            )
        makers = {"boolean": boolean_field, "objectId": object_id_field, "uuid": uuid_field}
        return makers[kind](scope, path)

    def _document(
        self,
        spec: Mapping[str, Any],
        path: str,
        scope: Scope,
        node: Node | None = None,
    ) -> Node:
        """Reads a document's `dynamic` and `fields` into a node."""
        node = node or Node(self, path, scope)
        node.dynamic = self._dynamic(spec.get("dynamic", False))
        for name, types in (spec.get("fields") or {}).items():
            child_path = f"{path}.{name}" if path else name
            child = Node(self, child_path, scope)
            child.is_static = True
            for each in types if isinstance(types, list) else [types]:
                self._add_type(child, each)
            node.children[name] = child
        return node

    def _add_type(self, node: Node, spec: Mapping[str, Any]) -> None:
        kind = spec["type"]
        if kind == "document":
            self._document(spec, node.path, node.scope, node)
        elif kind == "embeddedDocuments":
            scope = Scope(len(self.scopes), node.path)
            self.scopes[node.path] = scope
            node.embedded = self._document(spec, node.path, scope)
            node.embedded.stored_source = spec.get("storedSource")
            self.scope_nodes[node.path] = node.embedded
        else:
            node.fields[kind] = self.field(kind, spec, node)

    def _dynamic(self, setting: Any) -> Mapping[str, Mapping[str, Any]] | None:
        """The types of unlisted children; below a root with a type set, `true` means that set."""
        root = self.definition["mappings"].get("dynamic")
        setting = root if setting is True and isinstance(root, Mapping) else setting
        if isinstance(setting, Mapping):
            types = self._type_sets.get(setting["typeSet"])
            return None if types is None else {each["type"]: each for each in types}
        return _DYNAMIC_TYPES if setting else None
