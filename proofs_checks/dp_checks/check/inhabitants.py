"""A point of a statement's domain, which shows that it is not about nothing."""

from fractions import Fraction
from itertools import islice, product
from typing import Any

from dp_kernel.formulas.domains import Region, require_inside
from dp_kernel.judgements.error_terms import require_possible
from dp_kernel.meter import Rejected

STEPS = (Fraction(0), Fraction(1), Fraction(2), Fraction(1, 2), Fraction(5))
"""How far above its bound a variable is tried."""
SHARES = (Fraction(1, 2), Fraction(1, 3))
MAX_POINTS = 100_000


def inhabitant(statement: Any) -> dict[str, str]:
    """A small point of the domain where there is a data set, as evidence has it. Raises `Rejected` if none is found."""
    variables = statement["domain"]["variables"]
    tried = [SHARES if x["unit"] else _near(x) for x in variables.values()]
    for values in islice(product(*tried), MAX_POINTS):
        at = dict(zip(variables, values, strict=True))
        try:
            require_inside(statement["domain"], Region(at, {}))
            require_possible(statement, Region(at, {}))
        except Rejected:
            continue
        return {name: str(x) for name, x in at.items()}
    raise Rejected("no point of the domain was found: a statement about nothing")


def _near(spec: Any) -> list[Fraction]:
    """Values of a variable near its bound that lie in its range."""
    steps = (step for step in STEPS if step.denominator == 1 or not spec["integer"])
    return [spec["min"] + step for step in steps if step > 0 or not spec["strict"]]
