"""Reports that are k-subsets of D outputs: the counting lemma, and tables read by it or enumerated at one size."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb, prod
from typing import Any, NamedTuple

from dp_checks.kernel.defined import require_defined
from dp_checks.kernel.exact import integer, rational
from dp_checks.kernel.polynomial import Bound, Ratio, is_nonnegative, lift, variable
from dp_checks.kernel.rejected import Rejected, require
from dp_checks.kernel.terms import evaluate

Outputs = tuple[int, ...]
ATOMS = ("[apart]", "[without]", "[met]", "[beside]")
MAX_RECOUNTED, MAX_OUTPUTS = 7, 10
"""Sizes at which the lemma is counted again; the largest instance whose subsets are enumerated."""


class Counts(NamedTuple):
    """Numbers of k-subsets o of D outputs: o misses a set s of m; meets s; has x; has x (not in s) and misses s."""

    missing: Any
    hitting: Any
    having: Any
    apart: Any


def counts(outputs: int, m: int, k: int) -> Counts:
    """The counting lemma, 1 <= m < D, 1 <= k <= D - m.

    o misses s if its k elements are among the D - m others: binom(D - m, k); all the other binom(D, k) subsets meet s.
    o has x if the k - 1 elements beside x are among D - 1: binom(D - 1, k - 1); it misses s as well, x not in s, if
    they are among D - m - 1: binom(D - m - 1, k - 1). If x is in s, every o with x meets s.
    """
    missing = comb(outputs - m, k)
    return Counts(missing, comb(outputs, k) - missing, comb(outputs - 1, k - 1), comb(outputs - m - 1, k - 1))


@cache
def require_recounted() -> None:
    """Raise `Rejected` unless the lemma, `atoms`, `spread`, `relations` and `one_item` are right at all small sizes."""
    for outputs in range(2, MAX_RECOUNTED + 1):
        for m in range(1, outputs):
            require(
                spread(outputs, m, 1) == 1 and outputs * spread(outputs, m, 0) == outputs - m,
                "not the values of the ratio of the counts at 0 and 1",
            )
            for k in range(1, outputs - m + 1):
                s, found = set(range(m)), [set(o) for o in combinations(range(outputs), k)]
                misses = [o for o in found if not o & s]
                number = counts(outputs, m, k)
                counted = len(misses), len(found) - len(misses)
                having = [sum(x in o for o in found) for x in range(outputs)]
                apart = {sum(x in o for o in misses) for x in range(m, outputs)}
                require(counted == number[:2] and set(having) == {number.having}, "the counting lemma is wrong")
                require(apart == {number.apart}, "the counting lemma is wrong")
                missing, hitting, own, alone = number
                least = (alone - 1, missing - alone, own - alone, hitting - own - (m - 1) * alone)
                require(min(least) >= 0, "the atoms are not >= 0")
                point = dict(zip(ATOMS, (alone, *least[1:]), strict=True)) | {"m": m}
                require(all(_at(p, point) == n for p, n in zip(atoms()[0], number, strict=True)), "no such atoms")
                u = spread(outputs, m, k)
                require(u * alone == own, "not the product that the ratio of the counts is")
                multiples = [relations(outputs, m, k, u), *([one_item(outputs, k)] if m == 1 else [])]
                for listed in multiples:
                    require(
                        all(p * alone == n * listed.apart for p, n in zip(listed, number, strict=True)), "no multiples"
                    )


def spread(outputs: int, m: int, k: int) -> Fraction:
    """binom(D - 1, k - 1) / binom(D - m - 1, k - 1): the product of (D - j) / (D - k - j + 1) over 1 <= j <= m."""
    total = Fraction(1)
    for j in range(1, m + 1):
        total *= Fraction(outputs - j, outputs - k - j + 1)
    return total


def relations(outputs: Any, m: Any, k: Any, u: Any) -> Counts:
    """The four numbers, all of them times k / apart, u being having / apart.

    k binom(D - m, k) = (D - m) binom(D - m - 1, k - 1) and k binom(D, k) = D binom(D - 1, k - 1): count the pairs of a
    subset and one of its elements.
    """
    return Counts(outputs - m, outputs * u - (outputs - m), k * u, k)


def one_item(outputs: Any, k: Any) -> Counts:
    """The same for m = 1, where u = (D - 1) / (D - k), all of them times D - k."""
    return Counts((outputs - 1) * (outputs - k), (outputs - 1) * k, (outputs - 1) * k, k * (outputs - k))


def atoms() -> tuple[Counts, dict[str, Bound]]:
    """The four numbers for all sizes, in variables with ranges: apart >= 1; missing - apart, having - apart >= 0; and
    hitting - having >= (m - 1) apart.

    o = {x} and k - 1 <= D - m - 1 elements that are neither x nor in s: apart >= 1. Subsets that miss s and have x miss
    s, and have x. Subsets that meet s but do not have a given x of s: for each of the m - 1 other elements y of s those
    that meet s in y only number binom(D - m, k - 1) >= apart, and they differ.
    """
    one, zero = Bound(Fraction(1), False), Bound(Fraction(0), False)
    apart, without, met, beside = map(variable, ATOMS)
    having = apart + met
    number = Counts(apart + without, having + (variable("m") - 1) * apart + beside, having, apart)
    ranges = {name: one if name == "[apart]" else zero for name in ATOMS}
    return number, ranges | {"m": one, "k": one, "D": Bound(Fraction(2), False), "w": Bound(Fraction(1), True)}


def _at(polynomial: Ratio, values: Mapping[str, int]) -> Fraction:
    parts = [c * prod(values[name] ** power for name, power in monomial) for monomial, c in polynomial.num.items()]
    return sum(parts, Fraction(0))


def read(tree: Any) -> Any:
    """The tree with every binomial coefficient of the lemma replaced by its name (which no statement can bind).

    Raises `Rejected` for another binomial coefficient.
    """
    if not isinstance(tree, list):
        return tree
    if tree[0] != "binom":
        return [tree[0], *map(read, tree[1:])]
    sizes = {name: variable(name) for name in ("D", "m", "k")}
    d, m, k = sizes.values()
    top, bottom = (lift(evaluate(part, sizes)) for part in tree[1:])
    for name, over, under in (
        ("[all]", d, k),
        ("[missing]", d - m, k),
        ("[having]", d - 1, k - 1),
        ("[apart]", d - m - 1, k - 1),
    ):
        if top == over and bottom == under:
            return name
    raise Rejected(f"a binomial coefficient that the lemma does not have: {tree}")


class Symbolic(NamedTuple):
    """A table for all sizes: values and ranges of its variables, the two probabilities, P and Q."""

    values: Mapping[str, Any]
    ranges: Mapping[str, Bound]
    hit: Ratio
    miss: Ratio
    held: Ratio
    other: Ratio


def symbolic(table: Any) -> Symbolic:
    """The table for all sizes, shown to be a law. Raises `Rejected`."""
    require_recounted()
    number, ranges = atoms()
    values: dict[str, Any] = {name: variable(name) for name in ("D", "m", "k", "w")}
    values |= {"[all]": number.missing + number.hitting, "[missing]": number.missing}
    values |= {"[having]": number.having, "[apart]": number.apart}
    hit, miss = (value(table[name], values, ranges) for name in ("hit", "miss"))
    for probability in (hit, miss):
        require(is_nonnegative(probability, ranges), "a probability is not shown to be >= 0")
    require(hit * number.hitting + miss * number.missing == 1, "the probabilities do not sum to 1")
    held = hit * number.having
    return Symbolic(values, ranges, hit, miss, held, hit * (number.having - number.apart) + miss * number.apart)


def value(tree: Any, values: Mapping[str, Any], ranges: Mapping[str, Bound]) -> Ratio:
    """A tree for all sizes, shown to be defined."""
    named = read(tree)
    require_defined(named, values, ranges)
    return lift(evaluate(named, values))


# --- one size -----------------------------------------------------------------------------------------------------


def sizes(table: Any, at: Any, names: tuple[str, ...], largest: int = MAX_OUTPUTS) -> tuple[int, int, int]:
    """d, D, m of an instance with exactly these names, shown to lie in the reading's domain."""
    require(isinstance(at, dict) and set(at) == set(names), f"an instance names {names}")
    plain = table["reading"] == "plain"
    d, m = integer(at["d"], 1), integer(at["m"], 1)
    require(m < d if plain else m <= d, "no such set size")
    outputs = d if plain else d + m
    require(outputs <= largest, f"instances have at most {largest} outputs")
    return d, outputs, m


def number_at(at: Any, name: str) -> Fraction:
    """A number > 1 of an instance."""
    found = rational(at[name])
    require(found > 1, "e^epsilon > 1")
    return found


def chances(table: Any, outputs: int, m: int, k: int, w: Fraction) -> tuple[Fraction, Fraction]:
    """P and Q at one size, by the counting lemma."""
    values = {"D": Fraction(outputs), "m": Fraction(m), "k": Fraction(k), "w": w}
    hit, miss = (evaluate(table[name], values) for name in ("hit", "miss"))
    number = counts(outputs, m, k)
    require(hit * number.hitting + miss * number.missing == 1, "the probabilities do not sum to 1")
    return hit * number.having, hit * (number.having - number.apart) + miss * number.apart


def rows(reading: str, d: int, m: int, k: int, hit: Any, miss: Any) -> Iterator[tuple[Outputs, dict[Outputs, Any]]]:
    """Every set of items that a user can hold, and the law of the report, enumerated; dummies follow the items."""
    outputs = d if reading == "plain" else d + m
    for held in range(m if reading == "plain" else 0, m + 1):
        for s in combinations(range(d), held):
            own = {*s, *range(d, d + m - held)}
            yield s, {o: hit if own & set(o) else miss for o in combinations(range(outputs), k)}
