"""What can go wrong, drawn by remedy.

    AtlasRagError
    ├── CallError              71xx  fix the call
    ├── RetrievalError         72xx  take another route, deployment or policy
    ├── SearchIndexError       73xx  create, wait for or repair a search index
    ├── ServerError            74xx  look at the deployment, the network or the account
    ├── ReplyError             75xx  a reply that is not what the server documents: report it
    └── ExperimentError        76xx  more judgments, another split, an honest claim

Every error has a permanent code (`Code`), names what was given, what was expected and the next step, keeps
its cause, can be pickled, and never carries a vector, a credential, or the text of a query or document.
"""

from __future__ import annotations

from enum import IntEnum
from typing import ClassVar

DOCS = "https://atlas-rag.readthedocs.io/en/stable"
"""Where `docs/` is published."""


class Code(IntEnum):
    """The closed list of permanent error codes. Numbers are never reused."""

    INVALID_OPTION = 7101
    INVALID_FILTER = 7102
    UNSUPPORTED_FILTER = 7103
    INVALID_VECTOR = 7104
    INVALID_WEIGHTS = 7105
    INVALID_STAGE = 7106
    INVALID_PIPELINE = 7107
    SCORE_KIND_MISMATCH = 7108
    UNSUPPORTED_CLIENT = 7109
    INVALID_DEFINITION = 7110
    VALUE_NOT_LITERAL = 7111

    RAG_RETRIEVER_MISSING = 7201
    RAG_RETRIEVAL_FAILED = 7202
    RAG_COLLECTION_NOT_SEARCHABLE = 7203
    RAG_CONTEXT_BUDGET_TOO_SMALL = 7204
    FEATURE_UNAVAILABLE = 7205
    PROVIDER_FAILED = 7206

    INDEX_MISSING = 7301
    INDEX_NOT_READY = 7302
    INDEX_FAILED = 7303
    INDEX_CONFLICT = 7304
    INDEX_CHANGE_REFUSED = 7305
    INDEX_QUOTA = 7306

    SERVER_UNREACHABLE = 7401
    SERVER_TIMEOUT = 7402
    CONNECTION_LOST = 7403
    AUTHENTICATION_FAILED = 7404
    NOT_AUTHORIZED = 7405
    SEARCH_NOT_ENABLED = 7406
    SEARCH_ENGINE_DOWN = 7407
    STAGE_UNKNOWN = 7408
    REQUEST_REFUSED = 7409
    CURSOR_LOST = 7410
    TOO_LARGE = 7411
    OVERLOADED = 7412

    UNEXPECTED_REPLY = 7501

    TOO_FEW_JUDGMENTS = 7601
    EXPERIMENT_INVALID = 7602
    VERIFICATION_FAILED = 7603


class AtlasRagError(Exception):
    """Base of every error that this library raises on purpose.

    Args:
        problem: what is wrong, one sentence, naming what was given.
        expected: what would have been accepted.
        next_step: what to do now.
        code: permanent code; defaults to the class's own.
    """

    default_code: ClassVar[Code] = Code.INVALID_OPTION

    def __init__(
        self, problem: str, *, expected: str = "", next_step: str = "", code: Code | None = None
    ) -> None:
        self.problem = problem
        self.expected = expected
        self.next_step = next_step
        self.code = self.default_code if code is None else code
        super().__init__(problem)

    @property
    def url(self) -> str:
        """The page that tells cause and remedy of this code."""
        return f"{DOCS}/errors/#{int(self.code)}"

    def __str__(self) -> str:
        parts = [f"[{int(self.code)}] {self.problem}"]
        if self.expected:
            parts.append(f"Expected: {self.expected}")
        if self.next_step:
            parts.append(f"Next step: {self.next_step}")
        return " ".join(part if part.endswith((".", "!", "?")) else part + "." for part in parts)

    def __reduce__(self) -> tuple[object, ...]:
        return (_rebuild, (type(self), self.__dict__.copy()))


def _rebuild(cls: type[AtlasRagError], state: dict[str, object]) -> AtlasRagError:
    error = cls.__new__(cls)
    Exception.__init__(error, state["problem"])
    error.__dict__.update(state)
    return error


class CallError(AtlasRagError, ValueError):
    """The call itself is wrong; nothing was sent."""


class RetrievalError(AtlasRagError):
    """The request is sound, but this route or deployment cannot serve it."""

    default_code = Code.RAG_RETRIEVAL_FAILED


class SearchIndexError(AtlasRagError):
    """A search index is missing, not ready, failed, or defined differently from what is needed."""

    default_code = Code.INDEX_MISSING


class ServerError(AtlasRagError):
    """The deployment answered with an error or not at all.

    Attributes:
        server_code: the server's own numeric code, or None where it sent none.
        code_name: the server's name for it, or "".
        server_message: the server's text with quoted commands, vectors and strings of the query removed.
    """

    default_code = Code.REQUEST_REFUSED

    def __init__(
        self,
        problem: str,
        *,
        expected: str = "",
        next_step: str = "",
        code: Code | None = None,
        server_code: int | None = None,
        code_name: str = "",
        server_message: str = "",
    ) -> None:
        super().__init__(problem, expected=expected, next_step=next_step, code=code)
        self.server_code = server_code
        self.code_name = code_name
        self.server_message = server_message


class ReplyError(AtlasRagError):
    """A reply does not have the documented shape."""

    default_code = Code.UNEXPECTED_REPLY


class ExperimentError(AtlasRagError):
    """An experiment cannot support the claim that was asked of it."""

    default_code = Code.EXPERIMENT_INVALID
