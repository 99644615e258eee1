"""The deployment as an aggregation sees it: collections by name, to read and to write."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from atlas_rag.inprocess.deployment.databases import View
from atlas_rag.inprocess.deployment.namespace import Namespace
from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.index import Index
from atlas_rag.inprocess.mql.stages.context import Context
from atlas_rag.inprocess.mql.stages.executor import run_rows
from atlas_rag.inprocess.mql.values import MISSING, equal

if TYPE_CHECKING:
    from atlas_rag.inprocess.deployment.deployment import Deployment

Document = Mapping[str, Any]


DEEPEST_VIEW = 20
"""Views on views on views: how many at most."""


class DatabaseView:
    """One database, and through it the others.

    Args:
        bypass: validators are not asked about what is written.
        depth: how many views this is read through.
    """

    def __init__(self, deployment: Deployment, name: str, *, bypass: bool = False, depth: int = 0) -> None:
        self._deployment = deployment
        self._name = name
        self._bypass = bypass
        self._depth = depth

    def collection(self, name: str, database: str | None = None) -> Namespace | ViewReader | None:
        """Returns a collection or a view, None if it does not exist. Raises 165."""
        return readable(self._deployment, database or self._name, name, self._depth)

    def target(self, name: str, database: str | None = None) -> TargetView:
        """Returns a collection to write to; it comes into being by its first document."""
        return TargetView(self._deployment, database or self._name, name, bypass=self._bypass)

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
            if existing is not None and not self._bypass:
                existing.validator.check(document)
            replacement.insert(dict(document))
        if existing is not None:
            self._deployment.databases.drop(database, name)
        made = self._deployment.databases.create(database, name, existing.options if existing else {})
        for specification in list(replacement.indexes.values())[1:]:
            made.add_index(specification)
        for document in replacement.documents():
            made.insert(document)


class ViewReader:
    """A view as it is read: its pipeline runs whenever its documents are asked for; it has no indexes."""

    def __init__(self, deployment: Deployment, view: View, depth: int) -> None:
        self._deployment = deployment
        self._view = view
        self._depth = depth

    def documents(self) -> Iterator[Document]:
        """Yields the documents that the pipeline returns now."""
        view = self._view
        database = DatabaseView(self._deployment, view.database, depth=self._depth + 1)
        context = Context(database, release=self._deployment.release.version)
        return (row.doc for row in run_rows(view.pipeline, context, view.source))

    def document(self, key: int) -> Document | None:
        """None: no search leads here."""
        return None

    def search_index(self, name: str) -> Index | None:
        """None: a view has no indexes."""
        return None

    def search_index_type(self, name: str) -> str | None:
        """None: a view has no indexes."""
        return None

    def search_indexes(self) -> Sequence[Document]:
        """None: a view has no indexes."""
        return ()


def readable(
    deployment: Deployment, database: str, name: str, depth: int = 0
) -> Namespace | ViewReader | None:
    """Returns a collection or a view, None if it does not exist. Raises 165 for views on too many views."""
    view = deployment.databases.view(database, name)
    if view is None:
        return deployment.existing(database, name)
    if depth >= DEEPEST_VIEW:
        raise CommandError(
            165, f"View depth too deep or view cycle detected; maximum depth is {DEEPEST_VIEW}"
        )
    return ViewReader(deployment, view, depth)


class TargetView:
    """A collection as `$merge` writes to it."""

    def __init__(self, deployment: Deployment, database: str, name: str, *, bypass: bool) -> None:
        self._deployment = deployment
        self._database = database
        self._name = name
        self._bypass = bypass

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
        """Inserts a document. Raises 11000, 121, 166."""
        namespace = self._deployment.collection(self._database, self._name)
        if not self._bypass:
            namespace.validator.check(document)
        namespace.insert(dict(document))

    def replace(self, document: Document) -> None:
        """Puts a document in the place of the one with its `_id`."""
        namespace = self._deployment.collection(self._database, self._name)
        key = namespace.rows.key_of(document["_id"])
        if key is None:
            self.insert(document)
        else:
            if not self._bypass:
                namespace.validator.check(document, namespace.rows.documents[key])
            namespace.replace(key, dict(document))


def _at(document: Any, path: str) -> Any:
    for name in path.split("."):
        document = document.get(name, MISSING) if isinstance(document, Mapping) else MISSING
    return document
