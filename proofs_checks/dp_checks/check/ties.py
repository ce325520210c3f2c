"""Ties: the enumerated program and the kernel's own reading of the printed table are the same channel, for every
epsilon."""

from functools import cache
from typing import Any

from dp_checks.check import arcs_programs
from dp_checks.check.candidate import Sizes, sizes_of
from dp_checks.kernel.laws import report_law
from dp_checks.programs import law_channel
from dp_checks.verdict import InternalDisagreementError
from dp_spec.vocabulary.items import ItemDomain, Report
from dp_spec.vocabulary.law import Law, M
from dp_spec.vocabulary.ratfunc import RationalFunctionField


def canonical(report: Report) -> tuple[Any, tuple[Any, ...]]:
    """A report as the kernel writes outputs."""
    return report.protected, tuple(sorted(report.invertible, key=str))


@cache
def tie(law: Law, view: str) -> tuple[Any, ...]:
    """The sizes at which program and table were found equal, as rational functions of the law's variables; for laws on
    arcs the instances (sizes, e^epsilon, hash function).

    Raises `InternalDisagreementError` at the first difference.
    """
    if law.unit == "arcs":
        return arcs_programs.tie(law, view)
    # a parameter strictly between 0 and 1 is 1 / (1 + g) with g > 0
    field = RationalFunctionField({law.base: 1} | ({"g": 0} if law.parameters else {}))
    where = (1 - M,) if law.mechanism in ("urr", "urap") else ()
    small = law.parameters or law.draw == "each"
    listed = tuple(sizes_of(law, where, d_max=3 if small else 4, m_max=2 if small else 3))
    for sizes in listed:
        _require_equal(law, view, sizes, field)
    return listed


def _require_equal(law: Law, view: str, sizes: Sizes, field: RationalFunctionField) -> None:
    domain = ItemDomain.of_sizes(sizes.k, sizes.n)
    low = 1 if law.draw == "one" else 0
    lengths = (
        range(1, 2)
        if law.mechanism in ("urr", "urap")
        else range(low, min(sizes.d, 2 if law.draw == "each" else 3) + 1)
    )
    values: dict[str, Any] = {law.base: field.variable(law.base), "K": sizes.k, "m": sizes.m}
    theta: dict[str, Any] = {name: 1 / (1 + field.variable("g")) for name in law.parameters}
    values |= theta
    channel = law_channel(law, view, sizes.m, lengths, domain, values[law.base], **theta)
    numbers = tuple(
        field.lift(entry.evaluate(values)) if entry is not None else None for entry in (law.p, law.q, law.r)
    )
    order = tuple(range(sizes.d))
    for s, row in channel.rows.items():
        stated = report_law(_plain(law), view, tuple(sorted(s, key=str)), sizes.k, sizes.n, order, numbers)  # type: ignore[arg-type]
        done = {canonical(y): p for y, p in row.items()}
        for y in stated.keys() | done.keys():
            if field.lift(stated.get(y, 0)) != field.lift(done.get(y, 0)):
                raise InternalDisagreementError(
                    f"{law.mechanism} ({view}, {sizes}): P({y} | {set(s)}) is {done.get(y, 0)} in the program, "
                    f"{stated.get(y, 0)} in the table"
                )


def _plain(law: Law) -> dict[str, str]:
    return {"unit": law.unit, "draw": law.draw}
