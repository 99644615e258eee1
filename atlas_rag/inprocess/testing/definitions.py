"""Search indexes from definition files."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any


def read_models(path: Path | str) -> Iterator[dict[str, Any]]:
    """Yields the index models of a JSON file, or of all `*.json` files of a folder in order of their names.

    A file holds one model, `{"name": …, "type": …, "definition": {…}}`, or a list of them.

    Raises:
        ValueError: a file holds something else; the text names it.
        OSError: it cannot be read.
    """
    path = Path(path)
    for file in sorted(path.glob("*.json")) if path.is_dir() else [path]:
        content = json.loads(file.read_text(encoding="utf-8"))
        for model in content if isinstance(content, list) else [content]:
            if not isinstance(model, Mapping) or not isinstance(model.get("definition"), Mapping):
                raise ValueError(f"{file} holds no index model; expected an object with a definition")
            unknown = model.keys() - {"name", "type", "definition"}
            if unknown:
                raise ValueError(f"{file}: unknown fields {sorted(unknown)} beside name, type and definition")
            yield dict(model)


def load_indexes(collection: Any, *paths: Path | str) -> list[str]:
    """Creates the search indexes of some definition files on a collection and returns their names.

    Args:
        collection: in-process, or of any synchronous PyMongo client; made when it does not exist.
        paths: files or folders, as for `read_models`.
    """
    models = [model for path in paths for model in read_models(path)]
    if collection.name not in collection.database.list_collection_names():
        collection.database.create_collection(collection.name)
    names: list[str] = collection.create_search_indexes(models)
    return names
