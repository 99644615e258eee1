from __future__ import annotations

import dataclasses
import inspect
import pickle

import pytest

from atlas_rag.quick_init import quick_init


@dataclasses.dataclass(frozen=True, slots=True)
class Slow:
    name: str
    size: int = 1
    parts: dict[str, int] = dataclasses.field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.size < 0:
            raise ValueError(self.size)


@quick_init
@dataclasses.dataclass(frozen=True, slots=True)
class Quick:
    name: str
    size: int = 1
    parts: dict[str, int] = dataclasses.field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.size < 0:
            raise ValueError(self.size)


CALLS = [(("a",), {}), (("a", 2), {}), (("a",), {"size": 3, "parts": {"x": 1}}), ((), {"name": "b"})]


@pytest.mark.parametrize(("args", "options"), CALLS)
def test_the_same_values_come_of_the_same_arguments(args: tuple[str, ...], options: dict[str, int]) -> None:
    slow, quick = Slow(*args, **options), Quick(*args, **options)  # type: ignore[arg-type]
    assert dataclasses.astuple(quick) == dataclasses.astuple(slow)
    assert dataclasses.replace(quick, size=9).size == 9
    assert pickle.loads(pickle.dumps(quick)) == quick


def test_what_a_dataclass_refuses_stays_refused() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        Quick("a").size = 2  # type: ignore[misc]
    with pytest.raises(ValueError, match="-1"):
        Quick("a", -1)
    for wrong in ((), ("a", 1, {}, 4)):
        with pytest.raises(TypeError):
            Quick(*wrong)  # type: ignore[arg-type]


def test_a_factory_makes_a_value_for_each() -> None:
    assert Quick("a").parts is not Quick("a").parts


def test_the_constructor_says_what_it_takes() -> None:
    quick, slow = inspect.signature(Quick), inspect.signature(Slow)
    assert list(quick.parameters) == list(slow.parameters)
    assert quick.parameters["size"].default == 1
    assert quick.parameters["name"].annotation == slow.parameters["name"].annotation
