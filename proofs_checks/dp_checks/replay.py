"""Replay: enumerate the program again and compare it with what a certificate says of it."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from flint import fmpq

from dp_checks.certificate import json_value
from dp_checks.certify import all_statements
from dp_checks.check.public_choices import choices, families
from dp_checks.check.ties import records
from dp_checks.ledger import load_ledger
from dp_checks.programs import Instance, Rows, arc_table, canonical, law_channel, published_table
from dp_checks.table_replay import replayed
from dp_checks.verdict import InternalDisagreementError
from dp_kernel.certificate.digest import digest, laws
from dp_kernel.laws.instances import observed
from dp_refimpl.frequency.hashing import HashFunction
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.items import ItemDomain
from dp_spec.vocabulary.law import Law, read_law


class ReplayError(ValueError):
    """A certificate whose laws or witness no program of ours can be run for."""


def replay(certificate: Any) -> list[str]:
    """Enumerate every law of an accepted certificate again, and its witness's two rows; what was compared, in words.

    Raises `InternalDisagreementError` where the program says something else, `ReplayError` where there is none.
    """
    try:
        lines = _replay(certificate["statement"], certificate["verdict"], certificate["evidence"], certificate["ties"])
        return lines + (
            replayed(certificate["id"], certificate["evidence"]) if certificate["verdict"] == "refuted" else []
        )
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise ReplayError(f"{type(error).__name__}: {error}") from error


def counterexample(claim: str) -> tuple[dict[str, Any], str, Any]:
    """The formal statement of a claim that fails, its verdict and its counterexample, as the kernel's `check` takes
    them.

    Raises `UnknownClaimError` for an id that the ledger does not have, and `DomainError` for a claim without one.
    """
    entry = load_ledger()[claim]
    if "witness" not in entry.evidence:
        raise DomainError("claim", claim, f"one that fails; it is {entry.verdict}")
    return all_statements()[claim].json(), entry.verdict, entry.evidence["witness"]


def chances(claim: str) -> tuple[dict[Any, Fraction], dict[Any, Fraction]]:
    """What is seen of a report, with its exact chance in the program, for the two inputs of a counterexample.

    Raises as `counterexample`, and `DomainError` for one without two inputs.
    """
    statement, _, evidence = counterexample(claim)
    if not {"s", "other"} <= evidence.keys():
        raise DomainError("claim", claim, "one whose counterexample has two inputs")
    one, other = _seen(statement, evidence)
    return one, other


def _replay(statement: Any, verdict: str, evidence: Any, ties: Any) -> list[str]:
    lines = []
    stated = {digest(law): law for law in laws(statement)}
    recorded = {tie["law"]: tie for tie in ties}
    for record in records(statement):
        law, tie = stated[record["law"]], recorded[record["law"]]
        name = law["mechanism"]
        if json_value(record) != tie:
            raise InternalDisagreementError(
                f"{name}: the certificate records the table {tie['table']} at {tie['at']}, "
                f"the program has {record['table']} at {record['at']}"
            )
        what, where = _compared(record["at"][0])
        lines.append(f"{name}: {what} at {len(record['at'])} {where}, as recorded")
    law = statement.get("law")
    if verdict == "refuted" and statement["type"] == "chance" and read_law(law).unit == "arcs":
        lines += _chance(read_law(law), statement, evidence)
    if verdict == "refuted" and {"instance", "s", "other", "probability"} <= evidence.keys():
        lines += _witness(statement, evidence)
    return lines


def _compared(at: Any) -> tuple[str, str]:
    """What was compared, and where: an instance, a tree (source 001), or sizes."""
    if "h" in at:
        return "queries, noise scales and restoration = the program's", "trees"
    return "table = enumerated program", "instances" if "hash" in at else "sizes, every epsilon"


def _chance(law: Law, statement: Any, evidence: Any) -> list[str]:
    """The chance that a witness names, for a hash function drawn from its law."""
    s, x, place, chance = evidence["s"], evidence["item"], int(statement["item"] == "nonsensitive"), fmpq(0)
    for h, weight in evidence["hashes"]:
        row = _on_arcs(law, evidence, h, range(len(s), len(s) + 1))[tuple(sorted(s))]
        chance += _number(weight) * sum(
            (p for (point, kept), p in row.items() if x in (point[1], kept)[place]), fmpq(0)
        )
    words = f"chance of item {x} given {s}"
    if chance != _number(evidence["exact"]):
        raise InternalDisagreementError(f"{words}: {chance} in the program, {evidence['exact']} in the certificate")
    return [f"{words} = {chance}"]


def _witness(statement: Any, evidence: Any) -> list[str]:
    pairs = (("s", "probability"), ("other", "other_probability"))
    lines = []
    for (name, of), law in zip(pairs, _seen(statement, evidence), strict=True):
        held, stated = tuple(sorted(evidence[name])), evidence[of]
        chance = law.get(tuples(evidence["output"]), Fraction(0))
        if chance != Fraction(stated):
            raise InternalDisagreementError(
                f"P({evidence['output']} | {set(held)}) is {chance}, the certificate says {stated}"
            )
        lines.append(f"P({evidence['output']} | {[*held]}) = {chance}")
    return lines


def _seen(statement: Any, evidence: Any) -> Iterator[dict[Any, Fraction]]:
    """What is compared of the reports for the two inputs of a witness, by the program."""
    s, other = (tuple(sorted(evidence[name])) for name in ("s", "other"))
    rows = _rows(read_law(statement["law"]), evidence)
    for held in (s, other):
        row = {y: Fraction(str(p)) for y, p in rows[held].items()}
        yield observed(row, statement["relation"], s, other, statement["counted"])


def _rows(law: Law, evidence: Any) -> Rows:
    """What the program does at a witness, for sets of the sizes of its two."""
    at, sizes = evidence["instance"], sorted(len(evidence[name]) for name in ("s", "other"))
    root, own = _number(at[law.base]), tuple((name, _number(at[name])) for name in law.parameters)
    lengths = range(sizes[0], sizes[1] + 1)
    if law.unit == "arcs":
        return _on_arcs(law, evidence, evidence["hashes"][0][0], lengths)
    if law.unit in ("items", "bits"):
        domain, order = ItemDomain.of_sizes(at["K"], at["N"]), tuple(at["order"]) if "order" in at else None
        channel = law_channel(law, law.view, lengths, Instance(at["m"], domain, root, order, own))
        rows: Mapping[Any, Any] = channel.rows
        return {tuple(sorted(s)): {canonical(y): p for y, p in row.items()} for s, row in rows.items()}
    functions, listed = {}, evidence.get("hashes", {})
    if choices(law):
        images = [image for _, image in listed[choices(law)[0]]]
        functions = {"functions": images, "b": 1 + max(map(max, images))}
    place = functions | {name: at[name] for name in ("m", "K", "N", *law.integers)}
    if families(law, place) != listed:
        raise DomainError("hashes", listed, "functions of which each is as likely as the others")
    return published_table(law, place, root, **dict(own))


def _on_arcs(law: Law, evidence: Any, values: Any, lengths: range) -> Rows:
    h = HashFunction(tuple(range(len(values))), tuple(map(_number, values)))
    return arc_table(law, evidence["instance"], _number(evidence["instance"][law.base]), h, lengths)


def _number(text: Any) -> fmpq:
    return fmpq(*map(int, str(text).split("/")))


def tuples(value: Any) -> Any:
    """Lists of a certificate as tuples, which can be keys."""
    return tuple(tuples(v) for v in value) if isinstance(value, list) else value
