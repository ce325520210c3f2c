"""Statements `for all x in the domain: left op right` between terms and exact errors of mechanisms, and `there is a
constant C with left <= C right` there. They are about the points at which every error is that of a data set.
"""

import json
from collections.abc import Mapping
from fractions import Fraction
from itertools import pairwise
from typing import Any

from dp_kernel.certificate import schema
from dp_kernel.certificate.schema import Kind
from dp_kernel.formulas.definitions import by_induction, with_definitions, with_lemmas
from dp_kernel.formulas.domains import Region, affine, prove, require_inside
from dp_kernel.formulas.terms import Interval, evaluate, is_nonzero, symbols
from dp_kernel.laws.additive import with_quantities
from dp_kernel.laws.error_terms import ABOUT, opened, require_possible, with_errors
from dp_kernel.meter import pay, require
from dp_kernel.numbers.json_numbers import integer, rational
from dp_kernel.numbers.polynomial import Bound, variable

BITS, L = 128, "L"
"""Precision of enclosures; what counts the points of a family."""


def formula(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement: all relations (op one of eq, le, lt) hold everywhere on the domain.

    Proved by a step for every relation, or by enclosures on intervals that cover the domain (of one variable, or none);
    refuted by enclosures at a point of the domain, exactly where it has no exp.
    """
    relations = statement["relations"]
    trees = [tree for _, *sides in relations for tree in sides]
    place, _ = opened(statement)
    if verdict == "refuted":
        require(set(evidence["values"]) == set(statement["domain"]["variables"]), "every variable has a value")
        at = {name: rational(value) for name, value in evidence["values"].items()}
        require_inside(statement["domain"], Region(at, {}))
        require_possible(statement, Region(at, {}))
        chosen = integer(evidence["relation"], 0, len(relations) - 1)
        found = judged(statement, relations, at)
        require(found[chosen] is False, "the relation is not shown to fail at the witness")
    elif "cover" in evidence:
        _covered(statement, place, [rational(x) for x in evidence["cover"]])
    else:
        require(len(evidence["steps"]) == len(relations), "one proof step for every relation")

        def prepared(at: Region) -> Region:
            return prepared_for(statement, at, trees, evidence)

        whole = prepared(place)
        for (op, left, right), step in zip(relations, evidence["steps"], strict=True):
            if "induct" in step:
                by_induction(place, (op, left, right), step, prepared)
            else:
                prove(op, whole.value(left), whole.value(right), whole, step)


def prepared_for(statement: Any, place: Region, trees: list[Any], evidence: Any) -> Region:
    """The region with values for everything that trees may name: errors, quantities, e^x, and sums with forms; and with
    the evidence's lemmas."""
    forms = evidence.get("sums", [])
    place = with_quantities(statement, with_errors(statement, place), forms)
    return with_lemmas(with_definitions(place, trees, forms), evidence.get("lemmas", []))


def _covered(statement: Any, place: Region, ends: list[Fraction]) -> None:
    """On every one of the pieces: an affine constraint is <= 0 at one end and > 0 at the other, so that nothing of the
    domain lies beyond the first; and so on both sides.
    """
    names, relations = list(statement["domain"]["variables"]), statement["relations"]
    pieces: list[Mapping[str, Any]] = [{}]
    if names or ends:
        require(len(names) == 1 and len(ends) >= 2, "enclosures cover one variable at most")
        require(all(a < b for a, b in pairwise(ends)), "the pieces are in order")
        pieces = [{names[0]: Interval(*piece)} for piece in pairwise(ends)]
        for bound in place.constraints:
            affine(bound, names[0])
        outer = [{names[0]: end} for end in (ends[0], ends[-1])]
        at_ends = [[evaluate(tree, at) for at in outer] for tree in statement["domain"]["constraints"]]
        closed = any(low <= 0 < high for low, high in at_ends) and any(high <= 0 < low for low, high in at_ends)
        require(closed, "the pieces do not cover the domain")
    pieces_in_words = f"not shown on {list(map(str, ends))}"  # once: there can be thousands
    for piece in pieces:
        require(all(x is True for x in judged(statement, relations, piece)), pieces_in_words)


def judged(statement: Any, relations: Any, here: Mapping[str, Any]) -> list[bool | None]:
    """Whether relations hold at a point or on a box, by enclosures."""
    place = with_quantities(statement, with_errors(statement, Region(here, {}, bits=BITS)), [])
    pay(2 * len(relations))
    return [decided(op, *map(place.value, sides)) for op, *sides in relations]


def decided(op: str, a: Interval | Fraction, b: Interval | Fraction) -> bool | None:
    """A relation between numbers, or such that lie in intervals; None where these overlap."""
    left, right = Interval.of(a), Interval.of(b)
    if left.low == left.high == right.low == right.high:
        return op != "lt"
    if left.high < right.low or (op == "le" and left.high == right.low):
        return op != "eq"
    return False if left.low > right.high or (op == "lt" and left.low == right.high) else None


def bounded(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement: for every relation [left, right] some C > 0 that depends on nothing but the `fixed` variables has
    left <= C right, as those that are said to grow do: nothing bounds them.

    Proved by the constants, terms in fixed variables. Refuted by a family of points, one for every natural L >= 1, at
    the same values of all fixed variables, with 0 < left and c L right <= left for a number c > 0: then right > 0 (or
    no C will do) and C >= c L.
    """
    domain, fixed, grows = statement["domain"], set(statement["fixed"]), set(statement["grows"])
    relations, names = statement["relations"], domain["variables"].keys()
    require(fixed | grows <= names and L not in names and not fixed & grows, "variables are fixed or grow, L is none")
    require(f'"{L}"' not in json.dumps(statement), "L counts the points of a family: evidence may name it")
    place, start = opened(statement)
    if grows:
        # "as m grows" says nothing where something bounds m: the statement itself, or the data
        require(not any(symbols(tree) & grows for tree in domain["constraints"]), "a variable that grows is tied")
        _family(statement, {x: y + variable(L) if x in grows else y for x, y in start.items()})
    if verdict == "refuted":
        sides = relations[integer(evidence["relation"], 0, len(relations) - 1)]
        family, constant = evidence["family"], evidence["constant"]
        require(family.keys() == names, "a family gives every variable a value")
        require(not any(map(symbols, (constant, *(family[x] for x in fixed)))), "what is fixed depends on L")
        values = {x: Region({L: variable(L)}, ALONG).value(tree) for x, tree in family.items()}
        along = prepared_for(statement, _family(statement, values), [*sides, constant], evidence)
        more, less, factor = map(along.value, (*sides, constant))
        prove("lt", 0, factor, along, {})
        prove("lt", 0, more, along, {})
        prove("le", factor * variable(L) * less, more, along, evidence.get("step", {}))
        return
    constants = evidence["constants"]
    require(all(symbols(tree) <= fixed for tree in constants), "a constant depends on what moves")
    place = prepared_for(statement, place, [*constants, *(tree for sides in relations for tree in sides)], evidence)
    require_bounds(place, relations, constants, evidence["steps"])


def require_bounds(place: Region, pairs: list[Any], constants: list[Any], steps: list[Any]) -> None:
    """Raise `Rejected` unless left <= C right for every pair, by its constant C > 0 and its step."""
    for (left, right), tree, step in zip(pairs, constants, steps, strict=True):
        constant = place.value(tree)
        prove("lt", 0, constant, place, {})
        prove("le", place.value(left), constant * place.value(right), place, step)


ALONG = {L: Bound(Fraction(1), False, whole=True)}


def _family(statement: Any, values: Mapping[str, Any]) -> Region:
    """The points with the given coordinates, shown to lie in the domain, and that some data set has them."""
    along = Region({**values, L: variable(L)}, ALONG)
    require_inside(statement["domain"], along)
    require_possible(statement, along)
    return along


def limit(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement: at fixed values of all other variables `term` tends to `value` (null: to infinity) as the integer that
    `grows` does.

    Proved by a constant C and a rate r, the integer or 2 to its power, with |term - value| r <= C (r <= C term).
    Refuted by the proof of another limit.
    """
    name, term, value = statement["grows"], statement["term"], statement["value"]
    place, _ = opened(statement)
    require(not any(name in symbols(tree) for tree in statement["domain"]["constraints"]), "a constraint names it")
    require(statement["domain"]["variables"][name]["integer"], "an integer grows")
    require(not (statement["of_data"] or statement["values"]), "data sets may bound what grows")
    rate, constant, other = evidence["rate"], evidence["constant"], evidence.get("other", value)
    require(rate in (name, ["pow", 2, name]), "a rate tends to infinity")
    fixed = statement["domain"]["variables"].keys() - {name}
    still = [tree for tree in (constant, value, other) if tree is not None]
    require(all(symbols(tree) <= fixed for tree in still), "a limit moves")
    place = prepared_for(statement, place, [term, *still], evidence)
    if verdict == "refuted":
        finite = [tree for tree in (value, other) if tree is not None]
        for tree in finite:
            place.value(tree)  # is defined, whatever is shown of it
        both = len(finite) == 2 and is_nonzero(["sub", *finite], place.values, place.ranges)
        require(len(finite) == 1 or both, "the same limit")
    pairs = approach(term, other, rate)
    require_bounds(place, pairs, [constant] * len(pairs), evidence["steps"])


def approach(term: Any, value: Any, rate: Any) -> list[tuple[Any, Any]]:
    """What some constant bounds where a term tends to a value (None: to infinity) at a rate: [left, right]."""
    if value is None:
        return [(rate, term)]
    gap = ["mul", rate, ["sub", term, value]]
    return [(gap, 1), (["neg", gap], 1)]


def _limit(value: Any) -> None:
    """A tree, or null for infinity."""
    if value is not None:
        schema.tree(value)


_VARIABLES = [schema.identifier, ...]
KINDS = {
    "formula": Kind(
        formula,
        ABOUT | {"relations": schema.relations},
        proved=[["steps", "sums?", "lemmas?"], ["cover"]],
        refuted=[["relation", "values"]],
    ),
    "bounded": Kind(
        bounded,
        ABOUT | {"fixed": _VARIABLES, "grows": _VARIABLES, "relations": schema.some([schema.pair, ...])},
        proved=[["constants", "steps", "sums?", "lemmas?"]],
        refuted=[["relation", "family", "constant", "step?", "sums?", "lemmas?"]],
    ),
    "limit": Kind(
        limit,
        {name: shape for name, shape in ABOUT.items() if name != "budget?"}
        | {"grows": schema.identifier, "term": schema.tree, "value": _limit},
        proved=[["rate", "constant", "steps", "sums?", "lemmas?"]],
        refuted=[["other", "rate", "constant", "steps", "sums?", "lemmas?"]],
    ),
}
