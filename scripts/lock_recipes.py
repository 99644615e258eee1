"""What each version of a recipe sends for one fixed question, on every route it can take.

python -m scripts.lock_recipes     locks versions that are not locked yet; those that are never change
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from bson import json_util

from atlas_rag import Filter, LocalClient, Plan, Route, Vector, as_vector
from atlas_rag.cli.recipes import retriever_of
from atlas_rag.drivers.choose import engine_for
from atlas_rag.indexes import ensure_indexes
from atlas_rag.recipes import Recipe, data_folder, read_recipe, recipe_names
from atlas_rag.wire import drive

FOLDER = data_folder() / "locked"
QUESTION = "read a csv file"
VALUE = "module"
"""What the first path that can be filtered by is compared with."""
LIMIT = 5


def file_of(recipe: Recipe) -> Path:
    """Where a version is locked."""
    return FOLDER / f"{recipe.id}.json"


def emission(recipe: Recipe) -> dict[str, Any]:
    """The commands by route; vectors as their kind and length."""
    fusions = (Route.NATIVE, Route.EMULATED, Route.CLIENT)
    plans = [_plan(recipe, allowed) for allowed in (fusions if len(recipe.inputs) > 1 else fusions[:1])]
    return {
        "recipe": recipe.name,
        "version": recipe.version,
        "question": {"text": QUESTION, "filter": condition(recipe).to_dict(), "limit": LIMIT},
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


def condition(recipe: Recipe) -> Filter:
    """A filter that every index of the recipe can keep."""
    return Filter.where(filter_paths(recipe)[0], VALUE)


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


def main() -> int:
    """Exit code 1 if a locked version would emit something else."""
    changed = []
    for recipe in map(read_recipe, recipe_names()):
        text = json.dumps(emission(recipe), indent=1, ensure_ascii=False) + "\n"
        file = file_of(recipe)
        if not file.exists():
            file.write_text(text, encoding="utf-8")
        elif file.read_text(encoding="utf-8") != text:
            changed.append(f"{recipe.name} {recipe.version} emits something else: give it a new version")
    sys.stderr.writelines(f"{line}\n" for line in changed)
    return 1 if changed else 0


if __name__ == "__main__":
    sys.exit(main())
