"""Judgement "ratio <= c": for all compared pairs of sets and all outputs P(y|s) <= c P(y|s'); and whether c is reached.

Every exchanged item contributes a factor to the likelihood ratio, a quotient of two probabilities from the law's rows;
factors are bounded by powers of the base, and the powers are added up over the exchange vector (see `sizes`).
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from dp_checks.kernel.exact import integer
from dp_checks.kernel.laws import PUSHES, is_of_one_item, is_plain, valued
from dp_checks.kernel.polynomial import Bound, Ratio, is_nonnegative, lift
from dp_checks.kernel.rejected import Rejected, require
from dp_checks.kernel.sizes import (
    EXCHANGES,
    Counts,
    bounds_with_counts,
    is_drawn,
    is_zero,
    ranges_of,
    require_witness,
    sizes_at,
    variables,
    vectors,
)
from dp_checks.kernel.terms import evaluate, require_defined


class Pair(NamedTuple):
    """The probabilities of one result under a lost and a gained item."""

    p: Any
    other: Any
    shows: bool = False
    """It shows a non-sensitive item that only one of the sets holds."""
    sure: bool = True
    """It is possible whatever the sizes and the family are."""


SAME = Pair(lift(1), lift(1))


class Factors(NamedTuple):
    """By exchange, the quotients of which one is its factor; which of them are extreme at once: "all" in one output,
    "one" (an output of a lost item in every slot), or "none"; whether slots are compared place by place."""

    pairs: dict[str, list[Pair]]
    exact: str
    ordered: bool = False


class Seen(NamedTuple):
    """What a reading compares: whether the shown items are left out of the output (marginal law), outputs without a
    sensitive result do not count, sets have one size, no output shows an item (product form)."""

    hidden: bool
    nonempty: bool
    equal: bool


def seen_by(statement: Any) -> Seen:
    """How a reading looks at outputs. Only a function of the outcome tells y0 from I: without one all is seen."""
    term = statement["law"]["term"]
    one, hidden = term[:2] == ["push", "one"], statement["relation"] == "marginal" and not is_plain(term)
    nonempty = statement["counted"] == "nonempty" and one
    marginal = term[0] == "push" and (term[1] in ("bits", "padded") or nonempty)
    require(not hidden or marginal, "no marginal law of what is left")
    return Seen(hidden, nonempty, statement["sizes"] == "exactm")


def factors(term: Any, seen: Seen, *, matched: bool = False) -> Factors:
    """P(y|s) / P(y|s') is at most a product of these factors; the term's expressions are numbers.

    row: the two probabilities of one output. each items: equal coordinates cancel, a lost and a gained coordinate
    multiply. each held: equal slots cancel; if the outcome is used without its order (`matched`), slots of s' may be
    permuted so that common items share a slot, and a sum over orders is at most the largest ratio of its terms; else
    slots are compared place by place. drawn: an average of the items' probabilities against another one, matched if
    there are as many items, any two of them if not. mix: a choice's probability cancels; two labels differ or not.
    pair, copies of a law that does not see the input: it cancels. push: a sum over a fibre is at most its largest one;
    marginal laws only where the law of what is left is a row's, too.
    """
    match term:
        case ["row", kinds]:
            return Factors(_of_row(kinds, seen), "all")
        case ["each", "items", ["row", kinds]]:
            return Factors(_of_bits(kinds, seen), "all")
        case ["each", "held", of]:
            inner = factors(of, seen)
            require(seen.equal, "sets of different sizes have different numbers of slots")
            if matched:
                return Factors(inner.pairs, "one" if of[0] == "row" else "none")
            return Factors(inner.pairs, inner.exact, ordered=True)
        case ["mix", _, _, of]:
            require(not matched, "a public choice is shown")
            inner = factors(of, seen)
            listed = [*(pair._replace(sure=False) for pair in inner.pairs["ss"]), SAME]
            return Factors({"ss": listed}, inner.exact)
        case ["drawn", of]:
            pairs = factors(of, seen).pairs
            return Factors({name: [*listed, SAME] for name, listed in pairs.items()}, "none")
        case ["pair", first, ["copies", _, second]] if is_of_one_item(first):
            require(second[0] == "row" and set(second[1]) == {"*"}, "the other law sees the input")
            require(set(second[1]["*"]) == {"any"}, "every label is as likely in it")
            return Factors(factors(first, seen).pairs, "one" if matched else "all")
        case ["push", name, of]:
            push = PUSHES[name]
            inner = factors(of, seen, matched=matched or push.symmetric)
            exact = inner.exact if not push.symmetric or inner.exact == "one" else "none"
            return Factors(inner.pairs, "none" if name == "padded" else exact, inner.ordered)
    raise Rejected(f"no ratio rule for {term[0]}")


def _of_row(kinds: Any, seen: Seen) -> dict[str, list[Pair]]:
    """An output is the lost item's own label, the gained one's, a third one, or (padded) a label beside the item."""

    def entries(kind: str) -> tuple[Any, Any, Any]:
        """The probability of the own label, of each sensitive one that is not, and of a label beside the item."""
        cells = kinds[kind]
        require(set(cells) <= {"own", "other", "any", "pad"}, "a row of labels")
        third, beside = cells.get("other", 0) + cells.get("any", 0), cells.get("pad", 0)
        if seen.hidden and kind == "non":
            return lift(0), third + beside, lift(0)
        own = cells.get("own", 0) + (cells.get("any", 0) if kind == "sen" else 0)
        return lift(own), lift(third), lift(beside)

    found, zero = {}, lift(0)
    for name, a, b in _kinds({kind[:1] for kind in kinds}, blank=False):
        (own, third, beside), (other_own, other_third, other_beside) = (
            entries("sen" if kind == "s" else "non") for kind in (a, b)
        )
        pairs = [Pair(own, other_third if a == "s" else zero, a == "n")]
        pairs += [Pair(third if b == "s" else zero, other_own, b == "n"), Pair(third, other_third, sure=False)]
        pairs += [Pair(beside, zero, True), Pair(zero, other_beside, True)]
        hidden = seen.nonempty or seen.hidden
        found[name] = [pair for pair in pairs if not (pair.shows and hidden) and pair.p != 0]
    return found


def _of_bits(kinds: Any, seen: Seen) -> dict[str, list[Pair]]:
    """A lost coordinate and a gained one: each is 1 or 0."""

    def coordinate(kind: str, held: int, other: int) -> list[Pair]:
        if kind == "b" or (kind == "n" and seen.hidden):
            return [SAME]
        name = {"s": "sen", "n": "non"}[kind]
        a, b = (kinds[f"{name}{bit}"] for bit in (held, other))
        return [Pair(lift(a.get(z, 0)), lift(b.get(z, 0)), kind == "n" and z == "1") for z in ("1", "0")]

    return {
        name: [
            Pair(x.p * y.p, x.other * y.other, x.shows or y.shows)
            for x in coordinate(a, 1, 0)
            for y in coordinate(b, 0, 1)
        ]
        for name, a, b in _kinds({kind[:1] for kind in kinds}, blank=not seen.equal)
    }


def _kinds(present: set[str], *, blank: bool) -> list[tuple[str, str, str]]:
    kinds = ["s", *("n" if "n" in present else ""), *("b" if blank else "")]
    return [(a + b, a, b) for a in kinds for b in kinds if a + b != "bb"]


# --- bounds -------------------------------------------------------------------------------------------------------


def goal(statement: Any) -> Any:
    """The bound: the stated constant, or e^eps."""
    law = statement["law"]
    return statement.get("constant", ["pow", law["base"], law["power"]])


def exponents(statement: Any) -> list[tuple[int, Any]]:
    """The bound as base^e, e the smallest of these (factor, expression). Raises `Rejected` for another form."""
    base, tree = statement["law"]["base"], goal(statement)
    if tree == base:
        return [(1, 1)]
    require(isinstance(tree, list) and tree[:2] == ["pow", base], "the bound is not a power of the base")
    match tree[2]:
        case ["min", *forms]:
            return [(1, form) for form in forms]
        case ["mul", int() as factor, ["min", *forms]] if factor > 0:
            return [(factor, form) for form in forms]
    return [(1, tree[2])]


def bounded(statement: Any, powers: Mapping[str, Any]) -> Factors:
    """Raise `Rejected` unless all ratios are at most the bound: a factor of an exchange is at most base^power, and the
    powers of all exchanges of a pair add up to at most each exponent; of one drawn item there is one factor only."""
    law, relation, equal = statement["law"], statement["relation"], statement["sizes"] == "exactm"
    term, values, ranges = law["term"], variables(law), bounds_with_counts(law)
    found, limits = factors(valued(term, values), seen_by(statement)), exponents(statement)
    require(set(powers) <= set(EXCHANGES), "powers of exchanges")
    powers = {name: integer(power, 0, 64) for name, power in powers.items()}
    require(relation != "joint" or is_plain(term) or term[0] == "push", "outcomes that do not show what is kept")
    require(not found.ordered or relation == "samenon" or is_plain(term), "slots in place show what is kept")
    require(equal or relation in ("ldp", "marginal", "joint"), "no rule for sets of different sizes")
    drawn, joint = is_drawn(term), relation == "joint" and (equal or not is_drawn(term))
    for vector in vectors(statement, ordered=found.ordered):
        # two averages of different numbers of items: any two items may share a place
        names = [x for x in found.pairs if ("b" not in x if drawn and not equal else vector[x] != 0)]
        for name in names:
            require_at_most(found.pairs[name], values[law["base"]] ** powers[name], ranges, joint=joint)
        if drawn:
            total = lift(max((powers[name] for name in names), default=0))
        else:
            total = sum((vector[name] * powers[name] for name in names), lift(0))
        at = {**values, **sizes_at(vector), **({"m": values["m"]} if statement["sizes"] == "all" else {})}
        at |= {"K": values["K"]} if found.ordered else {}
        for factor, form in limits:
            require(at_least(form, total / factor, at, ranges), "the powers exceed the exponent")
    return found


def require_at_most(pairs: list[Pair], factor: Ratio, ranges: Mapping[str, Bound], *, joint: bool) -> None:
    """Every quotient that is compared is at most the factor."""
    for pair in pairs:
        if not (joint and pair.shows):
            require(
                is_nonnegative(factor * pair.other - pair.p, ranges), "a quotient is not shown to be at most its power"
            )


def at_least(form: Any, number: Ratio, at: Mapping[str, Any], ranges: Mapping[str, Bound]) -> bool:
    """Whether an expression of sizes is at least a number; floor(a) is, if a is and the number is an integer."""
    if isinstance(form, list) and form[0] == "floor":
        form = form[1]
        scale = number.den.get((), 0)
        whole = set(number.den) == {()} and all(c % scale == 0 for c in number.num.values())
        require(whole, "not an integer")
    require_defined(form, at, ranges)
    return is_nonnegative(lift(evaluate(form, at)) - number, ranges)


# --- the bound is reached -------------------------------------------------------------------------------------------


def attained(statement: Any, powers: Mapping[str, Any], cases: Any) -> None:
    """Raise `Rejected` unless the bound holds and some pair and output reach it at all stated sizes: every factor of
    the pair's exchanges reaches its power; in the exactness "one" by an output of the lost item in every slot."""
    found = bounded(statement, powers)
    law, joint = statement["law"], statement["relation"] == "joint"
    values, ranges = variables(law), ranges_of(law)
    base, limits, alone = values[law["base"]], exponents(statement), found.exact == "one"
    require(found.exact != "none" and not seen_by(statement).nonempty, "factors need not be extreme at once")
    separates = _separates(law["term"], law.get("families", {}), law)

    def reaches(pair: Pair, power: int) -> bool:
        possible = (pair.sure or separates) and not (joint and pair.shows)
        return possible and _positive(pair.other, ranges) and base**power * pair.other - pair.p == 0

    def reached(count: Counts, where: tuple[Any, ...], at: Mapping[str, Ratio]) -> None:
        present = [name for name in found.pairs if count[name] != 0]
        if alone:
            require(
                len(present) == 1 and count[present[0]] == 1 and present[0][0] == "s", "one lost item fills all slots"
            )
            thirds = [x for pairs in found.pairs.values() for x in pairs if not x.sure and x is not SAME]
            require(all(_positive(x.p, ranges) and _positive(x.other, ranges) for x in thirds), "an impossible result")
        for name in present:
            listed = found.pairs[name][: 1 if alone else None]
            require(any(reaches(pair, powers[name]) for pair in listed), f"{name} does not reach its power")
        total = sum((count[name] * powers[name] for name in present), lift(0))
        require(
            any(equals(form, total / factor, {**values, **at}, where) for factor, form in limits),
            "another exponent is reached",
        )

    require_witness(statement, cases, reached, ordered=found.ordered)


def _positive(number: Any, ranges: Mapping[str, Bound]) -> bool:
    return is_nonnegative(lift(number), ranges, strictly=True)


def equals(form: Any, number: Ratio, values: Mapping[str, Any], where: tuple[Any, ...]) -> bool:
    """Whether an expression of sizes is a number; floor(a / 2) is an integer, if a is twice it or one more."""
    match form:
        case ["floor", ["div", of, 2]]:
            gap = lift(evaluate(of, values)) - number * 2
            return is_zero(gap, where) or is_zero(gap - 1, where)
    return is_zero(lift(evaluate(form, values)) - number, where)


def _separates(term: Any, collisions: Mapping[str, Any], law: Any) -> bool:
    """Whether the public choices on the way map any two items to two labels with a positive chance."""
    match term:
        case ["mix", family, _, of]:
            apart = 1 - lift(evaluate(collisions[family], variables(law)))
            return _positive(apart, ranges_of(law)) and _separates(of, collisions, law)
        case ["push" | "each", _, of] | ["pair", of, _]:
            return _separates(of, collisions, law)
    return True
