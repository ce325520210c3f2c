"""Judgement "ratio <= c": for all compared pairs of sets and all outputs P(y|s) <= c P(y|s'); and whether c is reached:
readings of (1), (4) and (11), and smallest constants.

Every exchanged item contributes a factor to the likelihood ratio, a quotient of two probabilities of the law of one
item; factors are bounded by powers of the base, and the powers are added up over the exchange vector (see `sizes`).
"""

from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Any

from dp_kernel import schema
from dp_kernel.cards import counting
from dp_kernel.cards.matching import matching
from dp_kernel.formulas.domains import Region
from dp_kernel.formulas.terms import evaluate
from dp_kernel.judgements import arcs
from dp_kernel.laws import grammar, sizes
from dp_kernel.laws.grammar import PUSHES, SEPARATING, World, all_sensitive, is_of_one_item, output_law, valued
from dp_kernel.laws.instances import comparisons, observed
from dp_kernel.laws.sizes import (
    EXCHANGES,
    Counts,
    completed,
    goal,
    implied,
    lost,
    point_values,
    ranges_of,
    variables,
    vectors,
)
from dp_kernel.meter import Rejected, require
from dp_kernel.numbers.json_numbers import integer, items, label, rational
from dp_kernel.numbers.polynomial import Ratio, is_nonnegative, lift

Pair = tuple[Any, Any]
"""The probabilities of one output under a lost and a gained item."""
SAME: Pair = (lift(1), lift(1))


def is_hidden(statement: Any) -> bool:
    """Whether the shown items are left out of what is compared (the marginal law)."""
    return statement["relation"] == "marginal" and not all_sensitive(statement["law"]["term"])


def counted(statement: Any) -> str:
    """Which outputs of a single item count: that one shows no sensitive label says nothing of several."""
    return str(statement["counted"]) if statement["law"]["term"][:2] == ["push", "one"] else "all"


def require_reading(statement: Any) -> None:
    """Raise `Rejected` unless what the reading compares has factors. Only a function of the outcome tells y0 from I:
    without one all is seen."""
    term, relation, sensitive = statement["law"]["term"], statement["relation"], all_sensitive(statement["law"]["term"])
    marginal = term[0] == "push" and (term[1] in ("bits", "padded") or counted(statement) == "nonempty")
    require(not is_hidden(statement) or marginal, "no marginal law of what is left")
    require(relation != "ldp" or sensitive, "epsilon-LDP: no non-sensitive items")
    require(relation != "joint" or sensitive or term[0] == "push", "outcomes that do not show what is kept")
    same = statement["sizes"] == "exactm"
    require(same or relation in ("ldp", "marginal", "joint"), "no rule for sets of different sizes")
    require(same or not _is_of_slots(term), "sets of different sizes have different numbers of slots")


def _is_of_slots(term: Any) -> bool:
    return bool((term[2] if term[0] == "push" else term)[:2] == ["each", "held"])


def factors(term: Any, statement: Any, exchange: str, third: bool = True) -> list[Pair]:
    """P(y|s) / P(y|s') is at most a product of one such quotient per exchange; the term's expressions are numbers. A
    `third` label may be shown, or only what there is at all sizes.

    row, each items: the quotients of the laws of two users who hold the lost and the gained item: other coordinates
    cancel. each held: equal slots cancel; if the outcome is used without its order, slots of s' may be permuted so that
    common items share a slot, and a sum over orders is at most the largest ratio of its terms; else slots are compared
    place by place. mix: a choice's probability cancels; two labels (if there are two) differ or not. thinned: the
    chance cancels; there is nothing, or a report. pair, copies of a law that does not see the input: it cancels. push:
    a sum over a fibre is at most its largest one; marginal laws only where the law of what is left is a row's, too.
    """
    match term:
        case ["mix", _, 1, _]:
            return [SAME]
        case ["mix", _, _, of] | ["thinned", _, of]:
            return [*factors(of, statement, exchange, third), SAME]
        case ["pair", of, ["copies", _, ["row", {"*": _}]]] if is_of_one_item(of):
            return factors(of, statement, exchange, third)
        case ["push", "sorted", of] | ["each", "held", of]:
            return factors(of, statement, exchange, third)
        case ["row", _] | ["each", _, _] | ["push", _, ["row" | "each", *_]]:
            return _quotients(term, statement, exchange, third)
    raise Rejected(f"no ratio rule for {term[0]}")


def _quotients(term: Any, statement: Any, exchange: str, third: bool) -> list[Pair]:
    """The enumerated laws of a user who holds the lost item and of one who holds the gained one (or nothing), at every
    output that the reading compares, in a world of these and, if there is a third label, one more sensitive item."""
    k = exchange.count("s") + third
    numbers = {"s": iter(range(k)), "n": iter(range(k, k + 2)), "b": iter(())}
    s, other = (tuple(islice(numbers[kind], 1)) for kind in exchange)
    laws = (output_law(term, x, 1, World(k, exchange.count("n"))) for x in (s, other))
    of_s, of_other = (observed(law, statement["relation"], s, other, counted(statement)) for law in laws)
    return [(p, of_other.get(y, lift(0))) for y, p in of_s.items()]


def product(statement: Any, evidence: Any) -> None:
    """Raise `Rejected` unless all ratios are at most the bound: a factor of an exchange is at most base^power, and the
    powers of a pair add up to at most its exponent; and unless a stated constant is reached: by every factor of a pair.

    Where slots are compared in place, common sensitive items may be in different slots, too (others stay): all are, of
    {1, .., m} and the same set moved on.
    """
    law, term, sensitive = statement["law"], statement["law"]["term"], all_sensitive(statement["law"]["term"])
    values, ranges = variables(law), ranges_of(law)
    base, of_numbers = values[law["base"]], valued(term, values)
    require_reading(statement)
    require(set(evidence["powers"]) <= set(EXCHANGES), "powers of exchanges")
    powers = {name: integer(power, 0, 64) for name, power in evidence["powers"].items()}
    for vector in vectors(statement):
        for name in (x for x in EXCHANGES if vector[x] != 0):
            for p, other in factors(of_numbers, statement, name):
                gap = lift(base ** powers[name] * other - p)
                require(is_nonnegative(gap, ranges), "a quotient is not shown to be at most its power")
    symmetric, slots = term[0] == "push" and PUSHES[term[1]].symmetric, _is_of_slots(term)
    in_place = slots and not symmetric
    kept = statement["relation"] == "samenon" and not statement["any_order"]
    require(not in_place or kept or sensitive, "slots in place show what is kept")

    def room(bound: Any, count: Counts, at: Region) -> Ratio:
        """What the exponent of the bound exceeds the powers by."""
        exponent = bound[2] if isinstance(bound, list) and bound[0] == "pow" else 1
        require(bound in (law["base"], ["pow", law["base"], exponent]), "the bound is not a power of the base")
        common = count["g"] * powers["ss"] if in_place else 0
        return lift(at.value(exponent)) - sum((count[name] * power for name, power in powers.items()), lift(common))

    def reached(count: Counts, where: tuple[Any, ...]) -> None:
        require(not (slots and symmetric) and statement["counted"] == "all", "factors need not be extreme at once")
        _require_labels(term, law)
        for name in (x for x in EXCHANGES if count[x] != 0):
            sure = factors(of_numbers, statement, name, third=False)
            equal = [other for p, other in sure if base ** powers[name] * other == p]
            extreme = any(is_nonnegative(lift(other), ranges, strictly=True) for other in equal)
            require(extreme, f"{name} does not reach its power")

    sizes.require_constant(statement, vectors(statement), room, evidence, reached)


def _require_labels(term: Any, law: Any) -> None:
    """Raise `Rejected` unless the public choices on the way map any two items to two labels with a positive chance, or
    the outermost one some two items, which then are what is compared. (Of one label nothing is reached but 1.)"""
    for node, _ in grammar.nodes(term, variables(law)):
        require(node[0] != "thinned", "there may be no report")
        if node[0] == "mix" and node[2] != 1:
            shared = {SEPARATING: lift(int(node is not term))}
            apart = 1 - lift(evaluate(law["families"][node[1]], variables(law) | shared))
            require(is_nonnegative(apart, ranges_of(law), strictly=True), "two items may share a label")


def linear(statement: Any, evidence: Any) -> None:
    """Raise `Rejected` unless the constant (e^eps, if none is stated) of one drawn item is at least all ratios, and a
    stated one is reached: by the output that shows all lost sensitive items (one, if it shows one at most) and nothing
    else.

    |s| P(y|s) is, up to a factor of y alone, a sum of weights of the held items: w1 if y shows the item (its label, its
    bit), else w0 of its kind; w1 >= w0 > 0 for sensitive items. So constant * P(y|s') - P(y|s) is least where y shows
    all lost sensitive items (one or none, if y shows one at most), no gained one and, as the constant is at least 1, no
    common one. What is left is a matter of signs for all numbers. At least 1: that is this difference for s = s' (no
    number of exchanges is excluded), or w1 >= w0 for a single exchange. An output that shows a common non-sensitive
    item has probability r / m under both sets; one that shows an item of one set only is not compared, or impossible
    for s.
    """
    require_reading(statement)
    law, equal = statement["law"], statement["sizes"] == "exactm"
    kept = not (all_sensitive(law["term"]) or is_hidden(statement) or counted(statement) == "nonempty")
    require(sizes.is_drawn(law["term"]) and (equal or not kept), "one drawn item")
    (shown, hidden, other), single = _weights(statement), grammar.shape(law["term"]) in ("one", "drawn label")
    ranges = ranges_of(law)
    require(is_nonnegative(hidden, ranges, strictly=True), "a weight is not shown to be > 0")
    require(is_nonnegative(shown - hidden, ranges), "a shown item has the largest weight")

    def gap(bound: Any, count: Counts, at: Region) -> Ratio:
        """bound * P(y|s') - P(y|s), up to a positive factor."""
        of = _numbers(count, count.get("shown", lift(1) if single else lost(count)))
        top, bottom = (of[x + "1"] * shown + of[x + "0"] * hidden + of[x + "2"] * other for x in "st")
        if not equal:
            held, beside = (of[x + "1"] + of[x + "0"] + of[x + "2"] for x in "st")
            top, bottom = top * beside, bottom * held
        above, below = bound[1:] if bound[0] == "div" else (bound, 1)
        positive = sizes.region_of(law).value(below)
        require(is_nonnegative(positive, ranges, strictly=True), "a denominator is not shown to be > 0")
        return lift(at.value(above) * bottom - at.value(below) * top)

    def reached(count: Counts, where: tuple[Any, ...]) -> None:
        require(equal and (not single or implied(lost(count) - 1, where)), "no sensitive item is lost")

    sizes.require_constant(statement, _outputs(statement, single), gap, evidence, reached)


def _numbers(count: Counts, shown: Ratio) -> dict[str, Ratio]:
    """How many items are sensitive and shown, sensitive and not, others: of s, where `shown` are, and of s'."""
    numbers = {"s1": shown, "t1": lift(0)}
    for place, side in enumerate("st"):
        sensitive = sum((count[x] for x in EXCHANGES if x[place] == "s"), count["g"])
        numbers[side + "2"] = sum((count[x] for x in EXCHANGES if x[place] == "n"), count["h"])
        numbers[side + "0"] = sensitive - numbers[side + "1"]
    return numbers


def _weights(statement: Any) -> tuple[Ratio, Ratio, Ratio]:
    """Of a sensitive item that is shown, that is not, of another one: the chances of an output that shows the first of
    two sensitive items and nothing else, for users who hold this one, the second one, a non-sensitive one."""
    law, hidden = statement["law"], is_hidden(statement)
    term, world = valued(law["term"], variables(law)), World(2, int(not all_sensitive(law["term"])))
    laws = [output_law(term, (x,), 1, world) for x in range(2 + world.n)]
    never = all(not y[1] or p == 0 for y, p in laws[0].items())
    require(hidden or never, "an item is shown that is not held")
    outputs = {y for row in laws for y in row if hidden or not y[1]}
    alike = [y for y in outputs if (y[0][:2] == (1, 0) if isinstance(y[0], tuple) else y[0] == 0)]
    require(hidden or len(alike) == 1, "outcomes that do not show what is kept")
    one, none, *other = (sum((row.get(y, 0) for y in alike), lift(0)) for row in laws)
    return one, none, other[0] if other else lift(0)


def _outputs(statement: Any, single: bool) -> Iterator[Counts]:
    """The numbers of all compared pairs, and how many lost sensitive items an output shows."""
    for vector in vectors(statement):
        yield vector | {"shown": lift(0) if single else lost(vector)}
        for name in (x for x in ("ss", "sn", "sb") if single and vector[x] != 0):
            yield vector | {name: lift(1) if vector[name] == 1 else vector[name] + 1, "shown": lift(1)}


# --- statements -----------------------------------------------------------------------------------------------------

RULES: Mapping[str, Callable[[Any, Any], None]] = {
    "product": product,
    "linear": linear,
    "matching": matching,
    "cover": arcs.require_ratio,
    "counting": counting.require_ratio,
}
"""How a bound, and that a stated constant is the smallest one, is derived."""


def ratio(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement: for all eps > 0 and all sizes of the stated domain every compared ratio is at most e^eps (`ratio`);
    the smallest constant that bounds every one is `constant` (`smallest`). Refuted by a ratio that is larger; by an
    instance with another constant."""
    if verdict == "refuted":
        _refuted(statement, evidence)
    else:
        RULES[evidence["rule"]](statement if "constant" in statement else completed(statement), evidence)


def _refuted(statement: Any, evidence: Any) -> None:
    at, hashes, smallest = evidence["instance"], evidence.get("hashes"), "constant" in statement
    if isinstance(hashes, list):
        require(not smallest, "the constant is the smallest one over all functions")
        arcs.symbols(statement["law"])  # given the published function: an average is another statement
    bound = evaluate(goal(statement), point_values(statement["law"], at))
    if smallest:
        ratios = [p / q if q else "unbounded" for *_, p, q in comparisons(statement, at, hashes=hashes)]
        require(bool(ratios), "nothing is compared there")
        worst = "unbounded" if "unbounded" in ratios else max(ratios)
        stated = [x if x == "unbounded" else rational(x) for x in (evidence["exact"], evidence["stated"])]
        require(worst != bound and stated == [worst, bound], "the constant is right, or other numbers are shown")
        return
    pair, output = (items(evidence["s"]), items(evidence["other"])), label(evidence["output"])
    chances = [(p, q) for *sets, y, p, q in comparisons(statement, at, pair, hashes) if (*sets, y) == (*pair, output)]
    require(bool(chances), "the pair is not compared by this reading, or not in an output of s")
    stated = [rational(evidence[name]) for name in ("probability", "other_probability")]
    require([*chances[0]] == stated, "the probabilities of the witness are not those of the law")
    require(stated[0] > bound * stated[1], "the witness does not violate the bound")


_BOUND = (["rule=product", "powers"], ["rule=linear"])
_REACHED = (["rule=product", "powers", "cases"], ["rule=linear", "cases", "multipliers"], ["rule=matching", "cases"])
_CONSTANT = (["rule=cover"], ["rule=counting"])
_NUMBERS = ("instance", "exact", "stated")
_PAIR = ("instance", "s", "other", "output", "probability", "other_probability")
_RATIO = schema.Kind(
    ratio, schema.COMPARED, _BOUND + _CONSTANT, refuted=[_PAIR, (*_PAIR, "hashes")], also=schema.compared
)
KINDS = {
    "ratio": _RATIO,
    "smallest": _RATIO._replace(
        fields=schema.COMPARED | {"constant": schema.tree},
        proved=_REACHED + _CONSTANT,
        refuted=[_NUMBERS, (*_NUMBERS, "hashes")],
    ),
}
