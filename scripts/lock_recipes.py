"""What each version of a recipe that comes along sends for one fixed question, on every route it can take.

python -m scripts.lock_recipes     locks versions that are not locked yet; those that are never change
"""

from __future__ import annotations

import sys
from pathlib import Path

from atlas_rag.cli.locking import as_text
from atlas_rag.recipes import Recipe, data_folder, read_recipe, recipe_names

FOLDER = data_folder() / "locked"


def file_of(recipe: Recipe) -> Path:
    """Where a version is locked."""
    return FOLDER / f"{recipe.id}.json"


def main() -> int:
    """Exit code 1 if a locked version would emit something else."""
    changed = []
    for recipe in map(read_recipe, recipe_names()):
        text, file = as_text(recipe), file_of(recipe)
        if not file.exists():
            file.write_text(text, encoding="utf-8")
        elif file.read_text(encoding="utf-8") != text:
            changed.append(f"{recipe.name} {recipe.version} emits something else: give it a new version")
    sys.stderr.writelines(f"{line}\n" for line in changed)
    return 1 if changed else 0


if __name__ == "__main__":
    sys.exit(main())
