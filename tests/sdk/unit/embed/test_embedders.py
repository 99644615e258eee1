"""Embedders that need no download: deterministic, of unit length, and closer for closer texts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from atlas_rag import CallError, HashingEmbedder, LsaEmbedder, as_vector
from atlas_rag.embed import OnnxEmbedder
from atlas_rag.embed.word_pieces import vocabulary, word_pieces
from tests.support.shared import shared_path

TEXTS = [
    "refunds are paid within five days",
    "keep the receipt for refunds and returns",
    "parcels ship every morning from lisbon",
    "track parcels with the tracking number",
    "returns are free within thirty days",
    "the morning parcels from lisbon are tracked",
]


def make(kind: str) -> Any:
    if kind == "hashing":
        return HashingEmbedder(256)
    if kind == "lsa":
        return LsaEmbedder.fit(TEXTS, dimensions=4)
    pytest.importorskip("onnxruntime")
    return OnnxEmbedder()


KINDS = pytest.mark.parametrize("kind", ["hashing", "lsa", "onnx"])


@KINDS
def test_vectors_are_unit_long_repeatable_and_in_order(kind: str) -> None:
    embedder = make(kind)
    vectors = np.array(embedder.embed_documents(TEXTS), dtype=np.float64)
    assert vectors.shape == (len(TEXTS), embedder.dimensions)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    again = np.array([embedder.embed_query(text) for text in TEXTS])
    assert np.allclose(vectors, again, atol=2e-2 if kind == "onnx" else 1e-6)
    assert as_vector(embedder.embed_query(TEXTS[0])).dimensions == embedder.dimensions


@KINDS
def test_closer_texts_are_closer(kind: str) -> None:
    embedder = make(kind)
    question = np.array(embedder.embed_query("tracking parcels from lisbon"))
    scores = np.array(embedder.embed_documents(TEXTS)) @ question
    assert min(scores[[2, 3, 5]]) > max(scores[[0, 1, 4]])


def test_hashing_is_the_same_everywhere() -> None:
    vector = HashingEmbedder(8).embed_query("hello world")
    assert [round(value, 6) for value in vector] == HELLO_WORLD
    assert HashingEmbedder(8).embed_query("?!") == [0.0] * 8
    with pytest.raises(CallError):
        HashingEmbedder(4)


HELLO_WORLD = [0.387694, -0.387694, 0.193847, 0.360002, 0.193847, -0.387694, 0.553849, 0.193847]


def test_lsa_is_saved_and_loaded(tmp_path: Path) -> None:
    embedder = LsaEmbedder.fit(TEXTS, dimensions=4)
    embedder.save(tmp_path / "lsa.npz")
    again = LsaEmbedder.load(tmp_path / "lsa.npz")
    assert again.id == embedder.id
    assert np.array_equal(again.embed_query(TEXTS[0]), embedder.embed_query(TEXTS[0]))
    assert LsaEmbedder.fit(TEXTS, dimensions=4).id == embedder.id
    assert not embedder.embed_query("xyzzy").any()
    with pytest.raises(CallError):
        LsaEmbedder.fit(["one"])


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("Hello, WORLD!", ["hello", ",", "world", "!"]),
        ("Ünïcödé naïve", ["unicode", "naive"]),
        ("unaffable", ["una", "##ffa", "##ble"]),
        ("C++ don't", ["c", "+", "+", "don", "'", "t"]),
        ("日本", ["日", "本"]),
        ("zero\u200bwidth", ["zero", "##wi", "##dt", "##h"]),
        ("\U0001f600", ["[UNK]"]),
        ("x" * 101, ["[UNK]"]),
        ("", []),
    ],
)
def test_word_pieces(text: str, pieces: list[str]) -> None:
    names = {number: piece for piece, number in vocabulary().items()}
    found = [names[number] for number in word_pieces(text, 64)]
    assert found == ["[CLS]", *pieces, "[SEP]"]


def test_word_pieces_stop_at_the_limit() -> None:
    assert len(word_pieces("word " * 500, 256)) == 256


@pytest.mark.shared
def test_onnx_vectors_are_those_of_the_float_model() -> None:
    pytest.importorskip("onnxruntime")
    folder = shared_path("corpora/cranfield")
    lines = (folder / "corpus.jsonl").read_text(encoding="utf-8").splitlines()[:20]
    texts = [f"{one['title']} {one['text']}" for one in map(json.loads, lines)]
    expected = np.load(folder / "minilm_docs.npy")[:20]
    vectors = np.array(OnnxEmbedder().embed_documents(texts))
    assert (vectors * expected).sum(axis=1).min() > 0.998


def test_of_a_word_without_end_the_beginning_counts() -> None:
    embedder = HashingEmbedder(64)
    long = "".join(chr(97 + place % 23) for place in range(255))
    assert embedder.embed_query(long + "z" * 1_000_000) == embedder.embed_query(long)
    assert embedder.embed_query(long[:254]) != embedder.embed_query(long)
