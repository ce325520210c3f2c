"""Checkers for definitions and for implications between them: the pool of example channels, and containment."""

from collections.abc import Iterator
from math import comb
from typing import Any

from dp_checks.check.candidate import Candidate
from dp_checks.check.examples import pool
from dp_checks.kernel.channels import finite, holds
from dp_checks.kernel.rejected import Rejected
from dp_spec.vocabulary.statement import Definition, Implies, NoChannel, Unique

Data = dict[str, Any]


def definition(statement: Definition) -> Iterator[Candidate]:
    """The first example that every form accepts with the first that every form rejects."""
    usable = [c for c in pool() if all(_applies(form, c) for form in statement.forms)]
    good = [c for c in usable if all(_holds(form, c) for form in statement.forms)]
    bad = [c for c in usable if not any(_holds(form, c) for form in statement.forms)]
    for form in statement.forms:
        split = [c for c in usable if _holds(form, c) != _holds(statement.forms[0], c)]
        if split:
            raise AssertionError(f"the forms {statement.forms} disagree on {split[0]}")
    if good and bad:
        scope = f"one channel of each kind; the forms agree on {len(usable)} channels"
        yield Candidate("verified", "channels", scope, {"satisfied": _richest(good), "violated": bad[0]})


def implies(statement: Implies) -> Iterator[Candidate]:
    """The first example with the premises and without the conclusions; containment of the inequalities."""
    for c in pool():
        sizes = {len(s) for s in c["inputs"]}
        if len(sizes) != 1 or (statement.inputs == "singletons" and sizes != {1}) or not _complete(c):
            continue
        if all(_holds(p, c) for p in statement.premises) and not all(_holds(p, c) for p in statement.conclusions):
            scope = f"K = {c['K']}, N = {c['N']}, sets of {max(sizes)}, e^eps = {c['e_eps']}"
            yield Candidate("refuted", "channel", scope, {"channel": c})
            return
    yield Candidate("proved", "containment of inequalities", "every channel", {"lemma": "containment"})


def no_channel(statement: NoChannel) -> Iterator[Candidate]:
    """The first example with all predicates."""
    for c in pool():
        if all(_holds(p, c) for p in statement.predicates):
            scope = f"K = {c['K']}, N = {c['N']}, e^eps = {c['e_eps']}"
            yield Candidate("refuted", "channel", scope, {"channel": c})
            return


def unique(statement: Unique) -> Iterator[Candidate]:
    """All supports of one output on the memberships of two items."""
    data = {"kind": "exhausted scope", "patterns": 16}
    yield Candidate("proved", "exhausted supports", "every channel", data)


def _richest(channels: list[Data]) -> Data:
    """Prefer an example that shows something: one with invertible data, if there is one."""
    return max(channels, key=lambda c: (any(kept for _, kept in c["outputs"]), -len(c["outputs"])))


def _applies(form: str, c: Data) -> bool:
    if form == "ldp-density":
        return all(isinstance(y0, tuple) and len(y0) == 2 and isinstance(y0[0], str) for y0, _ in c["outputs"])
    if form.startswith("uldp"):
        return all(len(s) == 1 for s in c["inputs"])
    return True


def _complete(c: Data) -> bool:
    return len(c["inputs"]) == comb(c["K"] + c["N"], len(c["inputs"][0]))


def _holds(predicate: str, c: Data) -> bool:
    try:
        return holds(predicate, finite(c))
    except Rejected:
        return False
