"""The rows about a plain run: a target with nothing replaced, beside the oracle's table.

All statistical statements about one run together accuse a correct target with probability at most `ran.LEVEL`. `CHECKS`
lists what is looked at, cheapest first: each is a function of what was seen that gives rows.
"""

from collections.abc import Callable, Iterator

from dp_audit.audits import Row
from dp_audit.plain.laws import again_rows, clock_rows, later_rows, law_rows
from dp_audit.plain.memory import memory_rows
from dp_audit.plain.ran import Ran
from dp_audit.plain.raw import raw_rows
from dp_audit.plain.served import many_rows, updated_rows
from dp_audit.plain.telling import beside_rows, typed_rows

CHECKS: tuple[Callable[[Ran], Iterator[Row]], ...] = (
    law_rows,
    again_rows,
    beside_rows,
    raw_rows,
    typed_rows,
    many_rows,
    updated_rows,
    clock_rows,
    later_rows,
    memory_rows,
)


def plain_rows(ran: Ran) -> tuple[Row, ...]:
    """The rows of all checks."""
    return tuple(row for check in CHECKS for row in check(ran))
