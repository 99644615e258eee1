"""Field paths and variables: `$a.b`, `$$name.a.b`."""

from __future__ import annotations

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.expressions.scope import SYSTEM_VARIABLES, Constant, Evaluate, Scope
from atlas_rag.inprocess.mql.values import MISSING
from atlas_rag.inprocess.mql.values.paths import REFERENCE_FIELDS, reader, value_at


def check_path(path: str) -> None:
    """Checks a dotted path without its dollar. Raises 40352, 40353, 15998, 16410, 16411."""
    if path.isidentifier():  # most are: nothing in it can be wrong
        return
    if not path:
        raise CommandError(40352, "FieldPath cannot be constructed with empty string")
    if path.endswith("."):
        raise CommandError(40353, "FieldPath must not end with a '.'.")
    first, *others = path.split(".")
    check_field_name(first)
    for name in others:
        if name not in REFERENCE_FIELDS:
            check_field_name(name)


def check_field_name(name: str) -> None:
    """Checks one name of a path. Raises 15998, 16410, 16411, 16412."""
    if not name:
        raise CommandError(15998, "FieldPath field names may not be empty strings.")
    if name.startswith("$"):
        text = "FieldPath field names may not start with '$'. Consider using $getField or $setField."
        raise CommandError(16410, text)
    if "\0" in name:
        raise CommandError(16411, "FieldPath field names may not contain '\0'.")
    if "." in name:
        text = "FieldPath field names may not contain '.'. Consider using $getField or $setField."
        raise CommandError(16412, text)


def compile_path(text: str, scope: Scope) -> Evaluate:
    """Compiles a string that begins with a dollar."""
    if text.startswith("$$"):
        return _compile_variable(text[2:], scope)
    path = text[1:]
    if not path:
        raise CommandError(16872, "'$' by itself is not a valid FieldPath")
    check_path(path)
    if "CURRENT" in scope.variables:
        return _from_variable("CURRENT", path.split("."))
    read = reader(path)
    if "." in path:
        return lambda row, _: read(row.doc)
    return lambda row, _: row.doc.get(path, MISSING)


def _compile_variable(text: str, scope: Scope) -> Evaluate:
    name, _, path = text.partition(".")
    check_variable_name(name, reading=True)
    if "." in text:
        check_path(path)
    parts = path.split(".") if path else []
    if name not in scope.variables and name not in SYSTEM_VARIABLES:
        raise CommandError(17276, f"Use of undefined variable: {name}")
    if name == "REMOVE":
        return Constant(MISSING)
    if name in ("ROOT", "CURRENT") and name not in scope.variables:
        return (lambda row, _: value_at(row.doc, parts)) if parts else (lambda row, _: row.doc)
    if name == "SEARCH_META" and name not in scope.variables and scope.search_meta is not None:
        raise CommandError(*scope.search_meta)
    return _from_variable(name, parts)


def _from_variable(name: str, parts: list[str]) -> Evaluate:
    if parts:
        return lambda _, variables: value_at(variables.get(name, MISSING), parts)
    return lambda _, variables: variables.get(name, MISSING)


def check_variable_name(name: str, *, reading: bool = False) -> None:
    """Checks a variable's name; only a lower-case (or non-ASCII) first letter may be defined by a user."""
    if not name:
        raise CommandError(9, "empty variable names are not allowed")
    first = name[0]
    allowed_first = first.islower() or ord(first) > 127 or (reading and "A" <= first <= "Z")
    if not allowed_first and name != "CURRENT":
        text = f"'{name}' starts with an invalid character for a user variable name"
        raise CommandError(9, text)
    for letter in name[1:]:
        if not (letter.isascii() and letter.isalnum()) and letter != "_" and ord(letter) < 128:
            raise CommandError(9, f"'{name}' contains an invalid character for a variable name: '{letter}'")
