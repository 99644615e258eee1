"""The docs' table of stages and operators is what the classes and the in-process engine say."""

from __future__ import annotations

from atlas_rag.check.pipeline.releases import KEYS, STAGES
from atlas_rag.stages.operators.operator import known_operators
from atlas_rag.stages.registry import SEARCH_STAGES
from scripts.docs_operators import PAGE, updated

OLDEST = (6, 0)


def series(release: str) -> tuple[int, ...]:
    return tuple(map(int, release.split(".")))


def test_the_table_has_not_drifted() -> None:
    now = PAGE.read_text(encoding="utf-8")
    assert updated(now) == now, "run python -m scripts.docs_operators"


def test_classes_and_checker_know_the_same_releases() -> None:
    assert set(SEARCH_STAGES) == set(STAGES)
    for name, stage in SEARCH_STAGES.items():
        assert series(stage.release) == max(STAGES[name], OLDEST), name
    for name, operator in known_operators().items():
        assert series(operator.release) == KEYS.get(name, OLDEST), name


def test_every_class_says_what_it_needs_and_where_that_comes_from() -> None:
    for cls in (*SEARCH_STAGES.values(), *known_operators().values()):
        assert cls.__doc__ is not None, cls
        assert "Source:" in cls.__doc__, cls
        assert "Args:" in cls.__doc__ or "It takes the options of" in cls.__doc__, cls
