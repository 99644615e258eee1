"""`$regexMatch`, `$regexFind`, `$regexFindAll`."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pcre2
from bson import Regex

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.expressions.arguments import compile_in_order, named, require
from atlas_rag.inprocess.mql.expressions.define import special, unfolded_call
from atlas_rag.inprocess.mql.expressions.folding import fold
from atlas_rag.inprocess.mql.expressions.operands import nullish
from atlas_rag.inprocess.mql.expressions.scope import Constant, Evaluate, Scope
from atlas_rag.inprocess.mql.match.regex import Expression, SearchFailed, compile_regex
from atlas_rag.inprocess.mql.values.order import regex_flags

_FIELDS = ("input", "regex", "options")


def _pattern(name: str, regex: Any, options: Any) -> Expression | None:
    """Returns the compiled expression, None if it is null; its options are checked nevertheless."""
    is_null = nullish(regex)
    if is_null:
        regex = ""
    flags = ""
    if isinstance(regex, (Regex, re.Pattern)):
        flags, regex = regex_flags(regex), regex.pattern
    elif not isinstance(regex, str):
        raise CommandError(51105, f"{name} needs 'regex' to be of type string or regex")
    if not (nullish(options) or isinstance(options, str)):
        raise CommandError(51106, f"{name} needs 'options' to be of type string")
    if flags and not nullish(options):
        text = "found regex option(s) specified in both 'regex' and 'option' fields"
        raise CommandError(51107, f"{name}: {text}")
    if "\0" in regex:
        raise CommandError(51109, f"{name}: regular expression cannot contain an embedded null byte")
    try:
        pattern = compile_regex(regex, flags or ("" if nullish(options) else options))
    except CommandError as error:
        if error.code == 51091:
            raise CommandError(
                51111, f"Invalid Regex in {name}: {error.message.partition(': ')[2]}"
            ) from None
        raise CommandError(error.code, f"{name}{error.message}") from None
    return None if is_null else pattern


def _text(name: str, value: Any) -> str | None:
    if nullish(value):
        return None
    if not isinstance(value, str):
        raise CommandError(51104, f"{name} needs 'input' to be of type string")
    return value


def _found(match: pcre2.Match) -> dict[str, Any]:
    return {"match": match.group(), "idx": match.start(), "captures": list(match.groups())}


def _matches(text: str, pattern: Expression) -> bool:
    return pattern.find(text) is not None


def _first(text: str, pattern: Expression) -> dict[str, Any] | None:
    match = pattern.find(text)
    return _found(match) if match else None


def _all(text: str, pattern: Expression) -> list[dict[str, Any]]:
    # The server does not try the position behind the last character, unless there is no other.
    found: list[dict[str, Any]] = []
    position = 0
    while match := pattern.find(text, position):
        found.append(_found(match))
        position = match.end() if match.end() > match.start() else match.start() + 1
        if position >= len(text):
            break
    return found


def _register(name: str, search: Callable[[str, Expression], Any], nothing: Callable[[], Any]) -> None:
    def apply(value: Any, regex: Any, options: Any) -> Any:
        text = _text(name, value)
        pattern = _pattern(name, regex, options)
        if text is None or pattern is None:
            return nothing()
        try:
            return search(text, pattern)
        except SearchFailed as failure:
            reason = f"Error occurred while executing the regular expression in {name}. Result code: "
            raise CommandError(51156, f"{reason}{failure.result_code}") from None

    @special(name)
    def compile_call(argument: Any, scope: Scope) -> Evaluate:
        given = named(argument, 51103, name + " expects an object of named arguments but found: {}")
        unknown = (31024, name + " found an unknown argument: {}")
        compiled = compile_in_order(given, _FIELDS, unknown, scope)
        require(given, name + " requires '{}' parameter", {"input": 31022, "regex": 31023})
        operands = [compiled.get(key, Constant(None)) for key in _FIELDS]
        _check_constant(name, operands)
        return unfolded_call(apply, operands)


def _check_constant(name: str, operands: list[Evaluate]) -> None:
    """A constant expression is compiled, and refused, before any document is read."""
    _, regex, options = operands
    if isinstance(regex, Constant) and isinstance(options, Constant):
        fold(lambda: _pattern(name, regex.value, options.value))


_register("$regexMatch", _matches, lambda: False)
_register("$regexFind", _first, lambda: None)
_register("$regexFindAll", _all, list)
