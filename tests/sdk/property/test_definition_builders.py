"""Whatever a definition can hold, the checker accepts; and it survives JSON."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from atlas_rag import indexes as i
from atlas_rag.check import Severity, check
from atlas_rag.indexes import definitions as d
from atlas_rag.indexes.definitions.definition import SERVICE_RULE
from tests.support.drawing import Draw, RefusedError, attempt, dictionaries, one_of, sampled, several, tuples

integers = sampled([1, 2, 3, 8, 16, 64, 100, 255]) | sampled([0, 65, 8193, 2**31, -1, 2.0, 1.5, True])
texts = sampled(["a", "b", "c.d", "(a)", "words"]) | sampled(["", " ", "lucene.x", "[", "a.b"])
names = sampled(["a", "b", "title", "meta", "c.d", ""])
stock = sampled(["lucene.english", "lucene.simple", "lucene.english", "lucene.x"])
flags = sampled([True, False])
similarities = sampled(["cosine", "dotProduct", "euclidean"])
graph = {
    "quantization": sampled(["none", "scalar", "binary"]),
    "indexing_method": sampled(["hnsw", "flat"]),
    "hnsw_options": attempt(d.HnswOptions, {}, {"max_edges": integers, "num_edge_candidates": integers}),
}
vector = {"num_dimensions": integers, "similarity": similarities}

char_filters = one_of(
    attempt(d.HtmlStrip, {}, {"ignored_tags": tuples(texts)}),
    attempt(d.CharMapping, {"mappings": dictionaries(texts, texts)}),
    sampled([d.IcuNormalize(), d.PersianCharFilter()]),
)
grams = {"min_gram": integers, "max_gram": integers}
tokenizers = one_of(
    attempt(d.EdgeGramTokenizer, grams),
    attempt(d.NGramTokenizer, grams),
    attempt(d.RegexCaptureGroupTokenizer, {"pattern": texts, "group": integers}),
    attempt(d.RegexSplitTokenizer, {"pattern": texts}),
    attempt(d.StandardTokenizer, {}, {"max_token_length": integers}),
    sampled([d.KeywordTokenizer(), d.WhitespaceTokenizer(), d.UaxUrlEmailTokenizer()]),
)
token_filters = one_of(
    attempt(d.EdgeGramFilter, grams, {"term_not_in_bounds": sampled(["include", "omit"])}),
    attempt(d.NGramFilter, grams),
    attempt(d.Length, {}, {"min": integers, "max": integers}),
    attempt(d.LimitTokenCount, {"max_token_count": integers}),
    attempt(d.RegexFilter, {"pattern": texts, "replacement": texts, "matches": sampled(["all", "first"])}),
    attempt(d.Shingle, {"min_shingle_size": integers, "max_shingle_size": integers}),
    attempt(d.SnowballStemming, {"stemmer_name": sampled(["english", "klingon"])}),
    attempt(d.Stopword, {"tokens": tuples(texts)}, {"ignore_case": flags}),
    attempt(
        d.WordDelimiterGraph, {}, {"protected_words": attempt(d.ProtectedWords, {"words": tuples(texts)})}
    ),
    sampled([d.Lowercase(), d.AsciiFolding(), d.IcuNormalizer(), d.Trim(), d.KStemming(), d.Reverse()]),
)
analyzers = attempt(
    d.Analyzer,
    {"name": texts, "tokenizer": tokenizers},
    {"char_filters": tuples(char_filters, most=2), "token_filters": tuples(token_filters)},
)
scoring = {"similarity": attempt(d.ScoreSimilarity, {"type": sampled(["bm25", "boolean", "cosine"])})}
strings = attempt(
    i.StringField,
    {},
    {
        **scoring,
        "analyzer": stock,
        "search_analyzer": stock,
        "index_options": sampled(["docs", "offsets"]),
        "store": flags,
        "ignore_above": integers,
        "norms": sampled(["include", "omit"]),
        "multi": dictionaries(sampled(["m", "n"]), attempt(i.StringField, {}, {"analyzer": stock})),
    },
)
leaves = one_of(
    strings,
    attempt(i.AutocompleteField, {}, {**scoring, "min_grams": integers, "max_grams": integers}),
    attempt(i.NumberField, {}, {"index_integers": flags, "index_doubles": flags}),
    attempt(i.TokenField, {}, {"normalizer": sampled(["none", "lowercase"])}),
    attempt(i.SearchVectorField, vector, graph),
    sampled(
        [i.DateField(), i.BooleanField(), i.ObjectIdField(), i.UuidField(), i.GeoField(index_shapes=True)]
    ),
)
dynamic = flags | attempt(d.DynamicTypes, {"type_set": texts})
stored = attempt(i.StoredSource, {}, {"include": tuples(texts), "exclude": tuples(texts)}) | flags
nested = one_of(
    attempt(i.DocumentField, {}, {"dynamic": dynamic, "fields": dictionaries(names, several(leaves))}),
    attempt(
        i.EmbeddedDocumentsField,
        {},
        {"fields": dictionaries(names, several(leaves)), "stored_source": stored},
    ),
)
fields = dictionaries(names, several(leaves | nested), most=3)
search_definitions = attempt(
    i.SearchDefinition,
    {
        "mappings": attempt(i.Mappings, {"fields": fields}, {"dynamic": dynamic}),
        "analyzers": tuples(analyzers, most=2),
    },
    {
        "analyzer": stock,
        "stored_source": stored,
        "type_sets": tuples(attempt(i.TypeSet, {"name": texts, "types": tuples(leaves, most=2)}), most=2),
        "sort": dictionaries(texts, sampled([1, -1, 0, d.SortOrder(order=-1, no_data="highest")])),
        "num_partitions": integers,
    },
)
vector_definitions = attempt(
    i.VectorDefinition,
    {
        "fields": tuples(
            one_of(
                attempt(i.VectorField, {"path": names, **vector}, graph),
                attempt(i.FilterField, {"path": names}),
                attempt(i.AutoEmbedField, {"path": names, "model": texts, "modality": sampled(["text"])}),
            )
        )
    },
    {"nested_root": texts, "stored_source": stored, "num_partitions": integers},
)


@pytest.mark.parametrize(
    ("draw", "what"),
    [(search_definitions, "searchIndex"), (vector_definitions, "vectorIndex")],
    ids=["search", "vector"],
)
@settings(max_examples=200, deadline=None)
@given(seed=st.integers(0, 2**64))
def test_the_checker_accepts_what_definitions_hold(draw: Draw, what: str, seed: int) -> None:
    try:
        definition: Any = draw(Random(seed))
    except RefusedError:
        reject()
    document = definition.to_definition()
    findings = check(document, what=what).findings
    assert [one for one in findings if one.severity is Severity.ERROR and one.rule != SERVICE_RULE] == []
    assert type(definition).from_definition(document) == definition
    assert type(definition).model_validate_json(definition.model_dump_json()) == definition
