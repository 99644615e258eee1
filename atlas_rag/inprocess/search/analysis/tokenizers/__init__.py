"""Tokenizers: from text to tokens, offsets in code points."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from atlas_rag.inprocess.search.analysis.token import Token


class Tokenizer(Protocol):
    """Cuts a text into tokens."""

    def tokenize(self, text: str) -> list[Token]: ...


@runtime_checkable
class PieceTokenizer(Tokenizer, Protocol):
    """A tokenizer for which some characters separate whatever stands around them.

    Tokenizing the pieces between them, one after another, gives the tokens of the whole.
    """

    def pieces(self, text: str) -> list[str]: ...
