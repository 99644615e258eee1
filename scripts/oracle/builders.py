"""Read every valid recorded query and definition into builders and spell it again.

    python scripts/oracle/builders.py                    # the table, and why some have no builder
    python scripts/oracle/builders.py --show 20 range    # the first failures of a family
    python scripts/oracle/builders.py --cases kept.jsonl.gz --json

A case is `exact` when the spelled document is the recorded one, `same` when it says the same in normal form:
null options left out, `{value: path}` as the path, `{order: n}` as the order, `{text: query}` as the text,
the one path of a vector operator as such, integral numbers as integers. What builders refuse on purpose
falls under one of `KINDS`, with its reason.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bson import json_util
from bson.binary import Binary

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from atlas_rag.check.extended_json import decode
from atlas_rag.errors import CallError
from atlas_rag.grammar import problems
from atlas_rag.indexes import SearchDefinition, VectorDefinition
from atlas_rag.indexes.definitions.definition import SERVICE_RULE
from atlas_rag.stages import Search, SearchMeta, VectorSearch
from atlas_rag.stages.operators.operator import LEGACY
from scripts.oracle.parse import CASES, read_cases

STAGES = {"search": Search, "searchMeta": SearchMeta, "vectorSearch": VectorSearch}
DEFINITIONS = {"searchIndex": SearchDefinition, "vectorIndex": VectorDefinition}

# ------------------------------------------------------------------ what has no builder, and why


@dataclass(frozen=True)
class Kind:
    """Valid documents that builders refuse on purpose."""

    name: str
    reason: str
    holds: Callable[[dict[str, Any]], bool]
    """Whether a case (`what`, decoded `input`, …) is of this kind."""


def everywhere(value: Any, key: str = "") -> Iterator[tuple[str, Any]]:
    """Every (key, value) inside a document; items of arrays under the key of the array."""
    for name, item in (
        value.items() if isinstance(value, dict) else ((key, one) for one in value if isinstance(value, list))
    ):
        yield name, item
        if isinstance(item, dict | list):
            yield from everywhere(item, name)


def somewhere(test: Callable[[str, Any], bool]) -> Callable[[dict[str, Any]], bool]:
    """Whether a test of name and value holds anywhere in the input of a case."""
    return lambda case: any(test(name, value) for name, value in everywhere(case["input"]))


NAMES = {"path", "value", "multi", "defaultPath", "ancestorPath", "query", "text", "model"}


def empty_name(name: str, value: Any) -> bool:
    return value == "" and name in NAMES


def beyond_the_globe(name: str, value: Any) -> bool:
    if name != "coordinates" or not isinstance(value, list) or len(value) < 2 or isinstance(value[0], list):
        return False
    return abs(value[0]) > 180 or abs(value[1]) > 90


def no_vector(name: str, value: Any) -> bool:
    if name != "queryVector" or not isinstance(value, list | Binary):
        return False
    if isinstance(value, list):
        return not value
    return len(value) < 3 or (value[0] == 0x27 and bool((len(value) - 2) % 4 or value[1]))


def fails_at_creation(case: dict[str, Any]) -> bool:
    return "createError" in case


def unknown_root_keys(case: dict[str, Any]) -> bool:
    model = DEFINITIONS.get(case["what"])
    return model is not None and not case["input"].keys() <= {
        one.alias for one in model.model_fields.values()
    }


def odd_order(name: str, value: Any) -> bool:
    specs = value.values() if name == "sort" and isinstance(value, dict) else ()
    orders = [spec.get("order") if isinstance(spec, dict) else spec for spec in specs]
    return any(order not in (None, 1, -1) for order in orders)


def legacy_sort(case: dict[str, Any]) -> bool:
    return "sortBetaV1" in case["input"]


def not_a_number(_: str, value: Any) -> bool:
    return isinstance(value, float) and math.isnan(value)


def node_extras(name: str, value: Any) -> bool:
    return name == "searchNodePreference" and isinstance(value, dict) and set(value) != {"key"}


def no_text(name: str, value: Any) -> bool:
    return name == "query" and isinstance(value, dict) and value.get("text") is None


def no_facet_names(name: str, value: Any) -> bool:
    return name == "doesNotAffect" and value == []


def constant_below_zero(name: str, value: Any) -> bool:
    return name == "constant" and isinstance(value, dict) and value.get("value", 0) < 0


def shape_extras(name: str, value: Any) -> bool:
    return name == "geometries" and isinstance(value, dict) and not value.keys() <= {"type", "coordinates"}


KINDS = (
    Kind("empty name", "a path, text or model of no characters finds nothing", somewhere(empty_name)),
    Kind(
        "beyond the globe", "such places fail or are skipped when the query runs", somewhere(beyond_the_globe)
    ),
    Kind("no vector", "an empty or ragged vector fails when the query runs", somewhere(no_vector)),
    Kind("fails at creation", "the parser accepts it, creating the index does not", fails_at_creation),
    Kind("unknown root keys", "the engine ignores what may be a misspelt option", unknown_root_keys),
    Kind("odd order", "the engine cuts an order of 1.5 and wraps large ones", somewhere(odd_order)),
    Kind("sortBetaV1", "the legacy sort", legacy_sort),
    Kind("NaN", "nothing lies beside it", somewhere(not_a_number)),
    Kind("node extras", "the engine ignores more than a key in searchNodePreference", somewhere(node_extras)),
    Kind("no text", "a query without a text fails when it runs", somewhere(no_text)),
    Kind("no facet names", "an empty doesNotAffect says nothing", somewhere(no_facet_names)),
    Kind("constant below 0", "the engine narrows -1e-50 to 0", somewhere(constant_below_zero)),
    Kind("shape extras", "the engine ignores other keys inside a collection", somewhere(shape_extras)),
)


# ------------------------------------------------------------------ there and back


def there_and_back(what: str, document: Any) -> tuple[Any, Any]:
    """The value that a document is read into, and the document that it is spelled to.

    Raises:
        CallError: builders refuse the document.
    """
    if what in STAGES:
        stage = STAGES[what]
        value: Any = stage.from_stage({stage.label: document})
        return value, value.to_stage()[stage.label]
    value = DEFINITIONS[what].from_definition(document)
    return value, value.to_definition()


def canonical(document: Any) -> Any:
    """A document in canonical Extended JSON."""
    return json.loads(json_util.dumps(document, json_options=json_util.CANONICAL_JSON_OPTIONS))


def normal(value: Any, key: str = "") -> Any:
    """A decoded document in normal form; sort keys as a list, because their order matters."""
    if isinstance(value, dict):
        given = {
            name: normal(item, name)
            for name, item in value.items()
            if item is not None or (key == "equals" and name == "value")
        }
        if key == "vectorSearch" and isinstance(given.get("path"), list) and len(given["path"]) == 1:
            given["path"] = given["path"][0]
        if key == "sort":
            return [(name, spec["order"] if _only(spec, "order") else spec) for name, spec in given.items()]
        for keys, inner in ((("path", "field"), "value"), (("query",), "text")):
            if key in keys and _only(given, inner):
                return given[inner]
        return given
    if isinstance(value, list):
        return [normal(item, key) for item in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _only(value: Any, name: str) -> bool:
    return isinstance(value, dict) and set(value) == {name}


def outcome(case: dict[str, Any]) -> str:
    """`exact`, `same`, the name of a kind, `refused` (by no kind) or `different`."""
    document = decode(case["input"])
    try:
        value, spelled = there_and_back(case["what"], document)
    except CallError:
        decoded = {**case, "input": document}
        return next((kind.name for kind in KINDS if kind.holds(decoded)), "refused")
    again, _ = there_and_back(case["what"], spelled)
    if again != value or normal(spelled) != normal(document):
        return "different"
    return "exact" if canonical(spelled) == canonical(document) else "same"


AS_THEY_ARE = ("filter", "parentFilter", "searchAfter", "searchBefore")
"""Filters of `$vectorSearch` and paging tokens: builders take any, `Filter` and hits make sound ones."""


def taken_unread(case: dict[str, Any]) -> bool:
    """Whether what the engine refuses is a part that builders pass on unread."""
    document = decode(case["input"])
    if LEGACY.intersection(name for name, _ in everywhere(document)):
        return True
    if case["what"] in STAGES:
        rest = {name: value for name, value in document.items() if name not in AS_THEY_ARE}
        return not problems(case["what"], rest)
    return all(one.rule == SERVICE_RULE for one in problems(case["what"], document))


def builds(case: dict[str, Any]) -> bool:
    """Whether builders take what the engine refuses, beyond what they pass on unread."""
    try:
        there_and_back(case["what"], decode(case["input"]))
    except CallError:
        return False
    return not taken_unread(case)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("families", nargs="*", help="families to read; all without")
    parser.add_argument("--cases", type=Path, default=CASES, help="a .jsonl.gz file or a folder of them")
    parser.add_argument("--show", type=int, default=0, metavar="N", help="print the first N failures")
    parser.add_argument("--json", action="store_true", help="print for machines")
    options = parser.parse_args()
    tally: Counter[str] = Counter()
    failures = []
    invalid = 0
    for case in read_cases(options.cases):
        if options.families and case["family"] not in options.families:
            continue
        invalid += not case["valid"]
        result = outcome(case) if case["valid"] else "built" if builds(case) else ""
        tally[result] += case["valid"]
        if result in ("refused", "different", "built"):
            failures.append((result, case))
    if options.json:
        print(json.dumps({"outcomes": tally, "failures": [case["id"] for _, case in failures]}))
    else:
        report(tally)
        built = sum(result == "built" for result, _ in failures)
        print(f"{invalid} cases that the engine refuses, {built} of them built")
        for result, case in failures[: options.show]:
            print(f"\n{result} {case['id']}\n  {json.dumps(case['input'])[:600]}")
    return 1 if failures else 0


def report(tally: Counter[str]) -> None:
    """Prints what came back, and what has no builder."""
    expressible = sum(tally[name] for name in ("exact", "same", "refused", "different"))
    returned = tally["exact"] + tally["same"]
    print(f"{sum(tally.values())} valid cases, {expressible} expressible")
    print(f"  there and back  {returned} = {returned / max(expressible, 1):.2%}")
    print(f"    exact         {tally['exact']}")
    print(f"    same          {tally['same']} in normal form")
    print("  no builder, on purpose")
    for kind in KINDS:
        if tally[kind.name]:
            print(f"    {tally[kind.name]:>4}  {kind.name}: {kind.reason}")


if __name__ == "__main__":
    raise SystemExit(main())
