"""Formal statements of source 003 about what is released: Definition 1, Property 2, Algorithm 5, Theorem 1.

A chance that is a sum of powers of e^epsilon is stated at values for which both are rational: e^(-epsilon_3 / 2) or a
root of it is m / (m + 1).
"""

from dp_spec.synthesis.claims.definitions import IMAGES, A, B, P, Q, V, W, Y
from dp_spec.synthesis.claims.noise import THREE, same_scales, same_shares
from dp_spec.synthesis.noise import (
    all_rows_at_least,
    all_rows_at_most,
    at_most_zero,
    coefficients,
    fraction,
    geometric,
    intervals,
    joint_scale,
    marginals,
    part,
    rows_of,
    similarity_scale,
    single,
    size,
)
from dp_spec.synthesis.tables import (
    ONE,
    OTHER,
    column,
    columns,
    entropy,
    neighbors,
    pair,
    pairs,
    records,
    tables,
    values,
)
from dp_spec.vocabulary.arithmetic import (
    BOTH,
    Arithmetic,
    Tree,
    both,
    distance,
    every,
    implies,
    larger,
    listed,
    number_of,
    only,
    product,
    same,
    some,
    those,
    total,
)
from dp_spec.vocabulary.claim import Formal, Unchecked
from dp_spec.vocabulary.error_statements import formula
from dp_spec.vocabulary.ranges import ANY_SIZE, FROM_ONE, MANY, SEVERAL, SOME, UNIT
from dp_spec.vocabulary.statement import Domain


def _ratio(one: Tree, other: Tree) -> Tree:
    """The one chance is at most w = e^epsilon times the other one."""
    return ["le", one, ["mul", "w", other]]


# --- Definition 1: laws of outputs 0..m-1, or of points of [0, m] with constant densities on [i, i + 1)

_OUTPUTS: Tree = ["from", 0, "m"]


def _laws(name: str) -> Tree:
    """All lists of m chances that are multiples of 1 / k, times k."""
    every_list = ["lists", ["from", 0, ["add", "k", 1]], "m"]
    return those(name, every_list, ["eq", total("i", _OUTPUTS, ["at", name, "i"]), "k"])


def _between(law: Tree, low: Tree, high: Tree) -> Tree:
    """The chance of the points from low to high, times k."""
    length = ["sub", ["min", high, ["add", "i", 1]], larger(low, "i")]
    return total("i", _OUTPUTS, ["mul", ["at", law, "i"], larger(length, 0)])


_POINTS: Tree = listed("i", ["from", 0, ["add", ["mul", 2, "m"], 1]], ["div", "i", 2])
"""The ends of the intervals of constant density, and a point inside each."""
_AT_POINTS = every(_ratio(_between("one", "x", "x"), _between("other", "x", "x")), x=_POINTS)
_AT_OUTPUTS = every(_ratio(["at", "one", "y"], ["at", "other", "y"]), y=_OUTPUTS)
_IN_SETS = every(
    _ratio(*(total("y", "outputs", ["at", law, "y"]) for law in ("one", "other"))), outputs=["events", _OUTPUTS]
)

# --- Property 2

_LARGEST = {"v": FROM_ONE, "w": FROM_ONE, "b": FROM_ONE}


def _noisy_parts(domain: Tree, counts: tuple[Tree, Tree]) -> Arithmetic:
    """Two noisy counts `i`, each with the ratio 1 / alpha by itself, have it together."""
    chances = [product("i", BOTH, geometric(["at", "outputs", "i"], count, "n", "alpha")) for count in counts]
    sentence = every(
        ["le", chances[0], ["div", chances[1], "alpha"]],
        rest=tables(domain, ["sub", "n", 1]),
        one=domain,
        other=domain,
        outputs=["lists", ["from", 0, ["add", "n", 1]], 2],
    )
    return Arithmetic(Domain({"n": SOME, "alpha": UNIT}), sentence)


_PAIRS = records(2)


def _place(number: Tree, ones: Tree) -> Tree:
    """Where the release of so many binary records, of which so many are 1, stands in the list of all releases."""
    return ["add", ["div", ["mul", number, ["add", number, 1]], 2], ones]


def _released(data: Tree) -> Tree:
    """The releases of the records that begin with 0, and of those that begin with 1."""
    inside = number_of("record", data, ["eq", ["at", "record", 0], "i"])
    return listed("i", BOTH, ["at", "release", _place(inside, ["count", data, pair("i", 1)])])


_NOTHING_BETWEEN = every(
    ["eq", ["at", "release", _place("s", "c")], ["at", "release", _place("s", ["add", "c", 1])]],
    s=["from", 0, ["add", "n", 1]],
    c=["from", 0, "s"],
)
"""Nothing tells tables of one size apart: the release is 0-DP where a record is replaced."""

# --- exact releases, and conversions


def _tells_apart(one: Tree, other: Tree) -> Tree:
    """An output that is certain for one table has the chance 0 for the other one, whatever e^epsilon is."""
    return ["not", _ratio(["number", ["eq", one, one]], ["number", ["eq", other, one]])]


_RELEASED: tuple[Tree, Tree] = (["at", "release", "ones"], ["at", "release", ["add", "ones", 1]])


def _conditional(data: Tree, parent: Tree, child: Tree) -> Tree:
    """Pr(child = 1 | parent), for both values of the parent; 1/2 where no record has the value."""
    number = ["count", column(data, parent), "given"]
    none = ["number", ["eq", number, 0]]
    held = ["count", columns(data, pair(parent, child)), pair("given", 1)]
    return listed("given", BOTH, ["div", ["add", held, ["div", none, 2]], ["add", number, none]])


def _conditionals(data: Tree) -> Tree:
    """All of them, of a network 0 -> 1, `parent` -> 2."""
    root = only(["div", ["count", column(data, 0), 1], size(data)])
    return ["joined", root, ["joined", _conditional(data, 0, 1), _conditional(data, "parent", 2)]]


def _moved(converted: Tree, other: Tree) -> Tree:
    """Two tables of codes differ in at most one record."""
    return ["le", total("code", values("c"), distance(["count", converted, "code"], ["count", other, "code"])), 2]


def _extreme(data: Tree, largest: bool) -> Tree:
    """The smallest, or the largest, value of a column."""
    order = ["le", "y", "x"] if largest else ["le", "x", "y"]
    return ["at", those("x", data, every(order, y=data)), 0]


def _varies(data: Tree) -> Tree:
    """The column has two values: the range of one alone has no bins."""
    return ["not", ["eq", _extreme(data, False), _extreme(data, True)]]


def _binned(data: Tree) -> Tree:
    """Every value by its bin, of c that cut the observed range into equal parts."""
    low, high = _extreme(data, False), _extreme(data, True)
    passed = ["le", ["mul", "i", ["sub", high, low]], ["mul", "c", ["sub", "value", low]]]
    return listed("value", data, total("i", ["from", 1, "c"], ["number", passed]))


# --- Algorithm 5 with the weights of the data, after cells below 0 are set to 0


def _units(data: Tree, of: int, base: Tree) -> Tree:
    """floor(q omega) of attribute 1 or 2: how many p have OE - OE' <= log((q - p) / p)."""
    mine, others = (entropy(column(data, attribute), BOTH) for attribute in (of, 3 - of))
    most = ["mul", ["mul", "n", ["log", base]], ["log", ["div", ["sub", "q", "p"], "p"]]]
    return total("p", ["from", 1, "q"], ["number", ["le", ["sub", mine, others], most]])


def _best_pattern(child: int, parent: Tree, base: Tree) -> Tree:
    """The largest quotient of chances of patterns of cells above 0: bounds from below and from above."""

    def power(data: Tree, least: bool) -> Tree:
        """The chance that a cell is at most 0: omega is at least, and at most, so many parts of q."""
        units = _units(data, child, base) if not least else ["sub", "q", _units(data, 3 - child, base)]
        counted = ["count", columns(data, pair(child, parent)), "cell"]
        return at_most_zero(["pow", fraction("m"), units], counted)

    missing = ["div", power(ONE, True), power(OTHER, False)]
    present = ["div", ["sub", 1, power(ONE, False)], ["sub", 1, power(OTHER, True)]]
    return product("cell", ["lists", BOTH, 2], larger(missing, present))


def _clamped(base: Tree) -> Arithmetic:
    """(11) with this number in its logarithm; e^(-epsilon_3) = (m / (m + 1))^(2 q)."""
    patterns = ["mul", _best_pattern(1, 0, base), _best_pattern(2, "parent", base)]
    sentence = every(
        ["le", ["mul", patterns, ["pow", fraction("m"), ["mul", 2, "q"]]], 1],
        parent=BOTH,
        rest=tables(THREE, ["sub", "n", 1]),
        one=THREE,
        other=THREE,
    )
    return Arithmetic(Domain({"n": SEVERAL, "q": SEVERAL, "m": SOME}), sentence)


# --- Theorem 1, d clusters of one attribute each: their joint tables have the share 1, their networks are certain;
# losses are those of epsilon = 1

_FIRST, _THIRD = (part("d", "d", which) for which in ("first", "other"))


def _scales(data: Tree) -> Tree:
    """Of the similarities, and of the joint tables."""
    similarities = same(pairs("d"), similarity_scale(size(data), "d", _FIRST))
    return ["joined", similarities, same(marginals("d"), joint_scale(size(data), _THIRD, 1, 0))]


def _transcript(data: Tree) -> Tree:
    return ["joined", coefficients(data, pairs("d")), single(data, "d")]


_CLUSTERS = Domain({"d": SEVERAL, "n": SEVERAL})


def _only_value(data: Tree, alpha: Tree) -> Tree:
    """The chance that the noisy table of every attribute has its value of the list `seen`, and not the other one."""

    def count(value: Tree) -> Tree:
        return ["count", column(data, "attribute"), value]

    value: Tree = ["at", "seen", "attribute"]
    above = ["sub", 1, at_most_zero(alpha, count(value))]
    chance = ["mul", above, at_most_zero(alpha, count(["sub", 1, value]))]
    return product("attribute", ["from", 0, "d"], chance)


def _budget(one: Tree, other: Tree, root: Tree, power: Tree) -> Tree:
    """The chance `one` is at most e^epsilon times the other one, epsilon = epsilon_3 (d + 3) / 2 and e^(-epsilon_3 / 2)
    a power of the root."""
    return ["le", ["mul", one, ["pow", root, ["mul", power, ["add", "d", 3]]]], other]


_TOP: Tree = ["mul", "g", ["add", "n", 1]]


def _same_rows(bound: str, data: Tree) -> Tree:
    """A bound of the chance that all of n rows have the value `drawn` in all attributes."""
    own, others = (
        intervals(["count", data, value], fraction("m"), "g", _TOP) for value in ("drawn", ["sub", 1, "drawn"])
    )
    chance = (all_rows_at_least if bound == "least" else all_rows_at_most)(own, others, "n", _TOP)
    return ["pow", chance, "d"]


def _sampled(data: Tree) -> Tree:
    """The chance of the rows `drawn`, the same ones in all attributes."""
    return ["pow", rows_of((["count", data, 0], ["count", data, 1]), fraction("m"), "drawn"), "d"]


FORMAL: dict[str, Formal] = {
    "003.sec1.kanonymity": Arithmetic(
        Domain({"n": SOME, "m": SEVERAL, "w": FROM_ONE}),
        every(
            implies(
                some(["not", ["eq", *_RELEASED]], ones=["from", 0, "n"]),
                some(_tells_apart(*_RELEASED), ones=["from", 0, "n"]),
            ),
            release=["lists", _OUTPUTS, ["add", "n", 1]],
        ),
    ),
    "003.def1.dp@subset": IMAGES,
    "003.def1.dp@point": Arithmetic(
        Domain({"m": SEVERAL, "k": SOME, "w": FROM_ONE}),
        every(
            implies(
                _AT_POINTS,
                every(_ratio(_between("one", "x", "y"), _between("other", "x", "y")), x=_POINTS, y=_POINTS),
            ),
            one=_laws("one"),
            other=_laws("other"),
        ),
    ),
    "003.def1.dp@point.corrected": Arithmetic(
        Domain({"m": SEVERAL, "k": SOME, "w": SOME}),
        every(
            both(implies(_AT_OUTPUTS, _IN_SETS), implies(_IN_SETS, _AT_OUTPUTS)),
            one=_laws("one"),
            other=_laws("other"),
        ),
    ),
    # the record is in the part whose chances are p and q; the other part has the chance a for both
    "003.prop2.par@ar": formula(
        {**dict.fromkeys("pqa", ANY_SIZE), **_LARGEST}, ("le", P * A, B * (Q * A)), where=(V * Q - P, B - V, B - W)
    ),
    "003.prop2.par@ro.parts-ar": _noisy_parts(BOTH, (["count", ONE, "i"], ["count", OTHER, "i"])),
    "003.prop2.par@ro.parts-ar.corrected": formula(
        {**dict.fromkeys("pqay", ANY_SIZE), **_LARGEST},
        ("le", P * A, B**2 * (Q * Y)),
        where=(V * Q - P, W * Y - A, B - V, B - W),
    ),
    "003.prop2.par@ro.parts-ro": Arithmetic(
        Domain({"n": SOME, "w": FROM_ONE}),
        every(
            implies(
                _NOTHING_BETWEEN, _ratio(*(["number", ["eq", _released(x), _released(ONE)]] for x in (ONE, OTHER)))
            ),
            release=["lists", BOTH, _place(["add", "n", 1], 0)],
            rest=tables(_PAIRS, ["sub", "n", 1]),
            one=_PAIRS,
            other=_PAIRS,
        ),
    ),
    "003.prop2.par@vertical": _noisy_parts(_PAIRS, (["count", column(ONE, "i"), 1], ["count", column(OTHER, "i"), 1])),
    "003.sec31.binarise@public-domain": Arithmetic(
        Domain({"n": SOME, "v": MANY, "c": SEVERAL}),
        every(
            _moved(*(listed("value", data, ["at", "codes", "value"]) for data in (ONE, OTHER))),
            codes=["lists", values("c"), "v"],
            rest=tables(values("v"), ["sub", "n", 1]),
            one=values("v"),
            other=values("v"),
        ),
    ),
    "003.sec31.binarise@observed-range": Arithmetic(
        Domain({"n": SOME, "v": MANY, "c": SEVERAL}),
        neighbors(implies(both(_varies(ONE), _varies(OTHER)), _moved(_binned(ONE), _binned(OTHER))), values("v"), "n"),
    ),
    "003.alg5.dp@data.values.clamped": _clamped(2),
    "003.alg5.dp@data.records.clamped": _clamped("n"),
    "003.sec34.needed": Arithmetic(
        Domain({"n": SOME, "w": FROM_ONE}),
        every(
            some(
                _tells_apart(_conditionals(ONE), _conditionals(OTHER)),
                rest=tables(THREE, ["sub", "n", 1]),
                one=THREE,
                other=THREE,
            ),
            parent=BOTH,
        ),
    ),
    "003.thm1.threesteps": Unchecked(
        "which steps read the data is how Algorithm 2 is written down: a sentence that says it of those that take the "
        "data could not fail"
    ),
    "003.thm1.dp@transcript.data.ro": Arithmetic(Domain({"n": SOME}), same_shares()),
    "003.thm1.dp@transcript.fixed.ro": Arithmetic(
        _CLUSTERS,
        neighbors(["le", ["laplace", _transcript(ONE), _transcript(OTHER), _scales(ONE)], 1], records("d"), "n"),
    ),
    "003.thm1.dp@pstar.ro": Arithmetic(
        Domain({"d": SEVERAL, "n": SEVERAL, "m": SOME}),
        every(
            _budget(_only_value(ONE, fraction("m")), _only_value(OTHER, fraction("m")), fraction("m"), 1),
            rest=tables(records("d"), ["sub", "n", 1]),
            other=records("d"),
            one=records("d"),
            seen=records("d"),
        ),
    ),
    "003.thm1.dp@synth.ro": Arithmetic(
        Domain({"d": SEVERAL, "n": SEVERAL, "m": SOME, "g": SOME}),
        every(
            _budget(_same_rows("least", ONE), _same_rows("most", OTHER), fraction("m"), "g"),
            rest=tables(BOTH, ["sub", "n", 1]),
            other=BOTH,
            one=BOTH,
            drawn=BOTH,
        ),
    ),
    "003.thm1.dp@synth.geometric.ro": Arithmetic(
        Domain({"d": SEVERAL, "n": SEVERAL, "m": SOME}),
        every(
            _budget(_sampled(ONE), _sampled(OTHER), fraction("m"), 1),
            rest=tables(BOTH, ["sub", "n", 1]),
            one=BOTH,
            other=BOTH,
            drawn=tables(BOTH, "n"),
        ),
    ),
    "003.thm1.dp@transcript.ar": Arithmetic(
        _CLUSTERS,
        every(
            same_scales(_scales, "rest", ONE),
            rest=tables(records("d"), "n"),
            one=records("d"),
        ),
    ),
}
