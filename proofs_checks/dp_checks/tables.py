"""Exact tables of mechanisms by name, for the command line."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from flint import fmpq

from dp_refimpl.coins import Coins
from dp_refimpl.enumeration import TooManyPathsError, exact_channel
from dp_refimpl.frequency.hashing import HashFunction
from dp_refimpl.frequency.surap import whole_vector
from dp_refimpl.mechanisms import has_public_hash, mechanism_of, views_of
from dp_spec.vocabulary.budget import Budget
from dp_spec.vocabulary.exceptions import DomainError, MissingError
from dp_spec.vocabulary.items import ItemDomain, Report, number_of_sets
from dp_spec.vocabulary.names import known_name
from dp_spec.vocabulary.table import Channel

MAX_ROWS = 20_000
"""Tables of more inputs are not made."""
MAX_PATHS = 50_000
"""Tables for which a program takes more random paths, on all inputs together, are not made."""
OF_REPORTS: Mapping[str, tuple[str, ...]] = dict.fromkeys(("SuRAP", "SuRAPSample"), ("sen", "whole"))
"""Readings that are functions of a mechanism's report, not fields of the mechanism."""
EXAMPLES: Mapping[str, str] = {"epsilon": "1", "d": "3 (or K and N)", "m": "2", "k": "2", "hash": "0,1/3,2/3"}


def mechanism_table(name: str, parameters: Mapping[str, str]) -> Channel[Any, Report, Any]:
    """The exact channel of a mechanism; parameters are text.

    Parameters: epsilon (1, 0.1, ln(3); see `Budget`), d (or K and N), and what the mechanism has: m, view; hash (of
    Wheel and suWheel: "0, 1/3"), k (of PrivSet). Raises `DomainError` for unknown names and values, and for a table
    that is too large; `MissingError` where something has to be said.
    """
    kind = mechanism_of(name)
    fields = {f.name for f in kind.__dataclass_fields__.values()}
    public, views = has_public_hash(kind), views_of(kind) or OF_REPORTS.get(kind.__name__, ())
    sizes = ["m"] * ("m" in fields) + ["k"] * ("k" in fields)
    optional = ["K", "N"] + ["view"] * bool(views)
    given = _read(parameters, ["epsilon", "d", *sizes, *["hash"] * public], optional)
    domain = ItemDomain.of_sizes(_integer("d", given["d"], 1), _integer("N", given.get("N", "0"), 0))
    own = {size: _integer(size, given[size], 1) for size in sizes}
    d, m = len(domain.items), own.get("m", 1)
    inputs = number_of_sets(d, min(m, d), MAX_ROWS)
    if inputs > MAX_ROWS:
        raise DomainError("d", d, f"sizes with at most {MAX_ROWS} inputs")
    view = known_name("view", given["view"], views) if "view" in given else None
    more = {"view": view} if view is not None and "view" in fields else {}
    target = kind(domain, Budget(given["epsilon"]), **own, **more)
    program = partial(_reported, target, _hash(given["hash"], domain) if public else None, view == "whole")
    try:
        return exact_channel(program, target.inputs, target.one, max_paths=max(1, MAX_PATHS // inputs))
    except TooManyPathsError:
        allowed = f"sizes with at most {MAX_PATHS} random paths in all ({inputs} inputs have more)"
        raise DomainError("d", d, allowed) from None


def _reported(target: Any, h: HashFunction | None, whole: bool, held: Any, coins: Coins) -> Report:
    """A report as (y0, I), canonically ordered."""
    y = target.randomize(held, coins) if h is None else target.randomize(held, h, coins)
    if not isinstance(y, Report):
        y = Report(y)
    y0: Any = y.protected
    y = Report(tuple(sorted(y0, key=str)), y.invertible) if isinstance(y0, frozenset) else y
    return whole_vector(y) if whole else y


def _read(parameters: Mapping[str, str], required: list[str], optional: list[str]) -> dict[str, str]:
    """The parameters under their names; K is another word for d where N others are beside them."""
    known = [*required, *optional]
    given = {known_name("--param", name, known): value for name, value in parameters.items()}
    if "K" in given and "d" in given:
        raise DomainError("--param", "K, d", "one of the two: d items, or K sensitive and N other ones")
    if "K" in given:
        given["d"] = given.pop("K")
    for name in required:
        if name not in given:
            raise MissingError(name, f"give --param {name}={EXAMPLES[name]}")
    return given


def _hash(text: str, domain: ItemDomain) -> HashFunction:
    d = len(domain.items)
    try:
        values = tuple(fmpq(*map(int, v.split("/"))) for v in text.split(","))
    except (ValueError, TypeError, ZeroDivisionError):
        raise DomainError("hash", text, f"{d} rational numbers in [0, 1], as 0,1/3,1/2") from None
    return HashFunction(domain.items, values)


def _integer(name: str, text: str, least: int) -> int:
    try:
        number = int(text)
    except ValueError:
        raise DomainError(name, text, f"an integer >= {least}") from None
    if not least <= number <= MAX_ROWS:
        raise DomainError(name, number, f"an integer in {least}..{MAX_ROWS}")
    return number
