"""What a recipe sends for one fixed question, on every route: kept beside it, so that changes show."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from bson import json_util

from atlas_rag import Filter, LocalClient, Plan, Route, Vector, as_vector
from atlas_rag.cli.recipes import retriever_of
from atlas_rag.drivers.choose import engine_for
from atlas_rag.indexes import ensure_indexes
from atlas_rag.recipes import Recipe
from atlas_rag.wire import drive

QUESTION = "read a csv file"
VALUE = "module"
"""What the first path that can be filtered by is compared with."""
LIMIT = 5


def emission(recipe: Recipe) -> dict[str, Any]:
    """The commands by route; vectors as their kind and length."""
    fusions = (Route.NATIVE, Route.EMULATED, Route.CLIENT)
    kept = condition(recipe)
    plans = [_plan(recipe, allowed) for allowed in (fusions if len(recipe.inputs) > 1 else fusions[:1])]
    return {
        "recipe": recipe.name,
        "version": recipe.version,
        "question": {"text": QUESTION, **({"filter": kept.to_dict()} if kept else {}), "limit": LIMIT},
        "indexes": [index.to_dict() for index in recipe.indexes],
        "routes": {
            plan.route.value: [readable(dict(command.body)) for command in plan.commands()] for plan in plans
        },
    }


def _plan(recipe: Recipe, allowed: Route) -> Plan:
    with LocalClient() as client:
        collection = client["app"]["docs"]
        collection.insert_one({"_id": 1})
        drive(ensure_indexes("app.docs", recipe.indexes), engine_for(collection))
        retriever = retriever_of(recipe, collection, routes=[allowed])
        vector = as_vector([1.0] * (recipe.dimensions or 1))
        return retriever.plan(
            retriever.capability(), QUESTION, vector=vector, filter=condition(recipe), limit=LIMIT
        )


def condition(recipe: Recipe) -> Filter | None:
    """A filter that every index of the recipe can keep: what it requires, else one path; None for none."""
    paths = recipe.required_filters or filter_paths(recipe)[:1]
    return Filter.from_dict(dict.fromkeys(paths, VALUE)) if paths else None


def filter_paths(recipe: Recipe) -> list[str]:
    """The paths that its indexes can filter by."""
    paths: list[str] = []
    for index in recipe.indexes:
        definition: Any = index.to_dict()["definition"]
        paths += [one["path"] for one in definition.get("fields", ()) if one["type"] == "filter"]
        mapped = definition.get("mappings", {}).get("fields", {})
        paths += [path for path, mapping in mapped.items() if mapping["type"] == "token"]
    return list(dict.fromkeys(paths))


def readable(value: Any) -> Any:
    """Extended JSON of a command, its vectors told by kind and length."""
    if isinstance(value, Vector):
        return f"<{value.dtype} × {value.dimensions}>"
    if isinstance(value, dict):
        return {key: readable(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [readable(one) for one in value]
    return json.loads(json_util.dumps(value))


def as_text(recipe: Recipe) -> str:
    """The content of a lock file."""
    return json.dumps(emission(recipe), indent=1, ensure_ascii=False) + "\n"


def file_beside(recipe: Recipe, given: str) -> Path:
    """Where a recipe that was given by its file is locked: beside it; one given by name in this folder."""
    folder = Path(given).parent if given.endswith(".toml") else Path()
    return folder / f"{recipe.id}.lock.json"
