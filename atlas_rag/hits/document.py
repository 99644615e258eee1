"""The class that documents of hits are objects of, as type checkers follow it: any, unless one is given."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing_extensions import TypeVar

    Document = TypeVar("Document", default=Any)
else:
    from typing import TypeVar

    Document = TypeVar("Document")
