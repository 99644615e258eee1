"""What a component of another library says of itself: name, model, length of its vectors, awaited or not."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import partial
from pathlib import PurePath
from typing import Any

from atlas_rag.errors import CallError
from atlas_rag.providers.limits import MAX_DIMENSIONS

MODEL_NAMES = (
    "model_name",
    "model",
    "model_id",
    "model_name_or_path",
    "repo_id",
    "deployment",
    "model_card_data.model_id",
    "model_card_data.base_model",
    "tokenizer.name_or_path",
)
"""Attributes in which libraries keep the name of a model, the plainest first."""
UNNAMED = ("", "unknown")
DIMENSIONS = ("dimensions", "output_dimension", "output_dimensionality", "embedding_dim", "embed_dim", "dim")
DIMENSION_METHODS = ("get_embedding_dimension", "get_sentence_embedding_dimension")


def name_of(value: Any) -> str:
    """What a component is and which model it runs: `OpenAIEmbeddings/text-embedding-3-small`.

    Equal in every process. Its own `id` where that is text. A function is named by its module and name; two
    lambdas of one module share theirs. Attributes that may hold a key are never part of it.
    """
    own = getattr(value, "id", None)
    if isinstance(own, str) and own:
        return own
    if isinstance(value, partial):
        return "/".join((name_of(value.func), *_model_names(value.keywords.get)))
    if inspect.ismethod(value) and not isinstance(value.__self__, type):
        return f"{name_of(value.__self__)}.{value.__name__}"
    qualified = getattr(value, "__qualname__", None)  # functions have one, and what wraps them
    if isinstance(qualified, str):
        module = getattr(value, "__module__", None)
        return qualified if module in (None, "__main__") else f"{module}.{qualified}"
    return "/".join((type(value).__name__, *_model_names(partial(_attribute, value))))


def dimensions_of(value: Any) -> int | None:
    """The length of its vectors where an attribute or a method tells, else None."""
    said = [_attribute(value, name) for name in DIMENSIONS]
    said += [method() for method in methods(value, *DIMENSION_METHODS).values()]
    return next((int(one) for one in said if _is_length(one)), None)


def is_async(function: Any) -> bool:
    """Whether calling it gives an awaitable."""
    while isinstance(function, partial):
        function = function.func
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(
        getattr(function, "__call__", None)  # noqa: B004 - its kind is asked, not whether it is there
    )


def refuse_class(value: Any, what: str) -> None:
    """Refuses a class where an object is needed.

    Raises:
        CallError: INVALID_OPTION.
    """
    if isinstance(value, type):
        raise CallError(
            f"The {what} is the class {value.__name__}",
            expected="an object of it",
            next_step=f"pass {value.__name__}(…)",
        )


def methods(value: Any, *names: str) -> dict[str, Callable[..., Any]]:
    """Those of the names that are methods of a component."""
    found = {name: getattr(value, name, None) for name in names}
    return {name: method for name, method in found.items() if callable(method)}


def _model_names(read: Callable[[str], Any]) -> tuple[str, ...]:
    for attribute in MODEL_NAMES:
        found = read(attribute)
        if isinstance(found, str) and found not in UNNAMED:
            path = PurePath(found)
            return (path.name if path.is_absolute() else found,)
    return ()


def _attribute(value: Any, dotted: str) -> Any:
    for name in dotted.split("."):
        value = getattr(value, name, None)
    return value


def _is_length(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= MAX_DIMENSIONS
