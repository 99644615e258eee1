"""Search indexes as code: definitions, plan, apply, wait, check, roll back, load."""

from atlas_rag.indexes import definitions
from atlas_rag.indexes.apply import Applied, apply_plan
from atlas_rag.indexes.compare import Difference, differences
from atlas_rag.indexes.covering import Unmet, unmet_needs
from atlas_rag.indexes.definitions import *  # noqa: F403  every class of a definition is a name of this room
from atlas_rag.indexes.documents import Problem, check_documents
from atlas_rag.indexes.ensure import ensure_indexes
from atlas_rag.indexes.files import read_definitions
from atlas_rag.indexes.limits import TIERS, Tier, tier
from atlas_rag.indexes.naming import named_by_content
from atlas_rag.indexes.plan import Action, Change, IndexPlan, plan_indexes
from atlas_rag.indexes.replace import replace_index
from atlas_rag.indexes.rollback import Previous, rollback
from atlas_rag.indexes.searchable import wait_until_searchable
from atlas_rag.indexes.state import IndexState, list_states
from atlas_rag.indexes.wait import Waiting, wait_for_indexes
from atlas_rag.indexes.wanted import WantedIndex

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
