"""`facet`: counts of what an operator finds, in buckets."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from typing import Annotated, Any, ClassVar

from atlas_rag.stages import checks
from atlas_rag.stages.operators import literals
from atlas_rag.stages.operators.common import PlainPath
from atlas_rag.stages.operators.operator import Operator, nestable, read_operator
from atlas_rag.stages.spelling import Read, WireModel, invalid, spelled_class

MIN_BOUNDARIES, MAX_BOUNDARIES = 2, 1000


class FacetDefinition(WireModel):
    """Base of the facet definitions; `label` is the `type` on the wire."""

    label: ClassVar[str]

    def spell(self) -> dict[str, Any]:
        return {"type": self.label, **super().spell()}


def _boundaries(kind: str) -> Callable[[Any, str], None]:
    def check(value: Any, name: str) -> None:
        if not isinstance(value, tuple) or not MIN_BOUNDARIES <= len(value) <= MAX_BOUNDARIES:
            raise invalid(f"{name} is not a tuple of boundaries", f"{MIN_BOUNDARIES} to {MAX_BOUNDARIES}")
        for boundary in value:
            literals.bound(boundary, name)
            if literals.kind_of(boundary) != kind:
                raise invalid(f"{name} holds a {type(boundary).__name__}", f"boundaries of type {kind}")
        if any(literals.compare(low, high) >= 0 for low, high in pairwise(value)):
            raise invalid(f"{name} are not in order", "each boundary above the one before")

    return check


@spelled_class
class StringFacet(FacetDefinition):
    """Counts by value, the most frequent first.

    Args:
        path: a `token` field.
        num_buckets: 1…1000; default 10.
    """

    label: ClassVar[str] = "string"

    path: PlainPath
    num_buckets: Annotated[int | None, checks.integer(1, 1000)] = None


@spelled_class
class NumberFacet(FacetDefinition):
    """Counts between numbers.

    Args:
        path: a `number` field.
        boundaries: 2…1000 numbers in ascending order; a bucket holds its lower and not its upper one.
        default: name of a bucket for all the rest.
    """

    label: ClassVar[str] = "number"

    path: PlainPath
    boundaries: Annotated[tuple[float, ...], _boundaries("number")]
    default: Annotated[str | None, checks.text] = None


@spelled_class
class DateFacet(FacetDefinition):
    """Counts between dates.

    Args:
        path: a `date` field.
        boundaries: 2…1000 datetimes in ascending order; a bucket holds its lower and not its upper one.
        default: name of a bucket for all the rest.
    """

    label: ClassVar[str] = "date"

    path: PlainPath
    boundaries: Annotated[tuple[Any, ...], _boundaries("date")]
    default: Annotated[str | None, checks.text] = None


_DEFINITIONS: dict[str, type[FacetDefinition]] = {
    one.label: one for one in (StringFacet, NumberFacet, DateFacet)
}


class RawFacet(FacetDefinition):
    """A facet definition passed through as it is, for syntax newer than this library."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self.document = document

    def spell(self) -> dict[str, Any]:
        return dict(self.document)

    def raw_parts(self) -> Iterator[str]:
        yield f"facet.{self.document.get('type')}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RawFacet) and self.document == other.document

    def __hash__(self) -> int:
        return hash(tuple(self.document))

    def __repr__(self) -> str:
        return f"RawFacet({self.document.get('type')})"


def _facets(value: Any, name: str) -> None:
    if not isinstance(value, Mapping) or not value:
        raise invalid(f"{name} has no facet", "at least one, by name")
    for key, facet in value.items():
        if not isinstance(key, str) or not isinstance(facet, FacetDefinition):
            raise invalid(
                f"{name}[{key!r}] is a {type(facet).__name__}", "StringFacet, NumberFacet, DateFacet"
            )


def _read_facets(document: Any) -> Any:
    if not isinstance(document, Mapping):
        raise invalid(f"facets is a {type(document).__name__}", "facets by name")
    return {name: _read_facet(facet) for name, facet in document.items()}


def _read_facet(document: Any) -> FacetDefinition:
    name = document.get("type") if isinstance(document, Mapping) else None
    if not isinstance(name, str) or name not in _DEFINITIONS:
        raise invalid(
            "A facet is of no known type", f"one of {', '.join(_DEFINITIONS)}", "RawFacet passes newer ones"
        )
    return _DEFINITIONS[name].read({key: value for key, value in document.items() if key != "type"})


@spelled_class
class Facet(Operator):
    """The collector: stands at the top of `$search` or `$searchMeta` in place of an operator.

    The counts come as `SEARCH_META` (`$$SEARCH_META`) after `$search`, as the only document of `$searchMeta`.

    Args:
        facets: definitions by name.
        operator: what is counted; without it every document.

    Needs: `token`, `number` or `date` mappings. Source: MongoDB documentation, facet.
    """

    label: ClassVar[str] = "facet"
    nestable: ClassVar[bool] = False

    facets: Annotated[Mapping[str, FacetDefinition], _facets, Read(_read_facets)]
    operator: Annotated[Operator | None, nestable, Read(read_operator)] = None
