"""A search index on disk: every array of its partitions, so that opening it analyses nothing again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from atlas_rag.inprocess.search.search_index.mapping import SearchMapping
from atlas_rag.inprocess.search.search_index.partition import Partition
from atlas_rag.inprocess.search.search_index.similarity import SIMILARITIES
from atlas_rag.inprocess.search.search_index.storage.terms import Options

Array = np.ndarray[Any, Any]
Sections = dict[str, Mapping[str, Array]]


def dump_partition(partition: Partition, prefix: str) -> tuple[Sections, dict[str, Any]]:
    """Returns a partition as sections of arrays (named from `prefix` on) and values that BSON can hold."""
    sections: Sections = {f"{prefix}/documents": partition.documents.dump()}
    terms = []
    for at, (name, field) in enumerate(partition.terms.items()):
        sections[f"{prefix}/terms/{at}"] = field.dump()
        terms.append([name, list(field.options), partition.similarity(name).kind])
    numbers = []
    for at, (name, column) in enumerate(partition.numbers.items()):
        docs, values, single = column.arrays()
        sections[f"{prefix}/numbers/{at}"] = {"docs": docs, "values": values, "single": single}
        numbers.append([name, column.whole])
    for at, vectors in enumerate(partition.vectors.values()):
        sections[f"{prefix}/vectors/{at}"] = vectors.dump()
    objects = [[name, column.docs, column.items] for name, column in partition.objects.items()]
    return sections, {
        "terms": terms,
        "numbers": numbers,
        "objects": objects,
        "vectors": list(partition.vectors),
    }


def load_partition(
    partition: Partition,
    mapping: SearchMapping,
    prefix: str,
    arrays: Mapping[str, Mapping[str, Array]],
    values: Mapping[str, Any],
) -> None:
    """Fills an empty partition with what `dump_partition` gave."""
    for at, (name, options, similarity) in enumerate(values["terms"]):
        field = partition.term_field(name, Options(*options), SIMILARITIES[similarity])
        if arrays[f"{prefix}/terms/{at}"]:
            field.load(arrays[f"{prefix}/terms/{at}"])
    for at, (name, whole) in enumerate(values["numbers"]):
        cells = arrays[f"{prefix}/numbers/{at}"]
        partition.number_column(name, whole=whole).extend(cells["docs"], cells["values"], cells["single"])
    for name, docs, items in values["objects"]:
        for doc, item in zip(docs, items, strict=True):
            partition.object_column(name).add(doc, item)
    fields = mapping.vector_fields()
    for at, name in enumerate(values["vectors"]):
        partition.vector_column(name, fields[name].column).load(dict(arrays[f"{prefix}/vectors/{at}"]))
    partition.documents.load(arrays[f"{prefix}/documents"])
