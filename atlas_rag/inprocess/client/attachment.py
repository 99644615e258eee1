"""A collection that follows a source: documents live elsewhere, searches run here."""

from __future__ import annotations

from typing import Any

from atlas_rag.inprocess.client.collection import LocalCollection
from atlas_rag.inprocess.copies import owned
from atlas_rag.inprocess.mql.values import sort_key

Document = dict[str, Any]


class Attachment:
    """A source and the collection that follows it.

    Args:
        source: a synchronous collection of any PyMongo-shaped client, mongomock's among them.
        collection: where its documents are searched; written to by nobody else.
    """

    def __init__(self, source: Any, collection: LocalCollection) -> None:
        self.source = source
        self.collection = collection

    def refresh(self) -> int:
        """Reads the source and takes over what has changed; returns how many documents that were.

        Only changed documents are analysed again. A document that is replaced moves behind the others among
        equal scores, as it does on a server.
        """
        known = {sort_key(document["_id"]): document for document in self.collection.find()}
        changed = 0
        fresh: list[Document] = []
        for document in self.source.find({}):
            found = known.pop(sort_key(document["_id"]), None)
            if found is None:
                fresh.append(document)
            elif found != owned(document):
                self.collection.replace_one({"_id": document["_id"]}, document)
                changed += 1
        if fresh:
            self.collection.insert_many(fresh)
        for document in known.values():
            self.collection.delete_one({"_id": document["_id"]})
        return changed + len(fresh) + len(known)
