"""The search indexes that a retriever needs, derived from what it asks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from atlas_rag.errors import CallError, Code
from atlas_rag.grammar.stock_analyzers import STOCK_ANALYZERS
from atlas_rag.indexes import WantedIndex, named_by_content
from atlas_rag.indexes.desired.filter_fields import LIKE, Documents, Fields, FilterPaths, filter_fields
from atlas_rag.plan import Input, KeywordInput, VectorInput
from atlas_rag.retriever.setup import Setup

__all__ = ["FilterPaths", "required_indexes"]


def required_indexes(
    setup: Setup,
    *,
    filter_paths: FilterPaths = (),
    documents: Iterable[Mapping[str, Any]] = (),
    dimensions: int | None = None,
    similarity: str = "cosine",
    analyzer: str | None = None,
    by_content: bool = False,
) -> tuple[WantedIndex, ...]:
    """One definition for each index that the input pipelines name. See `Retriever.required_indexes`."""
    sample = tuple(documents)
    filters = filter_fields((setup.options.store_filter, setup.options.filter), filter_paths, sample)
    length = setup.embedder.dimensions if dimensions is None and setup.embedder is not None else dimensions
    vectors = {"numDimensions": length, "similarity": similarity}
    names = dict.fromkeys((one.index_type, one.index) for one in setup.inputs)
    wanted = []
    for kind, name in names:
        inputs = [one for one in setup.inputs if (one.index_type, one.index) == (kind, name)]
        if kind == "vectorSearch":
            wanted.append(_vector_index(name, inputs, filters, vectors, sample))
        else:
            words = analyzer or _analyzer_of(setup.embedder)
            wanted.append(_search_index(name, inputs, filters, vectors, words))
    return tuple(map(named_by_content, wanted)) if by_content else tuple(wanted)


def _analyzer_of(embedder: Any) -> str | None:
    """The stock analyzer of the language that an embedder is made for, where it says so."""
    name = f"lucene.{getattr(embedder, 'language', None)}"
    return name if name in STOCK_ANALYZERS else None


def _vector_index(
    name: str, inputs: Sequence[Input], filters: Fields, vectors: dict[str, Any], sample: Documents
) -> WantedIndex:
    paths = list(dict.fromkeys(path for one in inputs for path in one.vector_paths))
    fields = list({one["path"]: one for one in _vector_fields(name, inputs, vectors)}.values())
    fields += [{"type": "filter", "path": path} for path in filters]
    root = _nested_root(name, paths, sample)
    return WantedIndex(name, "vectorSearch", {"fields": fields, **({"nestedRoot": root} if root else {})})


def _vector_fields(name: str, inputs: Sequence[Input], vectors: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """A field for each vector: stored ones as long as the embedder's, others embedded by the deployment."""
    for one in inputs:
        if isinstance(one, VectorInput) and one.query is not None:
            if one.model is None:
                raise CallError(
                    f"The model that embeds {one.path!r} in the index {name!r} is not known",
                    expected="VectorInput(query=QUESTION, model=…)",
                    next_step="name the model",
                )
            yield {"type": "autoEmbed", "modality": "text", "path": one.path, "model": one.model}
            continue
        own = one.own_embedder
        length = vectors["numDimensions"] if own is None else own.dimensions
        for path in one.vector_paths:
            yield {"type": "vector", "path": path, **vectors, "numDimensions": _known(length, name)}


def _known(length: int | None, name: str) -> int:
    if length is None:
        raise CallError(
            f"The dimensions of the index {name!r} are not known",
            expected="a retriever with an embedder, or dimensions=…",
            next_step="pass one of them",
        )
    return length


def _nested_root(name: str, paths: list[str], sample: Documents) -> str | None:
    """The array of sub-documents that holds the vectors, by the documents."""
    roots = {root for path in paths for document in sample if (root := _array_on(path, document))}
    if len(roots) > 1:
        raise CallError(
            f"The vectors of the index {name!r} are in several arrays: {', '.join(sorted(roots))}",
            expected="one nestedRoot for an index",
            next_step="give each VectorInput an index of its own",
            code=Code.INVALID_DEFINITION,
        )
    return roots.pop() if roots else None


def _array_on(path: str, document: Mapping[str, Any]) -> str | None:
    """The shortest beginning of a path at which a document holds an array of sub-documents."""
    names, level = path.split("."), document
    for position, name in enumerate(names[:-1]):
        inner: Any = level.get(name)
        if isinstance(inner, list) and any(isinstance(one, Mapping) for one in inner):
            return ".".join(names[: position + 1])
        if not isinstance(inner, Mapping):
            return None
        level = inner
    return None


def _search_index(
    name: str, inputs: Sequence[Input], filters: Fields, vectors: dict[str, Any], analyzer: str | None
) -> WantedIndex:
    fields: Fields = {}
    for one in inputs:
        _check_derivable(name, one)
        for path in one.text_paths:
            fields[path] = [{"type": "string"}]
        for path in one.vector_paths:
            length = _known(vectors["numDimensions"], name)
            fields[path] = [{"type": "vector", **vectors, "numDimensions": length}]
    for path, mappings in filters.items():
        if path in fields and LIKE in mappings:
            raise CallError(
                f"{path!r} is searched for words and filtered by a pattern",
                expected="one or the other: a pattern needs the whole value as one term",
                next_step="copy the value to a field of its own for the filter",
                code=Code.INVALID_DEFINITION,
            )
        fields[path] = [*fields.get(path, ()), *mappings]
    definition: dict[str, Any] = {"mappings": {"dynamic": False, "fields": _nested(fields)}}
    return WantedIndex(name, "search", definition | ({"analyzer": analyzer} if analyzer else {}))


def _check_derivable(name: str, source: Input) -> None:
    """Refuses what only a person can define: which words are synonyms, what a second analyzer does."""
    for option in ("synonyms", "analyzer"):
        if isinstance(source, KeywordInput) and getattr(source, option) is not None:
            raise CallError(
                f"The {option} {getattr(source, option)!r} of {source.name!r} cannot be derived",
                expected="index definitions from files",
                next_step=f"write the definition of {name!r} with its {option} to a file",
                code=Code.INVALID_DEFINITION,
            )


def _nested(fields: Fields) -> dict[str, Any]:
    """Dotted paths as documents in documents; one mapping alone, several as a list."""
    root: dict[str, Any] = {}
    for path, mappings in sorted(fields.items()):
        *parents, last = path.split(".")
        level = root
        for parent in parents:
            documents = level.setdefault(parent, [])
            inside = next((one for one in documents if one["type"] == "document"), None)
            if inside is None:
                inside = {"type": "document", "dynamic": False, "fields": {}}
                documents.append(inside)
            level = inside["fields"]
        level.setdefault(last, []).extend(mappings)
    return _unwrapped(root)


def _unwrapped(fields: dict[str, Any]) -> dict[str, Any]:
    for mappings in fields.values():
        for one in mappings:
            if "fields" in one:
                one["fields"] = _unwrapped(one["fields"])
    return {name: one[0] if len(one) == 1 else one for name, one in fields.items()}
