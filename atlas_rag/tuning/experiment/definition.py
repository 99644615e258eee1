"""The shape of an experiment file (TOML)."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from atlas_rag.errors import ExperimentError
from atlas_rag.tuning.experiment.problems import content_problems, validation_problems
from atlas_rag.tuning.problem.named import fusion_named


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Recipe(_Part):
    """The recipe whose weights are tuned."""

    name: str
    version: int = Field(ge=1)


Fusion = Literal["rank", "score:none", "score:sigmoid", "score:minMaxScaler"]
"""`$rankFusion`, or `$scoreFusion` by its normalization."""


class Vectors(_Part):
    """Vectors made beforehand: .npy matrices whose rows follow the files of documents and queries."""

    path: str
    documents: str
    queries: str
    model: str = ""


class Data(_Part):
    """Files in `folder`, which is relative to the experiment file.

    `fields` says what is stored: field name → keys of a document whose texts are joined by a space.
    """

    folder: str
    documents: str = "corpus.jsonl"
    queries: str = "queries.jsonl"
    judgments: str = "qrels.tsv"
    judgment_format: Literal["beir", "trec", "csv", "jsonl", "quepid"] = "beir"
    fields: dict[str, list[str]]
    vectors: Vectors | None = None


class Index(_Part):
    """A search index, as `createSearchIndexes` takes it."""

    name: str
    type: Literal["search", "vectorSearch"]
    definition: dict[str, Any]


class Collect(_Part):
    """Where and how the input pipelines are asked."""

    database: str = "experiments"
    collection: str
    depth: int = Field(default=100, ge=1, le=10_000)
    concurrency: int = Field(default=8, ge=1)
    one_request: bool = False


class Split(_Part):
    """Which queries tune and which judge."""

    holdout: float = Field(default=0.3, ge=0, lt=1)
    folds: int = Field(default=10, ge=2)
    repeats: int = Field(default=5, ge=1)


class Measures(_Part):
    """What is maximised and what is shown beside it."""

    optimise: str = "nDCG@10"
    also: list[str] = ["R@100", "RR@10"]


class Candidates(_Part):
    """A study of `numCandidates` for one input pipeline."""

    pipeline: str
    values: list[int]


class Search(_Part):
    """What is chosen from: rules for the weights, fusions, variants; and an outer sweep that is only shown.

    The first of `fusions` is what is in use now (`rank` where none is named). `variants` are other versions
    of input pipelines: name → input pipeline → the pipeline that takes its place. `classes` says how classes
    of questions are told, see `Settings`. `least_scores` are thresholds by input pipeline; none at all is
    always tried too.
    """

    rules: list[Literal["equal", "one_se", "bagged", "argmax"]] = ["equal", "one_se", "bagged", "argmax"]
    fusions: list[Fusion] = []
    variants: dict[str, dict[str, str]] = {}
    classes: Literal["", "group", "shape", "script"] = ""
    depths: list[int] = []
    rank_constants: list[int] = []
    least_scores: list[dict[str, float]] = []
    candidates: Candidates | None = None
    certificate_seconds: float = Field(default=30.0, gt=0)


class ThresholdGoal(_Part):
    """A score threshold to calibrate: of an input pipeline by name, or of "fused".

    `confidence` asks for one that meets its target on other queries too, such as 0.9.
    """

    score: str
    goal: Literal["precision", "recall"]
    target: float = Field(gt=0, le=1)
    confidence: float | None = Field(default=None, gt=0.5, lt=1)


class Expected(_Part):
    """A value that the experiment must reproduce, over all judged queries or in cross-validation.

    `choice` is "equal", "<pipeline> alone", "optimum", or the name of a rule where `cross_validated`.
    """

    choice: str
    value: float
    tolerance: float = Field(gt=0)
    measure: str | None = None
    cross_validated: bool = False


class Experiment(_Part):
    """A whole experiment."""

    name: str
    version: int = Field(ge=1)
    description: str = ""
    seed: int = 0
    recipe: Recipe | None = None
    data: Data
    collect: Collect
    indexes: list[Index]
    pipelines: dict[str, list[dict[str, Any]]]
    current: dict[str, float] = {}
    split: Split = Split()
    measures: Measures = Measures()
    search: Search = Search()
    thresholds: list[ThresholdGoal] = []
    expect: list[Expected] = []
    folder: Path = Path()

    @classmethod
    def read(cls, path: str | Path, *, data: str | Path | None = None) -> Experiment:
        """Reads a TOML file.

        Args:
            data: another folder for the data than the file names.
        Raises:
            ExperimentError: not TOML, or something unknown, missing or out of range in it, a hole that
                nothing fills, a stage that the engine would refuse; all of it by name (7602).
        """
        place = Path(path)
        try:
            experiment = cls.model_validate(tomllib.loads(place.read_text(encoding="utf-8")))
        except tomllib.TOMLDecodeError as error:
            raise _unusable(place, [str(error)]) from error
        except ValidationError as error:
            raise _unusable(place, validation_problems(error, cls)) from None
        if problems := content_problems(experiment):
            raise _unusable(place, problems)
        folder = Path(data) if data else (place.parent / experiment.data.folder)
        return experiment.model_copy(update={"folder": folder.resolve()})

    def with_fusions(self, names: Sequence[str]) -> Experiment:
        """The experiment with other fusions to choose from, the first of them in use now.

        Raises:
            ExperimentError: an unknown fusion (7602).
        """
        for name in names:
            fusion_named(name)
        return self.model_copy(update={"search": self.search.model_copy(update={"fusions": list(names)})})


def _unusable(place: Path, problems: list[str]) -> ExperimentError:
    return ExperimentError(
        f"{place.name} is no experiment: {'; '.join(problems)}",
        expected="the keys that docs/how-to/tune.md lists",
        next_step="correct the file",
    )
