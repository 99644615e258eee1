"""Which words count as keywords, and how a rewriter's reply is read."""

from __future__ import annotations

import pytest

from atlas_rag import CallError, RewriteDecision
from atlas_rag.query.keywords import extract_keywords, has_keywords
from atlas_rag.retriever.rewrite import read_reply


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("What is error 7203?", ["error", "7203"]),
        ("ISO-27001 or GPT-4?", ["ISO-27001", "GPT-4"]),
        ("C++ and C# and R", ["C++", "C#", "R"]),
        ("is AI in K8s ok", ["AI", "K8s"]),
        ('find "free returns" please', ["find", "free returns"]),
        ("find “free returns”", ["find", "free returns"]),
        ("snake_case v1.2.3 wi-fi", ["snake_case", "v1.2.3", "wi-fi"]),
        ("Refund refund REFUND", ["Refund"]),
        ("how are you", []),
        ("it's out of our hands", ["hands"]),
        ("日本語の検索", ["日本語の検索"]),
        ("", []),
        ("?!", []),
        ("a b c d e f g h i", []),
        (
            "one two three four five six seven eight nine ten",
            ["one", "two", "three", "four", "five", "six", "seven", "eight"],
        ),
    ],
)
def test_keywords(text: str, kept: list[str]) -> None:
    assert list(extract_keywords(text).kept) == kept
    assert has_keywords(text) == bool(kept)


def test_what_is_dropped_has_its_reason() -> None:
    dropped = dict(extract_keywords("the refund refund ok is nine", cap=1).dropped)
    assert dropped == {
        "the": "stop word",
        "refund": "repeated",
        "ok": "too short",
        "is": "stop word",
        "nine": "over the cap",
    }


def test_languages() -> None:
    assert extract_keywords("wann kommt das Paket", language="german").kept == ("kommt", "Paket")
    assert extract_keywords("the paper", language="none").kept == ("the", "paper")
    with pytest.raises(CallError, match="klingon"):
        extract_keywords("x", language="klingon")
    with pytest.raises(CallError, match="cap"):
        extract_keywords("x", cap=0)


@pytest.mark.parametrize(
    ("reply", "decision"),
    [
        ("[PASS]", RewriteDecision(search=False)),
        ("  [PASS]\n", RewriteDecision(search=False)),
        ("what does [PASS] mean", RewriteDecision(query="what does [PASS] mean")),
        ("refund time", RewriteDecision(query="refund time")),
        (
            "refund time\nKEYWORDS: refund, days",
            RewriteDecision(query="refund time", keywords=("refund", "days")),
        ),
        ("everything but cats\nKEYWORDS:", RewriteDecision(query="everything but cats", keywords=())),
        ("keywords: a", RewriteDecision(keywords=("a",))),
        ("   ", RewriteDecision()),
    ],
)
def test_replies(reply: str, decision: RewriteDecision) -> None:
    assert read_reply(reply) == decision
