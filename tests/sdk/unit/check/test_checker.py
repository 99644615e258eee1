"""What a value is taken for, what a report holds, and the machine mode."""

from __future__ import annotations

import io
import json
import subprocess
import sys

import pytest

from atlas_rag.check import check, guess, read
from atlas_rag.check.lines import answer_lines
from atlas_rag.cli import main


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ([], "pipeline"),
        ({"$search": {}}, "pipeline"),
        ({"text": {}}, "search"),
        ({"facet": {}}, "search"),
        ({"path": "a", "queryVector": [1], "limit": 3}, "vectorSearch"),
        ({"mappings": {}}, "searchIndex"),
        ({"fields": []}, "vectorIndex"),
        ({"name": "a", "type": "vectorSearch", "definition": {"fields": []}}, "vectorIndex"),
        ({"name": "a", "definition": {"mappings": {}}}, "searchIndex"),
    ],
)
def test_guesses_what_a_value_is(value, kind):
    assert guess(value) == kind


def test_every_problem_is_reported_at_once():
    report = check({"text": {"query": 1, "pth": "a", "fuzzy": {"maxEdits": 3}}, "conut": {}}, what="search")
    assert [(one.path, one.rule) for one in report.findings] == [
        ("text.path", "required"),
        ("text.query", "type"),
        ("text.fuzzy.maxEdits", "bounds"),
        ("text", "unknown-field"),
        ("", "unknown-field"),
    ]
    assert report.findings[-1].suggestion == 'did you mean "count" instead of "conut"?'


def test_a_report_is_stable_json():
    report = check({"exists": {}}, what="search")
    assert report.as_json() == {
        "what": "search",
        "valid": False,
        "findings": [
            {
                "path": "exists.path",
                "message": '"exists.path" is required',
                "rule": "required",
                "severity": "error",
            }
        ],
    }


def test_definitions_are_checked_as_index_creation_does():
    report = check({"mappings": {}, "analyzer": "mine"})
    assert [one.message for one in report.errors] == ["references non-existent analyzers: mine"]


@pytest.mark.parametrize("bad", [{"what": "stage"}, {"index": {"a": 1}}, {"index": {"mappings": 1}}])
def test_unusable_arguments_are_refused(bad):
    with pytest.raises(ValueError):  # noqa: PT011  three texts of our own
        check({}, **{"what": "search", **bad})


def test_extended_json_keeps_the_widths_of_numbers():
    value = read('{"a": {"$numberLong": "1"}, "b": {"$numberInt": "1"}, "c": {"$numberDouble": "1"}}')
    assert {key: type(item).__name__ for key, item in value.items()} == {
        "a": "Int64",
        "b": "int",
        "c": "float",
    }


@pytest.mark.parametrize("text", ["{", '{"a": {"$oid": "x"}}', '{"a": {"$numberDecimal": "x"}}'])
def test_malformed_text_is_a_value_error(text):
    with pytest.raises(ValueError):  # noqa: PT011  texts of the decoders
        read(text)


def test_lines_are_answered_one_by_one():
    lines = [
        '{"id": 1, "what": "search", "input": {"exists": {"path": "a"}}}',
        "",
        '{"id": 2, "what": "vectorIndex", "input": {"fields": null}}',
        '{"id": 3, "what": "stage", "input": {}}',
        "no json",
        '{"id": 5, "what": "search", "input": {"a": {"$numberDecimal": "x"}}}',
    ]
    answers = [json.loads(line) for line in answer_lines(lines)]
    assert answers[0] == {"id": 1, "valid": True, "errors": []}
    assert answers[1] == {"id": 2, "valid": False, "errors": ['"fields" is required']}
    assert [(one["id"], one["valid"]) for one in answers[2:]] == [(3, False), (None, False), (5, False)]
    assert all("not a case" in one["errors"][0] for one in answers[2:])


def test_no_line_ends_the_machine_mode():
    huge = f'{{"path": "a", "origin": 1, "pivot": 1{"0" * 400}}}'
    deep = '{"compound": {"must": [' * 400 + '{"exists": {"path": "a"}}' + "]}}" * 400
    lines = [
        f'{{"id": 1, "what": "search", "input": {deep}}}',
        "[" * 50_000,
        '{"id": 3, "what": "search", "input": {"exists": {"path": "a"}, "\\ud800": 1}}',
        f'{{"id": 4, "what": "search", "input": {{"near": {huge}}}}}',
    ]
    answers = list(answer_lines(lines))
    "".join(answers).encode()  # half a character would not be written
    errors = [json.loads(answer)["errors"][0] for answer in answers]
    assert all("deeper than 200 levels" in error for error in errors[:2])
    assert errors[2:] == ['unrecognized field "\ud800"', '"near.pivot" must be finite']


@pytest.mark.parametrize("levels", [200, 201])
def test_a_text_may_nest_as_deeply_as_a_document(levels):
    text = "[" * levels + "]" * levels
    if levels == 200:
        assert json.dumps(read(text)) == text
    else:
        with pytest.raises(ValueError, match="nest deeper than 200 levels"):
            read(text)


def command(monkeypatch, capsys, *words, stdin=""):
    monkeypatch.setattr("sys.stdin", io.StringIO(stdin))
    with pytest.raises(SystemExit) as left:
        main(list(words))
    return left.value.code, capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "code"),
    [('{"exists": {"path": "a"}}', 0), ('{"exists": {}}', 1), ("{", 2)],
)
def test_exit_codes(monkeypatch, capsys, text, code):
    assert command(monkeypatch, capsys, "check", "-", stdin=text)[0] == code


def test_the_command_reads_files_and_indexes(monkeypatch, capsys, tmp_path):
    query, index = tmp_path / "query.json", tmp_path / "index.json"
    query.write_text('[{"$search": {"text": {"query": "a", "path": "titel"}}}]')
    index.write_text('{"mappings": {"fields": {"title": {"type": "string"}}}}')
    code, out = command(monkeypatch, capsys, "check", str(query), "--index", str(index), "--json")
    assert code == 0
    assert json.loads(out)["findings"][0]["suggestion"] == 'did you mean "title"?'


def test_the_machine_mode_needs_no_numpy_and_no_driver():
    code = "\n".join(
        [
            "import sys",
            "sys.argv = ['atlas-rag', 'check', '--jsonl']",
            "from atlas_rag.cli import main",
            "try:",
            "    main()",
            "except SystemExit as left:",
            "    heavy = sorted({'numpy', 'pymongo'} & set(sys.modules))",
            "    print(heavy, left.code)",
        ]
    )
    case = '{"id": 1, "what": "search", "input": {}}\n'
    done = subprocess.run(
        [sys.executable, "-c", code], input=case, capture_output=True, text=True, check=True
    )
    answer, loaded = done.stdout.splitlines()
    assert json.loads(answer)["valid"] is False
    assert loaded == "[] 0"
