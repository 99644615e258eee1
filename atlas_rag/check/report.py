"""What a check found, as values that people and machines read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from atlas_rag.grammar import Problem


class Severity(StrEnum):
    """How bad a finding is."""

    ERROR = "error"
    """The server or the search engine refuses it."""

    WARNING = "warning"
    """It runs, and does not do what it seems to: usually it returns nothing."""


@dataclass(frozen=True, slots=True)
class Codes:
    """The server's numeric error code on the releases that differ.

    Args:
        v8: code of the 8.x releases; None where they accept it, or where the search engine refuses (code 8).
        v9: code of 9.0 and later; None likewise.
    """

    v8: int | None
    v9: int | None

    @classmethod
    def same(cls, code: int) -> Codes:
        """One code on all releases."""
        return cls(code, code)


ENGINE_CODE = Codes.same(8)
"""What reaches a driver when the search engine refuses a query: UnknownError with the engine's text."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding.

    Args:
        path: dotted place in what was checked, with `[i]` for array items; empty for all of it.
        message: the engine's wording where the engine says it, ours otherwise.
        rule: stable kebab-case name of the rule.
        severity: whether it is refused, or runs and misleads.
        suggestion: a near-miss name, or what to do instead.
        codes: the server's codes, where the server refuses.
        needs: the server release that a feature needs, as `(major, minor)`.
    """

    path: str
    message: str
    rule: str
    severity: Severity = Severity.ERROR
    suggestion: str | None = None
    codes: Codes | None = None
    needs: tuple[int, int] | None = None

    def as_json(self) -> dict[str, Any]:
        """The finding as JSON; keys without a value are left out."""
        found: dict[str, Any] = {
            "path": self.path,
            "message": self.message,
            "rule": self.rule,
            "severity": self.severity.value,
        }
        if self.suggestion is not None:
            found["suggestion"] = self.suggestion
        if self.codes is not None:
            found["codes"] = {"8.x": self.codes.v8, "9.0": self.codes.v9}
        if self.needs is not None:
            found["needs"] = ".".join(map(str, self.needs))
        return found

    def __str__(self) -> str:
        place = f"{self.path}: " if self.path else ""
        codes = f" [{self._codes()}]" if self.codes is not None else ""
        advice = f" – {self.suggestion}" if self.suggestion else ""
        return f"{self.severity.value}: {place}{self.message}{advice} ({self.rule}){codes}"

    def _codes(self) -> str:
        v8, v9 = (self.codes.v8, self.codes.v9) if self.codes is not None else (None, None)
        return f"code {v8}" if v8 == v9 else f"8.x: {v8 or 'accepted'}, 9.0: {v9 or 'accepted'}"


@dataclass(frozen=True, slots=True)
class Report:
    """All findings about one value, errors and warnings in reading order.

    Args:
        what: what was checked, one of `atlas_rag.check.KINDS`.
        findings: everything that was found.
        needs: the oldest server release that can run it, as `(major, minor)`.
    """

    what: str
    findings: tuple[Finding, ...] = ()
    needs: tuple[int, int] | None = None

    @property
    def errors(self) -> tuple[Finding, ...]:
        """What is refused."""
        return tuple(one for one in self.findings if one.severity is Severity.ERROR)

    @property
    def warnings(self) -> tuple[Finding, ...]:
        """What runs and misleads."""
        return tuple(one for one in self.findings if one.severity is Severity.WARNING)

    @property
    def valid(self) -> bool:
        """Whether nothing is refused."""
        return not self.errors

    def as_json(self) -> dict[str, Any]:
        """The report as JSON with a stable order of keys."""
        report: dict[str, Any] = {
            "what": self.what,
            "valid": self.valid,
            "findings": [one.as_json() for one in self.findings],
        }
        if self.needs is not None:
            report["needs"] = ".".join(map(str, self.needs))
        return report


def from_problems(problems: Iterable[Problem], prefix: str = "", codes: Codes | None = None) -> list[Finding]:
    """Findings of the grammar, below a place."""
    return [
        Finding(
            path=joined(prefix, one.path),
            message=one.message,
            rule=one.rule,
            suggestion=one.suggestion,
            codes=codes,
        )
        for one in problems
    ]


def joined(prefix: str, path: str) -> str:
    """A place below another place."""
    if not prefix or not path:
        return prefix or path
    return f"{prefix}{path}" if path.startswith("[") else f"{prefix}.{path}"


def first_key(document: Mapping[str, Any]) -> str:
    """The name of a stage, or an empty string."""
    return next(iter(document), "")
