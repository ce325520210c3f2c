"""A question that audits ask: what its row means, what it needs, when it is not asked, what to do about a deviation."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pkgutil import walk_packages
from typing import Any

from dp_audit.judge.plan import Need
from dp_audit.outcome import Row


@dataclass(frozen=True)
class Question:
    """One kind of row. Every module of this package names its own, as `QUESTIONS`.

    `kind` is the name of its rows in words joined by hyphens, `asks` the question in short; `rows`, if that says more,
    how the rows are called, and `meaning` what they say, for the guide. `needs` are the observations that it rests on,
    from which it follows what an audit runs; `unasked` when there is no row, or what it then says (may be empty);
    `hint` what to do about a deviation. `of_run` (None: it is asked elsewhere) makes the rows of an unmodified run that
    is examined, in the `order` of these numbers: cheapest first.
    """

    kind: str
    asks: str
    needs: tuple[Need, ...]
    rows: str = ""
    meaning: str = ""
    unasked: str = ""
    hint: str = ""
    order: int = 0
    of_run: Callable[[Any], Iterator[Row]] | None = None

    @property
    def title(self) -> str:
        """Return how its rows are called."""
        return self.rows or f"`{self.kind.replace('-', ' ')}`"

    @property
    def explanation(self) -> str:
        """Return what its rows say."""
        return self.meaning or f"{self.asks[0].upper()}{self.asks[1:]}"

    @property
    def observed(self) -> str:
        """Return what it needs, in words."""
        parts = [need.words for need in self.needs if need.name and need.run != "laws"]
        other = dict.fromkeys(need.words for need in self.needs if need.words not in parts)
        unmodified = [f"an unmodified run ({', '.join(dict.fromkeys(parts))})"] if parts else []
        return " and ".join([*other, *unmodified])

    @property
    def text(self) -> str:
        """Return all of it, for a terminal."""
        meaning = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", self.explanation).replace("`", "")
        lines = [f"{self.title.replace('`', '')}: {self.asks}", meaning, f"It needs {self.observed}."]
        lines += [f"Where there is no row: {self.unasked}."] if self.unasked else []
        lines += [f"After a deviation: {self.hint}."] if self.hint else []
        return "\n".join(lines)


@cache
def questions() -> tuple[Question, ...]:
    """Return the questions of all modules of `dp_audit.judge`, in the order of these."""
    package = import_module("dp_audit.judge")
    names = sorted(module.name for module in walk_packages(package.__path__, "dp_audit.judge."))
    return tuple(question for name in names for question in getattr(import_module(name), "QUESTIONS", ()))


def needed() -> tuple[Need, ...]:
    """Return what the questions need, each once."""
    return tuple(dict.fromkeys(need for question in questions() for need in question.needs))


def of_kind(kind: str) -> Question | None:
    """Return the question of this kind, if there is one."""
    return next((question for question in questions() if question.kind == kind), None)
