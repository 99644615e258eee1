"""Where the stored vectors are by which hits are told apart."""

from __future__ import annotations

from atlas_rag.errors import CallError
from atlas_rag.plan.draft import Draft


def choose_diversity(draft: Draft) -> None:
    """Takes the path of the option, else the one path of all vector inputs of the retriever.

    Raises:
        CallError: INVALID_OPTION where there is none, or more than one.
    """
    wanted = draft.request.options.diversify
    if wanted is None:
        return
    paths = sorted({path for one in draft.setting.inputs for path in one.vector_paths})
    if wanted.path is None and len(paths) != 1:
        raise CallError(
            f"diversify has no path, and the retriever has vectors at {', '.join(paths) or 'no path'}",
            expected="one path of stored vectors",
            next_step="pass Diversify(path=…)",
        )
    draft.vectors_at = wanted.path or paths[0]
