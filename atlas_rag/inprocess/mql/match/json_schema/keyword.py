"""What a keyword's compiler is given, and the checks of its argument in the server's words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.match.arguments import (
    FAILED_TO_PARSE,
    TYPE_MISMATCH,
    non_negative_integer,
)
from atlas_rag.inprocess.mql.match.paths import Test
from atlas_rag.inprocess.mql.values import type_name

CompileSchema = Callable[[Any], Test]


class Keyword(NamedTuple):
    """One keyword of one schema.

    Args:
        schema: the schema it stands in; some keywords ask for their neighbours.
        here: compiles a schema for the same value.
        below: compiles a schema for a value inside this one.
        is_root: the value is the whole document.
    """

    name: str
    argument: Any
    schema: Mapping[str, Any]
    here: CompileSchema
    below: CompileSchema
    is_root: bool

    def mismatch(self, text: str) -> CommandError:
        """Returns the refusal of an argument of the wrong type."""
        return CommandError(TYPE_MISMATCH, f"$jsonSchema keyword '{self.name}' {text}")

    def failure(self, text: str) -> CommandError:
        """Returns the refusal of an argument that is of the right type but makes no sense."""
        return CommandError(FAILED_TO_PARSE, f"$jsonSchema keyword '{self.name}' {text}")

    def object(self, text: str = "must be an object") -> Mapping[str, Any]:
        """Returns the argument, an object."""
        if not isinstance(self.argument, Mapping):
            raise self.mismatch(text)
        return self.argument

    def array(self) -> list[Any]:
        """Returns the argument, an array with at least one element."""
        if not isinstance(self.argument, list):
            found = f"but found an element of type {type_name(self.argument)}"
            raise self.mismatch(f"must be an array, {found}")
        if not self.argument:
            raise self.failure("cannot be an empty array")
        return self.argument

    def flag(self) -> bool:
        """Returns the argument, a boolean."""
        if not isinstance(self.argument, bool):
            raise self.mismatch("must be a boolean")
        return self.argument

    def size(self) -> int:
        """Returns the argument, a whole number >= 0."""
        return non_negative_integer(self.name, self.argument)


Compile = Callable[[Keyword], Test | None]


def every(tests: list[Test]) -> Test:
    """Returns the conjunction; true for none."""
    if len(tests) == 1:
        return tests[0]
    return lambda value: all(test(value) for test in tests)


def unless_other_type(is_of_type: Callable[[Any], bool], test: Test) -> Test:
    """Returns a test that says nothing about values of another type: they pass."""
    return lambda value: not is_of_type(value) or test(value)
