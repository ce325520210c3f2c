"""Formal statements about Jtree, reference [14] of source 003: its comparisons with one noisy threshold.

Two tables of 2 records differ in one record: g binary attributes vary in the first table only, h others in the second
one only. Of the first the informations of all pairs are Delta and 0, of the others 0 and Delta. An edge is where
Z >= theta + Z_0 - I. With y = e^((theta + Z_0) / b), v = e^(theta / b), w = e^(Delta / b), b the scale of the noise,
the density of y is 1 / (2 v) below v and v / (2 y^2) above; the chance of no edge is y / 2 for y <= 1, and
1 - 1 / (2 y) for other y, at I = 0, and the same of y / w at I = Delta.

If the other record joins the first table instead, and g = h, the informations of all pairs of each group are the Delta
of 3 records: given the threshold all of them are edges with one chance p, and p (1 - p) is 1/4 at most.
"""

from dp_spec.synthesis.budgets import EPS
from dp_spec.synthesis.claims.budgets import SENSITIVITY
from dp_spec.synthesis.claims.definitions import W, X, merged
from dp_spec.vocabulary.arithmetic import Arithmetic, Tree, added, only, those, total
from dp_spec.vocabulary.claim import Formal
from dp_spec.vocabulary.error_statements import formula
from dp_spec.vocabulary.ranges import ABOVE_ONE, ANY_SIZE, FROM_ONE, POSITIVE, SOME
from dp_spec.vocabulary.statement import Domain, conjunction
from dp_spec.vocabulary.term import var

FALLING: Tree = ["binom", "g", 2]
RISING: Tree = ["binom", "h", 2]
"""How many pairs lose their information, and how many get it."""


def _times(*factors: Tree) -> Tree:
    product = factors[0]
    for factor in factors[1:]:
        product = ["mul", product, factor]
    return product


def _one(number: Tree) -> Tree:
    return ["div", 1, number]


def _integral(low: Tree, high: Tree, up: Tree, down: Tree) -> Tree:
    """Of y^(up - down - 1) from one number to another."""
    exponent = ["sub", up, down]

    def power(y: Tree) -> Tree:
        return ["div", ["pow", y, up], ["pow", y, down]]

    quotient = ["div", ["sub", power(high), power(low)], "exponent"]
    algebraic = total("exponent", those("exponent", only(exponent), ["not", ["eq", "exponent", 0]]), quotient)
    logarithm = total("exponent", those("exponent", only(exponent), ["eq", "exponent", 0]), ["log", ["div", high, low]])
    return added(algebraic, logarithm)


def _expanded(name: str, number: Tree, step: Tree, each: Tree) -> Tree:
    """(1 - step)^number, term by term: `each` is what goes with the power `name` of -step."""
    term = _times(["binom", number, name], ["pow", ["neg", step], name], each)
    return total(name, ["from", 0, ["add", number, 1]], term)


_HALF, _PART = _one(2), _one(["mul", 2, "w"])
_BELOW, _ABOVE = _one(["mul", 2, "v"]), ["div", "v", 2]
"""The density of y below v; above v, times y^2."""


def _to_infinity(down: Tree) -> Tree:
    """The integral of y^(-down - 1) from w on."""
    return _one(["mul", down, ["pow", "w", down]])


def _likely() -> Tree:
    """The chance for the first table that all pairs of the g attributes are edges, and none of the h others."""
    middle = added(
        _times(_BELOW, _integral(1, "v", ["add", "j", 1], "i")),
        _times(_ABOVE, _integral("v", "w", "j", ["add", "i", 1])),
    )
    low = _times(_BELOW, ["pow", _HALF, RISING], _one(added(RISING, "j", 1)))
    high = _times(_ABOVE, ["pow", ["div", "w", 2], FALLING], _to_infinity(added("i", FALLING, 1)))
    return added(
        _expanded("j", FALLING, _PART, low),
        _expanded("i", RISING, _HALF, _expanded("j", FALLING, _PART, middle)),
        _expanded("i", RISING, _HALF, high),
    )


def _unlikely() -> Tree:
    """The same chance for the second table."""
    both = _times(["pow", _HALF, FALLING], ["pow", _PART, RISING])
    low = _times(_BELOW, ["pow", _PART, RISING], _one(added("i", RISING, 1)))
    middle = added(
        _times(_BELOW, _integral(1, "v", ["add", RISING, 1], FALLING)),
        _times(_ABOVE, _integral("v", "w", RISING, ["add", FALLING, 1])),
    )
    high = _times(_ABOVE, ["pow", _HALF, FALLING], _to_infinity(added("i", FALLING, 1)))
    return added(
        _expanded("i", FALLING, _HALF, low),
        _times(both, middle),
        _expanded("i", RISING, ["div", "w", 2], high),
    )


_BUDGET = {"w": ABOVE_ONE, "v": ABOVE_ONE}
_SIZES = {"g": SOME, "h": SOME}
_LOW = (var("w") - var("v") ** 2,)
"""theta <= Delta / 2: CV^2 <= log 2."""

GRAPH = conjunction(
    formula(
        {"m": SOME, "x": ANY_SIZE, "delta": POSITIVE, "eps": POSITIVE},
        ("le", var("m") * (X / (2 * SENSITIVITY / EPS)), var("m") * EPS / 2),
        where=(SENSITIVITY - X,),
    ),
    merged(W),
)
"""Every information moves by x <= Delta_s; what is within a factor for values is so for sets of them."""

FORMAL: dict[str, Formal] = {
    "003.base.jtree.graph": Arithmetic(
        Domain({**_SIZES, **_BUDGET}, _LOW), ["le", _likely(), ["mul", ["pow", "w", 2], _unlikely()]]
    ),
    "003.base.jtree.graph.corrected": GRAPH,
    # x = e^(epsilon_2)
    "003.base.jtree.dp@ro": Arithmetic(
        Domain({**_SIZES, **_BUDGET, "x": FROM_ONE}, _LOW),
        ["le", _likely(), ["mul", ["mul", "x", ["pow", "w", 2]], _unlikely()]],
    ),
    "003.base.jtree.dp@ar": Arithmetic(
        Domain({**_SIZES, **_BUDGET, "x": FROM_ONE}, (*_LOW, var("g") - var("h"), var("h") - var("g"))),
        ["le", ["mul", _likely(), ["pow", 4, FALLING]], ["mul", "x", ["pow", "w", 2]]],
    ),
}
