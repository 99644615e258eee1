"""Regular expressions of the plain language, wherever they stand: one door, one bound on their work.

dialect (the server's spelling) → expression (PCRE2, in steps) → here (codes and texts)
"""

from __future__ import annotations

import re
from typing import Any

from bson import Regex

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.match.regex.expression import (
    Expression,
    InvalidPattern,
    SearchFailed,
    compiled,
)
from atlas_rag.inprocess.mql.values.order import regex_flags

__all__ = ["Expression", "SearchFailed", "compile_regex", "compiled_value", "regex_text"]

_OPTIONS = frozenset("imsxu")


def compile_regex(pattern: str, options: str = "") -> Expression:
    """Returns a compiled expression. Raises code 51091 (invalid pattern) or 51108 (unknown option)."""
    unknown = next((letter for letter in options if letter not in _OPTIONS), None)
    if unknown is not None:
        raise CommandError(51108, f" invalid flag in regex options: {unknown}")
    try:
        return compiled(pattern, options)
    except InvalidPattern as invalid:
        raise CommandError(51091, f"Regular expression is invalid: {invalid}") from None


def compiled_value(value: Regex[Any] | re.Pattern[Any]) -> Expression:
    """Returns a stored regular expression in compiled form."""
    return compile_regex(regex_text(value), regex_flags(value))


def regex_text(value: Regex[Any] | re.Pattern[Any]) -> str:
    """Returns the pattern of a stored regular expression."""
    pattern = value.pattern
    return pattern.decode() if isinstance(pattern, bytes) else str(pattern)
