"""Checkers for bounds up to a constant, and for limits."""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import product
from typing import Any

from flint import fmpq

from dp_checks import hints
from dp_checks.check.candidate import Candidate
from dp_checks.check.formulas import REFUSED, first_step, tried_steps
from dp_checks.check.telescoping import forms
from dp_checks.kernel import formulas as kernel
from dp_checks.kernel.domains import Region, prove
from dp_checks.kernel.formulas import L
from dp_checks.kernel.polynomial import variable
from dp_checks.kernel.totals import opened
from dp_spec.vocabulary.error_statements import Bounded, Limit
from dp_spec.vocabulary.term import Term

CONSTANTS = (1, 4, 16, 64, 256, 1024, 4096)
FAMILIES: tuple[Mapping[str, Any], ...] = (
    *(
        {"eps": 1, "e0": 2, "w": 2, "v": 1, "R": "L", "m": m, "K": k, "N": n, "n": 1, "g": g, "f": f}
        for m, k, n, g, f in (
            ("L", 2, "L", "L", 0),
            (1, "L", "L", 0, 0),
            ("L", "L", 0, 0, 1),
            (1, 1, 0, 0, 1),
            (1, 1, 1, 1, 0),
            ("L", 1, "L", "L", 0),
        )
    ),
    {"h": "L", "eps": 1, "delta": 1},
)
"""Families along which a bound may fail, in this order: growing ones first, single sizes last but one; then trees."""


def exponential(name: str) -> list[Any]:
    """The lemma p(x) <= 75 2^x with p(x) = x^4 + 4 x^3 + 18 x^2 + 52 x + 75: p(x + 1) <= 2 p(x), p(0) = 75."""
    x = Term(name)
    quartic = x**4 + 4 * x**3 + 18 * x**2 + 52 * x + 75
    return [(75 * Term(2) ** x - quartic).json(), {"induct": name, "factor": 2, "first": {}, "next": {}}]


def bounded(statement: Bounded, hint: str) -> Iterator[Candidate]:
    """A family along which the quotient of left and right is unbounded; constants that bound it."""
    body = statement.json()
    for family, index, constant in product(FAMILIES, range(len(statement.relations)), (16, 1024)):
        chosen = {name: x for name, x in family.items() if name in statement.domain.variables}
        data: dict[str, Any] = {"relation": index, "family": chosen, "constant": ["div", 1, constant]}
        if chosen.get("h") == "L":
            data |= {"lemmas": [exponential("L")], "step": {"multipliers": {"0": data["constant"]}}}
            data |= _sums_along(body, chosen, [*body["relations"][index], data["constant"]])
        try:
            kernel.bounded(body, "refuted", data)
        except REFUSED:
            continue
        listed = ", ".join(f"{name} = {x}" for name, x in chosen.items())
        left, right = (_called(side) for side in statement.relations[index])
        grows = f"{left} / {right} >= L/{constant} along {listed}"
        if "L" not in chosen.values():
            grows = f"{right} is 0 and {left} is not at {listed}"
        yield Candidate("refuted", "unbounded family", grows, data)
        return
    hinted = hints.CONSTANTS.get(hint) or hints.CONSTANTS.get(hint.split("@")[0], {})
    found, sums = [], list[Any]()
    for index, sides in enumerate(body["relations"]):
        proof = _constant(body, sides, hinted.get(index, ()), sums)
        if proof is None:
            return
        found.append(proof)
    numbers = all(isinstance(constant, int) for constant, _ in found)
    scope = f"C = {', '.join(str(c) for c, _ in found)}" if numbers else "C a function of what is fixed"
    data = {"constants": [constant for constant, _ in found], "steps": [step for _, step in found]}
    data |= {"sums": sums} if sums else {}
    yield Candidate("proved", "constant for a bound", f"the whole domain: {scope}", data)


def _sums_along(body: Any, family: Any, trees: Any) -> dict[str, Any]:
    """Forms of the sums along a family, if there are sums that have forms."""
    along = Region({L: variable(L)}, kernel.ALONG)
    try:
        values = {name: along.value(tree) for name, tree in family.items()}
        sums = forms(body, Region(values, kernel.ALONG), trees, [])
    except REFUSED:
        return {}
    return {"sums": sums} if sums else {}


def _constant(body: Any, sides: Any, hinted: Any, sums: list[Any]) -> tuple[Any, Any] | None:
    """A hinted constant, the smallest of some numbers, or the numerator of the left side, for which a step proves the
    bound; forms of sums are added to those that are known."""
    left, right = sides
    tried = [*hinted, *((c, step) for c in CONSTANTS for step in tried_steps(body["domain"]))]
    if isinstance(left, list) and left[0] == "div":
        tried.append((left[1], {}))
    if "eps" in body["fixed"]:
        tried += [(["div", c, ["pow", "eps", 2]], {}) for c in CONSTANTS]
    trees = [left, right, *(constant for constant, _ in tried)]
    try:
        start = opened(body)[0]
        sums[:] = forms(body, start, trees, sums)
        place = kernel.prepared_for(body, start, trees, {"sums": sums})
        less, more = place.value(left), place.value(right)
    except REFUSED:
        return None
    for constant, step in tried:
        try:
            prove("le", less, place.value(constant) * more, place, step)
        except REFUSED:
            continue
        return constant, step
    return None


def limit(statement: Limit, hint: str) -> Iterator[Candidate]:
    """The limit, or another one: of the hints, or a small number; with a rate and a constant."""
    body = statement.json()
    hinted: Any = hints.LIMITS.get(hint, {})
    others = [*hinted.get("others", ()), *_guessed(statement), None]
    for other in [body["value"], *(x for x in others if x != body["value"])]:
        found = _rate(body, other, hinted)
        if found is not None:
            refuted = other != body["value"]
            shown = "infinity" if other is None else str(other)
            data = found | ({"other": other} if refuted else {})
            called = f"the limit is {shown}, within {found['constant']} / {found['rate']}"
            yield Candidate("refuted" if refuted else "proved", "limit", called, data)
            return


FAR = 1500


def _guessed(statement: Limit) -> Iterator[Any]:
    """A number with a small denominator near the limit of a term in the growing integer alone, extrapolated."""
    if set(statement.domain.variables) == {statement.grows} and not statement.quantities:
        once, twice = (fmpq(1) * statement.term.evaluate({statement.grows: x}) for x in (FAR, 2 * FAR))
        limit = 2 * twice - once
        near = Fraction(int(limit.p), int(limit.q)).limit_denominator(100)
        yield ["div", near.numerator, near.denominator]


def _shown(gap: tuple[Any, Any], place: Any) -> Callable[[Any], None]:
    return lambda step: prove("le", *gap, place, step)


def _rate(body: Any, value: Any, hinted: Any) -> dict[str, Any] | None:
    """Evidence that the term tends to a value."""
    name, sums = body["grows"], hints.SUMS.get(hinted.get("sums", ""), [])
    for rate, constant in product((name, ["pow", 2, name]), (*hinted.get("constants", ()), *CONSTANTS)):
        trees = [body["term"], constant, *([] if value is None else [value])]
        try:
            start = opened(body)[0]
            known = forms(body, start, trees, sums)
            place = kernel.prepared_for(body, start, trees, {"sums": known})
            gaps = kernel.gaps(place, body["term"], value, rate, constant)
            steps = [first_step([*hinted.get("steps", ()), {}], _shown(gap, place)) for gap in gaps]
        except REFUSED:
            continue
        return {"rate": rate, "constant": constant, "steps": steps} | ({"sums": known} if known else {})
    return None


def _called(side: Term) -> str:
    return "the term" if side.arguments else str(side.head)
