"""A slow, plain search engine: every rule as the specification says it, one document after the other.

Written from the specification of `$search`, not from the engine under test; only the analyzers are shared.
Scores are computed in double, so they agree with float32 ones up to rounding.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import cached_property
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

from bson import ObjectId

from atlas_rag.inprocess.search.analysis import registry

K1, B = 1.2, 0.75
DYNAMIC = [{"type": kind} for kind in ("string", "number", "date", "boolean", "objectId", "uuid")]
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def stored_length(length: int) -> int:
    """A length as one byte keeps it: exact up to 23, behind that four binary digits of the rest."""
    rest = length - 24
    shift = max(rest.bit_length() - 4, 0) if rest > 0 else 0
    return length if rest <= 0 else 24 + (rest >> shift << shift)


class Value(NamedTuple):
    """A value at a path; `alone` when no array is around it."""

    path: str
    value: Any
    alone: bool


class Text:
    """One analysed field of one document: terms by position, over all its values."""

    def __init__(self) -> None:
        self.places: list[tuple[str, int]] = []
        self._next = 0

    def add(self, terms: Sequence[str], positions: Sequence[int], dropped: int) -> None:
        """Adds a value; `dropped` is how many words behind its last term the analyzer left out."""
        self.places += [(term, self._next + at) for term, at in zip(terms, positions, strict=True)]
        self._next += (positions[-1] + 1 if positions else 0) + dropped

    @cached_property
    def counts(self) -> Counter[str]:
        return Counter(term for term, _ in self.places)

    @cached_property
    def at(self) -> set[tuple[str, int]]:
        return set(self.places)

    def length(self, *, counted: bool) -> int:
        """Tokens without those that share a position with the one before; where none are counted, terms."""
        if not counted:
            return len(self.counts)
        positions = [at for _, at in self.places]
        overlaps = sum(one == other for one, other in pairwise(positions))
        return len(positions) - overlaps


class Field:
    """One analysed field of all documents."""

    def __init__(self, spec: Mapping[str, Any]) -> None:
        self.spec = spec
        self.texts: dict[int, Text] = {}

    @cached_property
    def lengths(self) -> dict[int, int]:
        counted = self.spec.get("indexOptions") != "docs"
        return {doc: text.length(counted=counted) for doc, text in self.texts.items() if text.places}

    @cached_property
    def average(self) -> float:
        if self.spec.get("indexOptions") == "docs":
            return sum(len(text.counts) for text in self.texts.values()) / len(self.lengths)
        return sum(len(text.places) for text in self.texts.values()) / len(self.lengths)

    def document_frequency(self, term: str) -> int:
        return sum(term in text.counts for text in self.texts.values())

    def score(self, doc: int, frequency: float, terms: Sequence[str], *, best: bool = False) -> float:
        """Scores what occurs so often; `best`: the terms count as one, with the greatest frequency."""
        if self.spec.get("indexOptions") == "docs":
            frequency = 1
        kind = (self.spec.get("similarity") or {}).get("type", "bm25")
        length = 1 if self.spec.get("norms") == "omit" else stored_length(self.lengths[doc])
        if kind == "boolean":
            return 1.0
        if kind == "stableTfl":
            size = len("synonym pseudo-term") if best else sum(map(len, terms))
            present = 1 - (1 - 0.00781 * 2 ** (-0.917 * size)) ** length
            return math.log(1 + (1.05 - present) / (present + 0.05)) * frequency / (frequency + K1)
        rarities = [self._rarity(self.document_frequency(term)) for term in terms]
        rarity = min(rarities) if best else sum(rarities)
        return rarity * frequency / (frequency + K1 * (1 - B + B * length / self.average))

    def _rarity(self, found: int) -> float:
        return math.log(1 + (len(self.lengths) - found + 0.5) / (found + 0.5)) if found else math.inf


class Reference:
    """The documents of one collection under one definition; keys count from 0."""

    def __init__(self, definition: Mapping[str, Any], documents: Sequence[Mapping[str, Any]]) -> None:
        self.definition = definition
        self.documents = documents
        self.analyzers = registry(definition.get("analyzers") or ())
        self.sets = {each["name"]: each["types"] for each in definition.get("typeSets") or ()}
        self.values: list[list[Value]] = []
        self.present: list[set[str]] = []
        self.fields: dict[str, Field] = {}
        for doc, document in enumerate(documents):
            found: list[Value] = []
            for name, value in document.items():
                found.extend(_flattened(name, value, alone=True))
            mapped = [each for each in found if self.types(each.path) is not None]
            self.present.append({each.path for each in mapped})
            self.values.append([each for each in mapped if not isinstance(each.value, Mapping | list)])
            for each in self.values[-1]:
                self._index(doc, each)

    # ---------------------------------------------------------------- mapping and indexing

    def types(self, path: str) -> list[Mapping[str, Any]] | None:
        """The types of a path, None where it is not mapped."""
        node: Mapping[str, Any] = self.definition["mappings"]
        dynamic, types = self._dynamic(node.get("dynamic")), list[Mapping[str, Any]]()
        for name in path.split("."):
            listed = (node.get("fields") or {}).get(name)
            if listed is None:
                if dynamic is None:
                    return None
                node, types = {}, dynamic
                continue
            types = listed if isinstance(listed, list) else [listed]
            node = next((each for each in types if each["type"] == "document"), {})
            dynamic = self._dynamic(node.get("dynamic"))
        return types

    def _dynamic(self, setting: Any) -> list[Mapping[str, Any]] | None:
        root = self.definition["mappings"].get("dynamic")
        if setting is True and isinstance(root, Mapping):
            setting = root
        if isinstance(setting, Mapping):
            return self.sets.get(setting["typeSet"])
        return DYNAMIC if setting else None

    def spec(self, path: str, kind: str) -> Mapping[str, Any] | None:
        return next((each for each in self.types(path) or () if each["type"] == kind), None)

    def _index(self, doc: int, each: Value) -> None:
        if not isinstance(each.value, str):
            return
        string, grams = self.spec(each.path, "string"), self.spec(each.path, "autocomplete")
        if string is not None:
            self._analyse(each.path, doc, string, each.value)
            for name, other in (string.get("multi") or {}).items():
                self._analyse(f"{each.path}|{name}", doc, other, each.value)
        if grams is not None:
            self._text_of(f"{each.path}^", doc, grams).add(*self.grams(grams, each.value), 0)

    def _analyse(self, name: str, doc: int, spec: Mapping[str, Any], value: str) -> None:
        tokens = self.analyzer(spec).tokens(value)
        positions = list(accumulate((token.increment for token in tokens), initial=-1))[1:]
        self._text_of(name, doc, spec).add([token.term for token in tokens], positions, tokens.holes)

    def _text_of(self, name: str, doc: int, spec: Mapping[str, Any]) -> Text:
        return self.fields.setdefault(name, Field(spec)).texts.setdefault(doc, Text())

    def analyzer(self, spec: Mapping[str, Any], *, searching: bool = False) -> Any:
        own, whole = spec.get("analyzer"), self.definition
        name = own or whole.get("analyzer")
        if searching:
            name = spec.get("searchAnalyzer") or own or whole.get("searchAnalyzer") or whole.get("analyzer")
        return self.analyzers.get(name or "lucene.standard")

    def grams(self, spec: Mapping[str, Any], text: str) -> tuple[list[str], list[int]]:
        """Grams of all runs of one to three tokens; `_` stands for up to two dropped tokens in a row."""
        tokens = self.analyzers.get(spec.get("analyzer") or "lucene.standard").tokens(text)
        row: list[str | None] = []
        for token in tokens:
            row += [None] * min(token.increment - 1, 2) + [self._folded(spec, token.term)]
        row += [None] * min(tokens.holes, 2)
        terms, positions, place = list[str](), list[int](), -1
        for first in range(len(row)):
            runs = [row[first : first + size] for size in (1, 2, 3) if first + size <= len(row)]
            whole = [run for run in runs if any(word is not None for word in run)]
            place += bool(whole)
            for run in whole:
                found = self._cut(spec, " ".join("_" if word is None else word for word in run))
                terms += found
                positions += [place] * len(found)
        return terms, positions

    @staticmethod
    def _folded(spec: Mapping[str, Any], term: str) -> str:
        return term if spec.get("foldDiacritics") is False else term.replace("é", "e")

    @staticmethod
    def _cut(spec: Mapping[str, Any], word: str) -> list[str]:
        least, most = spec.get("minGrams", 2), spec.get("maxGrams", 15)
        kind = spec.get("tokenization", "edgeGram")
        word = word[::-1] if kind == "rightEdgeGram" else word
        starts = range(len(word)) if kind == "nGram" else range(1)
        found = [word[at : at + n] for at in starts for n in range(least, most + 1) if at + n <= len(word)]
        return found if least <= len(word) <= most else [*found, word[:most]]

    # ---------------------------------------------------------------- operators

    def scores(self, operator: Mapping[str, Any]) -> dict[int, float]:
        """The documents that an operator finds, with their scores."""
        found = {doc: self._score(operator, doc) for doc in range(len(self.documents))}
        return {doc: score for doc, score in found.items() if score is not None}

    def _score(self, operator: Mapping[str, Any], doc: int) -> float | None:
        ((name, body),) = operator.items()
        rule = getattr(self, f"_{name}")
        score: float | None = rule(body, doc)
        option = body.get("score") or {}
        if score is None:
            return None
        if "constant" in option:
            return float(option["constant"]["value"])
        if "boost" in option:
            return score * self._factor(option["boost"], doc)
        return score

    def _factor(self, boost: Mapping[str, Any], doc: int) -> float:
        if "value" in boost:
            return float(boost["value"])
        spec = self.spec(boost["path"], "number") or {}
        alone = [
            _kept(each.value, spec)
            for each in self.values[doc]
            if each.path == boost["path"] and each.alone and _is_number(each.value)
        ]
        factor = float(alone[0]) if alone else float(boost.get("undefined", 0))
        return factor if factor > 0 else 0.0

    def _exists(self, body: Mapping[str, Any], doc: int) -> float | None:
        return 1.0 if body["path"] in self.present[doc] else None

    def _compound(self, body: Mapping[str, Any], doc: int) -> float | None:
        parts = {
            kind: [self._score(clause, doc) for clause in body.get(kind, ())]
            for kind in ("filter", "must", "mustNot", "should")
        }
        matched = [score for score in parts["should"] if score is not None]
        least = body.get("minimumShouldMatch", 0)
        optional = bool(body.get("must") or body.get("filter") or not body.get("should"))
        if None in parts["must"] or None in parts["filter"]:
            return None
        if any(score is not None for score in parts["mustNot"]):
            return None
        if len(matched) < max(least, 0 if optional else 1):
            return None
        return math.fsum([*(score for score in parts["must"] if score is not None), *matched])

    def _text(self, body: Mapping[str, Any], doc: int) -> float | None:
        parts = [
            self._terms(name, spec, query, doc, every=body.get("matchCriteria") == "all")
            for query in _listed(body["query"])
            for name, spec in self._strings(body["path"])
        ]
        return _sum(parts)

    def _strings(self, paths: Any) -> Iterator[tuple[str, Mapping[str, Any]]]:
        for path in _listed(paths):
            name = path if isinstance(path, str) else path["value"]
            spec = self.spec(name, "string")
            if spec is not None and not isinstance(path, str):
                name, spec = f"{name}|{path['multi']}", (spec.get("multi") or {}).get(path["multi"])
            if spec is not None:
                yield name, spec

    def _terms(
        self, name: str, spec: Mapping[str, Any], query: str, doc: int, *, every: bool
    ) -> float | None:
        tokens = self.analyzer(spec, searching=True).tokens(query)
        if any(token.length > 1 for token in tokens):
            return self._graph_terms(name, tokens, doc)
        groups: list[list[str]] = []
        for token in tokens:
            if token.increment or not groups:
                groups.append([])
            groups[-1].append(token.term)
        parts = [self._any(name, group, doc) for group in groups]
        return None if every and None in parts else _sum(parts)

    def _graph_terms(self, name: str, tokens: Sequence[Any], doc: int) -> float | None:
        """A graph without positions that all ways pass: one way must be there whole."""
        ways = []
        for way in _ways(tokens):
            parts = [self._any(name, [term], doc) for term in way]
            ways.append(None if None in parts else _sum(parts))
        return _sum(ways)

    def _any(self, name: str, terms: Sequence[str], doc: int) -> float | None:
        field = self.fields.get(name)
        text = None if field is None else field.texts.get(doc)
        if field is None or text is None or not any(term in text.counts for term in terms):
            return None
        if field.spec.get("indexOptions") == "docs":
            frequency = sum(term in text.counts for term in terms)
            if len(terms) > 1:
                return self._docs_only(field, doc, frequency, terms)
        return field.score(doc, sum(text.counts[term] for term in terms), terms, best=len(terms) > 1)

    @staticmethod
    def _docs_only(field: Field, doc: int, frequency: int, terms: Sequence[str]) -> float:
        plain = Field({**field.spec, "indexOptions": "freqs"})
        plain.texts, plain.lengths, plain.average = field.texts, field.lengths, field.average
        return plain.score(doc, frequency, terms, best=True)

    def _phrase(self, body: Mapping[str, Any], doc: int) -> float | None:
        return _sum(
            self._one_phrase(name, self.analyzer(spec, searching=True).tokens(query), doc)
            for query in _listed(body["query"])
            for name, spec in self._strings(body["path"])
        )

    def _one_phrase(self, name: str, tokens: Sequence[Any], doc: int) -> float | None:
        if any(token.length > 1 for token in tokens):
            ways = ([(at, [term]) for at, term in enumerate(way)] for way in _ways(tokens))
            return _sum(self._phrase_at(name, places, doc) for places in ways)
        places: list[tuple[int, list[str]]] = []
        at = -1
        for token in tokens:
            at += token.increment
            if token.increment or not places:
                places.append((at, []))
            places[-1][1].append(token.term)
        return self._phrase_at(name, places, doc)

    def _phrase_at(self, name: str, places: Sequence[tuple[int, list[str]]], doc: int) -> float | None:
        if len(places) == 1:  # alternatives after a hole, which makes them a phrase, count each for itself
            at, terms = places[0]
            groups = [[term] for term in terms] if at else [terms]
            return _sum(self._any(name, group, doc) for group in groups)
        if not places:
            return None
        field = self.fields.get(name)
        text = None if field is None else field.texts.get(doc)
        if field is None or text is None:
            return None
        starts = {at - places[0][0] for term, at in text.places if term in places[0][1]}
        whole = [
            start for start in starts if all(_any_at(text, terms, start + at) for at, terms in places[1:])
        ]
        terms = [term for _, group in places for term in group if field.document_frequency(term)]
        return field.score(doc, len(whole), terms) if whole else None

    def _autocomplete(self, body: Mapping[str, Any], doc: int) -> float | None:
        path, sequential = body["path"], body.get("tokenOrder") == "sequential"
        spec, string = self.spec(path, "autocomplete"), self.spec(path, "string")
        assert spec is not None
        grams = _sum(self._grams(path, spec, query, doc, sequential) for query in _listed(body["query"]))
        if grams is None:
            return None
        exact: list[float | None] = []
        for query in _listed(body["query"]) if string is not None else ():
            tokens = self.analyzer(string or {}, searching=True).tokens(query)
            whole = self._one_phrase(path, tokens, doc)
            exact.append(whole if sequential else self._terms(path, string or {}, query, doc, every=False))
        return grams + (_sum(exact) or 0)

    def _grams(
        self, path: str, spec: Mapping[str, Any], query: str, doc: int, sequential: bool
    ) -> float | None:
        analyzer = self.analyzers.get(spec.get("analyzer") or "lucene.standard")
        words = [query] if sequential else [*analyzer.terms(query)[0], query]
        most = spec.get("maxGrams", 15)
        turned = spec.get("tokenization") == "rightEdgeGram"
        normal = [self._folded(spec, analyzer.normalize(word)) for word in words]
        searched = dict.fromkeys((word[::-1] if turned else word)[:most] for word in normal)
        return _sum(self._any(f"{path}^", [word], doc) for word in searched)

    def _equals(self, body: Mapping[str, Any], doc: int) -> float | None:
        path, wanted = body["path"], body["value"]
        if wanted is None:
            return 1.0 if any(v.path == path and v.value is None for v in self.values[doc]) else None
        return 1.0 if any(self._same(path, value, wanted) for value in self._at(path, doc)) else None

    def _in(self, body: Mapping[str, Any], doc: int) -> float | None:
        for path in _listed(body["path"]):
            whole = (self.spec(path, "number") or {}).get("representation") == "int64"
            wanted = [_cut(each) if whole else each for each in _listed(body["value"])]
            if any(self._same(path, value, each) for value in self._at(path, doc) for each in wanted):
                return 1.0
        return None

    def _at(self, path: str, doc: int) -> list[Any]:
        """The indexed values of a path that are compared whole."""
        found = []
        for each in self.values[doc]:
            kind = _kind(each.value)
            spec = self.spec(path, kind) if each.path == path and kind else None
            if spec is not None:
                found.append(_kept(each.value, spec))
        return found

    def _same(self, path: str, value: Any, wanted: Any) -> bool:
        if _kind(value) != _kind(wanted):
            return False
        if isinstance(wanted, str) and (self.spec(path, "token") or {}).get("normalizer") == "lowercase":
            wanted = wanted.lower()
        return bool(value == wanted)

    def _range(self, body: Mapping[str, Any], doc: int) -> float | None:
        return _sum(self._in_range(path, body, doc) for path in _listed(body["path"]))

    def _in_range(self, path: str, body: Mapping[str, Any], doc: int) -> float | None:
        bounds = {name: body[name] for name in ("gt", "gte", "lt", "lte") if name in body}
        lower = (self.spec(path, "token") or {}).get("normalizer") == "lowercase"
        for value in self._at(path, doc):
            sides = [
                _compares(value, name, bound.lower() if lower and isinstance(bound, str) else bound)
                for name, bound in bounds.items()
            ]
            if all(sides):
                return 1.0
        return None

    def _near(self, body: Mapping[str, Any], doc: int) -> float | None:
        return _sum(self._closeness(path, body, doc) for path in _listed(body["path"]))

    def _closeness(self, path: str, body: Mapping[str, Any], doc: int) -> float | None:
        origin, pivot = body["origin"], body["pivot"]
        spec = self.spec(path, _kind(origin) or "")
        alone = [
            v.value
            for v in self.values[doc]
            if v.path == path and v.alone and _kind(v.value) == _kind(origin)
        ]
        if spec is None or not alone:
            return None
        if isinstance(origin, datetime):
            distance, pivot = abs(_millis(alone[0]) - _millis(origin)), max(int(pivot), 1)
        elif spec.get("representation") == "int64":
            distance, pivot = abs(_cut(alone[0]) - _cut(origin)), max(int(pivot), 1)
        else:
            distance = abs(float(alone[0]) - float(origin))
        return pivot / (pivot + distance)

    # ---------------------------------------------------------------- order and counts

    def order(
        self, scores: Mapping[int, float], sort: Mapping[str, Any], *, reverse: bool = False
    ) -> list[int]:
        """The documents by sort values; of equal ones the earlier, in the reversed order, too."""
        ordered = list(scores)
        for path, option in reversed(sort.items()):
            way = option["order"] if isinstance(option, Mapping) else option
            last = isinstance(option, Mapping) and option.get("noData") == "highest"
            keys = {doc: self._chosen(path, doc, greatest=way < 0, missing_last=last) for doc in ordered}
            ordered.sort(key=keys.__getitem__, reverse=(way < 0) is not reverse)
        return ordered

    def _chosen(self, path: str, doc: int, *, greatest: bool, missing_last: bool) -> tuple[int, Any]:
        missing = (9, 0) if missing_last else (0, 0)
        found: list[tuple[int, Any]] = [_sortable(value) for value in self._at(path, doc)]
        if not found or any(v.path == path and v.value is None for v in self.values[doc]):
            found.append(missing)
        return max(found) if greatest else min(found)

    def buckets(self, scores: Iterable[int], path: str) -> Counter[str]:
        """How many documents have each label."""
        return Counter(
            label for doc in scores for label in {v for v in self._at(path, doc) if isinstance(v, str)}
        )


def _flattened(path: str, value: Any, *, alone: bool) -> Iterator[Value]:
    yield Value(path, value, alone)
    if isinstance(value, list):
        for item in value:
            yield from _flattened(path, item, alone=False)
    elif isinstance(value, Mapping):
        for name, inner in value.items():
            yield from _flattened(f"{path}.{name}", inner, alone=alone)


def _ways(tokens: Sequence[Any], start: int = 0) -> Iterator[list[str]]:
    """Every way through a graph, by the positions that tokens lead from and to."""
    arcs, at = list[tuple[int, int, str]](), -1
    for token in tokens:
        at += token.increment
        arcs.append((at, at + token.length, token.term))
    end = max(target for _, target, _ in arcs)

    def from_position(position: int) -> Iterator[list[str]]:
        if position == end:
            yield []
        for source, target, term in arcs:
            if source == position:
                yield from ([term, *rest] for rest in from_position(target))

    yield from from_position(start)


def _any_at(text: Text, terms: Sequence[str], position: int) -> bool:
    return any((term, position) in text.at for term in terms)


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _sum(parts: Iterable[float | None]) -> float | None:
    found = [part for part in parts if part is not None]
    return math.fsum(found) if found else None


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _kind(value: Any) -> str | None:
    """The type that compares a value whole."""
    if isinstance(value, bool):
        return "boolean"
    if _is_number(value):
        return "number"
    return {str: "token", datetime: "date", ObjectId: "objectId"}.get(type(value))


def _cut(value: Any) -> Any:
    return int(value) if isinstance(value, float) else value


def _kept(value: Any, spec: Mapping[str, Any]) -> Any:
    if spec["type"] == "token":
        return value.lower() if spec.get("normalizer") == "lowercase" else value
    if spec["type"] == "number":
        return _cut(value) if spec.get("representation") == "int64" else float(value)
    return value


def _compares(value: Any, name: str, bound: Any) -> bool:
    if _kind(value) != _kind(bound):
        return False
    return bool(
        {"gt": value > bound, "gte": value >= bound, "lt": value < bound, "lte": value <= bound}[name]
    )


def _millis(value: datetime) -> int:
    return round((value.replace(tzinfo=UTC) - EPOCH).total_seconds() * 1000)


def _sortable(value: Any) -> tuple[int, Any]:
    """Numbers, then strings by their bytes, object ids, booleans, dates."""
    order = ("", "number", "token", "", "objectId", "boolean", "date")
    return order.index(_kind(value) or ""), value.encode() if isinstance(value, str) else value
