"""Queries against the index that they search."""

from __future__ import annotations

import pytest
from bson.binary import Binary, BinaryVectorDtype

from atlas_rag.check import check

SEARCH_INDEX = {
    "mappings": {
        "dynamic": False,
        "fields": {
            "title": [{"type": "string"}, {"type": "token"}, {"type": "autocomplete", "minGrams": 3}],
            "body": {"type": "string", "indexOptions": "freqs", "store": False},
            "code": {"type": "string", "analyzer": "lucene.keyword"},
            "year": {"type": "number"},
            "place": {"type": "geo"},
            "vector": {"type": "vector", "numDimensions": 2, "similarity": "cosine"},
            "crew": {"type": "embeddedDocuments", "fields": {"rank": {"type": "string"}}},
            "open": {"type": "document", "dynamic": True},
        },
    },
    "synonyms": [{"name": "sea", "source": {"collection": "words"}, "analyzer": "lucene.english"}],
}
VECTOR_INDEX = {
    "fields": [
        {"type": "vector", "path": "e", "numDimensions": 2, "similarity": "cosine"},
        {"type": "filter", "path": "tenant"},
    ]
}
POINT = {"type": "Point", "coordinates": [1, 2]}


def search(operator, **options):
    (name, body), *_ = operator.items()
    return check({name: body, **options}, what="search", index=SEARCH_INDEX).findings


def vector(**options):
    body = {"index": "v", "path": "e", "queryVector": [1.0, 2.0], "numCandidates": 9, "limit": 5, **options}
    return check(body, what="vectorSearch", index=VECTOR_INDEX).findings


@pytest.mark.parametrize(
    "operator",
    [
        {"text": {"query": "a", "path": ["title", "open.anything", {"wildcard": "t*"}]}},
        {"phrase": {"query": "a b", "path": "title"}},
        {"equals": {"path": "title", "value": "two words"}},
        {"equals": {"path": "gone", "value": None}},
        {"range": {"path": "year", "gte": 3}},
        {"near": {"path": "place", "origin": POINT, "pivot": 5}},
        {"regex": {"path": "code", "query": "a.*"}},
        {"wildcard": {"path": "title", "query": "a*", "allowAnalyzedField": True}},
        {"autocomplete": {"path": "title", "query": "abc"}},
        {"exists": {"path": "open"}},
        {"embeddedDocument": {"path": "crew", "operator": {"text": {"query": "a", "path": "crew.rank"}}}},
        {"vectorSearch": {"path": "vector", "queryVector": [1, 2], "exact": True, "limit": 5}},
        {"text": {"query": "a", "path": "title", "score": {"boost": {"path": "year"}}}},
    ],
)
def test_says_nothing_where_the_index_answers(operator):
    assert search(operator) == ()


@pytest.mark.parametrize(
    ("operator", "message"),
    [
        (
            {"phrase": {"query": "a b", "path": "body"}},
            "field body not indexed as string with indexOptions=offset or indexOptions=positions, "
            "which is required for phrase operator queries",
        ),
        ({"equals": {"path": "body", "value": "two words"}}, "Path 'body' needs to be indexed as token"),
        (
            {"autocomplete": {"path": "body", "query": "abc"}},
            "autocomplete index field definition not present at path body",
        ),
        (
            {"regex": {"path": "title", "query": "a.*"}},
            "Field title is analyzed. Use a keyword analyzed field or set allowAnalyzedField to true.",
        ),
        (
            {"geoWithin": {"path": "year", "circle": {"center": POINT, "radius": 1}}},
            "geoWithin requires path 'year' to be indexed as 'geo'",
        ),
        (
            {"embeddedDocument": {"path": "crw", "operator": {"exists": {"path": "crw.rank"}}}},
            "embeddedDocument requires path 'crw' to be indexed as 'embeddedDocuments'",
        ),
        (
            {"text": {"query": "a", "path": "title", "synonyms": "sea"}},
            'synonym mapping "sea" is only allowed with lucene.english analyzer, '
            "field title is analyzed with lucene.standard analyzer",
        ),
        (
            {"text": {"query": "a", "path": "title", "score": {"function": {"path": "body"}}}},
            'path expression for function score requires path "body" to be indexed as numeric',
        ),
        (
            {"vectorSearch": {"path": "vector", "queryVector": [1], "exact": True, "limit": 5}},
            "vector field is indexed with 2 dimensions but queried with 1",
        ),
        (
            {"vectorSearch": {"path": "title", "queryVector": [1], "exact": True, "limit": 5}},
            'title must be indexed as "vector".',
        ),
    ],
)
def test_refusals_have_the_engine_s_words(operator, message):
    findings = search(operator)
    assert [(one.message, one.severity, one.codes.v8) for one in findings] == [(message, "error", 8)]


@pytest.mark.parametrize(
    ("operator", "reason"),
    [
        ({"text": {"query": "a", "path": "titel"}}, "path 'titel' is not indexed as string"),
        ({"equals": {"path": "body", "value": "word"}}, "path 'body' is not indexed as token"),
        ({"range": {"path": "title", "gte": 3}}, "path 'title' is not indexed as number"),
        ({"exists": {"path": "gone"}}, "path 'gone' is not indexed"),
        ({"text": {"query": "a", "path": "crew.rank"}}, "'crew.rank' lies on another level"),
        ({"autocomplete": {"path": "title", "query": "ab"}}, "it is shorter than minGrams (3)"),
        ({"text": {"query": "a", "path": {"value": "title", "multi": "x"}}}, "has no alternative 'x'"),
    ],
)
def test_what_finds_nothing_is_a_warning_with_the_reason(operator, reason):
    (finding,) = search(operator)
    assert finding.severity == "warning"
    assert "returns nothing because" in finding.message
    assert reason in finding.message


def test_near_misses_are_suggested():
    (finding,) = search({"text": {"query": "a", "path": "titel"}})
    assert finding.suggestion == 'did you mean "title"?'


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"sort": {"gone": 1}}, "gone is not indexed as sortable"),
        ({"sort": {"body": 1}}, "sorts every document as missing because 'body' is indexed as string only"),
        ({"highlight": {"path": "body"}}, "Highlights cannot be generated. Path: body"),
        ({"returnStoredSource": True}, "storedSource is not configured for this index."),
    ],
)
def test_options_need_their_fields(options, message):
    (finding,) = search({"exists": {"path": "title"}}, **options)
    assert finding.message == message


def test_facets_need_their_types():
    facets = {"f": {"type": "string", "path": "body"}, "g": {"type": "string", "path": "title"}}
    (finding,) = search({"facet": {"facets": facets}})
    assert finding.message == (
        'Cannot facet on field "body" "" because it was not indexed as a "token" field.'
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"path": "x"}, "x is not indexed as vector"),
        ({"queryVector": [1.0]}, "vector field is indexed with 2 dimensions but queried with 1"),
        ({"queryVector": [0, 0]}, "Cosine similarity cannot be calculated against a zero vector."),
        ({"filter": {"$and": [{"tenat": 1}]}}, "Path 'tenat' needs to be indexed as filter"),
        ({"nestedOptions": {}}, "nestedOptions requires a vector path within the index's nested root"),
    ],
)
def test_vector_queries_fit_their_index(options, message):
    assert [one.message for one in vector(**options)] == [message]


def test_vector_queries_that_fit_are_left_alone():
    assert vector(filter={"tenant": 1, "gone": None}) == ()


def test_another_type_of_numbers_finds_nothing():
    (finding,) = vector(queryVector=Binary.from_vector([1, 2], BinaryVectorDtype.INT8))
    assert (finding.severity, finding.rule) == ("warning", "dtype")


def test_a_wrong_type_of_index_is_refused():
    report = check({"exists": {"path": "a"}}, what="search", index=VECTOR_INDEX)
    assert report.findings[0].message == "Cannot execute $search over vector search index 'default'"


def test_indexes_are_chosen_by_name():
    named = {"name": "txt", "type": "search", "definition": SEARCH_INDEX}
    report = check({"exists": {"path": "title"}, "index": "text"}, what="search", index=named)
    assert [one.rule for one in report.warnings] == ["index-missing"]
    assert check({"exists": {"path": "title"}, "index": "txt"}, what="search", index=named).findings == ()
