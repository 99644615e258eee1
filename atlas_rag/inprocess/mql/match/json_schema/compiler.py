"""A schema, read keyword by keyword."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.match.arguments import FAILED_TO_PARSE, TYPE_MISMATCH
from atlas_rag.inprocess.mql.match.json_schema import arrays, encryption, logic, objects, scalars, types
from atlas_rag.inprocess.mql.match.json_schema.keyword import Compile, Keyword, every
from atlas_rag.inprocess.mql.match.paths import Test

_UNSUPPORTED = frozenset({"$ref", "$schema", "default", "definitions", "format", "id"})


def compile_schema(schema: Any, *, is_root: bool = True) -> Test:
    """Returns the test that a value is valid.

    A keyword says something only about values of its own type, as `maxLength` about strings; all others pass.

    Args:
        is_root: the value will be a whole document.

    Raises:
        CommandError: code 9 (unknown keyword, or an argument without sense), 14 (argument of the wrong type),
            2 (unknown type name, no schemas to combine), 51091 (pattern).
    """
    if not isinstance(schema, Mapping):
        raise CommandError(TYPE_MISMATCH, "$jsonSchema must be an object")
    here = partial(compile_schema, is_root=is_root)
    below = partial(compile_schema, is_root=False)
    for name in schema:
        _check_name(name)
    tests = [
        compile_keyword(Keyword(name, schema[name], schema, here, below, is_root))
        for name, compile_keyword in _KEYWORDS.items()
        if name in schema
    ]
    return every([test for test in tests if test is not None])


def _check_name(name: str) -> None:
    if name in _UNSUPPORTED:
        text = f"$jsonSchema keyword '{name}' is not currently supported"
        raise CommandError(FAILED_TO_PARSE, text)
    if name not in _KEYWORDS:
        raise CommandError(FAILED_TO_PARSE, f"Unknown $jsonSchema keyword: {name}")


def _remark(keyword: Keyword) -> None:
    """`title` and `description` are for readers."""
    if not isinstance(keyword.argument, str):
        raise keyword.mismatch("must be of type string")


# In the order in which a server reads them, whatever the schema's own.
_KEYWORDS: dict[str, Compile] = {
    "description": _remark,
    "title": _remark,
    **types.KEYWORDS,
    **scalars.KEYWORDS,
    **arrays.KEYWORDS,
    **encryption.KEYWORDS,
    **objects.KEYWORDS,
    **logic.KEYWORDS,
}
