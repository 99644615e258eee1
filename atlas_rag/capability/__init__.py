"""3 KNOW: what this deployment can run, asked by trying."""

from atlas_rag.capability.cache import CapabilityCache
from atlas_rag.capability.deployment import Deployment
from atlas_rag.capability.feature import Feature
from atlas_rag.capability.probe import probe
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
