"""Replay: enumerate the program again and compare it with what a certificate says of it."""

from fractions import Fraction
from typing import Any

from flint import fmpq

from dp_checks.certificate import plain
from dp_checks.check import arcs_programs
from dp_checks.check.ties import canonical, records
from dp_checks.programs import law_channel
from dp_checks.verdict import InternalDisagreementError
from dp_kernel.certificate.digest import digest, laws
from dp_kernel.finite.instances import observed
from dp_spec.vocabulary.items import ItemDomain
from dp_spec.vocabulary.law import read_law


class ReplayError(ValueError):
    """A certificate whose laws or witness no program of ours can be run for."""


def replay(certificate: Any) -> list[str]:
    """Enumerate every law of an accepted certificate again, and its witness's two rows; what was compared, in words.

    Raises `InternalDisagreementError` where the program says something else, `ReplayError` where there is none.
    """
    try:
        return _replay(certificate["statement"], certificate["verdict"], certificate["evidence"], certificate["ties"])
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise ReplayError(f"{type(error).__name__}: {error}") from error


def _replay(statement: Any, verdict: str, evidence: Any, ties: Any) -> list[str]:
    lines = []
    stated = {digest(law): law for law in laws(statement)}
    recorded = {tie["law"]: tie for tie in ties}
    for found in records(statement):
        law, tie = stated[found["law"]], recorded[found["law"]]
        name = law["mechanism"]
        if plain(found) != tie:
            raise InternalDisagreementError(
                f"{name}: the certificate records the table {tie['table']} at {tie['at']}, "
                f"the program has {found['table']} at {found['at']}"
            )
        what, where = _compared(found["at"][0])
        lines.append(f"{name}: {what} at {len(found['at'])} {where}, as recorded")
    law = statement.get("law")
    if verdict == "refuted" and statement["type"] == "chance" and read_law(law).unit == "arcs":
        lines += arcs_programs.replay_chance(read_law(law), statement, evidence)
    if verdict == "refuted" and {"instance", "s", "other", "probability"} <= evidence.keys():
        lines += _witness(statement, evidence)
    return lines


def _compared(at: Any) -> tuple[str, str]:
    """What was compared, and where: an instance, a tree (source 001), or sizes."""
    if "h" in at:
        return "queries, noise scales and restoration = the program's", "trees"
    return "table = enumerated program", "instances" if "hash" in at else "sizes, every epsilon"


def _witness(statement: Any, evidence: Any) -> list[str]:
    at, law = evidence["instance"], read_law(statement["law"])
    s, other = (frozenset(evidence[name]) for name in ("s", "other"))
    lengths = range(min(len(s), len(other)), max(len(s), len(other)) + 1)
    order = tuple(at["order"]) if "order" in at else None
    channel: Any
    if "hashes" in evidence:
        channel = arcs_programs.witness_channel(law, evidence, lengths)
    else:
        domain = ItemDomain.of_sizes(at["K"], at["N"])
        own = {name: _number(at[name]) for name in law.parameters}
        channel = law_channel(law, law.view, at["m"], lengths, domain, _number(at[law.base]), order, **own)
    lines = []
    for held, stated in ((s, evidence["probability"]), (other, evidence["other_probability"])):
        row = {canonical(y): Fraction(str(p)) for y, p in channel.rows[held].items()}
        seen = observed(row, statement["relation"], tuple(sorted(s)), tuple(sorted(other)), statement["counted"])
        found = seen.get(_tuples(evidence["output"]), Fraction(0))
        if found != Fraction(stated):
            raise InternalDisagreementError(
                f"P({evidence['output']} | {set(held)}) is {found}, the certificate says {stated}"
            )
        lines.append(f"P({evidence['output']} | {sorted(held)}) = {found}")
    return lines


def _number(text: str) -> fmpq:
    return fmpq(*map(int, text.split("/")))


def _tuples(value: Any) -> Any:
    return tuple(_tuples(v) for v in value) if isinstance(value, list) else value
