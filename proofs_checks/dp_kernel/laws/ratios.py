"""Judgement "ratio <= c": for all compared pairs of sets and all outputs P(y|s) <= c P(y|s'); and whether c is reached.

Every exchanged item contributes a factor to the likelihood ratio, a quotient of two probabilities from the law's rows;
factors are bounded by powers of the base, and the powers are added up over the exchange vector (see `sizes`).
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from dp_kernel.formulas.terms import evaluate
from dp_kernel.laws import sizes
from dp_kernel.laws.grammar import PUSHES, SEPARATING, is_of_one_item, is_plain, valued
from dp_kernel.laws.sizes import EXCHANGES, LARGEST, SLACK, Counts, goal, implied, lost, ranges_of, variables, vectors
from dp_kernel.meter import Rejected, require
from dp_kernel.numbers.json_numbers import integer
from dp_kernel.numbers.polynomial import Ratio, is_nonnegative, lift, variable


class Pair(NamedTuple):
    """The probabilities of one result under a lost and a gained item."""

    p: Any
    other: Any
    sure: bool = True
    """There is such a result, whatever the sizes are."""


SAME = Pair(lift(1), lift(1))


class Seen(NamedTuple):
    """What a reading compares: whether the shown items are left out of the output (marginal law), whether outputs that
    show an item count, those that show one of one set only, whether sets have one size."""

    hidden: bool
    common: bool
    shows: bool
    equal: bool


def seen_by(statement: Any) -> Seen:
    """How a reading looks at outputs. Only a function of the outcome tells y0 from I: without one all is seen."""
    term, relation, plain = statement["law"]["term"], statement["relation"], is_plain(statement["law"]["term"])
    nonempty = statement["counted"] == "nonempty" and term[:2] == ["push", "one"]
    hidden, equal = relation == "marginal" and not plain, statement["sizes"] == "exactm"
    marginal = term[0] == "push" and (term[1] in ("bits", "padded") or nonempty)
    require(not hidden or marginal, "no marginal law of what is left")
    require(relation != "ldp" or plain, "epsilon-LDP: no non-sensitive items")
    require(relation != "joint" or plain or term[0] == "push", "outcomes that do not show what is kept")
    require(equal or relation in ("ldp", "marginal", "joint"), "no rule for sets of different sizes")
    common = not (plain or hidden or nonempty)
    return Seen(hidden, common, common and relation != "joint", equal)


def factors(term: Any, seen: Seen, *, symmetric: bool = False) -> dict[str, list[Pair]]:
    """By exchange, quotients: P(y|s) / P(y|s') is at most a product of one for every exchange; the term's expressions
    are numbers.

    row: the two probabilities of one output. each items: equal coordinates cancel, a lost and a gained coordinate
    multiply. each held: equal slots cancel; if the outcome is used without its order (`symmetric`), slots of s' may be
    permuted so that common items share a slot, and a sum over orders is at most the largest ratio of its terms; else
    slots are compared place by place. mix: a choice's probability cancels; two labels (if there are two) differ or not.
    thinned: the chance cancels; there is nothing, or a report. pair, copies of a
    law that does not see the input: it cancels. push: a sum over a fibre is at most its largest one; marginal laws only
    where the law of what is left is a row's, too.
    """
    match term:
        case ["row", kinds]:
            return _of_row(kinds, seen)
        case ["each", "items", ["row", kinds]]:
            return _of_bits(kinds, seen)
        case ["each", "held", of]:
            require(seen.equal, "sets of different sizes have different numbers of slots")
            return factors(of, seen, symmetric=symmetric)
        case ["mix", _, number, of]:
            return {"ss": [*(factors(of, seen)["ss"] if number != 1 else ()), SAME]}
        case ["thinned", _, of]:
            return {"ss": [*factors(of, seen)["ss"], SAME]}
        case ["pair", first, ["copies", _, second]] if is_of_one_item(first):
            require(second[0] == "row" and set(second[1]) == {"*"}, "the other law sees the input")
            return factors(first, seen, symmetric=symmetric)
        case ["push", name, of]:
            return factors(of, seen, symmetric=PUSHES[name].symmetric)
    raise Rejected(f"no ratio rule for {term[0]}")


def labels(kinds: Any, kind: str, seen: Seen) -> tuple[Any, Any, Any]:
    """The probability of an item's own label, of each sensitive one that is not, and of a label beside the item."""
    cells = kinds[kind]
    require(set(cells) <= {"own", "other", "any", "pad"}, "a row of labels")
    third, beside = cells.get("other", 0) + cells.get("any", 0), cells.get("pad", 0)
    if seen.hidden and kind == "non":
        return lift(0), lift(third + beside), lift(0)
    own = cells.get("own", 0) + (cells.get("any", 0) if kind == "sen" else 0)
    return lift(own), lift(third), lift(beside)


def _of_row(kinds: Any, seen: Seen) -> dict[str, list[Pair]]:
    """An output is the lost item's own label, the gained one's, a third one, or (padded) a label beside the item."""
    found, zero = {}, lift(0)
    for name, a, b in _exchanges(kinds, blank=False):
        own, third, beside = labels(kinds, a, seen)
        other_own, other_third, _ = labels(kinds, b, seen)
        found[name] = [Pair(third, other_third, sure=False)]
        if a == "sen" or seen.shows:
            found[name].append(Pair(own, other_third if a == "sen" else zero))
        if b == "sen":
            found[name].append(Pair(third, other_own))
        if seen.shows:
            found[name].append(Pair(beside, zero))
    return found


def _of_bits(kinds: Any, seen: Seen) -> dict[str, list[Pair]]:
    """A lost coordinate and a gained one: each is 1 or 0."""

    def coordinate(kind: str, held: int) -> list[Pair]:
        if kind == "blank" or (kind == "non" and seen.hidden):
            return [SAME]
        a, b = (kinds[f"{kind}{bit}"] for bit in (held, 1 - held))
        shown = ("1", "0") if kind == "sen" or seen.shows else ("0",)
        return [Pair(lift(a.get(z, 0)), lift(b.get(z, 0))) for z in shown]

    return {
        name: [Pair(x.p * y.p, x.other * y.other) for x in coordinate(a, 1) for y in coordinate(b, 0)]
        for name, a, b in _exchanges(kinds, blank=not seen.equal)
    }


def _exchanges(kinds: Any, *, blank: bool) -> list[tuple[str, str, str]]:
    """The exchanges of a row: their names, what is lost and what is gained."""
    present = [kind for kind in ("sen", "non") if any(name.startswith(kind) for name in kinds)]
    both = [*present, *(["blank"] if blank else [])]
    return [(a[0] + b[0], a, b) for a in both for b in both if a in present or b in present]


def exponents(statement: Any) -> tuple[int, list[Any]]:
    """The bound as base^(factor * e), e the smallest of these expressions. Raises `Rejected` for another form."""
    base = statement["law"]["base"]
    match goal(statement):
        case root if root == base:
            return 1, [1]
        case ["pow", root, ["mul", int() as factor, least]] if root == base and factor > 0:
            return factor, sizes.smallest_of(least)
        case ["pow", root, least] if root == base:
            return 1, sizes.smallest_of(least)
    raise Rejected("the bound is not a power of the base")


def product(statement: Any, powers: Mapping[str, Any], cases: Any = None) -> None:
    """Raise `Rejected` unless all ratios are at most the bound: a factor of an exchange is at most base^power, and the
    powers of a pair add up to at most its exponent; and unless a stated constant is reached: by every factor of a pair.

    Where slots are compared in place, common sensitive items may be in different slots, too (others stay): all are, of
    {1, .., m} and the same set moved on.
    """
    law, term, plain = statement["law"], statement["law"]["term"], is_plain(statement["law"]["term"])
    values, ranges = variables(law), ranges_of(law)
    base, found = values[law["base"]], factors(valued(term, values), seen_by(statement))
    require(set(powers) <= set(EXCHANGES), "powers of exchanges")
    powers = {name: integer(power, 0, 64) for name, power in powers.items()}
    for vector in vectors(statement):
        for name in (x for x in EXCHANGES if vector[x] != 0):
            for pair in found[name]:
                gap = base ** powers[name] * pair.other - pair.p
                require(is_nonnegative(gap, ranges), "a quotient is not shown to be at most its power")
    symmetric = term[0] == "push" and PUSHES[term[1]].symmetric
    slots = (term[2] if term[0] == "push" else term)[:2] == ["each", "held"]
    in_place = slots and not symmetric
    kept = statement["relation"] == "samenon" and not statement["any_order"]
    require(not in_place or kept or plain, "slots in place show what is kept")
    factor, forms = exponents(statement)

    def number(count: Counts) -> Ratio:
        total = sum((count[name] * power for name, power in powers.items()), lift(0))
        return (total + count["g"] * powers["ss"] if in_place else total) / factor

    def reached(count: Counts, where: tuple[Any, ...]) -> None:
        require(not (slots and symmetric) and statement["counted"] == "all", "factors need not be extreme at once")
        require(_separates(term, law), "two items may share a label")
        for name in (x for x in EXCHANGES if count[x] != 0):
            sure = [pair for pair in found[name] if pair.sure and is_nonnegative(pair.other, ranges, strictly=True)]
            extreme = any(base ** powers[name] * pair.other - pair.p == 0 for pair in sure)
            require(extreme, f"{name} does not reach its power")

    sizes.require_constant(statement, forms, number, cases, reached)


def _separates(term: Any, law: Any, some: bool = True) -> bool:
    """Whether the public choices on the way map any two items to two labels with a positive chance (`some`: or certain
    two items, where these are what is compared)."""
    match term:
        case ["thinned", *_]:
            return False
        case ["mix", _, 1, _]:
            return True  # nothing is reached but 1, by any two items
        case ["mix", family, _, of] if law["families"][family] == SEPARATING:
            return some and _separates(of, law, some=False)  # there are two items
        case ["mix", family, _, of]:
            apart = 1 - lift(evaluate(law["families"][family], variables(law)))
            return is_nonnegative(apart, ranges_of(law), strictly=True) and _separates(of, law, some=False)
        case ["each", _, of]:
            return _separates(of, law, some=False)
        case ["push", _, of] | ["pair", of, _]:
            return _separates(of, law, some)
    return True


def linear(statement: Any, multipliers: Mapping[str, Any], cases: Any = None) -> None:
    """Raise `Rejected` unless the constant (e^eps, if none is stated) of one drawn item is at least all ratios, and a
    stated one is reached: by the output that shows all lost sensitive items (one, if it shows one at most) and nothing
    else. multipliers: of constraints of the statement, in the base and the numbers of s (of s': t) that are sensitive
    and shown (s1), sensitive and not shown (s0), not sensitive (s2).

    |s| P(y|s) is, up to a factor of y alone, a sum of weights of the held items: w1 if y shows the item (its label, its
    bit), else w0 of its kind; w1 >= w0 > 0 for sensitive items, w1 >= w0 of others. So constant * P(y|s') - P(y|s) is
    least where y shows all lost sensitive items (one or none, if y shows one at most), no gained one and, as the
    constant is at least 1, no common one. What is left is a matter of signs for all numbers. At least 1: that is this
    difference for s = s' (no number of exchanges is excluded), or w1 >= w0 for a single exchange. An output that shows
    a common non-sensitive item has probability r / m under both sets; one that shows an item of one set only is not
    compared, or impossible for s.
    """
    law, seen = statement["law"], seen_by(statement)
    require(sizes.is_drawn(law["term"]) and (seen.equal or not seen.common), "one drawn item")
    shown, hidden, other, single = _weights(law, seen)
    place, (constant, forms) = sizes.region_of(law), sizes.split(goal(statement))
    values, ranges = place.values, place.ranges
    above, below = constant[1:] if isinstance(constant, list) and constant[0] == "div" else (constant, 1)
    for positive in (hidden, place.value(below)):
        require(is_nonnegative(positive, ranges, strictly=True), "a weight or a denominator is not shown to be > 0")
    for least in (hidden, other):
        require(is_nonnegative(shown - least, ranges), "a shown item has the largest weight")

    def gap(of: Mapping[str, Ratio], at: Mapping[str, Any]) -> Ratio:
        """constant * P(y|s') - P(y|s), up to a positive factor."""
        top, bottom = (of[x + "1"] * shown + of[x + "0"] * hidden + of[x + "2"] * other for x in "st")
        if not seen.equal:
            held, beside = (of[x + "1"] + of[x + "0"] + of[x + "2"] for x in "st")
            top, bottom = top * beside, bottom * held
        over, under = (lift(evaluate(tree, {**values, **at})) for tree in (above, below))
        return over * bottom - under * top

    for count, of in _outputs(statement, single):
        at = sizes.sizes_at(count) | ({"m": values["m"]} if statement["sizes"] == "all" else {})
        rest = gap(of, at | {LARGEST: lost(count) + variable(SLACK)})
        for index, tree in multipliers.items():
            factor = lift(evaluate(tree, {**of, law["base"]: values[law["base"]]}))
            require(is_nonnegative(factor, ranges), "a multiplier is not shown to be >= 0")
            rest = rest - factor * lift(evaluate(statement["where"][integer(int(index), 0)], at))
        require(is_nonnegative(rest, ranges), "a ratio is not shown to be at most the constant")

    def reached(count: Counts, where: tuple[Any, ...]) -> None:
        require(seen.equal and (not single or implied(lost(count) - 1, where)), "no sensitive item is lost")
        of = _numbers(count, lift(1) if single else lost(count))
        require(gap(of, sizes.sizes_at(count) | {LARGEST: lost(count)}) == 0, "the constant is not reached")

    sizes.require_constant(statement, forms, lost, cases, reached)


def _numbers(count: Counts, shown: Ratio) -> dict[str, Ratio]:
    """How many items are sensitive and shown, sensitive and not, others: of s, where `shown` are, and of s'."""
    found = {"s1": shown, "t1": lift(0)}
    for place, side in enumerate("st"):
        sensitive = sum((count[x] for x in EXCHANGES if x[place] == "s"), count["g"])
        found[side + "2"] = sum((count[x] for x in EXCHANGES if x[place] == "n"), count["h"])
        found[side + "0"] = sensitive - found[side + "1"]
    return found


def _weights(law: Any, seen: Seen) -> tuple[Ratio, Ratio, Ratio, bool]:
    """Of a sensitive item that is shown, that is not, of another one; whether y shows one item at most."""
    term = valued(law["term"], variables(law))
    while term[0] != "drawn":
        term = term[2]
    match term[1]:
        case ["row", kinds]:
            own, third, _ = labels(kinds, "sen", seen)
            return (own, third, labels(kinds, "non", seen)[1] if "non" in kinds else lift(0), True)
        case ["each", "items", ["row", kinds]]:
            shown, hidden = (lift(kinds["sen1"][bit]) / kinds["sen0"][bit] for bit in ("1", "0"))
            if "non1" not in kinds or seen.hidden:
                return (shown, hidden, lift(int("non1" in kinds)), False)
            require(kinds["non0"].get("1", 0) == 0, "an item is shown that is not held")
            return (shown, hidden, lift(kinds["non1"]["0"]) / kinds["non0"]["0"], False)
    raise Rejected("no weights of other laws")


def _outputs(statement: Any, single: bool) -> Iterator[tuple[Counts, dict[str, Ratio]]]:
    """The numbers of all compared pairs, and those of an output that shows lost sensitive items."""
    for vector in vectors(statement):
        yield vector, _numbers(vector, lift(0) if single else lost(vector))
        for name in (x for x in ("ss", "sn", "sb") if single and vector[x] != 0):
            count = vector if vector[name] == 1 else vector | {name: vector[name] + 1}
            yield count, _numbers(count, lift(1))
