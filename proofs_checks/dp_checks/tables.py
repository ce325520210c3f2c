"""Exact tables of mechanisms by name, for the command line."""

import json
import re
from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from math import comb, prod
from typing import Any, get_args

from flint import fmpq

from dp_checks.arguments import arguments
from dp_checks.programs import report_in_view
from dp_refimpl.coins import Coins
from dp_refimpl.enumeration import TooManyPathsError, exact_channel
from dp_refimpl.frequency.hash_families import AllFunctions, LabelFunction, PublicFunctions
from dp_refimpl.frequency.hashing import HashFunction
from dp_refimpl.frequency.local_hashing import LocalHashing, Rounding
from dp_refimpl.mechanisms import ALIASES, MECHANISMS, RECORDS, has_public_hash, mechanism_of, views_of
from dp_refimpl.syntheses import SYNTHESES, Synthesis, synthesis_of
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.exceptions import DomainError, MissingError
from dp_spec.vocabulary.items import ItemDomain, Report, number_of_sets
from dp_spec.vocabulary.names import require_name
from dp_spec.vocabulary.table import Channel

MAX_TEXT = 40
"""Characters of a rational number."""
_RATIONAL = re.compile(r"[+-]?[0-9]+(?:/[0-9]+|\.[0-9]+)?")
MAX_ROWS = 20_000
"""Tables of more inputs are not made."""
MAX_PATHS = 50_000
"""Tables for which a program takes more random paths, on all inputs together, are not made."""
EXAMPLES: Mapping[str, str] = {
    "epsilon": "1",
    "d": "3 (or K and N)",
    "m": "2",
    "k": "2",
    "hash": "0,1/3,2/3",
    "g": "2 (the number of labels)",
    "theta": "3/4",
    "functions": "[[0,1,0],[1,1,0]] (for every function the labels of the items)",
}


def mechanism_table(name: str, parameters: Mapping[str, str]) -> Channel[Any, Any, Any]:
    """The exact channel of a mechanism, of users or on tables; parameters are text.

    On tables: sizes ("2,2"), n, epsilon, partition ("[[0],[1]]"), degree, score, published. Of users: as follows.

    Parameters: epsilon (1, 0.1, ln(3); see `Budget`), d (or K and N), and what the mechanism has: m, view; hash (of
    Wheel and suWheel: "0, 1/3"), k (of PrivSet and subset selection), theta, g, functions ("[[0, 1], [1, 1]]": for
    every function the labels of the items), rounding, first. Raises `DomainError` for unknown names and values, for a
    table that is too large, and for a mechanism of infinitely many reports; `MissingError` where something has to be
    said.
    """
    if (synthesis := _synthesis(name)) is not None:
        return _of_tables(synthesis, parameters)
    kind = mechanism_of(name)
    record = RECORDS[kind.__name__]
    if not getattr(kind, "finite", True):
        raise DomainError(
            "mechanism", name, "a mechanism of finitely many reports (THE: what a threshold shows of them)"
        )
    fields = {f.name for f in kind.__dataclass_fields__.values()}
    public, views = has_public_hash(kind), views_of(kind) or record.views
    free = record.optional
    sizes = [size for size in ("m", "k") if size in fields and size not in free]
    needed = [*sizes, *record.needed, *["hash"] * public]
    values = _read(parameters, ["epsilon", "d", *needed], ["K", "N", *free, *["view"] * bool(views)])
    domain = ItemDomain.of_sizes(_integer("d", values["d"], 1), _integer("N", values.get("N", "0"), 0))
    own = {size: _integer(size, values[size], 1) for size in ("m", "k") if size in fields and size in values}
    d, m = len(domain.items), own.get("m", 1)
    inputs = number_of_sets(d, min(m, d), MAX_ROWS)
    if inputs > MAX_ROWS:
        raise DomainError("d", d, f"sizes with at most {MAX_ROWS} inputs")
    too_large = DomainError("d", d, f"sizes with at most {MAX_PATHS} random paths in all ({inputs} inputs have more)")
    if "k" in free and d * d > MAX_PATHS:  # said before the best k is sought
        raise too_large
    view = require_name("view", values["view"], views) if "view" in values else None
    more = {"view": view} if view is not None and "view" in fields else {}
    target = kind(domain, Budget(values["epsilon"]), **own, **more, **_further(values, fields, domain))
    program = partial(_reported, target, _hash(values["hash"], domain) if public else None, view == "whole")
    try:
        return exact_channel(program, target.inputs, target.one, max_paths=max(1, MAX_PATHS // inputs))
    except TooManyPathsError:
        raise too_large from None


def _synthesis(name: str) -> Synthesis | None:
    """The record of a mechanism on tables; None if it is one of users. Raises `DomainError` for an unknown name."""
    on_tables = [alias for record in SYNTHESES.values() for alias in (record.name, *record.aliases)]
    canonical = require_name("mechanism", name, (*MECHANISMS, *ALIASES, *on_tables))
    return synthesis_of(canonical) if canonical in on_tables else None


def _of_tables(record: Synthesis, parameters: Mapping[str, str]) -> Channel[Any, Any, Any]:
    target = record.exact(**arguments(record.exact, parameters))
    cells = prod(target.sizes)
    inputs = comb(cells + target.n - 1, target.n) if max(cells, target.n) <= MAX_ROWS else MAX_ROWS + 1
    if inputs > MAX_ROWS:
        raise DomainError("n", target.n, f"sizes with at most {MAX_ROWS} tables")
    try:
        return exact_channel(target, max_paths=max(1, MAX_PATHS // inputs))
    except TooManyPathsError:
        allowed = f"sizes with at most {MAX_PATHS} random paths in all ({inputs} tables have more)"
        raise DomainError("n", target.n, allowed) from None


def _further(values: Mapping[str, str], fields: set[str], domain: ItemDomain) -> dict[str, Any]:
    """What a mechanism has beside its sizes and its view."""
    extra: dict[str, Any] = {}
    if "theta" in values:
        extra["theta"] = _rational("theta", values["theta"])
    if "first" in values:
        extra["first"] = _integer("first", values["first"], 0)
    if "rounding" in values:
        extra["rounding"] = require_name("rounding", values["rounding"], get_args(Rounding))
    labels = "g" if "family" in fields else "m"
    if "functions" in values:
        most = _integer(labels, values[labels], 1) if labels in values else None
        listed = _functions(values["functions"], domain, most)
        extra |= {"family": PublicFunctions(listed)} if "family" in fields else {"functions": listed}
    elif "g" in values:
        extra["family"] = AllFunctions(domain.items, _integer("g", values["g"], 2))
    return extra


def _reported(target: Any, h: HashFunction | None, whole: bool, held: Any, coins: Coins) -> Report:
    """A report as (y0, I), canonically ordered."""
    y = target.randomize(held, coins) if h is None else target.randomize(held, h, coins)
    if isinstance(target, LocalHashing):
        y = y[0].values, y[1]
    return report_in_view("whole" if whole else "", y)


def _read(parameters: Mapping[str, str], required: list[str], optional: list[str]) -> dict[str, str]:
    """The parameters under their names; K is another word for d where N others are beside them."""
    names = [*required, *optional]
    values = {require_name("--param", name, names): value for name, value in parameters.items()}
    if "K" in values and "d" in values:
        raise DomainError("--param", "K, d", "one of the two: d items, or K sensitive and N other ones")
    if "K" in values:
        values["d"] = values.pop("K")
    for name in required:
        if name not in values:
            raise MissingError(name, f"give --param {name}={EXAMPLES[name]}")
    return values


def _hash(text: str, domain: ItemDomain) -> HashFunction:
    d = len(domain.items)
    try:
        values = tuple(fmpq(*map(int, v.split("/"))) for v in text.split(","))
    except (ValueError, TypeError, ZeroDivisionError):
        raise DomainError("hash", text, f"{d} rational numbers in [0, 1], as 0,1/3,1/2") from None
    return HashFunction(domain.items, values)


def _functions(text: str, domain: ItemDomain, labels: int | None) -> tuple[LabelFunction, ...]:
    """Tables of labels; without their number as many labels as occur in them, 2 at least."""
    d = len(domain.items)
    allowed = f"lists of the labels of {d} items, as {[[x % 2 for x in range(min(d, 4))]]}"
    try:
        rows = json.loads(text)
    except (ValueError, RecursionError):
        raise DomainError("functions", text, allowed) from None
    if not isinstance(rows, list) or not rows or not all(isinstance(row, list) and len(row) == d for row in rows):
        raise DomainError("functions", text, allowed)
    if any(type(value) is not int or value < 0 for row in rows for value in row):
        raise DomainError("functions", text, f"{allowed}: integers >= 0")
    most = max(1, *(value for row in rows for value in row)) + 1 if labels is None else labels
    return tuple(LabelFunction(domain.items, tuple(row), most) for row in rows)


def _rational(name: str, text: str) -> Fraction:
    if len(text) > MAX_TEXT or not _RATIONAL.fullmatch(text.strip()):
        raise DomainError(name, text, "a rational number, as 3/4 or 0.75")
    try:
        return Fraction(text.strip())
    except ZeroDivisionError:
        raise DomainError(name, text, "a rational number, as 3/4 or 0.75") from None


def _integer(name: str, text: str, least: int) -> int:
    try:
        number = int(text)
    except ValueError:
        raise DomainError(name, text, f"an integer >= {least}") from None
    if not least <= number <= MAX_ROWS:
        raise DomainError(name, number, f"an integer in {least}..{MAX_ROWS}")
    return number
