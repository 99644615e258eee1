"""The deployment as an aggregation sees it: collections by name, to read and to write."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from atlas_rag.inprocess.deployment.namespace import Namespace
from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.values import MISSING, equal

if TYPE_CHECKING:
    from atlas_rag.inprocess.deployment.deployment import Deployment

Document = Mapping[str, Any]


class DatabaseView:
    """One database, and through it the others."""

    def __init__(self, deployment: Deployment, name: str) -> None:
        self._deployment = deployment
        self._name = name

    def collection(self, name: str, database: str | None = None) -> Namespace | None:
        """Returns a collection, None if it does not exist."""
        return self._deployment.existing(database or self._name, name)

    def target(self, name: str, database: str | None = None) -> TargetView:
        """Returns a collection to write to; it comes into being by its first document."""
        return TargetView(self._deployment, database or self._name, name)

    def replace_collection(
        self, name: str, documents: Sequence[Document], database: str | None = None
    ) -> None:
        """Makes a collection hold exactly these documents, or fails and leaves it as it was."""
        database = database or self._name
        existing = self._deployment.existing(database, name)
        if existing is not None and existing.search:
            text = f"namespace '{database}.{name}' has a search index and can't be used for an $out stage"
            raise CommandError(28769, text)
        replacement = Namespace(database, name, lambda record: None)
        for specification in list(existing.indexes.values())[1:] if existing else ():
            replacement.add_index(specification)
        for document in documents:
            replacement.insert(dict(document))
        if existing is not None:
            self._deployment.databases.drop(database, name)
        made = self._deployment.collection(database, name)
        for specification in list(replacement.indexes.values())[1:]:
            made.add_index(specification)
        for document in replacement.documents():
            made.insert(document)


class TargetView:
    """A collection as `$merge` writes to it."""

    def __init__(self, deployment: Deployment, database: str, name: str) -> None:
        self._deployment = deployment
        self._database = database
        self._name = name

    def _existing(self) -> Namespace | None:
        return self._deployment.existing(self._database, self._name)

    def unique_keys(self) -> Iterable[frozenset[str]]:
        """Yields the field sets of the unique indexes; `_id` is always one."""
        yield frozenset({"_id"})
        namespace = self._existing()
        for specification in namespace.indexes.values() if namespace else ():
            if specification.get("unique") and "partialFilterExpression" not in specification:
                yield frozenset(specification["key"])

    def find_one(self, fields: Mapping[str, Any]) -> Document | None:
        """Returns the document whose fields equal the values given."""
        namespace = self._existing()
        if namespace is None:
            return None
        if set(fields) == {"_id"}:
            key = namespace.rows.key_of(fields["_id"])
            return None if key is None else namespace.rows.documents[key]
        for document in namespace.documents():
            if all(equal(_at(document, path), value) for path, value in fields.items()):
                return document
        return None

    def insert(self, document: Document) -> None:
        """Inserts a document. Raises 11000."""
        self._deployment.collection(self._database, self._name).insert(dict(document))

    def replace(self, document: Document) -> None:
        """Puts a document in the place of the one with its `_id`."""
        namespace = self._deployment.collection(self._database, self._name)
        key = namespace.rows.key_of(document["_id"])
        if key is None:
            namespace.insert(dict(document))
        else:
            namespace.replace(key, dict(document))


def _at(document: Any, path: str) -> Any:
    for name in path.split("."):
        document = document.get(name, MISSING) if isinstance(document, Mapping) else MISSING
    return document
