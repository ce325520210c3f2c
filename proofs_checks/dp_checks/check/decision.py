"""The decision: candidates of the checker for a statement's kind, accepted or rejected by the kernel."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from dp_checks.certificate import json_value
from dp_checks.check import arithmetic, bounds, channels, divergences, formulas, moments, ratios, reports
from dp_checks.check.proposals import Candidate, Finder
from dp_checks.check.ties import records
from dp_checks.registry import Key, entry_of, joined, keyed
from dp_checks.verdict import Evidence, InternalDisagreementError, Outcome, Verdict
from dp_kernel.certificate.check import check
from dp_kernel.meter import Rejected, limited
from dp_spec.vocabulary.claim import Formal, Unchecked
from dp_spec.vocabulary.statement import All, Instances, Not, Statement

LISTED = "listed instances"
"""Kind of the evidence on what is said of all sizes, and shown at some."""


def decide(formal: Formal, hint: str = "") -> Outcome:
    """The verdict on a formal statement: that of the first candidate whose evidence the kernel accepts.

    Checkers propose a counterexample first (they search the law for one even where a proof is at hand), then
    proofs, then exhausted scopes. `hint` is the id under which proof hints are filed. Raises
    `InternalDisagreementError` when a law is not that of the program, or when the kernel rejects a counterexample
    that was found.
    """
    if isinstance(formal, Unchecked):
        return Outcome("unchecked", Evidence("none", formal.reason))
    body = json_value(formal.json())
    ties = records(body)
    outcome = _decided(formal, body, hint)
    words = _words(ties)
    if outcome.verdict == "unchecked" or not words:
        return replace(outcome, ties=ties)
    return replace(outcome, evidence=replace(outcome.evidence, scope=f"{outcome.evidence.scope}; {words}"), ties=ties)


def _decided(formal: Statement, body: dict[str, Any], hint: str) -> Outcome:
    for candidate in candidates(formal, hint):
        data = json_value(candidate.data)  # as a certificate has it
        try:
            with limited() as meter:
                check(body, candidate.verdict, data)
        except (Rejected, ArithmeticError, LookupError, ValueError) as error:
            if candidate.is_found:
                raise InternalDisagreementError(f"{hint}: the kernel rejects {candidate}: {error}") from error
        else:
            evidence = Evidence(candidate.kind, candidate.scope, data)
            return Outcome(candidate.verdict, evidence, cards=tuple(sorted(meter.cards)))
    return Outcome("unchecked", Evidence("none", "no evidence was found that the kernel accepts"))


def candidates(statement: Statement, hint: str = "") -> Iterator[Candidate]:
    """What the checker for this kind of statement proposes."""
    finder = entry_of(FINDERS, statement)
    if finder is None:
        raise InternalDisagreementError(f"no checker for {type(statement).__name__}")
    return finder(statement, hint)


def checkers(statement: Statement) -> frozenset[str]:
    """The modules that propose evidence on a statement or a part of it."""
    parts = statement.parts if isinstance(statement, All) else (statement.of,) if isinstance(statement, Not) else ()
    own = {module.__name__ for module in CHECKERS if entry_of(module.FINDERS, statement) is not None}
    return frozenset(own).union(*map(checkers, parts))


def _not(statement: Not, hint: str) -> Iterator[Candidate]:
    """What shows the other statement shows the opposite of this one: the kernel judges it here, and nowhere before."""
    opposite: dict[Verdict, Verdict] = {"proved": "refuted", "refuted": "proved"}
    for candidate in candidates(statement.of, hint):
        if candidate.verdict in opposite:
            data = {"evidence": candidate.data}
            verdict, turned = opposite[candidate.verdict], not candidate.negated
            yield replace(candidate, verdict=verdict, data=data, negated=turned)


def _all(statement: All, hint: str) -> Iterator[Candidate]:
    """First from the first proposal on every part, which is mostly accepted; then from what is accepted of each."""
    first = [next(candidates(part, hint), None) for part in statement.parts]
    yield from _of_parts(first, statement)
    outcomes = [_decided(part, json_value(part.json()), hint) for part in statement.parts]
    yield from _of_parts(
        [
            None
            if o.verdict == "unchecked"
            else Candidate(o.verdict, o.evidence.kind, o.evidence.scope, o.evidence.data)
            for o in outcomes
        ],
        statement,
    )


def _of_parts(parts: Sequence[Candidate | None], statement: All) -> Iterator[Candidate]:
    """The proposal on all parts from one on each, or none."""
    for index, part in enumerate(parts):
        if part is not None and part.verdict == "refuted":
            data = {"part": index, "evidence": part.data}
            yield Candidate("refuted", part.kind, f"part {index + 1}: {part.scope}", data)
            return
    decided = [part for part in parts if part is not None]
    verdicts = {part.verdict for part in decided}
    if len(decided) == len(parts) and verdicts <= {"proved", "verified"}:
        data = {"parts": [[p.verdict, p.data] for p in decided]}
        if isinstance(statement, Instances):
            yield Candidate("verified", LISTED, f"the {len(parts)} that are stated, and no others", data)
            return
        kinds = list(dict.fromkeys(part.kind for part in decided))
        scope = f"all {len(parts)} parts" + ", but listed sizes of some" * any(LISTED in kind for kind in kinds)
        yield Candidate("proved" if verdicts == {"proved"} else "verified", ", ".join(kinds), scope, data)


def _words(ties: tuple[dict[str, Any], ...]) -> str:
    """Where laws were tied to their programs, in words."""
    at = [instance for tie in ties for instance in tie["at"]]
    trees, instances = (sum(name in instance for instance in at) for name in ("h", "hash"))
    number = len(at) - trees - instances
    words = [f"law = enumerated program at {number} sizes, every epsilon"] if number else []
    words += [f"law = program's matrices on {trees} trees"] if trees else []
    words += [f"density = enumerated program's at {instances} instances"] if instances else []
    return "; ".join(words)


CHECKERS = (arithmetic, bounds, channels, divergences, formulas, moments, ratios, reports)
FINDERS: dict[Key, Finder] = joined(
    keyed({All: _all, Instances: _all, Not: _not}), *(module.FINDERS for module in CHECKERS)
)
"""The checkers of all classes of statements, from the tables beside them."""
