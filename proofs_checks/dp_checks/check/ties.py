"""Ties: the enumerated program and the law term are the same channel, for every epsilon."""

from dataclasses import replace
from functools import cache
from typing import Any

from dp_checks.check import arcs_programs, constructors, subset_programs
from dp_checks.check.candidate import Sizes, sizes_of
from dp_checks.check.enumerated import Ties, table_digest
from dp_checks.kernel.laws import World, output_law, valued
from dp_checks.programs import law_channel
from dp_checks.verdict import InternalDisagreementError
from dp_spec.vocabulary.items import ItemDomain, Report
from dp_spec.vocabulary.law import Law, M
from dp_spec.vocabulary.ratfunc import RationalFunctionField


def canonical(report: Report) -> tuple[Any, tuple[Any, ...]]:
    """A report as the kernel writes outputs."""
    return report.protected, tuple(sorted(report.invertible, key=str))


@cache
def tie(law: Law) -> Ties:
    """The sizes at which program and term (of what is seen) were found equal, as rational functions of the law's
    variables, with the digests of the tables; for laws on arcs the instances (sizes, e^epsilon, hash function).

    Raises `InternalDisagreementError` at the first difference, also of a constructor of laws (see `constructors`).
    """
    constructors.tie()
    if law.unit == "arcs":  # dummies complete sets by the program that the other laws with dummies are tied to
        return arcs_programs.tie(replace(law, term=law.term[-1]) if law.brought else law, law.view)
    if law.unit == "subsets":
        return subset_programs.tie(law)
    # a parameter strictly between 0 and 1 is 1 / (1 + g) with g > 0
    field = RationalFunctionField({law.base: 1} | ({"g": 0} if law.parameters else {}))
    where = (1 - M,) if law.mechanism in ("urr", "urap") else ()
    small = law.parameters or law.draw == "each"
    listed = sizes_of(law, where, d_max=3 if small else 4, m_max=2 if small else 3)
    return tuple((sizes.json(), _require_equal(law, sizes, field)) for sizes in listed if _lengths(law, sizes))


def _require_equal(law: Law, sizes: Sizes, field: RationalFunctionField) -> str:
    """The digest of the program's table."""
    domain = ItemDomain.of_sizes(sizes.k, sizes.n)
    values: dict[str, Any] = {law.base: field.variable(law.base), "K": sizes.k, "m": sizes.m, "N": sizes.n}
    theta: dict[str, Any] = {name: 1 / (1 + field.variable("g")) for name in law.parameters}
    values |= theta
    channel = law_channel(law, law.view, sizes.m, _lengths(law, sizes), domain, values[law.base], **theta)
    term, moved = valued(law.json()["term"], values), law.brought == ("dummies", "sen")
    for s, row in channel.rows.items():
        numbered: set[int] = set(s)  # type: ignore[arg-type]
        held = tuple(sorted(x - sizes.m if moved and x >= sizes.k else x for x in numbered))
        stated = output_law(term, held, sizes.m, World(sizes.k, sizes.n))
        done = {canonical(y): p for y, p in row.items()}
        for y in stated.keys() | done.keys():
            if field.lift(stated.get(y, 0)) != field.lift(done.get(y, 0)):
                raise InternalDisagreementError(
                    f"{law.mechanism} ({law.view}, {sizes}): P({y} | {set(s)}) is {done.get(y, 0)} in the program, "
                    f"{stated.get(y, 0)} in the table"
                )
    return table_digest(channel.rows)


def _lengths(law: Law, sizes: Sizes) -> range:
    """The sizes of the sets that are compared."""
    if law.mechanism in ("urr", "urap"):
        return range(1, 2)
    low, high = int(law.draw == "one"), min(sizes.d, 2 if law.draw == "each" else 3)
    match law.brought:
        case ["sampled"]:
            return range(sizes.m + 1, sizes.d + 1)
        case ["filled"]:
            return range(sizes.m)
        case ["dummies", _]:
            return range(min(sizes.m, sizes.d) + 1)
    return range(low, high + 1)
