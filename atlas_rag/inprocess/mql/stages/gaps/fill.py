"""`$fill`: values for fields that are null or missing, fixed ones or such as a series suggests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.stages.registry import STAGES, Build, Rows, Run, stage
from atlas_rag.inprocess.mql.stages.structs import Struct
from atlas_rag.inprocess.mql.values import type_name
from atlas_rag.inprocess.rendering import render_field

_STRUCT = Struct(
    {"partitionBy": "object", "partitionByFields": "strings", "sortBy": "object", "output": "object"},
    ("output",),
)
_OUTPUT = Struct({"value": "any", "method": "string"})
_METHODS = {"locf": "$locf", "linear": "$linearFill"}


@stage("$fill")
def fill(argument: Any, build: Build) -> Run:
    """Is what a server makes of it: `$setWindowFields` for the methods, then `$addFields` for the values."""
    if not isinstance(argument, Mapping):
        raise CommandError(9, f"The $fill stage specification must be an object, found {type_name(argument)}")
    given = _STRUCT.read("$fill", argument)
    if not given["output"]:
        text = "The output field in '$fill' must contain an object with at least one element"
        raise CommandError(6050203, text)
    windows: dict[str, Any] = {}
    values: dict[str, Any] = {}
    for path, fields in given["output"].items():
        output = _read_output(fields)
        if "method" in output:
            windows[path] = {_METHODS[output["method"]]: f"${path}"}
        elif "value" in output:
            values[path] = {"$ifNull": [f"${path}", output["value"]]}
    _check_partitions(given)
    return _both(_window_stage(given, windows, build), _value_stage(values, build))


def _window_stage(given: Mapping[str, Any], windows: dict[str, Any], build: Build) -> Run | None:
    if not windows:
        return None
    specification: dict[str, Any] = {"output": windows}
    if "sortBy" in given:
        specification["sortBy"] = given["sortBy"]
    if "partitionBy" in given:
        specification["partitionBy"] = given["partitionBy"]
    elif "partitionByFields" in given:
        specification["partitionBy"] = {path: f"${path}" for path in given["partitionByFields"]}
    return STAGES["$setWindowFields"].compile(specification, build)


def _value_stage(values: dict[str, Any], build: Build) -> Run | None:
    return STAGES["$addFields"].compile(values, build) if values else None


def _both(first: Run | None, second: Run | None) -> Run:
    def run(rows: Rows, variables: dict[str, Any]) -> Rows:
        for step in (first, second):
            rows = step(rows, variables) if step is not None else rows
        return rows

    return run


def _check_partitions(given: Mapping[str, Any]) -> None:
    if "partitionBy" in given and "partitionByFields" in given:
        text = "Maximum one of 'partitionBy' and 'partitionByFields can be specified in '$fill'"
        raise CommandError(6050204, text)
    paths = given.get("partitionByFields", ())
    if len(set(paths)) < len(paths):
        literal = ", ".join(render_field(path, f"${path}") for path in paths)
        raise CommandError(16406, f"duplicate field name specified in object literal: {{ {literal} }}")


def _read_output(fields: Any) -> Mapping[str, Any]:
    if not isinstance(fields, Mapping):
        text = "Each fill output specification must be an object with exactly one field"
        raise CommandError(6050200, text)
    output = _OUTPUT.read("$fill", fields)
    if "method" in output and "value" in output:
        text = "Each fill output specification must have exactly one of 'method' or 'value' fields, not both"
        raise CommandError(6050201, text)
    if output.get("method", "locf") not in _METHODS:
        raise CommandError(6050202, "Method must be either locf or linear")
    return output
