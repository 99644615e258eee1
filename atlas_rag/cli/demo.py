"""`atlas-rag demo`: twelve questions to a small handbook, six of them explained, on one screen."""

from __future__ import annotations

import shutil
import sys
import textwrap
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from atlas_rag.cli import places
from atlas_rag.cli.index.options import Local, Uri, UriFile
from atlas_rag.cli.recipes import retriever_of
from atlas_rag.cli.results import shortened, text_of, title_of
from atlas_rag.errors import AtlasRagError

if TYPE_CHECKING:
    from atlas_rag.demo import Question
    from atlas_rag.hits import Hit
    from atlas_rag.query.options import ModeName
    from atlas_rag.retriever import Result, Retriever

SHOWN = 6
WIDTH = 80
MODES = ("hybrid", "vector", "keyword")
DECIDING = {"vector": "its words decide", "keyword": "its meaning decides"}
"""What decided, by the input pipeline that alone would have been wrong."""


def command(
    all_questions: Annotated[bool, typer.Option("--all", help="All twelve questions, a line each.")] = False,
    uri: Uri = None,
    uri_file: UriFile = None,
    local: Local = None,
) -> None:
    """See what hybrid search does: a handbook of 99 articles, real embeddings, no server and no key.

    With an address the same happens there, in the database atlas_rag_demo.

    Example: atlas-rag demo --all
    """
    started = time.perf_counter()
    from atlas_rag.demo import COLLECTION, DATABASE, RECIPE, HandbookEmbedder, articles, prepare, questions
    from atlas_rag.query.filter import Filter
    from atlas_rag.recipes import read_recipe

    where = places.hosts(places.address(uri, uri_file)) or "in this process"
    embedder = HandbookEmbedder()
    typer.echo(f"{len(articles())} articles of a bicycle shop, {where}\nvectors by {embedder.id}")
    with places.client(uri, local, uri_file) as client:
        collection = client[DATABASE][COLLECTION]
        prepare(collection, embedder)
        readers = Filter.where("audience", "customers")
        retriever = retriever_of(read_recipe(RECIPE), collection, embedder=embedder, store_filter=readers)
        asked = [(question, _answers(retriever, question)) for question in questions()]
        _print(_table(asked) if all_questions else _screen(asked, retriever))
        _print(_counts(asked))
    _print(_next_steps(time.perf_counter() - started))


def _print(lines: Iterator[str]) -> None:
    for line in lines:
        typer.echo(line)


def _answers(retriever: Retriever, question: Question) -> dict[str, Result]:
    return {mode: retriever.retrieve(question.text, mode=cast("ModeName", mode), limit=5) for mode in MODES}


def _screen(asked: list[tuple[Question, dict[str, Result]]], retriever: Retriever) -> Iterator[str]:
    """Six questions in full, an empty answer, and what is refused."""
    for question, answers in asked[:SHOWN]:
        yield from _explained(question, answers)
    yield from _empty(retriever)
    yield from _kept(retriever)


def _explained(question: Question, answers: dict[str, Result]) -> Iterator[str]:
    hit = answers["hybrid"][0]
    yield f"\n? {question.text}"
    yield f"  {title_of(hit)}: {text_of(hit, WIDTH - 4 - len(title_of(hit)))}"
    yield f"  {_sum(hit)}"
    yield f"  {shortened(_why(question, hit, answers), WIDTH - 2)}"


def _sum(hit: Hit) -> str:
    """The ranks, and how the score follows from them."""
    ranks = ", ".join(f"{name} {'-' if rank is None else rank}" for name, rank in hit.ranks.items())
    terms = " + ".join(f"1/(60+{rank})" for rank in hit.ranks.values() if rank is not None)
    score = 0.0 if hit.score is None else hit.score.value
    return f"ranks: {ranks}; score {score:.5f} = {terms}"


def _why(question: Question, hit: Hit, answers: dict[str, Result]) -> str:
    """What decided, and what one input pipeline alone would have said."""
    firsts = {mode: title_of(answers[mode][0]) if len(answers[mode]) else "nothing" for mode in MODES}
    if title_of(hit) != question.answer:
        rank = next((one.rank for one in answers["hybrid"] if title_of(one) == question.answer), None)
        place = f"stands at {rank}" if rank else "is not among the first five"
        return f"✗ the right article, {question.answer!r}, {place}: two good ranks beat one first"
    wrong = [mode for mode in ("vector", "keyword") if firsts[mode] != question.answer]
    if not wrong:
        return "✓ both pipelines agree"
    other = " and ".join(f"{mode} alone: {firsts[mode]}" for mode in wrong)
    return f"✓ {DECIDING.get(' '.join(wrong), 'both together decide')}; {other}"


def _empty(retriever: Retriever) -> Iterator[str]:
    result = retriever.retrieve("how tight should the stem bolts be", filter={"audience": "suppliers"})
    yield "\nAn empty answer says why: with the filter audience = suppliers"
    yield f"  {len(result)} hits, {result.evidence.empty_reason}: {result.why_empty}"


def _kept(retriever: Retriever) -> Iterator[str]:
    """A store filter holds in every pipeline; one that an index cannot keep is refused, not dropped."""
    from atlas_rag.query.filter import Filter

    margins = retriever.retrieve("what is the margin", limit=99)
    leaked = sum(hit.document["audience"] != "customers" for hit in margins)
    yield "\nWhat customers may read is inside both pipelines: 'what is the margin'"
    yield f"  {len(margins)} hits, {leaked} of them for staff. A filter that an index cannot keep is refused:"
    try:
        retriever.retrieve("what is the margin", store_filter=Filter.where("region", "south"))
    except AtlasRagError as error:
        yield from textwrap.wrap(str(error), WIDTH, initial_indent="  ", subsequent_indent="  ")


def _table(asked: list[tuple[Question, dict[str, Result]]]) -> Iterator[str]:
    """One line for each question: the rank of the right article by mode."""
    yield f"\n{'rank of the right article':<46}" + "".join(f"{mode:>9}" for mode in MODES)
    for question, answers in asked:
        ranks = [_rank(question, answers[mode]) for mode in MODES]
        yield f"{question.text:<46}" + "".join(f"{rank or '-':>9}" for rank in ranks)


def _rank(question: Question, result: Result) -> int | None:
    return next((hit.rank for hit in result if title_of(hit) == question.answer), None)


def _counts(asked: list[tuple[Question, dict[str, Result]]]) -> Iterator[str]:
    """The right article first, by mode, and by hashed words instead of a model."""
    firsts = {mode: sum(_rank(question, answers[mode]) == 1 for question, answers in asked) for mode in MODES}
    told = ", ".join(f"{mode} {count}" for mode, count in firsts.items())
    hashed = _hashed_firsts([question for question, _ in asked])
    yield f"\nThe right article first, of {len(asked)} questions: {told}"
    yield f"  (vectors of hashed words instead of a model: {hashed})"


def _hashed_firsts(questions: list[Question]) -> int:
    from atlas_rag.demo import prepare
    from atlas_rag.embed import HashingEmbedder
    from atlas_rag.inprocess.client import LocalClient
    from atlas_rag.query.filter import Filter
    from atlas_rag.recipes import read_recipe

    embedder = HashingEmbedder(384)
    with LocalClient() as client:
        collection = client["demo"]["hashed"]
        prepare(collection, embedder)
        retriever = retriever_of(
            replace(read_recipe("handbook"), embedder=embedder.id),
            collection,
            embedder=embedder,
            store_filter=Filter.where("audience", "customers"),
        )
        return sum(_rank(one, retriever.retrieve(one.text, mode="vector", limit=1)) == 1 for one in questions)


def _next_steps(seconds: float) -> Iterator[str]:
    program = program_name()
    yield f"\nDone in {seconds:.1f} s. Ask more, and see every command:"
    yield '  atlas-rag search atlas_rag_demo.handbook "your question" --recipe handbook'
    yield "  atlas-rag playground      atlas-rag demo --all      atlas-rag --help"
    if program != "atlas-rag":
        yield f"Here atlas-rag is {program}"


def program_name() -> str:
    """How this program is called from here: its name where the PATH leads to it, else its path."""
    beside = Path(sys.executable).with_name("atlas-rag")
    if shutil.which("atlas-rag") == str(beside) or not beside.exists():
        return "atlas-rag"
    return str(beside.relative_to(Path.cwd()) if beside.is_relative_to(Path.cwd()) else beside)
