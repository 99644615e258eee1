"""The other collection of a join, as it is named in `from` or made up by `$documents`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.stages.structs import Struct
from atlas_rag.inprocess.mql.values import type_name

_NAMES = Struct({"db": "string", "coll": "string"})


def foreign_collection(stage: str, value: Any) -> str:
    """Returns the collection that `from` names.

    Raises:
        CommandError: code 9 (no string; the form with `db` and `coll` is for a server's own collections),
            14 and 40415 (that form is malformed), 73 (no name).
    """
    if isinstance(value, Mapping):
        _NAMES.read("from", value)
        syntax = "with syntax {from: {db:<>, coll:<>},..} is not supported"
        names = f"db: {value.get('db') or ''} and coll: {value.get('coll') or ''}"
        raise CommandError(9, f"{stage} {syntax} for {names}")
    if not isinstance(value, str):
        raise CommandError(9, f"{stage} 'from' field must be a string, but found {type_name(value)}")
    if not value:
        raise CommandError(73, f"invalid {stage} namespace: ")
    return value


def check_starts_with_documents(stage: str, stages: Sequence[Mapping[str, Any]]) -> None:
    """Refuses, with code 9, a pipeline that has no collection and makes no documents itself."""
    if not stages or "$documents" not in stages[0]:
        text = "stage without explicit collection must have a pipeline with $documents as first stage"
        raise CommandError(9, f"{stage} {text}")
