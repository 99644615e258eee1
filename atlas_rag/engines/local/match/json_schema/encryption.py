"""`encrypt` and `encryptMetadata`: what is told to a client that encrypts fields.

Nothing is encrypted here; a value that a driver encrypted passes `encrypt`, by the type its first bytes name.
Source: the layout of BinData subtype 6: kind (1 byte), key id (16 bytes), original BSON type (1 byte).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bson import Binary

from atlas_rag.engines.local.match.arguments import BAD_VALUE, type_set
from atlas_rag.engines.local.match.json_schema.keyword import Compile, Keyword
from atlas_rag.engines.local.match.paths import Test
from atlas_rag.engines.local.refusals import CommandError
from atlas_rag.engines.local.values.types import TYPE_CODES

_SUBTYPE, _TYPE_AT = 6, 17
_ALGORITHMS = tuple(f"AEAD_AES_256_CBC_HMAC_SHA_512-{kind}" for kind in ("Deterministic", "Random"))


def _encrypted(keyword: Keyword) -> Test:
    for other in ("type", "bsonType"):
        if other in keyword.schema:
            text = f"cannot be used in conjunction with '{other}'"
            raise keyword.failure(f"{text}, 'encrypt' implies type 'bsonType::BinData'")
    options = keyword.object("must be an object ")
    _check_options("encrypt", options, ("algorithm", "bsonType", "keyId"))
    if "bsonType" not in options:
        return lambda value: isinstance(value, Binary) and value.subtype == _SUBTYPE
    codes = {TYPE_CODES[name] for name in type_set("", options["bsonType"])}

    def test(value: Any) -> bool:
        if not isinstance(value, Binary) or value.subtype != _SUBTYPE:
            return False
        return len(value) > _TYPE_AT and value[_TYPE_AT] in codes

    return test


def _metadata(keyword: Keyword) -> None:
    options = keyword.object("must be an object ")
    if not options:
        raise keyword.failure("cannot be an empty object ")
    _check_options("encryptMetadata", options, ("algorithm", "keyId"))


def _check_options(name: str, options: Mapping[str, Any], known: tuple[str, ...]) -> None:
    for option in options:
        if option not in known:
            raise CommandError(40415, f"BSON field '{name}.{option}' is an unknown field.")
    algorithm = options.get("algorithm", _ALGORITHMS[0])
    if algorithm not in _ALGORITHMS:
        text = f"Enumeration value '{algorithm}' for field '{name}.algorithm' is not a valid value."
        raise CommandError(BAD_VALUE, text)


KEYWORDS: dict[str, Compile] = {"encrypt": _encrypted, "encryptMetadata": _metadata}
