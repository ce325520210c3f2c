"""What a statement is about: law, view, sets, constraints on the sizes, what is counted."""

from collections.abc import Callable, Mapping
from typing import Any

from dp_checks.pages.domains import constraint
from dp_checks.pages.notation import SIZES, VIEWS, indefinite, latex
from dp_checks.registry import Key, keyed
from dp_spec.vocabulary.law import Law
from dp_spec.vocabulary.term import var

Words = Callable[[Any], list[str]]
"""A statement as Markdown lines."""


def followed(table: Mapping[type, Words], about: Words, unit: str = "") -> dict[Key, Words]:
    """Words that are followed by what the statement is about."""

    def both(first: Words) -> Words:
        return lambda statement: [*first(statement), *about(statement)]

    return keyed({kind: both(first) for kind, first in table.items()}, unit)


def about(statement: object) -> list[str]:
    """One line in italics."""
    law: Law = statement.law  # type: ignore[attr-defined]
    view: str = getattr(statement, "view", law.view)
    words = [f"law `{law.mechanism}`", VIEWS.get(view, f"view `{view}`")]
    sizes = getattr(statement, "sizes", None)
    if sizes is not None:
        words.append(SIZES[sizes])
    where = [constraint(c) for c in getattr(statement, "where", ())]
    if where:
        words.append("where " + indefinite(where))
    if getattr(statement, "counted", "all") == "nonempty":
        words.append("reports without a sensitive element are not counted")
    if getattr(statement, "any_order", False):
        words.append("for every fixed order in which the items of a set may be processed")
    for name in law.parameters:
        words.append(f"for every $0<{latex(var(name))}<1$")
    return [f"*{'; '.join(words)}.*", ""]
