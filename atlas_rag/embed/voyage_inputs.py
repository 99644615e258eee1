"""What Voyage AI is sent: texts and images that can be embedded, and about how many tokens they have."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from atlas_rag.errors import CallError
from atlas_rag.providers.texts import most_tokens
from atlas_rag.query.content import check_text

PIECE_TOKENS = 4_000
"""Counted for an image: Voyage counts one token for 560 pixels, so this is one of 2.2 megapixels."""


def sound(text: str, name: str) -> str:
    """The text, if it can be embedded.

    Raises:
        CallError: INVALID_OPTION, it is empty, no string, or holds half a character.
    """
    if not check_text(text, name).strip():
        raise CallError(f"{name} is empty", expected="text", next_step="leave it out")
    return text


def all_sound(texts: Iterable[str], name: str) -> list[str]:
    """The texts, if each can be embedded; otherwise the first that cannot is named by its position."""
    if isinstance(texts, str):
        raise CallError("The texts are one string", expected="a list of strings", next_step="pass [text]")
    return [sound(text, f"{name} {position}") for position, text in enumerate(texts)]


def media(inputs: Sequence[Any]) -> list[Any]:
    """Inputs of texts and images as the official client takes them: all lists, or all dictionaries.

    Raises:
        CallError: INVALID_OPTION, an input is neither, is empty, or is of another kind than the first.
    """
    if isinstance(inputs, str | dict):
        raise CallError(f"The inputs are one {type(inputs).__name__}", expected="a list of inputs")
    found = [one if isinstance(one, dict) else _parts(one, position) for position, one in enumerate(inputs)]
    for position, one in enumerate(found):
        if type(one) is not type(found[0]):
            raise CallError(
                f"Input {position} is a {type(one).__name__}, input 0 a {type(found[0]).__name__}",
                expected="lists only, or dictionaries only",
            )
        if isinstance(one, dict) and not one.get("content"):
            raise CallError(f"Input {position} has no content", expected='{"content": [{"type": …}, …]}')
    return found


def tokens_of(value: Any) -> int:
    """A cautious estimate for a text, for chunks together, or for texts and images together."""
    if isinstance(value, str):
        return most_tokens(value)
    if isinstance(value, list):
        return sum(map(tokens_of, value))
    if isinstance(value, dict) and "content" in value:
        return tokens_of([part.get("text") or part for part in value["content"]])
    return PIECE_TOKENS


def _parts(given: Any, position: int) -> list[Any]:
    name = f"Input {position}"
    if isinstance(given, str):
        return [sound(given, name)]
    if not isinstance(given, Sequence) or not given:
        shown = "empty" if isinstance(given, Sequence) else f"a {type(given).__name__}"
        raise CallError(f"{name} is {shown}", expected="a text, a list of texts and images, or a dictionary")
    return [
        sound(part, f"{name}, part {i}") if isinstance(part, str) else part for i, part in enumerate(given)
    ]
