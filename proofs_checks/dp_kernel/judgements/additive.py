"""Additive laws: independent noise on answers to queries of N = b^h counts, the leaves of a complete b-ary tree. ::

    {"noise": "laplace" | "discrete", "branching": b, "rows": [[kind, first, last, weight, scale], ...],
     "restored": [v, ...]}

A row is a query for every node of the heights s = first..last (the leaves have height 0, the root h): its weight times
the sum of the counts under the node ("sums"), or of those under its left child minus those under its right one
("differences", b = 2). Noise of its scale is added to the answer, Laplace or discrete Laplace (e^(-1/scale) to the
distance, on the integers). `restored`, if given: a count is estimated by the noisy answers of all nodes above it, each
with the sign that the count has in it, times v. Trees are in s, h and the other variables of the law.

A matrix over pairs of counts that depends on the lowest common ancestor only is a tree in its height k, and another one
for a count with itself.
"""

from dataclasses import replace
from typing import Any

from dp_kernel import schema
from dp_kernel.cards import noise, spectra
from dp_kernel.formulas.definitions import NATURAL, with_definitions
from dp_kernel.formulas.domains import Region, require_integer
from dp_kernel.formulas.terms import put, symbols
from dp_kernel.meter import pay, require
from dp_kernel.numbers.polynomial import is_nonnegative, lift, variable


def with_quantities(statement: Any, place: Region, forms: Any) -> Region:
    """The region with values for the quantities of additive laws that a statement names."""
    values = {}
    for name, quantity in statement.get("quantities", {}).items():
        inner = within(statement, quantity, place)
        tree = derived(quantity, inner)
        summed = inner if place.bits else with_definitions(inner, [tree], forms, name)
        place = replace(place, ranges=summed.ranges, constraints=summed.constraints)
        values[name] = summed.value(tree)
    return replace(place, values={**place.values, **values})


def within(statement: Any, quantity: Any, place: Region) -> Region:
    """The region with values for what a quantity's law may name: the domain's variables, and its own. (Nothing else:
    what e^x and sums are called does not say at which values.)"""
    pay(len(statement["domain"]["variables"]))
    own = {x: place.values[x] for x in statement["domain"]["variables"]}
    return replace(place, values={**own, **{x: place.value(tree) for x, tree in quantity["at"].items()}})


def derived(quantity: Any, at: Region) -> Any:
    """A quantity of a law as a tree: `of` [what, of which counts], in a region with values for the law's variables.

    `loss` and `sensitivity`, of neighbors that differ by a count ("addremove") or exchange two ("replace"): by the card
    *noise*; the products of the matrices A (queries) and B (restoration), of a "pair" or the "diagonal": "gram" A^T A,
    "returned" B A, "coefficient" B B^T, "covariance" B D B^T, D the variances; "least squares" (A^T A)^-1, by the card
    *spectra*; or I^T X I of such a matrix X, I the indicator of a range, summed over all "ranges"; or the number that X
    is on "constant" vectors, or on a "contrast" of height k.
    """
    law, (what, which) = quantity["law"], quantity["of"]
    for row, v in zip(law["rows"], law.get("restored", [0] * len(law["rows"])), strict=True):
        require_row(law, row, v, at)
    if which in ("pair", "contrast"):
        require(at.shows(1, "k") and at.shows("k", "h"), "counts have a common ancestor at a height 1..h")
        require_integer(lift(at.values["k"]), at)
    if what in ("loss", "sensitivity"):
        require(which == "addremove" or at.shows(1, "h"), "one count exchanges nothing")
        return noise.norm(law, which, at, what == "loss")
    blocks, b = _blocks(law, what), law["branching"]
    total: Any = 0
    if what == "least squares":
        blocks, total = spectra.inverse(blocks, b, at)
    if which == "constant":
        return ["add", total, spectra.on_constants(blocks, b, "s")]
    if which == "contrast":
        return ["add", total, put(spectra.on_contrasts(blocks, b, at), {"s": "k"})]
    for kind, first, last, product in blocks:
        start, differ = first, kind == "differences"
        if which == "ranges":
            here, below = spectra.in_ranges(b, "s"), ["mul", b, spectra.in_ranges(b, ["sub", "s", 1])]
            each = ["mul", product, ["sub", below, here] if differ else here]
        else:
            each = ["mul", ["sub", b, 1], product] if differ and b != 2 else product
        if which == "pair" and not at.shows(["add", "k", int(differ)], first):
            require(at.shows(first, "k"), "the common ancestor may have a row, or not")
            if at.shows(["add", last, 1], "k"):
                continue
            start = "k"
            if differ:
                require(at.shows("k", last), "the common ancestor may have a row, or not")
                total, start = ["sub", total, put(product, {"s": "k"})], ["add", "k", 1]
        total = ["add", total, put(each, {"s": last}) if start == last else ["sum", "s", start, last, each]]
    return total


def _blocks(law: Any, what: str) -> list[tuple[str, Any, Any, Any]]:
    """A product of matrices by rows, whose nodes contribute to pairs of counts under them: the product for two counts
    ("sums"), or b - 1 times it under one child, and less it under two ("differences")."""
    require(what in ("gram", "least squares") or "restored" in law, "a law without a restoration")
    blocks = []
    for (kind, first, last, weight, scale), v in zip(law["rows"], law.get("restored", law["rows"]), strict=True):
        pair = {"returned": (v, weight), "coefficient": (v, v), "covariance": (v, v)}.get(what, (weight, weight))
        product = ["mul", *pair]
        if what == "covariance":
            product = noise.times_variance(law, scale, product)
        blocks.append((kind, first, last, product))
    return blocks


def require_row(law: Any, row: Any, v: Any, at: Region) -> None:
    """Raise `Rejected` unless the row has a meaning in a region with values for the law's variables: heights in 0..h
    (1..h for differences, which are binary), weights >= 0 and scales > 0 at all of them."""
    kind, first, last, weight, scale = row
    outer, inner = ["", law["branching"], first, last], ["", weight, scale, v]
    require(not symbols(outer) & {"s", "q", "k"} and not symbols(inner) & {"q", "k"}, "s, q and k are heights")
    differ = kind == "differences"
    branching = at.value(law["branching"])
    require(at.shows(0, "h") and at.shows(int(differ), first) and at.shows(last, "h"), "a height outside the tree")
    for whole in (branching, at.value(first), at.value(last), at.values["h"]):
        require_integer(lift(whole), at)
    require(branching == 2 if differ else at.shows(2, law["branching"]), "the number of children")
    require(law["noise"] == "laplace" or type(weight) is int, "discrete noise is added to integers")
    height = {"s": at.value(first) + variable("[s]")}
    there = Region({**at.values, **height}, {**at.ranges, "[s]": NATURAL}, at.constraints)
    there.value(v)  # is defined at all of them
    require(is_nonnegative(there.value(weight), there.ranges), "a weight is not shown to be >= 0")
    require(is_nonnegative(there.value(scale), there.ranges, strictly=True), "a scale is not shown to be > 0")


_ROW = [("sums", "differences"), schema.tree, schema.tree, schema.tree, schema.tree]
LAW = {
    "mechanism": lambda value: require(isinstance(value, str), "a mechanism has a name"),
    "noise": ("laplace", "discrete"),
    "branching": schema.tree,
    "rows": schema.some([_ROW, ...]),
    "restored?": [schema.tree, ...],
}
_ENTRIES = ("pair", "diagonal", "ranges", "constant", "contrast")
_OF = [[what, between] for what in ("loss", "sensitivity") for between in ("addremove", "replace")]
_OF += [[what, of] for what in ("gram", "returned", "coefficient", "covariance", "least squares") for of in _ENTRIES]


def _places(value: Any) -> None:
    schema.require_shape({"*": schema.tree}, value)
    schema.require_shape([schema.identifier, ...], list(value))


QUANTITY: schema.Shape = {"law": LAW, "of": lambda of: require(of in _OF, "no such quantity of a law"), "at": _places}
