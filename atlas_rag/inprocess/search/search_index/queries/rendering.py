"""How Lucene renders value queries, for scoreDetails."""

from __future__ import annotations

import struct
from collections.abc import Iterable

from atlas_rag.inprocess.search.search_index.names import Scope

_SIGN = 0x7FFFFFFFFFFFFFFF


def sortable_bits(value: float) -> int:
    """Maps a double to the 64-bit integer that sorts alike (Lucene's doubleToSortableLong)."""
    (bits,) = struct.unpack(">q", struct.pack(">d", value))
    return int(bits ^ (bits >> 63 & _SIGN))


def set_text(scope: Scope, path: str, kind: str, values: Iterable[int]) -> str:
    """Renders a set of numbers of one kind, alone and in arrays."""
    listed = " ".join(map(str, sorted(values)))
    return f"{scope.field(kind, path)}:{{{listed}}} {scope.field(f'{kind}Multiple', path)}:{{{listed}}}"


def range_text(scope: Scope, path: str, kind: str, bounds: tuple[int, int]) -> str:
    """Renders a range of numbers of one kind, alone and in arrays."""
    span = f"[{bounds[0]} TO {bounds[1]}]"
    name, several = scope.field(kind, path), scope.field(f"{kind}Multiple", path)
    return f"IndexOrDocValuesQuery(indexQuery={name}:{span}, dvQuery={name}:{span}) {several}:{span}"


def value_range_texts(
    plain: str, field: str, low: bytes | None, high: bytes | None, *, includes: tuple[bool, bool]
) -> tuple[str, str]:
    """Renders a range of terms that stand for values: as a whole, and as an explanation names it.

    Args:
        plain: the range as Lucene renders one of terms.
        low: the bytes of the lower bound, None where it is open; `high` alike.
        includes: whether the bounds belong to the range.
    """
    opening = "[" if includes[0] and low is not None else "{"
    closing = "]" if includes[1] and high is not None else "}"
    values = f"{field}:{opening}{_bytes_text(low)} TO {_bytes_text(high)}{closing}"
    return f"IndexOrDocValuesQuery(indexQuery={plain}, dvQuery={values})", values


def _bytes_text(value: bytes | None) -> str:
    return "*" if value is None else f"[{' '.join(format(byte, 'x') for byte in value)}]"


def token_texts(field: str, terms: tuple[str, ...]) -> tuple[str, str]:
    """Renders a query for token values: as a whole, and as an explanation names it."""
    if len(terms) > 1:
        joined = f"{field}:({' '.join(terms)})"
        return joined, joined
    raw = _bytes_text(terms[0].encode("utf-8", "surrogatepass"))
    values = f"{field}:[{raw} TO {raw}]"
    return f"IndexOrDocValuesQuery(indexQuery=ConstantScore({field}:{terms[0]}), dvQuery={values})", values
