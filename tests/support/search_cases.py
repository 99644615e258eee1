"""Random definitions, documents and queries, and where the engine and the plain reference disagree."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any

from bson import ObjectId
from bson.int64 import Int64

from atlas_rag.inprocess.errors import EngineRefusal
from atlas_rag.inprocess.search.search_index import SearchIndex, open_search_index
from tests.support.reference_search import Reference

WORDS = ["red", "fox", "the", "of", "Café", "quick-brown", "X200b", "king", "a", "foxes", "200", "b", "red"]
BIG = 36028797018963972
QUERIES_OF_ONE = 20
"""Queries that are asked of one index."""

ANALYZERS = [
    {
        "name": "shingles",
        "tokenizer": {"type": "standard"},
        "tokenFilters": [
            {"type": "lowercase"},
            {"type": "shingle", "minShingleSize": 2, "maxShingleSize": 3},
        ],
    },
    {
        "name": "stacked",
        "tokenizer": {"type": "whitespace"},
        "tokenFilters": [
            {"type": "stopword", "tokens": ["the", "of"]},
            {"type": "asciiFolding", "originalTokens": "include"},
        ],
    },
]
NAMES = ["lucene.standard", "lucene.english", "lucene.keyword", "lucene.whitespace", "stacked", "shingles"]


class Draw:
    """Everything that one seed makes."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self.definition = self._definition()
        self.documents = [self._document(key) for key in range(self._random.randint(1, 14))]

    def _maybe(self, chance: float = 0.5) -> bool:
        return self._random.random() < chance

    def _pick(self, *choices: Any) -> Any:
        return self._random.choice(choices)

    # ---------------------------------------------------------------- definitions and documents

    def _definition(self) -> dict[str, Any]:
        fields: dict[str, Any] = {"s": self._string(), "t": [self._string(), self._grams()]}
        fields["g"] = self._grams()
        fields["k"] = [{"type": "token", "normalizer": self._pick("none", "lowercase")}, self._string()]
        fields["n"] = [{"type": "number", "representation": self._pick("double", "int64")}, {"type": "token"}]
        fields["w"] = {"type": "number", "representation": "int64"}
        fields["d"] = [{"type": "date"}, {"type": "boolean"}]
        fields["o"] = {"type": "objectId"}
        fields["i"] = {"type": "document", "dynamic": self._maybe(), "fields": {"s": self._string()}}
        definition: dict[str, Any] = {"analyzers": ANALYZERS, "typeSets": [self._type_set()]}
        dynamic = self._pick(False, True, {"typeSet": "set"})
        definition["mappings"] = {"dynamic": dynamic, "fields": fields}
        for name in ("analyzer", "searchAnalyzer"):
            if self._maybe(0.3):
                definition[name] = self._pick(*NAMES[:4])
        return definition

    def _type_set(self) -> dict[str, Any]:
        return {"name": "set", "types": [{"type": "string"}, {"type": "number"}, {"type": "token"}]}

    def _string(self) -> dict[str, Any]:
        made: dict[str, Any] = {"type": "string"}
        if self._maybe(0.7):
            made["analyzer"] = self._pick(*NAMES)
        if self._maybe(0.3):
            made["norms"] = self._pick("omit", "include")
        if self._maybe(0.3):
            made["similarity"] = {"type": self._pick("bm25", "boolean", "stableTfl")}
        if self._maybe(0.2):
            made["indexOptions"] = self._pick("docs", "freqs", "positions")
        if self._maybe(0.3):
            made["multi"] = {"m": {"type": "string", "analyzer": self._pick(*NAMES)}}
        return made

    def _grams(self) -> dict[str, Any]:
        made: dict[str, Any] = {"type": "autocomplete"}
        made["tokenization"] = self._pick("edgeGram", "edgeGram", "rightEdgeGram", "nGram")
        made["minGrams"] = self._pick(1, 2, 3)
        made["maxGrams"] = self._pick(3, 5, 9, 15)
        if self._maybe(0.4):
            made["analyzer"] = self._pick("lucene.english", "lucene.keyword", "lucene.standard")
        if self._maybe(0.3):
            made["foldDiacritics"] = self._maybe()
        if self._maybe(0.3):
            made["similarity"] = {"type": self._pick("bm25", "boolean", "stableTfl")}
        return made

    def _document(self, key: int) -> dict[str, Any]:
        made: dict[str, Any] = {"_id": key}
        for name in ("s", "t", "g", "k", "u"):
            if self._maybe(0.7):
                made[name] = self._several(self._words)
        for name in ("n", "w", "d", "o", "v"):
            if self._maybe(0.7):
                made[name] = self._several(lambda name=name: self._value(name))
        if self._maybe(0.6):
            made["i"] = self._several(lambda: {"s": self._several(self._words), "n": self._value("n")})
        return made

    def _several(self, one: Any) -> Any:
        if self._maybe(0.7):
            return None if self._maybe(0.08) else one()
        return [None if self._maybe(0.1) else one() for _ in range(self._random.randint(0, 3))]

    def _words(self, most: int = 6) -> str:
        return " ".join(self._random.choices(WORDS, k=self._random.randint(1, most)))

    def _value(self, path: str) -> Any:
        if path == "d":
            return self._pick(
                self._maybe(), datetime(2020, 1, 1) + timedelta(hours=self._random.randint(0, 50))
            )
        if path == "o":
            return ObjectId(f"{self._random.randint(0, 5):024x}")
        if path == "w":
            return self._pick(Int64(BIG + self._random.randint(0, 3)), self._random.randint(-2, 3), 2.5)
        if path == "n":
            return self._pick(self._random.randint(-2, 3), self._random.randint(0, 6) / 2, "x", "Y")
        return self._pick(1, 2.5, "x", True)

    # ---------------------------------------------------------------- queries

    def operator(self, depth: int = 2) -> dict[str, Any]:
        """Any operator; compounds hold others down to a depth."""
        kinds = ["text"] * 3 + ["phrase", "autocomplete", "equals", "in", "range", "near", "exists"]
        name = "compound" if depth and self._maybe(0.35) else self._random.choice(kinds)
        body: dict[str, Any] = getattr(self, f"_{name}")(depth)
        if self._maybe(0.2) and name != "compound":
            body["score"] = self._pick(
                {"boost": {"value": 2}},
                {"constant": {"value": 3}},
                {"boost": {"path": "w", "undefined": 2}},
            )
        return {name: body}

    def _compound(self, depth: int) -> dict[str, Any]:
        kinds = self._random.choices(["filter", "must", "mustNot", "should", "should", "should"], k=2)
        made: dict[str, Any] = {
            kind: [self.operator(depth - 1) for _ in range(3 if kind == "should" else 1)] for kind in kinds
        }
        if "should" in made and self._maybe():
            made["minimumShouldMatch"] = self._random.randint(0, len(made["should"]))
        return made

    def _string_paths(self, *, positions: bool) -> Any:
        fields = self.definition["mappings"]["fields"]
        specs = {
            "s": fields["s"],
            "t": fields["t"][0],
            "k": fields["k"][1],
            "i.s": fields["i"]["fields"]["s"],
        }
        paths: list[Any] = [
            path
            for path, spec in specs.items()
            if not positions or spec.get("indexOptions") not in ("docs", "freqs")
        ]
        paths += [{"value": path, "multi": "m"} for path, spec in specs.items() if "multi" in spec]
        paths.append("u")
        return self._random.sample(paths, self._random.randint(1, min(2, len(paths))))

    def _text(self, depth: int) -> dict[str, Any]:
        body = self._text_body(positions=False)
        if self._maybe(0.3):
            body["matchCriteria"] = self._pick("any", "all")
        return body

    def _text_query(self) -> Any:
        return [self._words(3) for _ in range(2)] if self._maybe(0.2) else self._words(4)

    def _text_body(self, *, positions: bool) -> dict[str, Any]:
        return {"path": self._string_paths(positions=positions), "query": self._text_query()}

    def _phrase(self, depth: int) -> dict[str, Any]:
        return self._text_body(positions=True)

    def _autocomplete(self, depth: int) -> dict[str, Any]:
        fields = self.definition["mappings"]["fields"]
        whole = fields["t"][0].get("indexOptions") not in ("docs", "freqs")
        words = self._words(3)
        order = self._pick("any", "sequential") if whole else "any"
        path = self._pick("t", "g")
        return {"path": path, "query": words[: self._random.randint(1, len(words))], "tokenOrder": order}

    def _exists(self, depth: int) -> dict[str, Any]:
        return {"path": self._pick("s", "g", "n", "i", "i.s", "i.n", "u", "v")}

    def _comparable(self) -> tuple[str, Any]:
        path = self._pick("n", "w", "d", "o", "k")
        if path == "k":
            return path, self._words(1)
        value = self._value(path)
        return path, value

    def _equals(self, depth: int) -> dict[str, Any]:
        path, value = self._comparable()
        return {"path": path, "value": None if self._maybe(0.1) else value}

    def _in(self, depth: int) -> dict[str, Any]:
        path, value = self._comparable()
        others = [self._value(path) for _ in range(3)] if path != "k" else [self._words(1)]
        alike = [each for each in others if _family(each) == _family(value)]
        return {"path": path, "value": [value, *alike]}

    def _range(self, depth: int) -> dict[str, Any]:
        path, value = self._comparable()
        if isinstance(value, bool):
            value = datetime(2020, 1, 2)
        return {"path": path, self._pick("gt", "gte", "lt", "lte"): value}

    def _near(self, depth: int) -> dict[str, Any]:
        path = self._pick("n", "w", "d")
        origin = {"n": 1.5, "w": Int64(BIG + 1), "d": datetime(2020, 1, 1, 7)}[path]
        return {"path": path, "origin": origin, "pivot": self._pick(1, 2, 3600000)}

    def sort(self) -> dict[str, Any]:
        """A sort by one or two paths."""
        paths = self._random.sample(["n", "w", "d", "o", "k"], self._random.randint(1, 2))
        return {path: self._way() for path in paths}

    def _way(self) -> Any:
        order = self._pick(1, -1)
        return self._pick(order, {"order": order, "noData": self._pick("lowest", "highest")})


def _family(value: Any) -> str:
    if isinstance(value, bool):
        return "boolean"
    return "number" if isinstance(value, int | float) else type(value).__name__


def differences(seed: int) -> Iterator[str]:
    """Asks the queries of one seed; yields what the engine and the reference disagree on."""
    draw = Draw(seed)
    index, reference = open_search_index(draw.definition), Reference(draw.definition, draw.documents)
    for key, document in enumerate(draw.documents):
        index.put(key, document)
    for number in range(QUERIES_OF_ONE):
        operator, sort = draw.operator(), draw.sort() if number % 3 == 0 else None
        try:
            found = list(_compared(index, reference, operator, sort))
        except EngineRefusal as refusal:
            found = [f"refused: {refusal.text}"]
        yield from (f"seed {seed}, query {number}, {operator}, sort {sort}: {each}" for each in found)


def _compared(
    index: SearchIndex, reference: Reference, operator: Mapping[str, Any], sort: Mapping[str, Any] | None
) -> Iterator[str]:
    theirs = reference.scores(operator)
    hits = index.search({**operator, "count": {"type": "total"}}).hits
    ours = {hit.key: hit.score for hit in hits}
    if ours.keys() != theirs.keys():
        yield f"found {sorted(ours)} instead of {sorted(theirs)}"
        return
    far = {key for key in ours if not math.isclose(ours[key], theirs[key], rel_tol=2e-6, abs_tol=1e-7)}
    if far:
        yield f"scores {[(key, ours[key], theirs[key]) for key in sorted(far)]}"
    if [hit.key for hit in hits] != sorted(ours, key=lambda key: (-ours[key], key)):
        yield f"order {[hit.key for hit in hits]}"
    yield from _labels_compared(index, reference, operator, theirs)
    if sort is not None and theirs:
        yield from _sorted_compared(index, reference, {**operator, "sort": sort}, theirs)


def _labels_compared(
    index: SearchIndex, reference: Reference, operator: Mapping[str, Any], theirs: Mapping[int, float]
) -> Iterator[str]:
    facets = {"f": {"type": "string", "path": "k", "numBuckets": 100}}
    meta = index.search({"facet": {"operator": operator, "facets": facets}}, meta_only=True).meta
    ours = {bucket["_id"]: bucket["count"] for bucket in meta["facet"]["f"]["buckets"]}
    if ours != dict(reference.buckets(theirs, "k")):
        yield f"labels {ours}"


def _sorted_compared(
    index: SearchIndex, reference: Reference, body: Mapping[str, Any], theirs: Mapping[int, float]
) -> Iterator[str]:
    expected = reference.order(theirs, body["sort"])
    hits = index.search(body, tokens=True).hits
    if [hit.key for hit in hits] != expected:
        yield f"sorted {[hit.key for hit in hits]} instead of {expected}"
        return
    mark = hits[len(hits) // 2]
    backwards = reference.order(theirs, body["sort"], reverse=True)
    for side, order in (("searchAfter", expected), ("searchBefore", backwards)):
        page = [hit.key for hit in index.search({**body, side: mark.meta["searchSequenceToken"]}).hits]
        following = order[order.index(mark.key) + 1 :]
        if page != following:
            yield f"{side} {mark.key}: {page} instead of {following}"
