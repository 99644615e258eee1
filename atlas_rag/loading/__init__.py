"""Loads documents: read, embed in batches, upsert under ids that never change. Safe to kill and run again.

items = read_jsonl(Path("notes.jsonl"), text="text", id="key")
report = drive(load(namespace, items, embedder), engine_for(collection))
"""

from atlas_rag.loading.batches import Limits
from atlas_rag.loading.item import Item, read_items, read_jsonl
from atlas_rag.loading.load import load
from atlas_rag.loading.report import LoadFailure, Loading, LoadReport
from atlas_rag.loading.target import Target

__all__ = [
    "Item",
    "Limits",
    "LoadFailure",
    "LoadReport",
    "Loading",
    "Target",
    "load",
    "read_items",
    "read_jsonl",
]
