"""Highlights of plain text queries, compared bit by bit with the recorded engine's."""

from __future__ import annotations

from collections import Counter
from fnmatch import fnmatch
from typing import Any

from atlas_rag.inprocess.search.algorithms.highlight import Match, highlight
from atlas_rag.inprocess.search.analysis import registry
from tests.support import recordings

STRINGS = ("title", "body", "cat", "tags", "meta.author", "meta.deep.note")
ANALYZERS = {"body": "lucene.english", "cat": "lucene.keyword"}


def analyzer(path: str) -> Any:
    return registry([]).get(ANALYZERS.get(path, "lucene.standard"))


def strings(document: Any, path: str) -> list[str]:
    for name in path.split("."):
        document = document.get(name) or {}
    values = document if isinstance(document, list) else [document]
    return [value for value in values if isinstance(value, str)]


def plain_paths(path: Any) -> list[str]:
    """The paths meant, or none where a multi analyzer is among them."""
    found: list[str] = []
    for each in path if isinstance(path, list) else [path]:
        if isinstance(each, str):
            found.append(each)
        elif "wildcard" in each:
            found += [name for name in STRINGS if fnmatch(name, each["wildcard"])]
        else:
            return []
    return found


def is_plain(query: dict[str, Any]) -> bool:
    text = query.get("text")
    if not text or "highlight" not in query or {"fuzzy", "synonyms"} & set(text):
        return False
    return bool(plain_paths(text["path"]) and plain_paths(query["highlight"]["path"]))


def plain_cases() -> list[dict[str, Any]]:
    recorded = [recordings.engine(name)["cases"] for name in ("main", "main_partitions")]
    return [case for cases in recorded for case in cases if is_plain(case["q"])]


def terms(text: dict[str, Any]) -> set[str]:
    queries = text["query"] if isinstance(text["query"], list) else [text["query"]]
    return {
        term
        for path in plain_paths(text["path"])
        for query in queries
        for term in analyzer(path).terms(query)[0]
    }


def expected_highlights(document: Any, path: str, wanted: set[str], options: dict[str, Any]) -> list[Any]:
    values = strings(document, path)
    tokens = [analyzer(path).tokens(value) for value in values]
    counts = Counter(token.term for each in tokens for token in each)
    matches = [
        [
            Match(token.start, token.end, token.term, counts[token.term])
            for token in each
            if token.term in wanted
        ]
        for each in tokens
    ]
    found = highlight(values, matches, max_passages=options.get("maxNumPassages", 5))
    return [{"score": each["score"], "path": path, "texts": each["texts"]} for each in found]


def test_passages_texts_and_scores_are_the_engines() -> None:
    documents = {document["_id"]: document for document in recordings.engine("main")["docs"]}
    compared = 0
    for case in plain_cases():
        options = case["q"]["highlight"]
        wanted = terms(case["q"]["text"])
        for hit in case["out"]["results"]:
            document = documents[hit["_id"]]
            ours = [
                each
                for path in sorted(plain_paths(options["path"]))
                for each in expected_highlights(document, path, wanted, options)
            ]
            assert ours == hit["$searchHighlights"], case["q"]
            compared += len(ours)
    assert compared > 100
