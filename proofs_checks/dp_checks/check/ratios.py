"""Checkers for ratios of report probabilities: bounds, necessity of splitting, smallest constants.

One search: over instances in the declared order and all that a statement compares there, in the enumerated law.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import islice, permutations, product
from typing import Any

from dp_checks.certificate import json_value
from dp_checks.check import extremal_pairs
from dp_checks.check.places import Place, enumerated, places, witness
from dp_checks.check.proposals import EVERY, Candidate, at_sizes, finders, text
from dp_kernel.formulas.terms import evaluate
from dp_kernel.judgements import ratios as kernel
from dp_kernel.laws.grammar import Items, all_sensitive, completed, shape, valued
from dp_kernel.laws.instances import observed, related
from dp_kernel.laws.sizes import goal, point_values
from dp_kernel.meter import Rejected
from dp_kernel.numbers.polynomial import lift
from dp_spec.vocabulary.law import K, M, N
from dp_spec.vocabulary.statement import Exceeds, Ratio, Smallest, Unbounded

Json = dict[str, Any]
Excess = tuple[Items, Items, Any, Fraction, Fraction]
"""Two sets and what is observed of an output, with its probabilities."""
LARGEST = ("messages", "sketches")
"""Of laws on these a witness is where the ratio is largest at the first instance, of others the first one there."""
MOST = 8
"""Powers of the base that are tried."""


def ratio(statement: Ratio) -> Iterator[Candidate]:
    """A first violation in the declared order; then what may show the bound at all sizes; of a sentence, every epsilon
    at listed ones."""
    body = json_value(replace(statement, cases=False).json())
    for place in _places(statement, body):
        excess = violation(statement, body, place)
        if excess is not None:
            s, other, y, p, q = excess
            output = [y[0], []] if statement.law.unit == "sketches" else json_value({"y": y})["y"]
            data = {"s": [*s], "other": [*other], "output": output}
            data = {"case": data} if statement.cases else data | {"probability": text(p), "other_probability": text(q)}
            yield witness(statement, place, data)
            return
    yield from [_exhausted(statement)] if statement.cases else _BOUNDS[statement.law.unit](statement)


def smallest(statement: Smallest) -> Iterator[Candidate]:
    """A first instance with another smallest constant; pairs that reach it; of a sentence, every epsilon at listed
    sizes. On arcs the constant is the smallest one over all hash functions: none may have a larger one."""
    body, on_arcs = json_value(replace(statement, cases=False).json()), statement.law.unit == "arcs"
    for place, worst in _constants(statement, body):
        stated = evaluate(body["constant"], point_values(body["law"], place.at))
        if on_arcs and (worst is None or worst > stated):
            return
        if not on_arcs and worst != stated:
            constants = {"stated": text(stated), "exact": "unbounded" if worst is None else text(worst)}
            yield witness(statement, place, {"case": {}} if statement.cases else constants)
            return
    yield from [_exhausted(statement)] if statement.cases else _REACHED[statement.law.unit](statement)


def exceeds(statement: Exceeds) -> Iterator[Candidate]:
    """A first instance at which no ratio is larger than e^epsilon."""
    body = json_value(statement.json()) | {"relation": statement.relation, "counted": statement.counted}
    for place, worst in _constants(statement, body):
        if worst is not None and worst <= _bound(body, place):
            yield witness(statement, place, {"case": {}})
            return


def unbounded(statement: Unbounded) -> Iterator[Candidate]:
    """An output of one set that is impossible for another, at listed sizes; on arcs the rule on emitted items, unless
    at some sizes a constant bounds the ratios under all listed hash functions."""
    if statement.law.unit != "arcs":
        yield _exhausted(statement)
        return
    bounded: dict[str, bool] = {}
    for place, worst in _constants(statement, json_value(statement.json())):
        at = str(place.at)
        bounded[at] = bounded.get(at, True) and worst is not None
    if not any(bounded.values()):
        yield proof("emitted item", "emitted", ON_ARCS)


# --- the search -------------------------------------------------------------------------------------------------------


def _places(statement: Ratio, body: Json) -> Iterator[Place]:
    return places(statement, body, _most(statement))


def _most(statement: Ratio) -> int | None:
    """2m <= d needs d = 4 for m = 2; other sizes of sets are compared up to d = 3."""
    return None if statement.sizes == "exactm" else 3


def compared(body: Json, place: Place) -> Iterator[Excess]:
    """All that a reading compares at an instance: pairs of sets, what is observed of outputs of the first one."""
    _, world, rows = enumerated(body, place)
    law, m, relation = body["law"]["term"], place.at["m"], body["relation"]
    on_circle = shape(law) == "point"
    for s, other in permutations(rows, 2):
        (inner, held), (_, beside) = (completed(law, x, m, world) for x in (s, other))
        if related(relation, held, beside, inner.k):
            a, b = (observed(rows[x], relation, held, beside, body["counted"]) for x in (s, other))
            outputs = a if on_circle else sorted(a, key=str)
            yield from ((s, other, y, a[y], b.get(y, 0)) for y in outputs if a[y] != 0)


def violation(statement: Ratio, body: Json, place: Place) -> Excess | None:
    """What exceeds the bound at an instance: the first, or (`LARGEST`) the largest ratio."""
    bound, ratios = _bound(body, place), compared(body, place)
    if statement.law.unit not in LARGEST:
        return next((x for x in ratios if x[3] > bound * x[4]), None)
    worst = largest(ratios)
    return worst if worst is not None and worst[3] > bound * worst[4] else None


def largest(ratios: Iterator[Excess]) -> Excess | None:
    """The first of the largest ratios: one that is unbounded, if there is any. None where nothing is compared."""
    worst: Excess | None = None
    for one in ratios:
        if one[4] == 0:
            return one
        if worst is None or one[3] * worst[4] > worst[3] * one[4]:
            worst = one
    return worst


def _constants(statement: Ratio, body: Json) -> Iterator[tuple[Place, Fraction | None]]:
    """Instances at which something is compared, with their smallest constants (None: unbounded)."""
    for place in _places(statement, body):
        worst = largest(compared(body, place))
        if worst is not None:
            yield place, worst[3] / worst[4] if worst[4] != 0 else None


def _bound(body: Json, place: Place) -> Any:
    return evaluate(goal(body), point_values(body["law"], place.at))


# --- proofs -----------------------------------------------------------------------------------------------------------

ON_ARCS = "all sizes, every hash function"


def proof(kind: str, rule: str, scope: str = "all sizes", **more: Any) -> Candidate:
    """A proposal that rests on a rule."""
    return Candidate("proved", kind, f"{EVERY}, {scope}", {"rule": rule, **more})


def _of_sets(statement: Ratio) -> Iterator[Candidate]:
    for powers in _powers(statement):
        yield proof("product of powers", "product", powers=powers)
    yield proof("sums over items", "linear")


def _reached_by_sets(statement: Smallest) -> Iterator[Candidate]:
    for powers, reached in product(_powers(statement), extremal_pairs.REACHED):
        yield proof("product of powers that is reached", "product", powers=powers, cases=reached)
    for reached in extremal_pairs.REACHED:
        yield proof("card matching", "matching", cases=reached)
    base = statement.law.base
    without: list[tuple[Any, Any]] = [(reached, {}) for reached in extremal_pairs.REACHED]
    few, between = (
        (extremal_pairs.FEW, extremal_pairs.few_multipliers(base)),
        (extremal_pairs.BETWEEN, extremal_pairs.between_multipliers(base)),
    )
    for reached, multipliers in (*without, few, between):
        yield proof("sums over items that are reached", "linear", cases=reached, multipliers=multipliers)


def _powers(statement: Ratio) -> Iterator[dict[str, int]]:
    """For every exchange the smallest power of the base that bounds its factor, at a few points."""
    body = json_value(statement.json())
    instances = islice(_places(replace(statement, any_order=False), body | {"any_order": False}), 40)
    if statement.law.brought:
        body["law"]["term"], body["sizes"] = body["law"]["term"][-1], "exactm"
    powers: dict[str, int] = {}
    for place in instances:
        values = {name: Fraction(value) for name, value in place.at.items()}
        try:
            kernel.require_reading(body)
            term = valued(body["law"]["term"], values)
            factors = {name: kernel.factors(term, body, name) for name in _exchanges(body)}
        except Rejected:
            return
        for name, pairs in factors.items():
            for pair in pairs:
                powers[name] = max(powers.get(name, 0), _least_power(values[statement.law.base], pair))
    yield powers


def _exchanges(body: Json) -> list[str]:
    """What may be lost and gained: sensitive items, non-sensitive ones, nothing (blank)."""
    kinds = "s" + "n" * (not all_sensitive(body["law"]["term"])) + "b" * (body["sizes"] != "exactm")
    return [a + b for a, b in product(kinds, repeat=2) if a + b != "bb"]


def _least_power(base: Fraction, pair: kernel.Pair) -> int:
    """The least power of the base, up to 8, that makes up for a quotient."""
    p, other = (Fraction(value.num.get((), 0), value.den[()]) for value in map(lift, pair))
    return next((k for k in range(MOST + 1) if base**k * other >= p), MOST)


def _exhausted(statement: Ratio) -> Candidate:
    """Small sizes at which there are two sets to compare."""
    return at_sizes(statement.law, (*statement.where, K + N - M - 1), _most(statement) or 4)


FAMILIES = "all sizes, all families"
Proofs = Callable[[Any], Iterable[Candidate]]
"""What may show a bound, or that a constant is the smallest one."""
_BOUNDS: Mapping[str, Proofs] = {
    **dict.fromkeys(("items", "bits"), _of_sets),
    "arcs": lambda _: [proof("length of the cover", "cover", ON_ARCS)],
    "messages": lambda _: [proof("product of powers", "product", powers={"ss": 1})],
    "sketches": lambda _: [proof("product of powers", "product", FAMILIES, powers={"ss": k}) for k in range(MOST + 1)],
    "subsets": lambda _: [proof("card counting", "counting")],
}
_OF_TWO = {"ss": 1, "o": ["sub", "K", 2]}
_REACHING = "product of powers that is reached"
_REACHED: Mapping[str, Proofs] = {
    **dict.fromkeys(("items", "bits"), _reached_by_sets),
    "arcs": lambda _: [proof("disjoint covers", "cover", ON_ARCS)],
    "messages": lambda _: [proof(_REACHING, "product", powers={"ss": 1}, cases=extremal_pairs.SINGLE)],
    "sketches": lambda _: [
        proof(_REACHING, "product", FAMILIES, powers={"ss": k}, cases=_OF_TWO) for k in range(MOST + 1)
    ],
    "subsets": lambda _: [proof("card counting", "counting")],
}
FINDERS = finders({Exceeds: exceeds, Ratio: ratio, Smallest: smallest, Unbounded: unbounded})
