"""`atlas-rag tune init`: files to start from, beside the user's own."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

QUESTIONS = "_id,text\nq1,how long do refunds take\nq2,when does the shop open\n"
JUDGMENTS = "query,document,grade\nq1,refunds,1\nq2,hours,1\n"
ARTICLES = (
    "_id,title,text\nrefunds,Refunds,Refunds take five days.\nhours,Opening hours,The shop opens at nine.\n"
)


def command(
    folder: Annotated[Path, typer.Argument(help="Where the files are written.")] = Path(),
    embedder: Annotated[str, typer.Option(help="Of the recipe.")] = "minilm",
) -> None:
    """Write an example beside your files: a recipe, articles, questions and judgments. Replaces nothing.

    Example: atlas-rag tune init data
    """
    from atlas_rag.cli.embedders import embedder_named
    from atlas_rag.recipes.new import new_recipe
    from atlas_rag.recipes.writing import check_free, write_recipe

    texts = {"articles.csv": ARTICLES, "questions.csv": QUESTIONS, "judgments.csv": JUDGMENTS}
    for name in (*texts, "recipe.toml"):
        check_free(folder / name)
    folder.mkdir(parents=True, exist_ok=True)
    content = new_recipe("mine", embedder_named(embedder), ("title", "text"), ())
    write_recipe(folder / "recipe.toml", content)
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    mine, questions, grades = (folder / name for name in ("recipe.toml", "questions.csv", "judgments.csv"))
    typer.echo(f"written to {folder}: put your own articles, questions and judgments in their place, then")
    typer.echo(f"atlas-rag tune {mine} --data {folder} --queries {questions} --judgments {grades}")
