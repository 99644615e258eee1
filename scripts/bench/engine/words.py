"""The text workloads that the real core was timed on: words, phrases and ranges drawn from a collection."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from typing import Any

QUESTIONS = 200


def workload(documents: Sequence[dict[str, Any]], queries: Sequence[str], path: str) -> dict[str, list[Any]]:
    """Bodies of `$search` by kind of question.

    Args:
        documents: what is searched; `n` counts them.
        queries: texts whose words of four letters and more are asked for.
        path: where the text is.
    """
    source = random.Random(22)
    words = [word for text in queries for word in re.findall(r"[a-z]+", text.lower()) if len(word) >= 4]
    texts = {count: [_words(source, words, count) for _ in range(QUESTIONS)] for count in (1, 2, 3, 8)}
    phrases = _repeat(lambda: _phrase(source, documents, path))
    spans = _repeat(lambda: _span(source, len(documents)))

    def text(query: str, **options: Any) -> dict[str, Any]:
        return {"text": {"path": path, "query": query, **options}}

    return {
        "text 1": [text(query) for query in texts[1]],
        "text 3": [text(query) for query in texts[3]],
        "text 8": [text(query) for query in texts[8]],
        "phrase": [{"phrase": {"path": path, "query": query}} for query in phrases],
        "compound": [
            {"compound": {"must": [text(query)], "filter": [{"range": {"path": "n", **span}}]}}
            for query, span in zip(texts[2], spans, strict=True)
        ],
        "fuzzy": [text(query, fuzzy={"maxEdits": 1}) for query in texts[1]],
        "sort": [{**text(query), "sort": {"n": 1}} for query in texts[3]],
    }


def _repeat(draw: Callable[[], Any]) -> list[Any]:
    return [draw() for _ in range(QUESTIONS)]


def _words(source: random.Random, words: Sequence[str], count: int) -> str:
    return " ".join(source.choice(words) for _ in range(count))


def _phrase(source: random.Random, documents: Sequence[dict[str, Any]], path: str) -> str:
    while True:
        words = re.findall(r"[a-z]+", source.choice(documents)[path].lower())
        if len(words) > 1:
            at = source.randrange(len(words) - 1)
            if min(len(words[at]), len(words[at + 1])) >= 4:
                return f"{words[at]} {words[at + 1]}"


def _span(source: random.Random, size: int) -> dict[str, int]:
    start = source.randrange(size - size // 10)
    return {"gte": start, "lt": start + size // 10}
