"""Front doors of packages whose names load when they are first used, so that nobody waits for what is not.

    if TYPE_CHECKING:
        from atlas_rag.embed.lsa import LsaEmbedder

    __getattr__, __dir__ = front_door(__name__, {"lsa": ("LsaEmbedder",)})

The imports under `TYPE_CHECKING` are what type checkers, editors and the contract of imports read.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from typing import Any


def front_door(
    package: str, homes: Mapping[str, Iterable[str]]
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """`__getattr__` and `__dir__` of a package.

    Args:
        package: its name.
        homes: by module, the names that it holds; a module is named as in `from .lsa import …`, without the
            first dot.
    """
    home_of = {name: home for home, names in homes.items() for name in names}

    def load(name: str) -> Any:
        if name not in home_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(f".{home_of[name]}", package), name)
        setattr(sys.modules[package], name, value)
        return value

    def names() -> list[str]:
        return sorted({*vars(sys.modules[package]), *home_of})

    return load, names
