"""Vectors as Voyage AI sends them, to what MongoDB stores."""

from __future__ import annotations

from typing import Any

from bson.binary import Binary, BinaryVectorDtype

from atlas_rag.errors import ReplyError
from atlas_rag.providers.limits import OutputType

BITS = 8
OFFSET = 128
"""`binary` is `ubinary` less 128: the same bits as signed numbers. Source: Voyage AI documentation."""


def as_bson(vector: Any, output_type: OutputType, dimensions: int) -> Any:
    """The vector: BinData for int8 and packed bits, its numbers as they are for float and uint8.

    Raises:
        ReplyError: it has another length than was asked for.
    """
    packed = output_type in ("binary", "ubinary")
    length = len(vector) * (BITS if packed else 1)
    if length != dimensions:
        raise ReplyError(
            f"Voyage AI returned a vector of {length} dimensions", expected=f"{dimensions}, as asked for"
        )
    if output_type == "int8":
        return Binary.from_vector(list(vector), BinaryVectorDtype.INT8)
    if packed:
        offset = OFFSET if output_type == "binary" else 0
        return Binary.from_vector([number + offset for number in vector], BinaryVectorDtype.PACKED_BIT)
    return vector


def check_count(got: int, asked: int, vectors: str = "vectors", texts: str = "texts") -> None:
    """Refuses an answer that is not complete.

    Raises:
        ReplyError.
    """
    if got != asked:
        raise ReplyError(f"Voyage AI returned {got} {vectors} for {asked} {texts}", expected="one each")
