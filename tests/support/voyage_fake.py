"""What Voyage AI's endpoints answer, as far as their documentation tells: limits, types, truncation, usage.

A text is embedded as hashed words, so that texts with common words are close. One word is one token.
"""

from __future__ import annotations

import base64
import hashlib
import math
import re
from collections import Counter
from typing import Any

import numpy as np

from tests.support.http_fake import Answer

TOKENS = {
    "voyage-4": 320_000,
    "voyage-4-lite": 1_000_000,
    "voyage-context-4": 32_000,
    "voyage-law-2": 120_000,
}
CONTEXT_TOKENS = 32_000
OF_ONE_LENGTH = ("voyage-law-2", "voyage-multimodal-3")
LENGTHS = (256, 512, 1024, 2048)
TYPES = ("float", "int8", "uint8", "binary", "ubinary")
RERANK_TOKENS = {"rerank-2.5": (8_000, 32_000, 600_000), "rerank-lite-1": (1_000, 4_000, 300_000)}
PIXELS = 640 * 480


class Refused(Exception):  # noqa: N818 - it is an answer
    """An answer of status 400."""


def answer(path: str, body: dict[str, Any]) -> Answer:
    """The answer to one request, for `serving`."""
    endpoint = ENDPOINTS[path.removeprefix("/v1").strip("/")]
    try:
        return 200, endpoint(body), {}
    except Refused as refusal:
        return 400, {"detail": str(refusal)}, {}


def words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def hashed(text: str, dimensions: int) -> Any:
    """Signed counts of hashed words, of unit length."""
    vector = np.zeros(dimensions)
    for word, count in Counter(words(text)).items():
        code = int.from_bytes(hashlib.blake2b(word.encode(), digest_size=8).digest(), "little")
        vector[code % dimensions] += count if code >> 40 & 1 else -count
    length = np.linalg.norm(vector)
    return vector / length if length else vector


def typed(vector: Any, kind: str) -> Any:
    """The numbers of an output type; `binary` is `ubinary` less 128."""
    if kind == "ubinary":
        return np.packbits(vector > 0)
    if kind == "binary":
        return (np.packbits(vector > 0).astype("i2") - 128).astype("i1")
    if kind == "float":
        return vector.astype("<f4")
    scaled = np.round(vector * 127)
    return scaled.astype("i1") if kind == "int8" else (scaled + 128).astype("u1")


def _embeddings(body: dict[str, Any]) -> dict[str, Any]:
    texts = body["input"]
    _check_items(texts)
    if not all(text.strip() for text in texts):
        raise Refused("input cannot contain empty strings")
    return _listed(body, [_encoded(body, text) for text in texts], _counted(body, texts))


def _contextualized(body: dict[str, Any]) -> dict[str, Any]:
    documents = body["inputs"]
    _check_items(documents)
    if body["input_type"] == "query" and any(len(chunks) != 1 for chunks in documents):
        raise Refused("a query is one text")
    lists = [
        _listed(body, [_encoded(body, f"{chunk} {' '.join(chunks)}") for chunk in chunks], 0)
        for chunks in documents
    ]
    data = [{"object": "list", "data": one["data"], "index": index} for index, one in enumerate(lists)]
    total = _counted(body, [chunk for chunks in documents for chunk in chunks])
    return {"object": "list", "data": data, "model": body["model"], "usage": {"total_tokens": total}}


def _multimodal(body: dict[str, Any]) -> dict[str, Any]:
    inputs = body["inputs"]
    _check_items(inputs)
    texts = [" ".join(part.get("text", "") for part in one["content"]) for one in inputs]
    images = sum("image" in part["type"] for one in inputs for part in one["content"])
    tokens = _counted(body, texts)
    result = _listed(body, [_encoded(body, text) for text in texts], tokens + images * PIXELS // 560)
    result["usage"] |= {"text_tokens": tokens, "image_pixels": images * PIXELS, "video_pixels": 0}
    return result


def _rerank(body: dict[str, Any]) -> dict[str, Any]:
    query, texts = words(body["query"]), [words(text) for text in body["documents"]]
    of_query, of_pair, of_all = RERANK_TOKENS[body["model"]]
    if len(texts) > 1000 or not all(body["documents"]):
        raise Refused("1 to 1000 documents that are not empty")
    if body["truncation"]:
        query = query[:of_query]
        texts = [text[: of_pair - len(query)] for text in texts]
    if len(query) > of_query or any(len(query) + len(text) > of_pair for text in texts):
        raise Refused("too many tokens for the context")
    total = len(query) * len(texts) + sum(map(len, texts))
    if total > of_all:
        raise Refused(f"too many tokens: {total}")
    scores = [len(set(query) & set(text)) / (1 + math.log1p(len(text))) for text in texts]
    order = sorted(range(len(texts)), key=lambda index: -scores[index])
    data = [{"relevance_score": scores[index], "index": index} for index in order]
    return {"object": "list", "data": data, "model": body["model"], "usage": {"total_tokens": total}}


def _check_items(items: list[Any]) -> None:
    if not 1 <= len(items) <= 1000:
        raise Refused(f"{len(items)} items")


def _counted(body: dict[str, Any], texts: list[str]) -> int:
    counts = [len(words(text)) for text in texts]
    if body.get("truncation", True):
        counts = [min(count, CONTEXT_TOKENS) for count in counts]
    if max(counts) > CONTEXT_TOKENS:
        raise Refused("a text is longer than the context")
    if sum(counts) > TOKENS.get(body["model"], 120_000):
        raise Refused(f"too many tokens: {sum(counts)}")
    return sum(counts)


def _encoded(body: dict[str, Any], text: str) -> str:
    dimensions = body.get("output_dimension") or 1024
    kind = body.get("output_dtype") or "float"
    one_length = body["model"] in OF_ONE_LENGTH
    if (one_length and body.get("output_dimension")) or dimensions not in LENGTHS:
        raise Refused("output_dimension is invalid for the model")
    if kind not in TYPES or (one_length and body.get("output_dtype")):
        raise Refused("output_dtype is invalid for the model")
    return base64.b64encode(typed(hashed(text, dimensions), kind).tobytes()).decode()


def _listed(body: dict[str, Any], vectors: list[str], tokens: int) -> dict[str, Any]:
    data = [{"object": "embedding", "embedding": one, "index": index} for index, one in enumerate(vectors)]
    return {"object": "list", "data": data, "model": body["model"], "usage": {"total_tokens": tokens}}


ENDPOINTS = {
    "embeddings": _embeddings,
    "contextualizedembeddings": _contextualized,
    "multimodalembeddings": _multimodal,
    "rerank": _rerank,
}
