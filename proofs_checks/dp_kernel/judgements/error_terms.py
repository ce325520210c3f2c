"""Exact errors of one item, and their sum over X, as functions of the root of e^eps, m, K, N, n, f and g; which data
sets there are.
"""

import json
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

from dp_kernel import schema
from dp_kernel.formulas.definitions import with_definitions
from dp_kernel.formulas.domains import Region, affine, region, require_inside, require_integer
from dp_kernel.formulas.terms import Interval, evaluate, put
from dp_kernel.judgements import arcs
from dp_kernel.judgements.additive import QUANTITY
from dp_kernel.judgements.moments import FIXED, NAMES, established
from dp_kernel.judgements.stochastic import require_law
from dp_kernel.laws.grammar import all_sensitive, is_of_one_item
from dp_kernel.meter import remembered, require
from dp_kernel.numbers.json_numbers import rational
from dp_kernel.numbers.polynomial import Ratio, is_nonnegative, lift


def law_of(error: Any) -> Any:
    """The law of the mechanism that the error of an item, or of several, is of."""
    return error["law"] if "type" in error else next(iter(error.values()))["law"]


def tree_of(error: Any) -> Any:
    """The error of one item, or summed over X (or over one of its two parts), a tree in the root, the sizes and f, g.

    The error of an item is affine in f_x, for any g: its sum depends on f(X_sen) = m - g and f(X_non) = g only.
    """
    return _tree_of(schema.canonical(error))


@remembered
def _tree_of(text: str) -> Any:
    error = json.loads(text)
    if "type" in error:
        _item_error(error)
        return error["formula"]
    total: Any = 0
    # the order of the parts decides how large the unreduced fraction is: not that of a file
    for item, items, frequency in (("sensitive", "K", ["sub", "m", "g"]), ("nonsensitive", "N", "g")):
        if item in error:
            affine(_item_error(error[item]), "f")
            absent, held = (put(error[item]["formula"], {"f": x}) for x in (0, 1))
            total = ["add", total, ["add", ["mul", items, absent], ["mul", frequency, ["sub", held, absent]]]]
    return total


def _item_error(spec: Any) -> Ratio:
    """The MSE, shown to be the statement's formula."""
    require_law(spec["law"])
    arcs.require_exists(spec)
    return established(spec)


def limits(at: Mapping[str, Any], item: str | None, others: bool, single: bool = False) -> tuple[list[Any], list[Any]]:
    """What is >= 0, and what is an integer, exactly where some data set has these sizes and frequencies.

    n users hold m of K sensitive and N other items, g of the latter in the mean; a share f of them holds the `item` (of
    the class that is named). Beside it a user holds m' = m or m - 1 of the K' + N' items that are left, and v' of those
    N' for any max(0, m' - K') <= v' <= min(m', N'): the users' sums are all integers between those of the ends. m is 1
    for a law of one item (`single`). K and N that are not named are large enough, a g that is not named is any.
    """
    m, n, own = at["m"], at["n"], int(item == "nonsensitive")
    k, more = at.get("K", m + 1), at.get("N", m + 1) if others else 0
    holders = n * at["f"] if item else 0
    whole = [m, n, k, more, holders]
    least = [m - 1, n - 1, k - 1, more, holders, n - holders, 1 - m if single else 0]
    k, more = k - int(item == "sensitive"), more - own
    groups = [group for group in ((holders, m - 1, own), (n - holders, m, 0)) if lift(group[0]) != 0]
    for _, held, _ in groups:
        least += [held, k, more, k + more - held]
    if "g" in at:
        total = n * at["g"]
        whole.append(total)
        lows = product(*((count * extra, count * (extra + held - k)) for count, held, extra in groups))
        highs = product(*((count * (extra + held), count * (extra + more)) for count, held, extra in groups))
        least += [*(total - sum(ends) for ends in lows), *(sum(ends) - total for ends in highs)]
    return least, whole


def parameters(value: Any, place: Region) -> dict[str, Any]:
    """The sizes and frequencies at which an error is taken."""
    own = {name: place.values[name] for name in NAMES if name in place.values}
    return own | {name: place.value(tree) for name, tree in value["at"].items()}


def require_possible(statement: Any, place: Region) -> None:
    """Raise `Rejected` unless there are data sets everywhere in the region: those of the statement's errors, and its
    own (`of_data`). Only points at which there are belong to a statement.
    """
    data: list[Any] = [(parameters({"at": {}}, place), None, True)] * statement["of_data"]
    for value in statement["values"].values():
        of, term = value["error"], law_of(value["error"])["term"]
        data.append((parameters(value, place), of.get("item"), not all_sensitive(term), is_of_one_item(term)))
    for least, whole in (limits(*of) for of in data):
        exist = all(is_nonnegative(lift(x), place.ranges) for x in least)
        require(exist, "no data set has these sizes and frequencies")
        for x in whole:
            require_integer(lift(x), place)


def opened(statement: Any, point: Any) -> tuple[Region, dict[str, Fraction]]:
    """The statement's domain, and the named point of it, where there is a data set: the statement is not about nothing.
    Every root spends the stated budget."""
    domain, values = statement["domain"], statement["values"]
    names = [*values, *statement.get("quantities", {})]
    for name in names:
        schema.identifier(name)
    own = len({*names}) == len(names) and not {*names} & {*domain["variables"], *NAMES}
    require(own, "the name of an error means something else")
    place = region(domain)
    about = [(value["at"], "item" in value["error"]) for value in values.values()]
    for at, of_item in [*about, ({}, False)] if statement["of_data"] else about:
        complete = all(x in domain["variables"] or x in at for x in ("m", "n", *["f"] * of_item))
        require(complete, "the sizes or the frequency of an error have no value")
    for value in values.values() if "budget" in statement else ():
        power = put(law_of(value["error"])["power"], value["at"])
        root, spent, op = value["root"], statement["budget"], "pow"
        if [tree[0] for tree in (root, spent) if isinstance(tree, list)] == ["exp", "exp"]:
            root, spent, op = root[1], spent[1], "mul"
        require(place.value([op, root, power]) == place.value(spent), "another budget is spent")
    require(point.keys() == domain["variables"].keys(), "every variable has a value")
    at = {name: rational(value) for name, value in point.items()}
    require_inside(domain, Region(at, {}))
    require_possible(statement, Region(at, {}))
    return place, at


def with_errors(statement: Any, place: Region) -> Region:
    """The region with values for the statement's errors, and for every e^x in their roots."""
    if not place.bits:
        place = with_definitions(place, [value["root"] for value in statement["values"].values()])
    values = dict(place.values)
    for name, value in statement["values"].items():
        root = place.value(value["root"])
        above = Interval.of(root).low > 1 if place.bits else is_nonnegative(root - 1, place.ranges, strictly=True)
        require(above, "the root of e^eps is not shown to exceed 1")
        at = {law_of(value["error"])["base"]: root, **parameters(value, place)}
        values[name] = evaluate(tree_of(value["error"]), at, place.bits)
    return replace(place, values=values)


_MSE = FIXED | {
    "type": ("mse",),
    "sizes": ("exactm",),
    "estimator": {"slope": schema.tree, "offset": schema.tree},
    "where": lambda value: require(value == [], "errors are those of all sizes"),
}
_PARTS = {f"{name}?": _MSE | {"item": (name,)} for name in schema.ITEM}


def _error(value: Any) -> None:
    require(isinstance(value, dict) and bool(value), "an error is missing")
    schema.require_shape(_MSE if "type" in value else _PARTS, value)
    laws = [part["law"] for part in value.values() if "type" not in value]
    require(all(other == laws[0] for other in laws), "the parts are of one mechanism")


_VALUE = {"error": _error, "root": schema.tree, "at": {f"{name}?": schema.tree for name in NAMES}}
ABOUT: dict[str, schema.Shape] = {
    "domain": schema.domain,
    "values": {"*": _VALUE},
    "quantities?": {"*": QUANTITY},
    "budget?": schema.tree,
    "of_data": schema.flag,
}
"""The fields of statements about errors and quantities."""
