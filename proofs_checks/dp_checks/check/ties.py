"""Ties: an enumerated program and the law term are the same channel; the records of them that certificates carry."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

from dp_checks import matrix_programs
from dp_checks.check.places import fraction, functions
from dp_checks.check.proposals import ROOTS, Sizes, sizes_of
from dp_checks.check.public_choices import families, instances
from dp_checks.programs import Instance, arc_table, canonical, law_channel, mechanism, published_table, takes_sets
from dp_checks.verdict import InternalDisagreementError
from dp_kernel.certificate.digest import digest, laws
from dp_kernel.laws.arc_instances import in_arc
from dp_kernel.laws.grammar import Items, World, output_law, valued
from dp_kernel.schema import canonical as canonical_text
from dp_refimpl.frequency.arcs import midpoint
from dp_spec.vocabulary.items import ItemDomain
from dp_spec.vocabulary.law import Law, M, read_law
from dp_spec.vocabulary.ratfunc import RationalFunctionField

Json = dict[str, Any]
Ties = tuple[tuple[Json, str], ...]
"""Where a program was enumerated, with the digest of its table there."""
Table = Mapping[Items, Mapping[Any, Any]]
"""What a program does at an instance, as the kernel numbers items and writes outputs."""
Tables = Iterator[tuple[Json, Mapping[str, Any], World, Table]]
"""The tables at instances, with the values of names and the world that the law term has there."""


def records(statement: Json) -> tuple[Json, ...]:
    """For every law of a statement (as JSON): where the program was found to have it, and the digest of the program's
    tables there.

    Raises `InternalDisagreementError` at the first difference, `DomainError` for a mechanism that has no program.
    """
    stated = {digest(law): law for law in laws(statement)}
    by_name = {name: _tie(stated[name]) for name in sorted(stated)}
    return tuple(
        {"law": name, "at": [at for at, _ in ties], "table": digest([table for _, table in ties])}
        for name, ties in by_name.items()
    )


def _tie(law: Json) -> Ties:
    return matrix_programs.tie(canonical_text(law)) if "noise" in law else tie(read_law(law))


@cache
def tie(law: Law) -> Ties:
    """The sizes at which program and term (of what is seen) were found equal, as rational functions of the law's
    variables, with the digests of the tables; for laws on arcs the instances (sizes, e^epsilon, hash function).

    Raises `InternalDisagreementError` at the first difference.
    """
    if law.unit == "arcs" and law.brought:  # sets are completed by the program that other laws with dummies are tied to
        return tie(replace(law, term=law.term[-1]))
    term, ties = law.json()["term"], []
    tables = {"items": _on_items, "bits": _on_items, "arcs": _on_arcs}.get(law.unit, _on_published)
    for at, names, world, rows in tables(law):
        numbers = valued(term, names)
        for s, row in rows.items():
            stated = output_law(numbers, s, at["m"], world)
            for y in stated.keys() | row.keys():
                if row.get(y, 0) != stated.get(y, 0):
                    raise InternalDisagreementError(
                        f"{law.mechanism} ({law.view}, {at}): P({y} | {set(s)}) is {row.get(y, 0)} in the program, "
                        f"{stated.get(y, 0)} in the table"
                    )
        ties.append((at, table_digest(rows)))
    return tuple(ties)


def table_digest(rows: Table) -> str:
    """The digest of a table: inputs and outputs sorted, zeros left out, numbers as their fields write them (over Q(t) a
    reduced fraction of integer polynomials in lexicographic order)."""
    listed = [[s, sorted(([y, str(p)] for y, p in row.items() if p != 0), key=str)] for s, row in rows.items()]
    return digest(sorted(listed, key=str))


def _variables(law: Law) -> tuple[Any, dict[str, Any]]:
    """The base of e^epsilon, and the parameters: one strictly between 0 and 1 is 1 / (1 + g) with g > 0."""
    field = RationalFunctionField({law.base: 1} | ({"g": 0} if law.parameters else {}))
    return field.variable(law.base), {name: 1 / (1 + field.variable("g")) for name in law.parameters}


def _on_items(law: Law) -> Tables:
    root, theta = _variables(law)
    small, moved = law.parameters or law.draw == "each", law.brought == ("dummies", "sen")
    where = () if takes_sets(law) else (1 - M,)
    for sizes in sizes_of(law, where, d_max=3 if small else 4, m_max=2 if small else 3):
        lengths, rows = _lengths(law, sizes), dict[Items, Any]()
        if not lengths:
            continue
        at = Instance(sizes.m, ItemDomain.of_sizes(sizes.k, sizes.n), root, parameters=tuple(theta.items()))
        for s, row in law_channel(law, law.view, lengths, at).rows.items():
            numbers: set[int] = set(s)  # type: ignore[arg-type]
            held = tuple(sorted(x - sizes.m if moved and x >= sizes.k else x for x in numbers))
            rows[held] = {canonical(y): p for y, p in row.items()}
        yield sizes.json(), {law.base: root, **sizes.json(), **theta}, World(sizes.k, sizes.n), rows


def _lengths(law: Law, sizes: Sizes) -> range:
    """The sizes of the sets that are compared."""
    m, d = sizes.m, sizes.d
    if law.brought:
        return {"sampled": range(m + 1, d + 1), "filled": range(m), "dummies": range(min(m, d) + 1)}[law.brought[0]]
    if not takes_sets(law):
        return range(1, 2)
    return range(int(law.draw == "one"), min(d, 2 if law.draw == "each" else 3) + 1)


def _on_published(law: Law) -> Tables:
    """At the instances of messages, sketches and subsets, under listed functions."""
    root, chances = _variables(law)
    for at in instances(law):
        listed = {name: [(Fraction(p), tuple(h)) for p, h in of] for name, of in families(law, at).items()}
        dummies = dict.fromkeys(law.integers, at.get("c"))  # their number may have another name
        names = {law.base: root, **dummies, **at, **chances}
        # k copies of a uniform message
        recorded = {"k" if name == "c" else name: x for name, x in at.items()}
        yield recorded, names, World(at["K"], 0, families=listed), published_table(law, at, root, **chances)


def _on_arcs(law: Law) -> Tables:
    """Arcs have rational ends for rational e^epsilon only; the server's test of every item is the kernel's, too."""
    small = [sizes for sizes in sizes_of(law, (), d_max=3, m_max=2) if sizes.k in (1, sizes.d)]
    for sizes, root in product(small, ROOTS[:2]):
        target = mechanism(law, law.view, Instance(sizes.m, ItemDomain.of_sizes(sizes.k, sizes.n), root))
        for h in functions(sizes.d, target.p):
            at = {**sizes.json(), "base": str(root), "hash": [str(v) for v in h.values]}
            values = tuple(map(fraction, h.values))
            for x, cell in product(target.domain.items, target.cells(h)):
                if target.hit(x, h, cell) != in_arc(fraction(midpoint(cell)), values[x], fraction(target.p)):
                    raise InternalDisagreementError(f"{law.mechanism} ({at}): another test of item {x} in {cell}")
            table = arc_table(law, sizes.json(), root, h, range(sizes.d + 1))
            rows = {s: {y: fraction(p) for y, p in row.items()} for s, row in table.items()}
            world = World(sizes.k, sizes.n, families={law.view: [(Fraction(1), values)]})
            yield at, {**sizes.json(), law.base: fraction(root)}, world, rows
