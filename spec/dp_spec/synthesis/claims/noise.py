"""Formal statements of source 003 about Laplace noise: Definitions 2 and 3, the noise of Algorithms 3 and 5.

Independent noise on a vector has the loss |f - f'| / b, summed over its entries, as long as the scales are the same for
both tables; if a scale is larger for the first of them, the loss is infinite.
"""

from collections.abc import Callable

from dp_spec.matrix.mechanisms import IDENTITY
from dp_spec.synthesis.budgets import EPS, K, N, joint_scale
from dp_spec.synthesis.claims.budgets import H
from dp_spec.synthesis.claims.definitions import NORMALIZED, T, X, Y
from dp_spec.synthesis.claims.tables import DELTA, V, cells
from dp_spec.synthesis.noise import (
    accesses,
    coefficients,
    geometric,
    half,
    joint,
    marginals,
    ordered_pairs,
    similarity_scale,
    single,
    size,
)
from dp_spec.synthesis.noise import joint_scale as table_scale
from dp_spec.synthesis.tables import ONE, OTHER, column, entropy, neighbors, pair, pairs, records, tables, values
from dp_spec.vocabulary.additive import Quantity
from dp_spec.vocabulary.arithmetic import (
    BOTH,
    Arithmetic,
    Tree,
    both,
    distance,
    every,
    implies,
    larger,
    less,
    listed,
    only,
    same,
    some,
    total,
)
from dp_spec.vocabulary.claim import Formal, Unchecked
from dp_spec.vocabulary.error_statements import Formula, formula
from dp_spec.vocabulary.ranges import ANY_SIZE, FROM_ONE, POSITIVE, SEVERAL, SOME, UNIT
from dp_spec.vocabulary.statement import Domain, conjunction
from dp_spec.vocabulary.term import Term, exp, term, var


def loss(one: Tree, other: Tree, scales: Tree) -> Tree:
    """The loss of independent Laplace noise on two vectors, by epsilon."""
    return ["div", ["laplace", one, other, scales], "eps"]


# --- vectors, and noise of scale delta / epsilon on them

_PLACES: Tree = ["from", 0, "q"]
_VECTORS: Tree = ["lists", values("v"), "q"]
_VECTOR_SIZES = {"q": SOME, "v": SEVERAL, "delta": SOME}


def _norm(one: Tree, other: Tree) -> Tree:
    """The L1 distance of two vectors."""
    return total("i", _PLACES, distance(["at", one, "i"], ["at", other, "i"]))


def _loss(one: Tree, other: Tree) -> Tree:
    return loss(one, other, same(_PLACES, ["div", "delta", "eps"]))


def _calibrated(premise: Tree, conclusion: Tree, where: tuple[Term, ...] = ()) -> Arithmetic:
    """What holds of all vectors of q whole numbers below v that are as close as the premise says."""
    sentence = every(implies(premise, conclusion), one=_VECTORS, other=_VECTORS)
    return Arithmetic(Domain({**_VECTOR_SIZES, "eps": POSITIVE}, where), sentence)


_APART = distance(["at", "one", "i"], ["at", "other", "i"])
_WITHIN = ["le", _loss("one", "other"), 1]
_REACHED = (var("v") - 1 - var("delta"),)
"""Some vectors are exactly delta apart, in every norm: one coordinate moves by it."""


def _neighboring(inner: Tree) -> Tree:
    """For all neighbors among tables of n binary records, which a query knows by the number of ones."""
    return every(inner, ones=["from", 0, "n"])


_ANSWERS: tuple[Tree, Tree] = (["at", "query", "ones"], ["at", "query", ["add", "ones", 1]])
_QUERIES: Tree = ["lists", _VECTORS, ["add", "n", 1]]


def _difference(vector: Tree) -> Tree:
    """What the first two answers differ by, and so do they with the same noise on both."""
    return ["sub", ["at", vector, 0], ["at", vector, 1]]


_SEEN = [["number", ["eq", _difference(vector), "seen"]] for vector in ("one", "other")]
"""The chance that two noisy answers differ by what is seen: it is certain what they differ by."""
_SHARED = every(
    implies(
        ["le", _norm("one", "other"), "delta"],
        every(["le", _SEEN[0], ["mul", "w", _SEEN[1]]], seen=only(_difference("one"))),
    ),
    one=_VECTORS,
    other=_VECTORS,
)

# --- two binary attributes, their similarity and their joint table; every epsilon is 1

_TWO_ATTRIBUTES = records(2)


def _section_scales(data: Tree) -> Tree:
    """The scales of noise on the similarity, and on the cells of the one joint table."""
    similarity = only(similarity_scale(size(data), 2))
    return ["joined", similarity, same(["lists", BOTH, 2], table_scale(size(data), 1, 1, 0))]


def _section(data: Tree) -> Tree:
    return ["joined", coefficients(data, pairs(2)), joint(data, pair(0, 1))]


def same_scales(scales: Callable[[Tree], Tree], one: Tree, other: Tree) -> Tree:
    """The scales of two tables are equal: of the two, in both orders, the first has none that is larger."""
    return ["eq", scales(one), scales(other)]


_ADDED = every(same_scales(_section_scales, "rest", ONE), rest=tables(_TWO_ATTRIBUTES, "n"), one=_TWO_ATTRIBUTES)
_ONE_OR_NONE: Tree = ["joined", ["lists", _TWO_ATTRIBUTES, 0], ["lists", _TWO_ATTRIBUTES, 1]]
_DIFFERENT = every(
    same_scales(_section_scales, ["joined", "rest", "one"], ["joined", "rest", "other"]),
    rest=tables(_TWO_ATTRIBUTES, "n"),
    one=_ONE_OR_NONE,
    other=_ONE_OR_NONE,
)
_TABLES = Domain({"n": SEVERAL})

# --- the matrix of similarities; epsilon_1 = 1: scales are inversely proportional to it, and losses proportional

_ATTRIBUTES = Domain({"d": SEVERAL, "n": SEVERAL})
_SCALE = similarity_scale("n", "d")


def _matrix_loss(of: Tree) -> Tree:
    """The loss of the noisy similarities of some pairs of attributes."""
    return ["laplace", coefficients(ONE, of), coefficients(OTHER, of), same(of, _SCALE)]


def _of_matrix(conclusion: Tree) -> Arithmetic:
    return Arithmetic(_ATTRIBUTES, neighbors(conclusion, records("d"), "n"))


_DISJOINT = listed("i", ["from", 0, half("d")], pair(["mul", 2, "i"], ["add", ["mul", 2, "i"], 1]))
_ENTRY = Arithmetic(
    _ATTRIBUTES,
    neighbors(
        [
            "le",
            ["laplace", coefficients(ONE, pairs(2)), coefficients(OTHER, pairs(2)), only(_SCALE)],
            ["div", 1, accesses("d")],
        ],
        _TWO_ATTRIBUTES,
        "n",
    ),
)
"""One noisy similarity loses epsilon_1 / r at most."""


def _entries(attributes: Term) -> Formula:
    """d (d - 1) / 2 of them, d = 2 h or 2 h + 1."""
    every_pair = attributes * (attributes - 1)
    share = EPS / (every_pair / (2 * H))
    return formula({"h": SOME, "eps": POSITIVE}, ("eq", every_pair / 2 * share, H * EPS))


MATRIX = conjunction(_ENTRY, _entries(2 * H), _entries(2 * H + 1))
"""The noisy matrix loses floor(d / 2) epsilon_1 at most."""


def _alike(value: int) -> Tree:
    """A record of d equal values."""
    return listed("i", ["from", 0, "d"], value)


_ZEROS = same(["from", 1, "n"], _alike(0))
_EXTREMES: tuple[Tree, Tree] = (["joined", _ZEROS, only(_alike(0))], ["joined", _ZEROS, only(_alike(1))])


def _extreme_loss(of: Tree) -> Tree:
    """Of tables of zeros, one with a record of ones."""
    return ["laplace", *(coefficients(data, of) for data in _EXTREMES), same(of, _SCALE)]


_EXTREME_LOSS = _extreme_loss(pairs("d"))
_SIZES_MATTER = every(
    ["eq", similarity_scale(size("rest"), "d"), similarity_scale(size(ONE), "d")],
    rest=tables(records("d"), "n"),
    one=records("d"),
)

# --- joint tables

THREE = records(3)


def joints(data: Tree) -> Tree:
    """The noised joint tables of three attributes, in-degree 1: those of 0 and its child 1, of `parent` and 2."""
    return ["joined", joint(data, pair(1, 0)), joint(data, pair(2, "parent"))]


def _joint_loss(one: Tree, other: Tree) -> Tree:
    """With the weights x and x + y of the two."""
    weights: tuple[Tree, Tree] = ("x", ["add", "x", "y"])
    scales = (table_scale("n", "eps", *of) for of in (weights, weights[::-1]))
    return loss(joints(one), joints(other), ["joined", *(same(["lists", BOTH, 2], scale) for scale in scales)])


FIXED = (
    formula(
        {"h": SOME, "n": SOME, "x": POSITIVE, "y": ANY_SIZE, "eps": POSITIVE},
        ("eq", DELTA / N / joint_scale(EPS, X, Y), X / (X + Y) * EPS),
        quantities={"delta": cells()},
    ),
    formula({"x": POSITIVE, "y": ANY_SIZE, "eps": POSITIVE}, ("eq", X / (X + Y) * EPS + Y / (X + Y) * EPS, EPS)),
)
"""A joint table of weight x, beside others of weights y in all, loses its share of epsilon_3, all of them epsilon_3."""


def _constant(value: int) -> Tree:
    return listed("i", ["from", 0, 3], value)


_SOME_ZEROS = same(["from", 1, "n"], _constant(0))
_WEIGHTED = Domain({"n": SOME, "x": POSITIVE, "y": ANY_SIZE, "eps": POSITIVE})
_ALL_REACHED = Arithmetic(
    _WEIGHTED,
    every(["eq", _joint_loss(*(["joined", _SOME_ZEROS, only(_constant(value))] for value in (0, 1))), 1], parent=BOTH),
)
"""Tables of zeros, one with a record of ones, in both networks."""


_SAME_SHARES = ["eq", *(["sub", *(entropy(column(data, of), BOTH) for of in (1, 2))] for data in (ONE, OTHER))]
"""e^(-OE) of attributes 1 and 2 have one quotient in neighbors: their entropies have one difference."""


def same_shares() -> Tree:
    """In all neighbors."""
    return neighbors(_SAME_SHARES, THREE, "n")


def _other_shares() -> Tree:
    """In some neighbors they are not the same."""
    return some(["not", _SAME_SHARES], rest=tables(THREE, ["sub", "n", 1]), one=THREE, other=THREE)


def _flipped(attribute: int) -> Tree:
    """The table with the other value of an attribute in the record."""
    value: Tree = ["at", "one", "i"]
    turned = ["mul", ["number", ["eq", "i", attribute]], ["sub", 1, ["mul", 2, value]]]
    return ["joined", "rest", only(listed("i", ["from", 0, 3], ["add", value, turned]))]


_SINGLES = neighbors(
    [
        "le",
        loss(single(ONE, "k"), single(OTHER, "k"), same(marginals("k"), table_scale("n", "eps", 1, 0))),
        1,
    ],
    records("k"),
    "n",
)
"""Every one of k attributes is a cluster with one joint table, whose share is 1."""


def _clamped(value: str) -> Tree:
    """A cell is -1, 0 or 1, one less than its entry in the list `noisy`; cells below 0 are set to 0."""
    return larger(["sub", ["at", "noisy", value], 1], 0)


_MASS = total("i", values("v"), _clamped("i"))
_SHARES = total("i", values("v"), ["div", _clamped("i"), total("j", values("v"), _clamped("j"))])

_SUM = total("x", ["from", 0, ["add", "n", 1]], geometric("x", "count", "n", "alpha"))
_STEP = tuple(geometric("x", c, "n", "alpha") for c in ("count", ["add", "count", 1]))

_GEOMETRIC = Domain({"n": SOME, "alpha": UNIT})
_RATIOS = every(
    both(["le", ["mul", "alpha", _STEP[0]], _STEP[1]], ["le", ["mul", "alpha", _STEP[1]], _STEP[0]]),
    count=["from", 0, "n"],
    x=["from", 0, ["add", "n", 1]],
)
RATIOS = Arithmetic(_GEOMETRIC, _RATIOS)
"""A count that moves by 1 changes no chance of geometric noise by more than the factor 1 / alpha."""

FORMAL: dict[str, Formal] = {
    "003.def1.adj@ro": Arithmetic(
        _TABLES,
        neighbors(
            both(
                same_scales(_section_scales, ONE, OTHER),
                ["le", ["laplace", _section(ONE), _section(OTHER), _section_scales(ONE)], 2],
            ),
            _TWO_ATTRIBUTES,
            "n",
        ),
    ),
    "003.def1.adj@ar": Arithmetic(_TABLES, _ADDED),
    "003.def1.adj@both": Arithmetic(_TABLES, _DIFFERENT),
    "003.def2.norm@l1": _calibrated(["le", _norm("one", "other"), "delta"], _WITHIN),
    "003.def2.norm@l2": _calibrated(
        ["le", total("i", _PLACES, ["pow", _APART, 2]), ["pow", "delta", 2]], _WITHIN, _REACHED
    ),
    "003.def2.norm@linf": _calibrated(every(["le", _APART, "delta"], i=_PLACES), _WITHIN, _REACHED),
    "003.def3.dp@iid": Arithmetic(
        Domain({"n": SOME, **_VECTOR_SIZES, "eps": POSITIVE}),
        every(
            implies(
                _neighboring(["le", _norm(*_ANSWERS), "delta"]),
                _neighboring(both(["le", _loss(*_ANSWERS), 1], ["le", _loss(*_ANSWERS[::-1]), 1])),
            ),
            query=_QUERIES,
        ),
    ),
    "003.def3.dp@shared": Arithmetic(Domain({"q": SEVERAL, "v": SEVERAL, "delta": SOME, "w": FROM_ONE}), _SHARED),
    # the variance of the noise of a count of sensitivity 1 is that with epsilon / delta in place of epsilon
    "003.def3.scale": formula(
        {"h": SOME, "eps": POSITIVE, "delta": POSITIVE},
        ("eq", var("variance"), 2 * (DELTA / EPS) ** 2),
        quantities={"variance": Quantity(IDENTITY, ("covariance", "diagonal"), {"eps": EPS / DELTA})},
    ),
    "003.def3.tight": _calibrated(["eq", _norm("one", "other"), "delta"], ["eq", _loss("one", "other"), 1]),
    "003.alg3.round": _of_matrix(["le", _matrix_loss(_DISJOINT), ["div", 1, accesses("d")]]),
    "003.alg3.round.corrected": conjunction(
        _of_matrix(["le", _matrix_loss(_DISJOINT), ["div", half("d"), accesses("d")]]),
        Arithmetic(_ATTRIBUTES, ["eq", _extreme_loss(_DISJOINT), ["div", half("d"), accesses("d")]]),
    ),
    "003.alg3.dp@matrix.once.ro": _of_matrix(["le", _matrix_loss(pairs("d")), 1]),
    "003.alg3.dp@matrix.once.ro.corrected": MATRIX,
    "003.alg3.dp@matrix.twice.ro": _of_matrix(["le", _matrix_loss(ordered_pairs("d")), 1]),
    "003.alg3.dp@partition.ro": Unchecked(
        "what of the loss of the noisy matrix is left in the partition, which is made of eigenvectors of that matrix, "
        "is an integral of which nothing is decided here"
    ),
    "003.alg3.dp@matrix.once.ar": Arithmetic(_ATTRIBUTES, _SIZES_MATTER),
    "003.alg3.tight": conjunction(
        _of_matrix(["le", _matrix_loss(pairs("d")), 1]), Arithmetic(_ATTRIBUTES, ["eq", _EXTREME_LOSS, 1])
    ),
    "003.alg3.tight.corrected": conjunction(*MATRIX.parts, Arithmetic(_ATTRIBUTES, ["eq", _EXTREME_LOSS, half("d")])),
    "003.prose.attrprotect@share": formula(
        {"x": POSITIVE, "t": POSITIVE, "y": ANY_SIZE},
        ("lt", X / exp(T) / (X + X / exp(T) + Y), X / (X + X / exp(T) + Y)),
    ),
    "003.prose.attrprotect@attrloss": Arithmetic(
        _WEIGHTED,
        every(
            ["le", _joint_loss(ONE, _flipped(1)), _joint_loss(ONE, _flipped(2))],
            parent=BOTH,
            rest=tables(THREE, ["sub", "n", 1]),
            one=THREE,
        ),
    ),
    # a table of noisy numbers of one value of the parents
    "003.alg5.normalise@undefined": Arithmetic(
        Domain({"v": SEVERAL}), every(both(less(0, _MASS), ["eq", _SHARES, 1]), noisy=["lists", ["from", 0, 3], "v"])
    ),
    # of a mass above 0 every value has its share; of none, 1 / v
    "003.alg5.normalise@uniform": conjunction(
        *NORMALIZED.parts, formula({"v": SOME}, ("eq", V * (1 / V), term(1)), ("le", term(0), 1 / V))
    ),
    "003.alg5.dp@data.values.raw": Arithmetic(Domain({"n": SOME}), same_shares()),
    "003.alg5.dp@data.values.raw.corrected": Arithmetic(Domain({"n": SEVERAL}), _other_shares()),
    "003.alg5.dp@fixed": conjunction(*FIXED),
    "003.alg5.tight": conjunction(*FIXED, _ALL_REACHED),
    "003.alg5.geometric": Arithmetic(
        _GEOMETRIC, both(every(["eq", _SUM, 1], count=["from", 0, ["add", "n", 1]]), _RATIOS)
    ),
    "003.sec34.allclusters": Arithmetic(Domain({"k": SOME, "n": SOME, "eps": POSITIVE}), _SINGLES),
    # k clusters with the loss epsilon_3 each
    "003.sec34.allclusters.corrected": conjunction(
        FIXED[0],
        formula(
            {"k": SOME, "x": POSITIVE, "y": ANY_SIZE, "eps": POSITIVE},
            ("eq", K * (X / (X + Y) * EPS + Y / (X + Y) * EPS), K * EPS),
        ),
    ),
}
