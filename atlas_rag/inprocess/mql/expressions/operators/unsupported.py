"""Operators that a server has and this engine has not: refused by name, with code 115."""

from __future__ import annotations

from typing import Any

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.expressions.define import special
from atlas_rag.inprocess.mql.expressions.scope import Evaluate, Scope


def _refuse(name: str, reason: str, release: tuple[int, int] = (0, 0)) -> None:
    @special(name, release=release)
    def compile_call(argument: Any, scope: Scope) -> Evaluate:
        raise CommandError(115, f"{name} is not supported by the in-process engine: {reason}")


_refuse("$function", "it runs JavaScript")
for _name in ("$encStrStartsWith", "$encStrEndsWith", "$encStrContains", "$encStrNormalizedEq"):
    _refuse(_name, "it asks of encrypted fields", (8, 2))
for _name in ("$serializeEJSON", "$deserializeEJSON", "$toArray", "$toObject", "$hash", "$hexHash"):
    _refuse(_name, "it came with release 8.3", (8, 3))
