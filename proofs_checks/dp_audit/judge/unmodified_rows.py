"""The rows about a plain run: a target with nothing replaced, beside the oracle's table.

All statistical statements about one run together accuse a correct target with probability at most `ran.LEVEL`. `CHECKS`
lists what is looked at, cheapest first: each is a function of what was seen that gives rows.
"""

from collections.abc import Callable, Iterator

from dp_audit.judge.long_lists import many_rows, updated_rows
from dp_audit.judge.memoization import memory_rows
from dp_audit.judge.representation import raw_rows
from dp_audit.judge.side_channels import beside_rows, typed_rows
from dp_audit.judge.unmodified import Ran
from dp_audit.judge.unmodified_laws import again_rows, clock_rows, later_rows, law_rows
from dp_audit.outcome import Row

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
