"""Statements `for all x in the domain: left op right` between terms and exact errors of mechanisms, and `there is a
constant C with left <= C right` there. They are about the points at which every error is that of a data set.
"""

import json
from collections.abc import Mapping
from fractions import Fraction
from itertools import pairwise
from typing import Any

from dp_kernel import schema
from dp_kernel.formulas.definitions import by_induction, with_definitions, with_lemmas
from dp_kernel.formulas.domains import Region, prove, require_inside
from dp_kernel.formulas.terms import Interval, symbols
from dp_kernel.judgements.additive import with_quantities
from dp_kernel.judgements.error_terms import ABOUT, opened, require_possible, with_errors
from dp_kernel.meter import pay, require
from dp_kernel.numbers.json_numbers import integer, rational
from dp_kernel.numbers.polynomial import Bound, lift, variable

BITS, L = 128, "L"
"""Precision of enclosures; what counts the points of a family."""


def formula(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement: all relations (op one of eq, le, lt) hold everywhere on the domain.

    Proved by a step for every relation, or by enclosures on intervals that cover the domain (of one variable, or none);
    refuted by enclosures at the named point of the domain, exactly where it has no exp.
    """
    relations = statement["relations"]
    trees = [tree for _, *sides in relations for tree in sides]
    place, at = opened(statement, evidence["values"])
    if verdict == "refuted":
        chosen = integer(evidence["relation"], 0, len(relations) - 1)
        answers = judged(statement, relations, at)
        require(answers[chosen] is False, "the relation is not shown to fail at the witness")
    elif "cover" in evidence:
        _covered(statement, place, [rational(x) for x in evidence["cover"]], evidence.get("steps", []))
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


def _covered(statement: Any, place: Region, ends: list[Fraction], steps: list[Any]) -> None:
    """On all pieces: steps show that the variable is between the outer ends, so in one that goes up. Or at a point."""
    names, relations = list(statement["domain"]["variables"]), statement["relations"]
    pieces: list[Mapping[str, Any]] = [{}]
    if names or ends:
        require(len(names) == 1 and len(ends) >= 2, "enclosures cover one variable at most")
        pieces, x = [{names[0]: Interval(*piece)} for piece in pairwise(ends)], place.value(names[0])
        for (low, high), step in zip(((lift(ends[0]), x), (x, lift(ends[-1]))), steps, strict=True):
            prove("le", low, high, place, step)
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
    left <= C right, as those that are said to grow do: nothing bounds them. (A limit is such a statement: a term tends
    to v as an integer m grows just if for every R > 0 some C has m (R |term - v| - 1) <= C for all m.)

    Proved by the constants, terms in fixed variables. Refuted by a family of points, one for every natural L >= 1, at
    the same values of all fixed variables, with 0 < left and c L right <= left for a number c > 0: then right > 0 (or
    no C will do) and C >= c L.
    """
    domain, fixed, grows = statement["domain"], set(statement["fixed"]), set(statement["grows"])
    relations, names = statement["relations"], domain["variables"].keys()
    require(fixed | grows <= names and L not in names and not fixed & grows, "variables are fixed or grow, L is none")
    require(f'"{L}"' not in json.dumps(statement), "L counts the points of a family: evidence may name it")
    place, start = opened(statement, evidence["values"])
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
    for (left, right), tree, step in zip(relations, constants, evidence["steps"], strict=True):
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


_VARIABLES = [schema.identifier, ...]
KINDS = {
    "formula": schema.Kind(
        formula,
        ABOUT | {"relations": schema.relations},
        proved=[["values", "steps", "sums?", "lemmas?"], ["values", "cover", "steps?"]],
        refuted=[["relation", "values"]],
    ),
    "bounded": schema.Kind(
        bounded,
        ABOUT | {"fixed": _VARIABLES, "grows": _VARIABLES, "relations": schema.some([schema.pair, ...])},
        proved=[["values", "constants", "steps", "sums?", "lemmas?"]],
        refuted=[["values", "relation", "family", "constant", "step?", "sums?", "lemmas?"]],
    ),
}
