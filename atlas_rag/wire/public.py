"""Flows that people start: one that is made and never run says so, since nothing has happened."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Generator
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from atlas_rag.wire.pump import Effect, Flow

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


class PublicFlow(Generator[Effect, Any, Result]):
    """A flow that warns where it is thrown away before it was run.

    Args:
        name: what made it.
    """

    def __init__(self, name: str, flow: Flow[Result]) -> None:
        self._name, self._flow, self._begun = name, flow, False

    def send(self, value: Any) -> Effect:
        """Goes on; see `Generator.send`."""
        self._begun = True
        return self._flow.send(value)

    def throw(self, *error: Any) -> Effect:
        """Fails where it stands; see `Generator.throw`."""
        self._begun = True
        return self._flow.throw(*error)

    def close(self) -> None:
        """Ends it; see `Generator.close`."""
        self._begun = True
        self._flow.close()

    def __del__(self) -> None:
        if not self._begun:
            said = (
                f"{self._name}(…) was made and never run, so nothing happened: drive({self._name}(…), engine)"
            )
            warnings.warn(said, RuntimeWarning, stacklevel=2, source=self)


def public_flow(make: Callable[Arguments, Flow[Result]]) -> Callable[Arguments, Flow[Result]]:
    """Marks a function whose flow is for people to run."""

    @wraps(make)
    def made(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Flow[Result]:
        return PublicFlow(make.__name__, make(*args, **kwargs))

    return made
