"""`$documents`: rows written down in the pipeline itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.stages.registry import Build, Rows, Run, stage
from atlas_rag.inprocess.mql.stages.shaping.projection_parser import parse_project, within_stage
from atlas_rag.inprocess.mql.values import type_name
from atlas_rag.inprocess.mql.values.row import Row
from atlas_rag.inprocess.mql.values.shown import shown

_FIELD = "documents"


@stage("$documents", is_source=True, in_facet=False, needs_no_collection=True)
def documents(argument: Any, build: Build) -> Run:
    """The elements of an array expression, which is read as a field of a `$project` is."""
    try:
        projection = parse_project([(_FIELD, argument)], build.scope)
    except CommandError as error:
        raise within_stage("$documents", error) from None

    def run(rows: Rows, variables: dict[str, Any]) -> Iterator[Row]:
        items = projection.apply({}, Row({}), variables).get(_FIELD)
        if not isinstance(items, list):
            raise CommandError(5858203, "an array is expected")
        for item in items:
            if not isinstance(item, Mapping):
                text = f"must evaluate to an object, but resulting value was: {shown(item)}."
                kind = f"Type of resulting value: '{type_name(item)}'. Input document: {{}}"
                raise CommandError(40228, f"elements within the array passed to $documents {text} {kind}")
            yield Row(item)

    return run
