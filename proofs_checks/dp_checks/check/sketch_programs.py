"""Sketches as programs behind laws with a published choice of a row, under listed hash functions.

A report is written as the kernel writes it: (row, bits) of the count-mean sketch, (row, (coordinate, label)) of the one
with a Hadamard matrix, where the label is 0 for the sign 1.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, product
from typing import Any

from flint import fmpq

from dp_refimpl.coins import Coins
from dp_refimpl.enumeration import exact_channel
from dp_refimpl.frequency.count_sketch import ClientCMS, Sampled
from dp_refimpl.frequency.hadamard import HCMS, hadamard_entry
from dp_refimpl.frequency.hash_families import LabelFunction
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.items import ItemDomain
from dp_spec.vocabulary.law import SEPARATING, Law
from dp_spec.vocabulary.table import Channel

MOST_ITEMS, MOST_LABELS, MOST_ROWS = 3, 2, 2
At = dict[str, Any]
"""Sizes, and `functions`: the labels of all items, row by row."""
Rows = Channel[tuple[int, ...], Any, Any]
SKETCHES: Mapping[str, type[Any]] = {
    "count_sketch-cms": ClientCMS,
    "count_sketch-records": ClientCMS,
    "count_sketch-uploaded": ClientCMS,
    "hadamard-hcms": HCMS,
}


def sketch(law: Law) -> type[Any]:
    """The program of a law. Raises `DomainError` for one that has none."""
    if law.mechanism not in SKETCHES:
        raise DomainError("mechanism", law.mechanism, "the name of a program")
    return SKETCHES[law.mechanism]


def instances(law: Law) -> Iterator[At]:
    """Up to 3 items, 2 columns, 2 rows: all functions, in the declared order."""
    sketch(law)
    held = (1, 2) if law.term[0] == "each" else (1,)
    for d, labels in product(range(1, MOST_ITEMS + 1), range(least(law), most(law) + 1)):
        for rows, m in product(range(1, MOST_ROWS + 1), held):
            for functions in combinations_with_replacement(product(range(labels), repeat=d), rows):
                if m <= d:
                    yield at(d, labels, [list(values) for values in functions], m)


def with_premise(law: Law, values: Mapping[str, Any]) -> Iterator[At]:
    """Instances whose functions have the law's premise: chances of a shared label are those under all functions, or if
    these and constant ones are equally likely."""
    premise = law.families.get("rows")
    if premise is None or premise == SEPARATING:
        for place in instances(law):
            if premise is None or any(len(set(labels)) > 1 for labels in place["functions"]):
                yield place
        return
    for d, b in product(range(1, MOST_ITEMS + 1), range(least(law), most(law) + 1)):
        every = [list(labels) for labels in product(range(b), repeat=d)]
        constant = [[label] * d for label in range(b)] * (len(every) // b)
        for functions in (every, every + constant):
            chances = {fmpq(sum(h[x] == h[y] for h in functions), len(functions)) for x, y in combinations(range(d), 2)}
            if chances <= {premise.evaluate({**values, "b": b})}:
                yield at(d, b, functions)


def at(d: int, labels: int, functions: list[list[int]], m: int = 1) -> At:
    """An instance."""
    return {"m": m, "K": d, "N": 0, "b": labels, "functions": functions}


def least(law: Law) -> int:
    """The smallest number of columns."""
    return law.integers.get("b", 1)


def most(law: Law) -> int:
    """The largest that is tried."""
    return MOST_LABELS if "b" in law.integers else 1


def program(law: Law, place: At, root: Any, **parameters: Any) -> Rows:
    """The exact channel on sets of m items."""
    items = tuple(range(place["K"]))
    functions = tuple(LabelFunction(items, tuple(values), place["b"]) for values in place["functions"])
    client = sketch(law)(ItemDomain(items, ()), Budget.of_root(root, int(law.power.evaluate({"m": 1}))), functions)
    sent = Sampled(client, parameters["rho"]) if law.term[0] == "thinned" else client

    def report(held: tuple[int, ...], coins: Coins) -> Any:
        found = tuple(sent.randomize(x, coins) for x in held)
        written = tuple(() if z is None else _written(z) for z in found)
        if law.term[0] == "thinned":
            return written if found != (None,) else ()
        return written if law.term[0] == "each" else written[0]

    return exact_channel(report, tuple(combinations(items, place["m"])), client.one)


def _written(report: Any) -> Any:
    match report:
        case (tuple() as signs, row):
            return row, tuple(int(sign == 1) for sign in signs)
        case (sign, row, coordinate):
            return row, (coordinate, int(sign != 1))
    raise DomainError("report", report, "a report of a sketch")


def supports(law: Law, place: At, report: Any, x: int) -> int:
    """Whether a report counts for an item: the bit of the item's column, or the sign of the matrix there."""
    if law.term[0] == "thinned":
        if not report:
            return 0
        (report,) = report
    row, shown = report
    label = place["functions"][row][x]
    if sketch(law) is ClientCMS:
        return int(shown[label])
    coordinate, sign = shown
    return int(hadamard_entry(coordinate, label) == (1 if sign == 0 else -1))


def families(law: Law, place: At) -> dict[str, list[list[Any]]]:
    """The choices as certificates list them."""
    found = {"rows": _equal([list(values) for values in place["functions"]])}
    if sketch(law) is HCMS:
        m = place["b"]
        signs = [[int(hadamard_entry(i, j) != 1) for j in range(m)] for i in range(m)]
        found["coordinates"] = _equal(signs)
    return found


def _equal(functions: list[list[int]]) -> list[list[Any]]:
    return [[str(Fraction(1, len(functions))), image] for image in functions]
