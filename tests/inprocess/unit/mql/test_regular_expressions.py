"""Regular expressions have bounded work, can be interrupted, and read the server's dialect."""

from __future__ import annotations

import re
from typing import Any

import pytest

from atlas_rag.inprocess.client import LocalClient
from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.interruption import KILLED, Operation, running
from atlas_rag.inprocess.mql.match.regex import SearchFailed, compile_regex
from atlas_rag.inprocess.mql.match.regex.dialect import read

NEARLY = "a" * 40 + "!"


@pytest.mark.parametrize("pattern", ["^(a+)+$", "(a|aa)+$", "(?:a*)*b|c", "^(([a-z])+.)+[A-Z]([a-z])+$"])
def test_a_search_that_a_server_gives_up_gives_up_here(pattern: str) -> None:
    expression = compile_regex(pattern)
    assert expression.matches(NEARLY) is False
    with pytest.raises(SearchFailed):
        expression.find(NEARLY)


def test_the_expressions_say_so_with_the_servers_code() -> None:
    with LocalClient() as client:
        client["db"]["c"].insert_one({"s": NEARLY})
        for name in ("$regexMatch", "$regexFind", "$regexFindAll"):
            reply = client.deployment.run_command(
                "db",
                {
                    "aggregate": "c",
                    "pipeline": [{"$project": {"r": {name: {"input": "$s", "regex": "^(a+)+$"}}}}],
                    "cursor": {},
                },
            )
            assert reply["code"] == 51156


@pytest.mark.parametrize(
    ("place", "query"),
    [
        ("value", {"s": {"$in": [re.compile("^(a+)+$")]}}),
        ("not", {"s": {"$not": {"$regex": "^(a+)+$"}, "$exists": False}}),
        ("schema", {"$jsonSchema": {"properties": {"s": {"pattern": "^(a+)+$"}}, "required": ["s"]}}),
        ("names", {"$jsonSchema": {"patternProperties": {"^(a+)+$": {"minimum": 5}}, "required": ["q"]}}),
    ],
)
def test_every_place_of_an_expression_is_bounded(place: str, query: dict[str, Any]) -> None:
    with LocalClient() as client:
        client["db"]["c"].insert_one({"s": NEARLY, NEARLY: 1})
        assert client["db"]["c"].count_documents(query) == 0


def test_array_filters_are_bounded() -> None:
    with LocalClient() as client:
        things = client["db"]["c"]
        things.insert_one({"a": [{"s": NEARLY, "n": 1}]})
        things.update_many({}, {"$set": {"a.$[x].n": 2}}, array_filters=[{"x.s": {"$regex": "^(a+)+$"}}])
        assert things.find_one()["a"][0]["n"] == 1


def test_a_search_through_a_long_text_can_be_interrupted_between_its_steps() -> None:
    operation = Operation()
    operation.interrupt(KILLED)
    with running(operation), pytest.raises(CommandError, match="interrupted"):
        compile_regex("\\s+$").find(" " * 200_000 + "x")


def test_a_long_text_is_searched_in_slices_with_the_same_match() -> None:
    text = "é" * 9000 + "needle in hay" + "x" * 9000
    for pattern in ("needle.*y", "(?<=é)n.*hay", "n(e+)dle[^z]*hay", "\\bneedle"):
        found = compile_regex(pattern).find(text)
        assert (found.start(), found.group()[:6]) == (9000, "needle")
    assert compile_regex("x+$").find(text).start() == 9013
    assert compile_regex("^é+n").find(text, 5) is None


def test_the_dialect_is_the_servers_and_not_the_bindings() -> None:
    assert compile_regex("\\x{41}\\x42\\x{e9}").matches("ABé")
    assert not compile_regex("\\d|\\w").matches("é٣")
    assert compile_regex("(*UCP)\\w").matches("é")
    assert compile_regex("(*UTF8)é").matches("é")
    assert compile_regex("ß", "i").matches("ẞ")
    assert compile_regex("\\Qa.b").matches("a.b")
    for refused in ("\\u0041", "\\C", "(?<=a+)b", "(", "a**", "[[:foo:]]"):
        with pytest.raises(CommandError) as failure:
            compile_regex(refused)
        assert failure.value.code == 51091


def test_a_pattern_may_lower_its_limits_but_not_raise_them() -> None:
    assert read("(*LIMIT_MATCH=7)(*LIMIT_RECURSION=9)a", "")[2:4] == (7, 9)
    assert read("(*LIMIT_MATCH=999999999)(*UCP)a", "")[:3] == ("a", "(*UCP)", 200_000)
    assert not compile_regex("(*LIMIT_MATCH=3)(a+)+b").matches("aaaaaaaab")
