"""What one call asks for, before anything is known of the deployment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from atlas_rag.errors import CallError
from atlas_rag.query.content import check_text, has_content
from atlas_rag.query.mode import Mode
from atlas_rag.query.options import RetrievalOptions
from atlas_rag.query.refusal import known_names, shown

__all__ = ["Mode", "NativeReranker", "Request"]


@known_names
@dataclass(frozen=True, slots=True, kw_only=True)
class NativeReranker:
    """The deployment's own reranker, `$rerank`, as the last step of the pipeline.

    Args:
        paths: top-level fields whose text is judged; a document that lacks one is judged without it.
        model: such as "rerank-2.5".

    Needs: server 8.3 on Atlas, enabled in the project's settings; a capability probe tells.
    """

    paths: tuple[str, ...] = ("text",)
    model: str = "rerank-2.5"

    def __post_init__(self) -> None:
        paths = self.paths
        if not isinstance(paths, (list, tuple)) or not paths or not all(map(_is_word, paths)):
            raise CallError(
                f"NativeReranker.paths is {shown(paths)}",
                expected="a list of field names",
                next_step=f"pass paths=[{paths if _is_word(paths) else 'text'!r}]",
            )
        object.__setattr__(self, "paths", tuple(paths))
        if not _is_word(self.model):
            raise CallError(
                f"NativeReranker.model is {shown(self.model)}",
                expected="the name of a model",
                next_step="pass model='rerank-2.5'",
            )

    @property
    def id(self) -> str:
        """Names the stage and the model, for evidence."""
        return f"$rerank/{self.model}"


@dataclass(frozen=True, slots=True)
class Request:
    """One question: what is asked, and the options that hold for it.

    Args:
        text: the question; not in `repr`.
        vector: its query vector as BinData, or None; not in `repr`.
        options: of this call, defaults filled in.
        history: what was said before, oldest first; not in `repr`.

    Raises:
        CallError: INVALID_OPTION for a text that is no string, or neither text nor vector.
    """

    text: str | None = field(default=None, repr=False)
    vector: Any = field(default=None, repr=False)
    options: RetrievalOptions = field(default_factory=RetrievalOptions)
    history: Sequence[str] = field(default=(), repr=False)

    @classmethod
    def of(cls, text: str | None = None, vector: Any = None, **options: Any) -> Request:
        """A request from plain options, as `retrieve` takes them."""
        return cls(text, vector, RetrievalOptions().override(options))

    def __post_init__(self) -> None:
        if self.text is not None and not isinstance(self.text, str):
            raise CallError(
                f"The question is a {type(self.text).__name__}",
                expected="a string",
                next_step="pass the text; a vector goes to vector=…",
            )
        if self.text is not None:
            check_text(self.text, "The question")
        for word in self.options.keywords or ():
            check_text(word, "A keyword")
        for wording in self.options.variants or ():
            if not has_content(check_text(wording, "A variant of the question")):
                raise CallError(
                    "A variant of the question has no content",
                    expected="a letter, a digit or a sign in each",
                    next_step="leave it out",
                )
        if not isinstance(self.history, (list, tuple)) or not all(
            isinstance(said, str) for said in self.history
        ):
            raise CallError(
                "history is no list of strings",
                expected="what was said before, oldest first",
                next_step="pass history=[…]",
            )
        if self.text is None and self.vector is None:
            raise CallError(
                "There is no question", expected="text, a vector, or both", next_step="pass retrieve('…')"
            )

    @property
    def empty(self) -> bool:
        """Whether there is nothing to look for: no vector, no keywords, and no letter, digit or sign.

        For keyword search the words alone count, whatever vector there is.
        """
        if self.options.search_mode is Mode.KEYWORD:
            return not self.keyword_text
        return self.vector is None and not self.options.keywords and not has_content(self.text or "")

    @property
    def keyword_text(self) -> str:
        """What a keyword pipeline looks for: the keywords, else the text; may be empty."""
        keywords = self.options.keywords
        words = (self.text or "",) if keywords is None else keywords
        return " ".join([word for word in words if has_content(word)])

    def with_options(self, **changes: Any) -> Request:
        """The same question with some options changed."""
        return replace(self, options=self.options.override(changes))


def _is_word(value: Any) -> bool:
    return isinstance(value, str) and bool(value)
