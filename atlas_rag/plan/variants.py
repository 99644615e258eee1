"""Several wordings of one question: every input pipeline once for each, all in one fusion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from atlas_rag.errors import CallError
from atlas_rag.plan.draft import Setting
from atlas_rag.plan.fusion import Fusion
from atlas_rag.plan.inputs import Input, check_inputs
from atlas_rag.query.request import Request


def with_variants(request: Request, setting: Setting) -> tuple[Request, Setting]:
    """The request and the setting with an input pipeline more for each variant: `vector_2`, `keyword_2`, ….

    All of them are ordinary input pipelines: filters, belt, routes and evidence are as ever, and the same
    arithmetic fuses them. A weight of an input pipeline is that of its variants as well.

    Raises:
        CallError: INVALID_OPTION for an expression of a score fusion, which does not know the variants, or
            an input pipeline that has the name of a variant.
    """
    wordings = request.options.variants
    if not wordings:
        return request, setting
    fusion = setting.fusion
    if fusion.expression is not None:
        raise CallError(
            "The expression of the score fusion does not know the variants of the question",
            expected="a fusion by rank, or by the mean of scores",
            next_step="leave variants out, or take Fusion.rank()",
        )
    names = [one.name for one in setting.inputs]
    inputs = check_inputs([*setting.inputs, *_varied(setting.inputs, wordings)])
    wider = Fusion(fusion.method, _weights(fusion.weights, names, wordings), fusion.normalization)
    asked = request
    if request.options.weights is not None:
        asked = request.with_options(weights=_weights(request.options.weights, names, wordings))
    return asked, replace(setting, inputs=inputs, fusion=wider)


def _varied(inputs: Sequence[Input], wordings: Sequence[str]) -> list[Input]:
    return [
        replace(one, name=_name(one.name, number), wording=wording)
        for number, wording in enumerate(wordings, start=2)
        for one in inputs
    ]


def _name(name: str, number: int) -> str:
    return f"{name}_{number}"


def _weights(weights: Mapping[str, float], names: Sequence[str], wordings: Sequence[str]) -> dict[str, float]:
    variants = {
        _name(name, number): weights[name]
        for number in range(2, len(wordings) + 2)
        for name in names
        if name in weights
    }
    return {**weights, **variants}
