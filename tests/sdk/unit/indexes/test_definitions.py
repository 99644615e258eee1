"""Index definitions: both directions, what is refused, what passes through raw."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from atlas_rag import CallError, Code
from atlas_rag.indexes import (
    Analyzer,
    AutocompleteField,
    DocumentField,
    EdgeGramFilter,
    FilterField,
    HnswOptions,
    Lowercase,
    Mappings,
    NumberField,
    RawPart,
    SearchDefinition,
    SearchVectorField,
    SortOrder,
    StandardTokenizer,
    StoredSource,
    StringField,
    SynonymMapping,
    SynonymSource,
    TokenField,
    TypeSet,
    VectorDefinition,
    VectorField,
    WantedIndex,
)
from atlas_rag.indexes.definitions import DynamicTypes

SEARCH = SearchDefinition(
    mappings=Mappings(
        dynamic=DynamicTypes(type_set="plain"),
        fields={
            "title": (StringField(analyzer="words", multi={"raw": StringField()}), TokenField()),
            "meta": DocumentField(dynamic=True, fields={"year": NumberField(representation="int64")}),
        },
    ),
    analyzers=(
        Analyzer(
            name="words",
            tokenizer=StandardTokenizer(),
            token_filters=(Lowercase(), EdgeGramFilter(min_gram=2, max_gram=5)),
        ),
    ),
    synonyms=(
        SynonymMapping(name="s", source=SynonymSource(collection="synonyms"), analyzer="lucene.standard"),
    ),
    stored_source=StoredSource(include=("title",)),
    type_sets=(TypeSet(name="plain", types=(TokenField(normalizer="lowercase"),)),),
    sort={"meta.year": -1, "title": SortOrder(order=1, no_data="highest")},
    num_partitions=2,
)
SEARCH_JSON: dict[str, Any] = {
    "mappings": {
        "dynamic": {"typeSet": "plain"},
        "fields": {
            "title": [
                {"type": "string", "analyzer": "words", "multi": {"raw": {"type": "string"}}},
                {"type": "token"},
            ],
            "meta": {
                "type": "document",
                "dynamic": True,
                "fields": {"year": {"type": "number", "representation": "int64"}},
            },
        },
    },
    "analyzers": [
        {
            "name": "words",
            "tokenizer": {"type": "standard"},
            "tokenFilters": [{"type": "lowercase"}, {"type": "edgeGram", "minGram": 2, "maxGram": 5}],
        }
    ],
    "synonyms": [{"name": "s", "source": {"collection": "synonyms"}, "analyzer": "lucene.standard"}],
    "storedSource": {"include": ["title"]},
    "typeSets": [{"name": "plain", "types": [{"type": "token", "normalizer": "lowercase"}]}],
    "sort": {"meta.year": -1, "title": {"order": 1, "noData": "highest"}},
    "numPartitions": 2,
}
VECTOR = VectorDefinition(
    fields=(
        VectorField(
            path="parts.e",
            num_dimensions=8,
            similarity="cosine",
            quantization="binary",
            hnsw_options=HnswOptions(max_edges=32),
        ),
        FilterField(path="tenant"),
    ),
    nested_root="parts",
)


def test_a_search_definition_is_spelled_as_documented() -> None:
    assert SEARCH.to_definition() == SEARCH_JSON
    assert list(SEARCH.to_definition()["sort"]) == ["meta.year", "title"]


@pytest.mark.parametrize("definition", [SEARCH, VECTOR], ids=lambda one: one.index_type)
def test_definitions_read_back_and_survive_json(definition: Any) -> None:
    cls = type(definition)
    assert cls.from_definition(definition.to_definition()) == definition
    assert cls.model_validate_json(definition.model_dump_json(by_alias=True)) == definition


@pytest.mark.parametrize("definition", [SEARCH, VECTOR], ids=lambda one: one.index_type)
def test_reprs_rebuild(definition: Any) -> None:
    import atlas_rag.indexes as names

    assert eval(repr(definition), {name: getattr(names, name) for name in names.__all__}) == definition


@pytest.mark.parametrize(
    ("document", "says"),
    [
        ({}, "mappings"),
        ({"mappings": {}, "maping": {}}, "maping"),
        ({"mappings": {"fields": {"a": {"type": "strnig"}}}}, "strnig"),
        ({"mappings": {"fields": {"a": {"type": "token", "analyzer": "x"}}}}, "analyzer"),
        ({"mappings": {"fields": {"a": {"type": "string", "store": 1}}}}, "store"),
        ({"mappings": {"fields": {"a": {"type": "autocomplete", "minGrams": 9, "maxGrams": 3}}}}, "minGrams"),
        ({"mappings": {"fields": {"a": {"type": "string", "analyzer": "nope"}}}}, "non-existent"),
        ({"mappings": {"fields": {"a": [{"type": "token"}, {"type": "token"}]}}}, "multiple"),
        ({"mappings": {"fields": {"a": {"type": "string", "multi": {"m": {}}}}}}, "type"),
        ({"mappings": {}, "numPartitions": 3}, "numPartitions"),
        ({"mappings": {}, "sort": {"a": 0}}, "sort"),
        ({"mappings": {}, "storedSource": {"include": ["a"], "exclude": ["b"]}}, "include"),
    ],
)
def test_what_creation_would_refuse_is_refused_with_its_place(document: Any, says: str) -> None:
    with pytest.raises(CallError, match=says) as caught:
        SearchDefinition.from_definition(document)
    assert caught.value.code is Code.INVALID_DEFINITION


@pytest.mark.parametrize(
    "build",
    [
        lambda: VectorField(path="e", num_dimensions=0, similarity="cosine"),
        lambda: VectorField(path="e", num_dimensions=True, similarity="cosine"),
        lambda: VectorField(path="e", num_dimensions=4, similarity="cos"),  # type: ignore[arg-type]
        lambda: HnswOptions(max_edges=65),
        lambda: AutocompleteField(min_grams=0),
        lambda: VectorDefinition(fields=()),
        lambda: VectorDefinition(fields=(FilterField(path="a"), FilterField(path="a"))),
        lambda: VectorDefinition(
            fields=(VectorField(path="e", num_dimensions=7, similarity="cosine", quantization="binary"),)
        ),
    ],
)
def test_wrong_options_are_refused(build: Any) -> None:
    with pytest.raises(ValidationError):
        build()


def test_newer_and_deprecated_parts_pass_through_raw() -> None:
    newer = SearchDefinition(mappings=Mappings(fields={"a": RawPart({"type": "sparse", "k": 1})}))
    assert newer.to_definition() == {"mappings": {"fields": {"a": {"type": "sparse", "k": 1}}}}
    assert newer.raw == ("sparse",)
    old = SearchDefinition.from_definition({"mappings": {"fields": {"a": {"type": "stringFacet"}}}})
    assert old.raw == ("stringFacet",)


def test_a_wanted_index_takes_a_model_or_a_mapping() -> None:
    wanted = WantedIndex.of("words", SEARCH)
    assert wanted == WantedIndex("words", "search", SEARCH_JSON)
    assert wanted.to_dict() == {"name": "words", "type": "search", "definition": SEARCH_JSON}
    with pytest.raises(CallError, match="its definition not"):
        WantedIndex("v", "search", VECTOR)


def test_a_vector_in_a_search_index_is_a_type_of_its_own() -> None:
    field = SearchVectorField(num_dimensions=4, similarity="dotProduct", indexing_method="flat")
    assert field.to_definition() == {
        "type": "vector",
        "numDimensions": 4,
        "similarity": "dotProduct",
        "indexingMethod": "flat",
    }
