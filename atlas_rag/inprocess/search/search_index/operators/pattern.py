"""The `wildcard` and `regex` operators."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from atlas_rag.inprocess.errors import EngineRefusal
from atlas_rag.inprocess.search.algorithms.patterns.regexp import TermPattern, compile_regexp
from atlas_rag.inprocess.search.algorithms.patterns.wildcard import compile_wildcard
from atlas_rag.inprocess.search.search_index.operators.context import Context, as_list
from atlas_rag.inprocess.search.search_index.operators.score import scored
from atlas_rag.inprocess.search.search_index.queries.base import Query
from atlas_rag.inprocess.search.search_index.queries.boolean import should
from atlas_rag.inprocess.search.search_index.queries.leaves import MatchNothing
from atlas_rag.inprocess.search.search_index.queries.termsets import Pattern


def build_wildcard(spec: Mapping[str, Any], context: Context) -> Query:
    """Builds the query of a `wildcard` document."""
    return _build(spec, context, compile_wildcard, "{}")


def build_regex(spec: Mapping[str, Any], context: Context) -> Query:
    """Builds the query of a `regex` document."""
    return _build(spec, context, compile_regexp, "/{}/")


def _build(
    spec: Mapping[str, Any], context: Context, compile_pattern: Callable[[str], TermPattern], rendered: str
) -> Query:
    if not spec.get("allowAnalyzedField"):
        _require_keyword(spec["path"], context)
    parts: list[Query] = []
    for text in as_list(spec["query"]):
        for field in context.strings(spec["path"]):
            normal = field.search_analyzer.normalize(text)
            pattern = compile_pattern(normal)
            parts.append(Pattern(field.name, rendered.format(normal), pattern.prefix, pattern.accepts))
    return scored(should(parts) if parts else MatchNothing("no fields"), spec, context)


def _require_keyword(paths: Any, context: Context) -> None:
    """Refuses paths that are analysed; an unmapped path counts as analysed."""
    for path in as_list(paths):
        fields = context.strings(path)
        name = path if isinstance(path, str) else path.get("value", path.get("wildcard"))
        if isinstance(path, Mapping) and path.get("wildcard") is not None:
            analysed = [field.path for field in fields if not field.is_keyword]
        else:
            analysed = [] if fields and fields[0].is_keyword else [name]
        if analysed:
            raise EngineRefusal(
                f"Field {analysed[0]} is analyzed. Use a keyword analyzed field or "
                "set allowAnalyzedField to true."
            )
