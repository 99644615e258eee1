"""3 KNOW: what this deployment can run, asked by trying."""

from typing import TYPE_CHECKING

from atlas_rag.lazy import front_door

if TYPE_CHECKING:
    from atlas_rag.capability.cache import CapabilityCache
    from atlas_rag.capability.deployment import Deployment
    from atlas_rag.capability.feature import Feature
    from atlas_rag.capability.probing import probe
    from atlas_rag.capability.reason import Reason
    from atlas_rag.capability.report import CapabilityReport, SearchIndex, Verdict

__all__ = [
    "CapabilityCache",
    "CapabilityReport",
    "Deployment",
    "Feature",
    "Reason",
    "SearchIndex",
    "Verdict",
    "probe",
]

__getattr__, __dir__ = front_door(
    __name__,
    {
        "cache": ("CapabilityCache",),
        "deployment": ("Deployment",),
        "feature": ("Feature",),
        "probing": ("probe",),
        "reason": ("Reason",),
        "report": ("CapabilityReport", "SearchIndex", "Verdict"),
    },
)
