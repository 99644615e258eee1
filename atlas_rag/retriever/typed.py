"""Documents as objects of the caller's own class: a pydantic model or a dataclass."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

from pydantic import BaseModel, ConfigDict, PydanticUserError, TypeAdapter, ValidationError

from atlas_rag.errors import CallError, Code, ReplyError
from atlas_rag.hits import Hit
from atlas_rag.query.refusal import shown


def check_document(kind: Any) -> None:
    """Refuses what documents cannot be made into.

    Raises:
        CallError: INVALID_OPTION.
    """
    if not isinstance(kind, type) or not (issubclass(kind, BaseModel) or dataclasses.is_dataclass(kind)):
        raise CallError(
            f"document is {kind.__name__ if isinstance(kind, type) else shown(kind)}",
            expected="a pydantic model or a dataclass",
            next_step="pass the class itself, or leave it out for mappings",
        )
    try:
        _adapter(kind)
    except PydanticUserError as error:
        raise CallError(
            f"document is {kind.__name__}, which pydantic cannot read into: {error.code}",
            expected="fields whose types it can check",
            next_step="allow arbitrary types in its config, or annotate such fields with Any",
        ) from None


def typed(hit: Hit, kind: Any) -> Hit:
    """The hit with its document as an object of a class; the mapping that it was read from stays at `fields`.

    Raises:
        ReplyError: UNEXPECTED_REPLY naming the field that does not fit, never its value.
    """
    try:
        (document,) = _adapter(kind).validate_python([_given(hit.fields, kind)])
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"][1:]) or "the document"
        raise ReplyError(
            f"The document {hit.id!r} does not fit {kind.__name__}: {where} ({first['type']})",
            expected=f"what {kind.__name__} declares; vectors are not handed out",
            next_step="make the field optional, or filter for documents that have it",
            code=Code.UNEXPECTED_REPLY,
        ) from None
    return replace(hit, document=document, raw=hit.fields)


@lru_cache(maxsize=64)
def _adapter(kind: type[Any]) -> TypeAdapter[Any]:
    """Reads a list of one: a class with settings of its own keeps them, one without may hold any type."""
    return TypeAdapter(list[kind], config=ConfigDict(arbitrary_types_allowed=True))  # type: ignore[valid-type]


def _given(fields: Mapping[str, Any], kind: type[Any]) -> Mapping[str, Any]:
    """The document, with its `_id` as `id` where the class has a field of that name and the document none."""
    if "id" in fields or not _declares_id(kind):
        return fields
    return {"id" if name == "_id" else name: value for name, value in fields.items()}


def _declares_id(kind: type[Any]) -> bool:
    if issubclass(kind, BaseModel):
        field = kind.model_fields.get("id")
        return field is not None and field.validation_alias is None
    return any(field.name == "id" for field in dataclasses.fields(kind))
