"""Kinds of checks: rows that ask the same question of different inputs, types or data sets are of one kind."""

import re

from dp_audit.judge.question import of_kind, questions
from dp_audit.observation.findings import Finding

OTHER = "A check of the audit."
FINDINGS = tuple(kind.__name__ for kind in Finding.__subclasses__())


def checks() -> tuple[str, ...]:
    """Return names of checks, or beginnings of their names."""
    return (*(question.kind.replace("-", " ") for question in questions()), *FINDINGS)


_COMPILED = " (compiled, samples)"
_SUFFIX = re.compile(r" \([\w.]+ inputs\)$")


def kind_of(check: str) -> str:
    """Return the kind of a check, by its name; findings about the run as such are of kind `run` or `seeds`."""
    check = _SUFFIX.sub("", check)
    if check.startswith("input ") and check.endswith(", outside the domain"):
        return "outside"
    if check.startswith("TargetSeeds"):
        return "seeds"
    kind = re.sub(r"\W+", "-", check.partition(",")[0]).strip("-").lower()
    return "run" if check.isalnum() and check[:1].isupper() else kind


def is_check(name: str) -> bool:
    """Return whether some audit has a check with this name."""
    kind = kind_of(name.removesuffix(_COMPILED))
    if name in FINDINGS or kind != "run":
        return name in FINDINGS or of_kind(kind) is not None
    return name == "run"


def question(kind: str) -> str:
    """Return what checks of a kind ask."""
    module = of_kind(kind)
    return OTHER if module is None else f"{kind.replace('-', ' ').capitalize()}: {module.asks}"
