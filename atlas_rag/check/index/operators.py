"""Operators against the index that they search: what is refused when it runs, and what finds nothing."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from atlas_rag.check.index.fields import Mapped, SearchFields
from atlas_rag.check.index.vectors import dimension_findings
from atlas_rag.check.report import ENGINE_CODE, Finding, Severity
from atlas_rag.grammar.kit import is_array, is_string
from atlas_rag.grammar.literals import kind_of
from atlas_rag.grammar.operators.compound import CLAUSE_NAMES
from atlas_rag.grammar.scopes import operator_in
from atlas_rag.grammar.scores import score_paths

_TYPES_OF_KINDS: Final = {
    "BOOLEAN": "boolean",
    "DATE": "date",
    "GEO": "geo",
    "NUMBER": "number",
    "OBJECT_ID": "objectId",
    "STRING": "token",
    "UUID": "uuid",
}
"""The field type that answers about values of each kind."""

_LOWER_CASE_OPERATOR: Final = re.compile(r"\S\s+(?:and|or|not)\s+\S")
_POSITIONS: Final = frozenset({"offsets", "positions"})
_TEXT: Final = frozenset({"phrase", "regex", "search", "term", "text", "wildcard"})
_VALUES: Final = {"equals": "value", "in": "value", "near": "origin"}
_RANGE: Final = ("gt", "gte", "lt", "lte")


def refused(path: str, text: str, rule: str, advice: str | None = None) -> Finding:
    """A finding that the engine makes when it runs the query."""
    return Finding(path, text, rule, suggestion=advice, codes=ENGINE_CODE)


def silent(path: str, reason: str, rule: str, advice: str | None = None) -> Finding:
    """A finding about something that is accepted and finds nothing."""
    return Finding(path, f"returns nothing because {reason}", rule, Severity.WARNING, suggestion=advice)


@dataclass(frozen=True, slots=True)
class OperatorRules:
    """The rules of one index."""

    fields: SearchFields

    def check(self, name: str, body: Mapping[str, Any], at: str, level: str = "") -> Iterator[Finding]:
        """Findings of an operator and all inside it; `level` is the embedded level that it searches."""
        yield from self._scores(body, at)
        names = list(self._mistaken_names(body, at))
        if names:
            yield from names
            return
        yield from _mistaken_queries(name, body, at)
        if name == "compound":
            yield from self._clauses(body, at, level)
        elif name in ("embeddedDocument", "hasAncestor", "hasRoot"):
            yield from self._join(name, body, at, level)
        elif name in _TEXT:
            yield from self._text(name, body, at, level)
        elif name in (*_VALUES, "range"):
            yield from self._values(name, body, at, level)
        elif name in ("geoShape", "geoWithin"):
            yield from self._geo(name, body, at)
        elif name in ("knnBeta", "vectorSearch"):
            yield from self._vector(name, body, at)
        elif name == "autocomplete":
            yield from self._autocomplete(body, at)
        elif name == "exists":
            yield from self._somewhere(body["path"], f"{at}.path", level)
        elif name == "queryString":
            yield from self._analysed(body["defaultPath"], f"{at}.defaultPath", level)

    # ------------------------------------------------------------------ operators that hold operators

    def _clauses(self, body: Mapping[str, Any], at: str, level: str) -> Iterator[Finding]:
        for kind in CLAUSE_NAMES:
            if body.get(kind) is not None:
                for clause, place in _places(body[kind], f"{at}.{kind}"):
                    name, inner = operator_in(clause)
                    yield from self.check(name, inner, f"{place}.{name}", level)

    def _join(self, join: str, body: Mapping[str, Any], at: str, level: str) -> Iterator[Finding]:
        key = {"embeddedDocument": "path", "hasAncestor": "ancestorPath"}.get(join)
        inner = body[key] if key is not None else ""
        if key is not None and "embeddedDocuments" not in self.fields.at(inner):
            text = f"{join} requires path '{inner}' to be indexed as 'embeddedDocuments'"
            yield refused(f"{at}.{key}", text, "index-type", self._near(inner))
            return
        name, child = operator_in(body["operator"])
        yield from self.check(name, child, f"{at}.operator.{name}", inner)

    # ------------------------------------------------------------------ text

    def _text(self, name: str, body: Mapping[str, Any], at: str, level: str) -> Iterator[Finding]:
        for path, place in _places(body["path"], f"{at}.path"):
            if not is_string(path):
                yield from self._alternative(path, place)
                continue
            yield from self._analysed(path, place, level)
            string = self.fields.at(path).types.get("string")
            if name in ("regex", "wildcard"):
                yield from self._whole_terms(path, string, body, place)
            elif name == "phrase" and string is not None and _several_words(body["query"]):
                yield from self._positions(path, string, place)
            if string is not None and body.get("synonyms") is not None:
                yield from self._synonyms(path, string, body["synonyms"], f"{at}.synonyms")

    def _analysed(self, path: str, place: str, level: str) -> Iterator[Finding]:
        mapped = self.fields.at(path)
        if "string" not in mapped:
            reason = f"path '{path}' is not indexed as string{_instead_of(mapped)}"
            yield silent(place, reason, "not-mapped", self._near(path))
        else:
            yield from self._on_level(path, mapped, place, level)

    def _alternative(self, path: Mapping[str, Any], place: str) -> Iterator[Finding]:
        name, multi = path.get("value"), path.get("multi")
        if name is None or multi is None:  # a wildcard, or the path itself
            return
        string = self.fields.at(name).types.get("string") or {}
        if multi not in (string.get("multi") or {}):
            yield silent(place, f"path '{name}' has no alternative '{multi}'", "not-mapped")

    def _whole_terms(
        self, path: str, string: Mapping[str, Any] | None, body: Mapping[str, Any], place: str
    ) -> Iterator[Finding]:
        keyword = string is not None and self.fields.search_analyzer(string) == "lucene.keyword"
        if not keyword and body.get("allowAnalyzedField") is not True:
            text = (
                f"Field {path} is analyzed. Use a keyword analyzed field or set allowAnalyzedField to true."
            )
            yield refused(place, text, "analyzed")

    def _positions(self, path: str, string: Mapping[str, Any], place: str) -> Iterator[Finding]:
        if string.get("indexOptions") not in (None, *_POSITIONS):
            text = (
                f"field {path} not indexed as string with indexOptions=offset or indexOptions=positions, "
                "which is required for phrase operator queries"
            )
            yield refused(place, text, "index-options")

    def _synonyms(self, path: str, string: Mapping[str, Any], name: str, place: str) -> Iterator[Finding]:
        mappings = {one["name"]: one for one in self.fields.definition.get("synonyms") or ()}
        if name not in mappings:
            text = f'the index has no synonym mapping "{name}"'
            near = difflib.get_close_matches(name, mappings, n=1)
            yield refused(place, text, "reference", f'did you mean "{near[0]}"?' if near else None)
            return
        wanted, used = mappings[name]["analyzer"], self.fields.index_analyzer(string)
        if wanted != used:
            text = (
                f'synonym mapping "{name}" is only allowed with {wanted} analyzer, '
                f"field {path} is analyzed with {used} analyzer"
            )
            yield refused(place, text, "synonym-analyzer")

    def _autocomplete(self, body: Mapping[str, Any], at: str) -> Iterator[Finding]:
        path = body["path"]
        definition = self.fields.at(path).types.get("autocomplete")
        if definition is None:
            text = f"autocomplete index field definition not present at path {path}"
            yield refused(f"{at}.path", text, "index-type", self._near(path))
            return
        least = int(definition.get("minGrams") or 2)
        for query, place in _places(body["query"], f"{at}.query"):
            if len(query) < least:
                yield silent(place, f"it is shorter than minGrams ({least}) of '{path}'", "too-short")

    # ------------------------------------------------------------------ values

    def _values(self, name: str, body: Mapping[str, Any], at: str, level: str) -> Iterator[Finding]:
        value = _value_of(name, body)
        kind = kind_of(value)
        wanted = _TYPES_OF_KINDS.get(kind) if kind is not None else None
        if wanted is None:  # null is looked for wherever the path was seen
            return
        for path, place in _places(body["path"], f"{at}.path"):
            path = path if is_string(path) else path["value"]
            mapped = self.fields.at(path)
            if wanted in mapped:
                yield from self._on_level(path, mapped, place, level)
            elif wanted == "token":
                yield from self._no_token(path, value, mapped, place)
            else:
                reason = f"path '{path}' is not indexed as {wanted}{_instead_of(mapped)}"
                yield silent(place, reason, "not-mapped", self._near(path))

    def _no_token(self, path: str, value: str, mapped: Mapped, place: str) -> Iterator[Finding]:
        """A string that stays one token finds nothing; one that falls apart is refused."""
        string = mapped.types.get("string")
        keyword = string is not None and self.fields.search_analyzer(string) == "lucene.keyword"
        advice = f'map "{path}" as token too'
        if keyword or len(value.split()) == 1:
            yield silent(place, f"path '{path}' is not indexed as token", "not-mapped", advice)
        else:
            yield refused(place, f"Path '{path}' needs to be indexed as token", "index-type", advice)

    def _geo(self, name: str, body: Mapping[str, Any], at: str) -> Iterator[Finding]:
        for path, place in _places(body["path"], f"{at}.path"):
            path = path if is_string(path) else path["value"]
            geo = self.fields.at(path).types.get("geo")
            if geo is None:
                text = f"{name} requires path '{path}' to be indexed as 'geo'"
                yield refused(place, text, "index-type", self._near(path))
            elif name == "geoShape" and geo.get("indexShapes") is not True:
                text = f"geoShape requires path '{path}' to be indexed as 'geo' with indexShapes: true"
                yield refused(place, text, "index-type")

    def _somewhere(self, path: str, place: str, level: str) -> Iterator[Finding]:
        mapped = self.fields.at(path)
        parents = (name for name in self.fields.names() if name.startswith(f"{path}."))
        if not mapped.types and next(parents, None) is None:
            yield silent(place, f"path '{path}' is not indexed", "not-mapped", self._near(path))
        else:
            yield from self._on_level(path, mapped, place, level)

    # ------------------------------------------------------------------ vectors and scores

    def _vector(self, name: str, body: Mapping[str, Any], at: str) -> Iterator[Finding]:
        wanted, size = ("knnVector", "dimensions") if name == "knnBeta" else ("vector", "numDimensions")
        for path, place in _places(body["path"], f"{at}.path"):
            path = path if is_string(path) else path["value"]
            definition = self.fields.at(path).types.get(wanted)
            if definition is None:
                text = f'{path} must be indexed as "{wanted}".'
                yield refused(place, text, "index-type", self._near(path))
                continue
            key = "vector" if name == "knnBeta" else "queryVector"
            if body.get(key) is not None:
                yield from dimension_findings(body[key], definition[size], definition, f"{at}.{key}")
        if body.get("filter") is not None:
            inner, child = operator_in(body["filter"])
            yield from self.check(inner, child, f"{at}.filter.{inner}")

    def _scores(self, body: Mapping[str, Any], at: str) -> Iterator[Finding]:
        for path in score_paths(body.get("score")):
            if "number" not in self.fields.at(path):
                text = f'path expression for function score requires path "{path}" to be indexed as numeric'
                yield refused(f"{at}.score", text, "index-type", self._near(path))

    # ------------------------------------------------------------------ helpers

    def _mistaken_names(self, body: Mapping[str, Any], at: str) -> Iterator[Finding]:
        """Paths that look like patterns or expressions, but are taken as names of fields."""
        for key in ("path", "defaultPath"):
            for path, place in _places(body.get(key), f"{at}.{key}"):
                if not is_string(path) or self.fields.at(path).static:
                    continue
                if "*" in path:
                    advice = f'write {{"wildcard": "{path}"}}'
                    yield silent(place, f"'{path}' is taken as the name of a field", "path-pattern", advice)
                elif path.startswith("$"):
                    advice = f'write "{path[1:]}"'
                    yield silent(place, f"'{path}' is taken as the name of a field", "path-dollar", advice)

    def _on_level(self, path: str, mapped: Mapped, place: str, level: str) -> Iterator[Finding]:
        if mapped.level != level:
            where = f"embeddedDocument with path '{mapped.level}'" if mapped.level else "hasRoot"
            reason = f"'{path}' lies on another level of nested documents"
            yield silent(place, reason, "level", f"search it with {where}")

    def _near(self, path: str) -> str | None:
        near = difflib.get_close_matches(path, [name for name in self.fields.names() if name != path], n=1)
        return f'did you mean "{near[0]}"?' if near else None


def _mistaken_queries(name: str, body: Mapping[str, Any], at: str) -> Iterator[Finding]:
    """Queries in a language that the operator does not speak."""
    for query, place in _places(body.get("query"), f"{at}.query"):
        if not is_string(query):
            continue
        if name == "regex" and (query.startswith("^") or (query.endswith("$") and not query.endswith("\\$"))):
            reason = "^ and $ stand for themselves: a pattern matches whole terms anyway"
            yield silent(place, reason, "anchors", f'write "{query.removeprefix("^").removesuffix("$")}"')
        elif name in ("regex", "wildcard") and body.get("allowAnalyzedField") is True and " " in query:
            reason = "terms of an analyzed field hold no spaces"
            yield silent(place, reason, "spaces", "ask for each word, or map the field with lucene.keyword")
        elif name == "queryString" and _LOWER_CASE_OPERATOR.search(query):
            text = "and, or, not are words to look for: operators are written AND, OR, NOT"
            yield Finding(place, text, "lower-case-operator", Severity.WARNING)


def _value_of(name: str, body: Mapping[str, Any]) -> Any:
    if name == "range":
        return next(body[bound] for bound in _RANGE if body.get(bound) is not None)
    value = body[_VALUES[name]]
    return value[0] if is_array(value) else value


def _several_words(query: Any) -> bool:
    """Whether a phrase query surely has more than one term; a single one needs no positions."""
    return any(len(text.split()) > 1 for text, _ in _places(query, ""))


def _places(value: Any, at: str) -> Iterator[tuple[Any, str]]:
    """One value, or each of many, with its place."""
    if is_array(value):
        yield from ((one, f"{at}[{index}]") for index, one in enumerate(value))
    else:
        yield value, at


def _instead_of(mapped: Mapped) -> str:
    return f" (but as {', '.join(sorted(mapped.types))})" if mapped.static else ""
