"""`encrypt` and `encryptMetadata`: what is told to a client that encrypts fields.

Nothing is encrypted here; a value that a driver encrypted passes `encrypt`, by the type its first bytes name.
Source: the layout of BinData subtype 6: kind (1 byte), key id (16 bytes), original BSON type (1 byte).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from bson import Binary

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.match.arguments import BAD_VALUE, FAILED_TO_PARSE, TYPE_MISMATCH
from atlas_rag.inprocess.mql.match.json_schema.keyword import Compile, Keyword
from atlas_rag.inprocess.mql.match.json_schema.types import bson_types, type_names
from atlas_rag.inprocess.mql.match.paths import Test
from atlas_rag.inprocess.mql.values import type_name
from atlas_rag.inprocess.mql.values.types import TYPE_CODES

_SUBTYPE, _TYPE_AT = 6, 17
_ALGORITHMS = tuple(f"AEAD_AES_256_CBC_HMAC_SHA_512-{kind}" for kind in ("Deterministic", "Random"))


def _encrypted(keyword: Keyword) -> Test:
    if "encryptMetadata" in keyword.schema:
        text = "Cannot specify both $jsonSchema keywords 'encrypt' and 'encryptMetadata'"
        raise CommandError(FAILED_TO_PARSE, text)
    options = _options(keyword, {**_METADATA, "bsonType": _original_types})
    types = options.get("bsonType")
    if types is None:
        return lambda value: isinstance(value, Binary) and value.subtype == _SUBTYPE
    codes = {TYPE_CODES[name] for name in types}

    def test(value: Any) -> bool:
        if not isinstance(value, Binary) or value.subtype != _SUBTYPE:
            return False
        return len(value) > _TYPE_AT and value[_TYPE_AT] in codes

    return test


def _metadata(keyword: Keyword) -> None:
    if not _options(keyword, _METADATA):
        raise keyword.failure("cannot be an empty object ")


def _options(keyword: Keyword, readers: Mapping[str, Callable[[Keyword], Any]]) -> dict[str, Any]:
    """Returns the options, each read as it comes."""
    options: dict[str, Any] = {}
    for name, value in keyword.object("must be an object ").items():
        place = ".".join(filter(None, (keyword.name, name)))
        if name not in readers:
            raise CommandError(40415, f"BSON field '{place}' is an unknown field.")
        options[name] = readers[name](keyword._replace(name=place, argument=value))
    return options


def _algorithm(option: Keyword) -> None:
    value = option.argument
    if value is not None and not isinstance(value, str):
        text = f"is the wrong type '{type_name(value)}', expected type 'string'"
        raise CommandError(TYPE_MISMATCH, f"BSON field '{option.name}' {text}")
    if value is not None and value not in _ALGORITHMS:
        text = f"Enumeration value '{value}' for field '{option.name}' is not a valid value."
        raise CommandError(BAD_VALUE, text)


def _original_types(option: Keyword) -> frozenset[str]:
    return bson_types(type_names(option._replace(name="bsonType")))


def _key_id(option: Keyword) -> None:
    """A path to the key's name in the document, or the ids of keys."""
    value = option.argument
    if value == "":
        raise CommandError(51064, "Empty JSONPointers are not supported")
    if isinstance(value, str):
        if not value.startswith("/"):
            raise CommandError(51065, "JSONPointer must start with a '/'")
    elif not isinstance(value, list):
        expected = "Expected either string or array of UUID for EncryptSchemaKeyId"
        raise CommandError(51085, f"{expected}, found {type_name(value)}")
    else:
        for item in value:
            if type_name(item) != "binData":
                text = "Encryption schema 'keyId' array elements must have type BinData"
                raise CommandError(51088, f"{text}, found {type_name(item)}")


_METADATA: dict[str, Callable[[Keyword], Any]] = {"algorithm": _algorithm, "keyId": _key_id}
KEYWORDS: dict[str, Compile] = {"encrypt": _encrypted, "encryptMetadata": _metadata}
