"""The docs' table of stages and operators is what the classes and the in-process engine say."""

from __future__ import annotations

from dataclasses import fields

from atlas_rag.capability.feature import FLOORS, Feature
from atlas_rag.capability.feature import STAGES as NAMES
from atlas_rag.grammar.releases import KEYS, OLDEST, OPTIONS, STAGES
from atlas_rag.stages.operators.operator import known_operators
from atlas_rag.stages.registry import SEARCH_STAGES
from atlas_rag.stages.spelling import camel
from scripts.docs_operators import PAGE, updated


def series(release: str) -> tuple[int, ...]:
    return tuple(map(int, release.split(".")))


def test_the_table_has_not_drifted() -> None:
    now = PAGE.read_text(encoding="utf-8")
    assert updated(now) == now, "run python -m scripts.docs_operators"


def test_classes_and_checker_know_the_same_releases() -> None:
    assert set(SEARCH_STAGES) == set(STAGES)
    assert set(KEYS) - {"$minMaxScaler", "$sigmoid"} <= set(known_operators())
    for name, stage in SEARCH_STAGES.items():
        assert series(stage.release()) == max(STAGES[name], OLDEST), name
    for name, operator in known_operators().items():
        assert series(operator.release()) == KEYS.get(name, OLDEST), name


def test_options_with_a_release_are_options_that_their_stage_takes() -> None:
    for name, options in OPTIONS.items():
        given = {camel(one.name) for one in fields(SEARCH_STAGES[name])}
        assert set(options) <= given, name


def test_no_floor_of_a_feature_is_below_the_release_of_its_stage() -> None:
    for feature, stage in NAMES.items():
        assert FLOORS[feature] >= STAGES.get(stage, OLDEST), feature
    assert set(FLOORS) == set(NAMES) == set(Feature)


def test_every_class_says_what_it_needs_and_where_that_comes_from() -> None:
    for cls in (*SEARCH_STAGES.values(), *known_operators().values()):
        assert cls.__doc__ is not None, cls
        assert "Source:" in cls.__doc__, cls
        assert "Args:" in cls.__doc__ or "It takes the options of" in cls.__doc__, cls
