"""Claims of source 000 that are not yet formalized."""

from dp_spec.shuffle.claims import baselines, efficiency, estimators, evaluation, tables, variances
from dp_spec.vocabulary.claim import Formal, Unchecked
from dp_spec.vocabulary.source import document

_SECTIONS = (tables, estimators, variances, efficiency, baselines, evaluation)
_KNOWN = {i for section in _SECTIONS for i in section.FORMAL}


def _ids() -> list[str]:
    rows = document("000")["claims"]
    return [f"{row['id']}@{name}" if name else row["id"] for row in rows for name in row.get("readings", [""])]


FORMAL: dict[str, Formal] = {i: Unchecked("not yet formalized") for i in _ids() if i not in _KNOWN}
"""Every other id."""
