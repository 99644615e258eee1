"""Every problem of a raw query or definition at once: its place, the engine's words, a rule, a suggestion.

    >>> from atlas_rag.check import check
    >>> report = check({"text": {"query": "sea", "pth": "title"}})
    >>> [finding.message for finding in report.findings]
    ['"text.path" is required', '"text" unrecognized field "pth"']
    >>> report.findings[1].suggestion
    'did you mean "path" instead of "pth"?'

The language itself is in `atlas_rag.grammar`. Here are the rules that look further: at the neighbours in a
pipeline (`pipeline/`), at the index (`index/`), at the server release.
"""

from atlas_rag.check.checker import KINDS, check, guess
from atlas_rag.check.extended_json import read
from atlas_rag.check.report import Codes, Finding, Report, Severity

__all__ = ["KINDS", "Codes", "Finding", "Report", "Severity", "check", "guess", "read"]
