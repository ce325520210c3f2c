"""Sketches and hashed reports as programs behind laws with a published choice, under listed functions.

A report is written as the kernel writes it: (row, bits) of the count-mean sketch, (row, (coordinate, label)) of the one
with a Hadamard matrix, (function, label) of local hashing, (coordinate, label) of Hadamard response; the label of the
sign 1 is 0.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, product
from typing import Any

from flint import fmpq

from dp_refimpl.coins import Coins, uniform
from dp_refimpl.enumeration import exact_channel
from dp_refimpl.frequency.count_sketch import ClientCMS, Sampled, plain_sketch
from dp_refimpl.frequency.hadamard import HCMS, HadamardResponse, hadamard_entry
from dp_refimpl.frequency.hash_families import LabelFunction, PublicFunctions
from dp_refimpl.frequency.local_hashing import LocalHashing
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.items import ItemDomain
from dp_spec.vocabulary.law import SEPARATING, Law
from dp_spec.vocabulary.table import Channel

MOST_ITEMS, MOST_LABELS, MOST_ROWS = 3, 2, 2
At = dict[str, Any]
"""Sizes, and `functions`: the labels of all items, row by row."""
Rows = Channel[tuple[int, ...], Any, Any]
Build = Callable[[ItemDomain, Budget[Any], tuple[LabelFunction, ...]], Any]


@dataclass(frozen=True)
class PlainRow:
    """A row of the sketch of the true items, drawn uniformly: where a record is counted."""

    domain: ItemDomain
    budget: Budget[Any]
    functions: tuple[LabelFunction, ...]

    @property
    def one(self) -> Any:
        """1 in the budget's field."""
        return self.budget.root * 0 + 1

    def randomize(self, item: Any, coins: Coins) -> tuple[tuple[int, ...], int]:
        """The counters of the row for this record, as signs (1 where it is counted), and the row."""
        counters = plain_sketch((item,), self.functions)
        row = uniform(coins, range(len(counters)), self.one)
        return tuple(2 * count - 1 for count in counters[row]), row


def _hashing(domain: ItemDomain, budget: Budget[Any], functions: tuple[LabelFunction, ...]) -> Any:
    return LocalHashing(domain, budget, PublicFunctions(functions), fmpq(1, functions[0].labels))


PROGRAMS: Mapping[str, Build] = {
    "count_sketch-cms": ClientCMS,
    "count_sketch-plain": PlainRow,
    "count_sketch-records": ClientCMS,
    "count_sketch-uploaded": ClientCMS,
    "hadamard-hcms": HCMS,
    "hadamard-response": lambda domain, budget, functions: HadamardResponse(domain, budget),
    "local_hashing-olh": _hashing,
}


def build(law: Law) -> Build:
    """What makes the program of a law. Raises `DomainError` for one that has none."""
    if law.mechanism not in PROGRAMS:
        raise DomainError("mechanism", law.mechanism, "the name of a program")
    return PROGRAMS[law.mechanism]


def choice(law: Law) -> str:
    """The name of the outermost choice."""
    of = law.term
    while of[0] != "mix":
        of = of[-1]
    name: str = of[1]
    return name


def instances(law: Law) -> Iterator[At]:
    """Up to 3 items, 2 columns, 2 rows: all functions, in the declared order (in local hashing all different, as a
    report shows the function); of Hadamard response all coordinates, for up to 4 items. Then some with more columns."""
    build(law)
    if law.mechanism == "hadamard-response":
        yield from (at(d, 2, _columns(d)) for d in range(1, MOST_ITEMS + 2))
        return
    held = (1, 2) if law.term[0] == "each" else (1,)
    lists = combinations if law.mechanism == "local_hashing-olh" else combinations_with_replacement
    for d, labels in product(range(1, MOST_ITEMS + 1), range(least(law), most(law) + 1)):
        for rows, m in product(range(1, MOST_ROWS + 1), held):
            for functions in lists(product(range(labels), repeat=d), rows):
                if m <= d:
                    yield at(d, labels, [list(values) for values in functions], m)
    yield from _wider(law)


def record(place: At) -> At:
    """The instance as ties record it."""
    return place


def _wider(law: Law) -> Iterator[At]:
    """More than two columns, so that entries of the law that are alike for two are told apart: 3 of them (4 where a
    Hadamard matrix has to have that size), 2 or 3 items, functions up to the names of columns, one of them or all."""
    if "b" not in law.integers:
        return
    labels = 4 if law.mechanism == "hadamard-hcms" else 3
    for d in (2, 3):
        every = [h for h in product(range(d), repeat=d) if all(h[i] <= max(h[:i], default=-1) + 1 for i in range(d))]
        lists = [[list(h)] for h in every] + ([] if law.term[0] == "each" else [[list(h) for h in every]])
        yield from (at(d, labels, functions, 2 if law.term[0] == "each" else 1) for functions in lists)


def _columns(d: int) -> list[list[int]]:
    """The labels of the items at the coordinates of the matrix: 0 for the sign 1."""
    size = 1 << (d - 1).bit_length()
    return [[int(hadamard_entry(i, j) != 1) for j in range(d)] for i in range(size)]


def with_premise(law: Law, values: Mapping[str, Any]) -> Iterator[At]:
    """Instances whose functions have the law's premise: chances of a shared label are those under all functions, or if
    these and constant ones are equally likely."""
    premise = law.families.get(choice(law))
    if premise is None or premise == SEPARATING or law.mechanism == "hadamard-response":
        for place in instances(law):
            if premise != SEPARATING or any(len(set(labels)) > 1 for labels in place["functions"]):
                yield place
        return
    for d, b in product(range(1, MOST_ITEMS + 1), range(least(law), most(law) + 1)):
        every = [list(labels) for labels in product(range(b), repeat=d)]
        constant = [[label] * d for label in range(b)] * (len(every) // b)
        for functions in (every, every + constant):
            chances = {fmpq(sum(h[x] == h[y] for h in functions), len(functions)) for x, y in combinations(range(d), 2)}
            if chances <= {premise.evaluate({**values, "b": b})}:
                yield at(d, b, functions)
                break


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
    client = build(law)(ItemDomain(items, ()), Budget.of_root(root, int(law.power.evaluate({"m": 1}))), functions)
    sent = Sampled(client, parameters["rho"]) if law.term[0] == "thinned" else client

    def report(held: tuple[int, ...], coins: Coins) -> Any:
        found = tuple(sent.randomize(x, coins) for x in held)
        written = tuple(() if z is None else _written(z, functions) for z in found)
        if law.term[0] == "thinned":
            return written if found != (None,) else ()
        return written if law.term[0] == "each" else written[0]

    return exact_channel(report, tuple(combinations(items, place["m"])), client.one)


def _written(report: Any, functions: tuple[LabelFunction, ...]) -> Any:
    match report:
        case (LabelFunction() as h, label):
            return functions.index(h), label
        case (tuple() as signs, row):
            return row, tuple(int(sign == 1) for sign in signs)
        case (coordinate, sign):
            return coordinate, int(sign != 1)
        case (sign, row, coordinate):
            return row, (coordinate, int(sign != 1))
    raise DomainError("report", report, "a report under public functions")


def supports(law: Law, place: At, report: Any, x: int) -> int:
    """Whether a report counts for an item: the bit of its column, its label, the sign of the matrix there."""
    if law.term[0] == "thinned":
        if not report:
            return 0
        (report,) = report
    row, shown = report
    label = place["functions"][row][x]
    if law.mechanism == "hadamard-hcms":
        coordinate, sign = shown
        return int(hadamard_entry(coordinate, label) == (1 if sign == 0 else -1))
    return int(shown == label) if isinstance(shown, int) else int(shown[label])


def families(law: Law, place: At) -> dict[str, list[list[Any]]]:
    """The choices as certificates list them."""
    found = {choice(law): _equal([list(values) for values in place["functions"]])}
    if law.mechanism == "hadamard-hcms":
        found["coordinates"] = _equal(_columns(place["b"]))
    return found


def _equal(functions: list[list[int]]) -> list[list[Any]]:
    return [[str(Fraction(1, len(functions))), image] for image in functions]
