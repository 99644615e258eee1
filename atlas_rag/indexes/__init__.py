"""Search indexes as code: what is wanted, what is there, and the way from one to the other.

    definitions/   how an index is built: models that write themselves as documents
    desired/       indexes that somebody wants, from Python, files or a retriever
    state.py       what a deployment shows
    changes/       compare, plan, apply, replace, roll back
    waiting/       until indexes answer, until documents are found
    documents/     what would silently not be found

Everything that talks to a deployment is a flow: `drive(ensure_indexes(...), engine)`, or `adrive`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from atlas_rag.indexes import definitions
from atlas_rag.lazy import front_door

if TYPE_CHECKING:
    from atlas_rag.indexes.changes.apply import Applied, apply_plan
    from atlas_rag.indexes.changes.compare import Difference, differences
    from atlas_rag.indexes.changes.ensure import ensure_indexes
    from atlas_rag.indexes.changes.limits import TIERS, Tier, tier
    from atlas_rag.indexes.changes.plan import Action, Change, IndexPlan, plan_indexes
    from atlas_rag.indexes.changes.replace import replace_index
    from atlas_rag.indexes.changes.rollback import Previous, rollback
    from atlas_rag.indexes.definitions import *  # noqa: F403  every class of a definition is a name of this room
    from atlas_rag.indexes.desired.covering import Unmet, unmet_needs
    from atlas_rag.indexes.desired.naming import named_by_content
    from atlas_rag.indexes.desired.wanted import WantedIndex, read_definitions
    from atlas_rag.indexes.documents import Problem, check_documents
    from atlas_rag.indexes.state import IndexState, list_states
    from atlas_rag.indexes.waiting.searchable import wait_until_searchable
    from atlas_rag.indexes.waiting.wait import Waiting, wait_for_indexes

__all__ = [
    "TIERS",
    "Action",
    "Applied",
    "Change",
    "Difference",
    "IndexPlan",
    "IndexState",
    "Previous",
    "Problem",
    "Tier",
    "Unmet",
    "Waiting",
    "WantedIndex",
    "apply_plan",
    "check_documents",
    "differences",
    "ensure_indexes",
    "list_states",
    "named_by_content",
    "plan_indexes",
    "read_definitions",
    "replace_index",
    "rollback",
    "tier",
    "unmet_needs",
    "wait_for_indexes",
    "wait_until_searchable",
    *definitions.__all__,
]

__getattr__, __dir__ = front_door(
    __name__,
    {
        "changes.apply": (
            "Applied",
            "apply_plan",
        ),
        "changes.compare": (
            "Difference",
            "differences",
        ),
        "changes.ensure": ("ensure_indexes",),
        "changes.limits": (
            "TIERS",
            "Tier",
            "tier",
        ),
        "changes.plan": (
            "Action",
            "Change",
            "IndexPlan",
            "plan_indexes",
        ),
        "changes.replace": ("replace_index",),
        "changes.rollback": (
            "Previous",
            "rollback",
        ),
        "desired.covering": (
            "Unmet",
            "unmet_needs",
        ),
        "desired.naming": ("named_by_content",),
        "desired.wanted": ("WantedIndex", "read_definitions"),
        "documents": (
            "Problem",
            "check_documents",
        ),
        "state": (
            "IndexState",
            "list_states",
        ),
        "waiting.searchable": ("wait_until_searchable",),
        "waiting.wait": (
            "Waiting",
            "wait_for_indexes",
        ),
        "definitions": tuple(definitions.__all__),
    },
)
