"""Asking an engine once for all that tuning needs, and checking afterwards that offline equals online."""

from atlas_rag.tuning.collect.cache import RunCache
from atlas_rag.tuning.collect.candidates import TradeOff, candidate_study
from atlas_rag.tuning.collect.collect import Collected, Request, acollect, collect, collecting
from atlas_rag.tuning.collect.fingerprint import fingerprint
from atlas_rag.tuning.collect.latency import Latency
from atlas_rag.tuning.collect.packed import load_runs, save_runs
from atlas_rag.tuning.collect.verify import verifying

__all__ = [
    "Collected",
    "Latency",
    "Request",
    "RunCache",
    "TradeOff",
    "acollect",
    "candidate_study",
    "collect",
    "collecting",
    "fingerprint",
    "load_runs",
    "save_runs",
    "verifying",
]
