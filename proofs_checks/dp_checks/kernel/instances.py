"""Ratio statements at exact instances: the law is enumerated, every compared ratio is looked at."""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import permutations
from typing import Any

from dp_checks.kernel.exact import items, label, rational
from dp_checks.kernel.interval_points import functions_of
from dp_checks.kernel.laws import Items, Output, World, completed, observed, output_law, related, sets_of
from dp_checks.kernel.polynomial import is_nonnegative, lift
from dp_checks.kernel.rejected import require
from dp_checks.kernel.sizes import Instance, fits, is_completed, is_drawn, numbers, point_values, ranges_of, variables
from dp_checks.kernel.terms import evaluate
from dp_checks.kernel.work import charge, counted

Rows = dict[Any, Any]


def e_eps(statement: Any, values: Mapping[str, Any]) -> Any:
    """e^eps as the law writes it."""
    return evaluate(["pow", statement["law"]["base"], statement["law"]["power"]], values)


def sizes_of(statement: Any, at: Instance) -> range:
    """The admissible set sizes of a statement at an instance."""
    term, m, d = statement["law"]["term"], at["m"], at["K"] + at["N"]
    least = 0 if is_completed(term) else 1
    least, most = {"exactm": (m, m), "atmost": (least, m), "all": (0, d)}[statement["sizes"]]
    return range(max(least, 1) if is_drawn(term) else least, most + 1)


def row_of(statement: Any, at: Instance, s: Items, term: Any, hashes: Any = None) -> dict[Output, Any]:
    """The law of the output of a user who holds s; on arcs under the listed hash functions."""
    order = items(at.get("order", []))
    families = {} if hashes is None else functions_of(hashes, term, at["m"], at["K"] + at["N"])
    return output_law(term, s, at["m"], World(at["K"], at["N"], order, families))


def is_violation(statement: Any, at: Instance, witness: Any) -> bool:
    """Whether the witness (s, other, output) is compared by the statement and exceeds e^eps, in the recomputed law."""
    require(fits(statement, at), "the instance lies outside the domain")
    s, other = items(witness["s"]), items(witness["other"])
    admissible = sets_of(sizes_of(statement, at), at["K"], at["N"])
    require(s in admissible and other in admissible, "inputs outside the domain")
    term = numbers(statement, at)
    require(s != other and is_compared(statement, at, s, other), "the pair is not compared by this reading")
    hashes = witness.get("hashes")
    a, b = (seen(statement, at, row_of(statement, at, x, term, hashes), s, other) for x in (s, other))
    y = label(witness["output"])
    shown = rational(witness["probability"]), rational(witness["other_probability"])
    require((a.get(y, 0), b.get(y, 0)) == shown, "the probabilities of the witness are not those of the law")
    return bool(a.get(y, 0) > e_eps(statement, point_values(statement["law"], at)) * b.get(y, 0))


def maximum(statement: Any, at: Instance) -> Fraction | None:
    """The largest compared ratio at an instance with rational e^eps; None if it is unbounded. Raises `Rejected` if
    there is none, or the instance lies outside the domain."""
    require(fits(statement, at), "the instance lies outside the domain")
    worst = Fraction(0)
    for a, b in _compared(statement, at, numbers(statement, at)):
        for y, probability in a.items():
            if probability:
                if not b.get(y, 0):
                    return None
                worst = max(worst, probability / b[y])
    require(worst > 0, "nothing is compared there")
    return worst


def require_bounded(statement: Any, at: Instance, bound_of: Callable[[Any], Any]) -> tuple[bool, bool]:
    """Check every compared ratio against a bound for all eps > 0 at one size; whether there is one, whether one
    equals the bound."""
    law, d = statement["law"], at["K"] + at["N"]
    require(
        set(at) <= {"m", "K", "N", "order", *law.get("integers", {})} and fits(statement, at),
        "the instance lies outside the domain",
    )
    at_numbers = variables(law) | {name: Fraction(at[name]) for name in ("m", "K", "N")}
    bound, ranges, compared, attained = bound_of(at_numbers), ranges_of(law), False, False
    term = numbers(statement, at, at_numbers)
    orders = permutations(range(d)) if statement["any_order"] and "order" not in at else [at.get("order", ())]
    for order in counted(orders):
        for a, b in _compared(statement, {**at, "order": order}, term):
            for y, probability in a.items():
                gap = bound * b.get(y, 0) - probability
                possible = probability != 0
                compared, attained = compared or possible, attained or bool(possible and gap == 0)
                require(is_nonnegative(lift(gap), ranges), f"output {y} may exceed the bound at {at}")
    return compared, attained


def _compared(statement: Any, at: Instance, term: Any) -> Iterator[tuple[Rows, Rows]]:
    rows = {s: row_of(statement, at, s, term) for s in sets_of(sizes_of(statement, at), at["K"], at["N"])}
    for s, row in rows.items():
        for other, beside in rows.items():
            charge(*row.values())
            if s != other and is_compared(statement, at, s, other):
                yield seen(statement, at, row, s, other), seen(statement, at, beside, s, other)


def _as_seen(statement: Any, at: Instance, s: Items) -> tuple[World, Items]:
    return completed(statement["law"]["term"], s, at["m"], World(at["K"], at["N"]))


def is_compared(statement: Any, at: Instance, s: Items, other: Items) -> bool:
    """Whether the reading compares the pair (of completed sets, if there are dummies)."""
    (world, held), (_, beside) = (_as_seen(statement, at, x) for x in (s, other))
    return related(statement["relation"], held, beside, world.k)


def seen(statement: Any, at: Instance, row: Rows, s: Items, other: Items) -> Rows:
    """What the reading looks at in one of the two laws."""
    (_, held), (_, beside) = (_as_seen(statement, at, x) for x in (s, other))
    return observed(row, statement["relation"], held, beside, statement["counted"])
