"""Whether a text says anything, and its most telling words where it says too much."""

from __future__ import annotations

import re
import unicodedata

from atlas_rag.errors import CallError
from atlas_rag.query.keywords import STOP_WORDS

CONTENT = frozenset("LN")
"""Unicode categories of what a search can look for: letters and numbers; pictographs (So) count as well."""

WORD = r"[\u3040-\u309f\u3400-\u9fff\uf900-\ufaff]|[^\W\u3040-\u309f\u3400-\u9fff\uf900-\ufaff]{1,255}"
"""Words as the standard tokenizer cuts them: ideographs and Hiragana letters alone, at most 255 letters."""


def has_content(text: str) -> bool:
    """Whether there is a letter, a number or a pictograph in it.

    >>> has_content(" ?! "), has_content("C")
    (False, True)
    """
    return any(category[0] in CONTENT or category == "So" for category in map(unicodedata.category, text))


def most_telling(text: str, most: int) -> tuple[str, int]:
    """The text cut to at most so many different words, and how many there were.

    A text of more words, of which few are different, is these few: repetitions cost clauses as well.
    Words are kept in their order: those that are no function words of a known language first, since these
    stand in the most documents, then by first appearance.

    Args:
        most: ≥ 1.
    """
    found = re.findall(WORD, text)
    words = list(dict.fromkeys(found))
    if len(found) <= most:
        return text, len(words)
    if len(words) <= most:
        return " ".join(words), len(words)
    common = frozenset().union(*STOP_WORDS.values())
    telling = sorted(words, key=lambda word: word.casefold() in common)[:most]
    kept = set(telling)
    return " ".join(word for word in words if word in kept), len(words)


def check_text(text: str, name: str) -> str:
    """The text, if it can be sent: Unicode without half characters.

    Raises:
        CallError: INVALID_OPTION for a lone surrogate, which no UTF-8 can hold; or for what is no string.
    """
    if not isinstance(text, str):
        raise CallError(f"{name} is a {type(text).__name__}", expected="a string")
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise CallError(
            f"{name} holds half a character (U+{ord(text[error.start]):04X}, a lone surrogate) "
            f"at position {error.start}",
            expected="text that UTF-8 can hold",
            next_step="cut texts between characters, or drop it: text.encode('utf-8', 'ignore').decode()",
        ) from None
    return text
