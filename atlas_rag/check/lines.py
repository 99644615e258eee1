"""The machine mode: cases in, verdicts out, one JSON document a line.

    {"id": 1, "what": "search", "input": {…Extended JSON…}}   →   {"id": 1, "valid": false, "errors": ["…"]}

`what` is `search`, `searchMeta`, `vectorSearch`, `searchIndex` or `vectorIndex`. `errors` holds the engine's
messages, its own first complaint first. A line that is no case is answered with an error of its own, and the
next line is read.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from atlas_rag.check.extended_json import MAX_LEVELS, decode
from atlas_rag.grammar import DOCUMENTS, problems


def answer_lines(lines: Iterable[str]) -> Iterator[str]:
    """One answer for each line that is not blank, without line ends."""
    for line in lines:
        if line.strip():
            yield _spelled(_answer(line))


def _spelled(answer: dict[str, Any]) -> str:
    """JSON that every stream of UTF-8 takes: as it reads, or escaped where half a character is in it."""
    text = json.dumps(answer, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(answer)
    return text


def _answer(line: str) -> dict[str, Any]:
    case_id = None
    try:
        case = json.loads(line)
        case_id = case.get("id")
        what = case["what"]
        if what not in DOCUMENTS:
            raise ValueError(f"what is one of {', '.join(DOCUMENTS)}, not {what!r}")
        found = problems(what, decode(case["input"]))
    except KeyError as error:
        return _refusal(case_id, f"not a case: {error} is missing")
    except RecursionError:
        return _refusal(case_id, f"not a case: nests deeper than {MAX_LEVELS} levels")
    except (AttributeError, ValueError, TypeError) as error:
        return _refusal(case_id, f"not a case: {error}")
    return {"id": case_id, "valid": not found, "errors": [one.message for one in found]}


def _refusal(case_id: Any, text: str) -> dict[str, Any]:
    return {"id": case_id, "valid": False, "errors": [text]}
