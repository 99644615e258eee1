"""Recipes are found by name or by file, and a bad file says everything that is wrong with it."""

from __future__ import annotations

from pathlib import Path

import pytest

from atlas_rag import CallError, Code, KeywordInput, VectorInput
from atlas_rag.recipes import data_folder, read_recipe, recipe_names

OWN = """
name = "mine"
version = 3
mode = "keyword"
options = { limit = 7 }

[[inputs]]
kind = "keyword"
index = "words"
paths = ["body"]
boosts = { body = 2.5 }
"""


def own(folder: Path, text: str = OWN) -> Path:
    file = folder / "mine.toml"
    file.write_text(text)
    return file


def test_the_package_brings_recipes_by_name() -> None:
    assert {"hybrid", "keyword", "vector"} <= set(recipe_names())
    hybrid = read_recipe("hybrid")
    assert (hybrid.id, hybrid.mode, hybrid.dimensions) == (f"hybrid-{hybrid.version}", "hybrid", 1024)
    assert [type(one) for one in hybrid.inputs] == [VectorInput, KeywordInput]
    assert [one.name for one in hybrid.indexes] == ["vector_index", "text_index"]


def test_a_file_of_ones_own_is_a_recipe(tmp_path: Path) -> None:
    recipe = read_recipe(own(tmp_path))
    assert recipe.inputs == (KeywordInput(index="words", paths=("body",), boosts=(("body", 2.5),)),)
    assert (recipe.id, dict(recipe.options), recipe.indexes, recipe.dimensions) == (
        "mine-3",
        {"limit": 7},
        (),
        None,
    )


def test_definitions_are_found_beside_the_recipe_wherever_the_caller_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "words.json").write_text(
        '{"name": "words", "type": "search", "definition": {"mappings": {"dynamic": true}}}'
    )
    file = own(tmp_path, OWN.replace("mode =", 'indexes = ["words.json"]\nmode ='))
    monkeypatch.chdir(Path(tmp_path.anchor))
    assert [one.name for one in read_recipe(str(file)).indexes] == ["words"]


def test_an_unknown_name_tells_the_known_ones() -> None:
    with pytest.raises(CallError, match=r"no recipe 'nothing'.*hybrid, keyword, vector") as caught:
        read_recipe("nothing")
    assert caught.value.code is Code.INVALID_OPTION


def test_every_problem_of_a_file_is_told_at_once(tmp_path: Path) -> None:
    head = (
        'version = 0\nthreshold = 1\nfusion = {method = "rnk"}\noptions = {limt = 1, skip = -1, depth = "x"}'
    )
    text = OWN.replace("options = { limit = 7 }\n", "").replace("version = 3", head)
    file = own(tmp_path, text.replace("paths", "pathes"))
    with pytest.raises(CallError) as caught:
        read_recipe(file)
    assert caught.value.code is Code.INVALID_DEFINITION
    told = str(caught.value)
    places = (
        "version:",
        "threshold:",
        "inputs.0:",
        "fusion:",
        "options.limt:",
        "options.skip:",
        "options.depth:",
    )
    assert [place for place in ("mine.toml", *places) if place not in told] == []
    remedies = ("did you mean thresholds?", "did you mean 'paths'?", "did you mean 'limit'?", "≥ 0")
    assert [remedy for remedy in remedies if remedy not in told] == []


@pytest.mark.parametrize(
    "text",
    [
        "name = ",
        OWN.replace('kind = "keyword"', 'kind = "telepathy"'),
        OWN.replace("body = 2.5", "head = 2.5"),
        OWN.replace("body = 2.5", "body = 0"),
        OWN + '[[inputs]]\nkind = "keyword"\n',
        OWN.partition("[[")[0],
        OWN.replace("mode =", 'indexes = ["missing.json"]\nmode ='),
    ],
    ids=["no TOML", "kind", "boost of no path", "boost of 0", "two of one name", "no input", "no index file"],
)
def test_what_is_no_recipe_is_refused_by_file(tmp_path: Path, text: str) -> None:
    with pytest.raises(CallError, match=r"(mine\.toml|missing\.json)") as caught:
        read_recipe(own(tmp_path, text))
    assert caught.value.code is Code.INVALID_DEFINITION


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CallError, match=r"nowhere\.toml is not a recipe"):
        read_recipe(tmp_path / "nowhere.toml")


def test_experiments_and_locked_emissions_travel_with_the_recipes() -> None:
    assert {folder.name for folder in data_folder().iterdir() if folder.is_dir()} >= {
        "experiments",
        "indexes",
        "locked",
        "recipes",
    }


def test_a_later_format_is_refused_by_its_number_whatever_else_the_file_holds(tmp_path: Path) -> None:
    with pytest.raises(CallError, match=r"mine\.toml is a recipe of format 2") as refused:
        read_recipe(own(tmp_path, "format = 2\nnew_key = 1\n" + OWN))
    assert refused.value.code is Code.INVALID_DEFINITION
    assert refused.value.expected == "format 1, which this version of atlas_rag reads"
    assert "new_key" not in str(refused.value)
