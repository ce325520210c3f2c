"""Replay: enumerate the program again and compare it with what a certificate says of it."""

from collections.abc import Iterator
from typing import Any

from flint import fmpq

from dp_checks.check import arcs_programs, subsets
from dp_checks.check.ties import canonical, tie
from dp_checks.kernel.laws import observed
from dp_checks.programs import law_channel
from dp_checks.verdict import InternalDisagreementError
from dp_spec.vocabulary.items import ItemDomain
from dp_spec.vocabulary.law import Law
from dp_spec.vocabulary.subset_statements import SubsetTable
from dp_spec.vocabulary.term import read


def replay(certificate: Any) -> list[str]:
    """Enumerate every law of the certificate again, and its witness's two rows; what was compared, in words.

    Raises `InternalDisagreementError` where the program says something else.
    """
    lines = []
    for law, view in dict.fromkeys(_laws(certificate["statement"])):
        if law.base != "v":  # the same table as suGRR's, written in v = e^(eps/m) - 1
            where = "instances" if law.unit == "arcs" else "sizes, every epsilon"
            lines.append(f"{law.mechanism} ({view}): table = enumerated program at {len(tie(law, view))} {where}")
    for table in dict.fromkeys(_tables(certificate["statement"])):
        lines.append(f"privset ({table.reading}): table = enumerated program at {subsets.tie(table)} sizes")
    statement, evidence = certificate["statement"], certificate["evidence"]
    law = statement.get("law")
    if certificate["verdict"] == "refuted" and law is not None and law["unit"] == "arcs":
        return lines + arcs_programs.replay_witness(_law(law), statement, evidence)
    if certificate["verdict"] == "refuted" and {"instance", "s", "other", "probability"} <= evidence.keys():
        lines += _witness(statement, evidence)
    return lines


def _witness(statement: Any, evidence: Any) -> list[str]:
    at, law = evidence["instance"], _law(statement["law"])
    s, other = (frozenset(evidence[name]) for name in ("s", "other"))
    lengths = range(min(len(s), len(other)), max(len(s), len(other)) + 1)
    order = tuple(at["order"]) if "order" in at else None
    channel = law_channel(
        law, statement["view"], at["m"], lengths, ItemDomain.of_sizes(at["K"], at["N"]), _number(at[law.base]), order
    )
    lines = []
    for held, stated in ((s, evidence["probability"]), (other, evidence["other_probability"])):
        row = {canonical(y): p for y, p in channel.rows[held].items()}
        seen = observed(row, statement["relation"], tuple(sorted(s)), tuple(sorted(other)), statement["counted"])
        found = seen.get(_tuples(evidence["output"]), fmpq(0))
        if found != _number(stated):
            raise InternalDisagreementError(
                f"P({evidence['output']} | {set(held)}) is {found}, the certificate says {stated}"
            )
        lines.append(f"P({evidence['output']} | {sorted(held)}) = {found}")
    return lines


def _laws(node: Any) -> Iterator[tuple[Law, str]]:
    if isinstance(node, dict):
        if "law" in node and "view" in node:
            yield _law(node["law"]), node["view"]
        for child in node.values():
            yield from _laws(child)
    elif isinstance(node, list):
        for child in node:
            yield from _laws(child)


def _tables(node: Any) -> Iterator[SubsetTable]:
    if isinstance(node, dict):
        if isinstance(table := node.get("table"), dict):
            yield SubsetTable(table["reading"], read(table["hit"]), read(table["miss"]))
        for child in node.values():
            yield from _tables(child)
    elif isinstance(node, list):
        for child in node:
            yield from _tables(child)


def _law(data: Any) -> Law:
    entries = {name: read(data[name]) if data[name] is not None else None for name in ("p", "q", "r")}
    fixed = {name: data[name] for name in ("mechanism", "unit", "draw", "base")}
    return Law(**fixed, **entries, power=read(data["power"]), parameters=tuple(data.get("parameters", ())))  # type: ignore[arg-type]


def _number(text: str) -> fmpq:
    return fmpq(*map(int, text.split("/")))


def _tuples(value: Any) -> Any:
    return tuple(_tuples(v) for v in value) if isinstance(value, list) else value
