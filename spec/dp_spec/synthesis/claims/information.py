"""Formal statements of source 003, Sections 2.2 to 3.4: what entropies, mutual informations and MIC are, and show.

The base of the logarithm is written out where two of them meet; elsewhere it is the same on both sides.
"""

from dp_spec.synthesis.claims.definitions import P, X, Y
from dp_spec.synthesis.grids import (
    COLUMNS,
    EXPONENTS,
    ROWS,
    coefficient,
    is_allowed,
    is_fewer,
    is_within,
    sizes,
)
from dp_spec.synthesis.scores import f_distance, f_score, half
from dp_spec.synthesis.tables import (
    association,
    cells,
    column,
    entropy,
    expected,
    information,
    pair,
    printed_information,
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
    less,
    listed,
    some,
    those,
    total,
    x_log_x,
)
from dp_spec.vocabulary.claim import Formal
from dp_spec.vocabulary.error_statements import formula
from dp_spec.vocabulary.ranges import ANY_SIZE, MANY, POSITIVE, SEVERAL, SOME
from dp_spec.vocabulary.statement import All, Domain, Range, conjunction
from dp_spec.vocabulary.term import Term, var

FOUR = Range(4, integer=True)
N, V, W, DATA = "n", values("v"), values("w"), "data"
EVEN: Tree = ["mul", 2, "h"]
RECORDS = Domain({"n": SOME, "v": SEVERAL})
POINTS = Domain({"n": SEVERAL, "v": SEVERAL, "w": SEVERAL})
GRIDS = Domain({**POINTS.variables, "m": FOUR})
"""Two attributes, and the largest number m >= 4 of cells that a grid may have."""
LOG_TWO: Tree = ["log", 2]


def _of_data(body: Tree, n: Tree = N) -> Tree:
    """For every table of two attributes."""
    return every(body, data=tables(cells(V, W), n))


def _of_column(body: Tree) -> Tree:
    """For every attribute of n records."""
    return every(body, data=tables(V, N))


def _same(one: Tree, other: Tree) -> Tree:
    """One holds exactly where the other does."""
    return ["eq", ["number", one], ["number", other]]


# --- entropy and mutual information ----------------------------------------------------------------------------------

_INFORMATION = information(DATA, 0, 1, V, W)
_PRINTED = printed_information(DATA, 0, 1, V, W)
_LEAST = ["min", *(entropy(column(DATA, i), x) for i, x in ((0, V), (1, W)))]
_INDEPENDENT = every(["eq", ["mul", N, ["count", DATA, pair("x", "y")]], expected(DATA, "x", "y")], x=V, y=W)
"""n times the records of a cell are the product of both marginal counts."""


def _weighted(things: Tree) -> Tree:
    """n times minus the sum of p log p over the values of these things, p the frequency of a value."""
    share = ["div", ["count", DATA, "thing"], ["size", DATA]]
    return ["neg", ["mul", N, total("thing", things, x_log_x(share))]]


_DISTINCT: Tree = ["union", "found", DATA, ["only", "found"]]
_SURPRISE = total("record", DATA, ["neg", ["log", ["div", ["count", DATA, "record"], N]]])
"""n times the mean of -log p(value) over the records."""
_EVEN = every(["eq", ["count", DATA, "x"], ["count", DATA, "y"]], x=V, y=V)
"""All values are equally frequent."""


def _most(bound: Tree) -> Tree:
    """H is at most this, and this where all values are equally frequent."""
    measure, limit = entropy(DATA, V), ["mul", N, ["log", bound]]
    return _of_column(both(["le", measure, limit], implies(_EVEN, ["eq", measure, limit])))


def _shannon(chances: tuple[Tree, ...]) -> Tree:
    """Minus the sum of p log p over listed chances."""
    first, *others = (x_log_x(p) for p in chances)
    for other in others:
        first = ["add", first, other]
    return ["neg", first]


_ONCE: Tree = ["div", 1, N]
_OTHERS: Tree = ["div", ["sub", N, 1], N]
_PRINTED_RISE: Tree = ["add", ["mul", _ONCE, ["log", N]], ["mul", _OTHERS, ["log", ["div", N, ["sub", N, 1]]]]]

_TWO_VALUED, _MORE_VALUED = entropy(DATA, BOTH), entropy(values("v"), V)
"""n H of an attribute with two values; v H of one with v values, all of them once."""


def _risk(log_n: Tree, n: Tree = N) -> Tree:
    """n OE of an attribute."""
    return ["div", entropy(DATA, V), log_n]


def _normalized(domain: Domain, n: Tree, attained: Tree) -> All:
    """OE lies in [0, 1]; its value is 1 for some data of m v records."""
    inside = both(["le", 0, _risk(["log", n])], ["le", _risk(["log", n]), N])
    many: Tree = ["mul", "m", "v"]
    reached = some(["eq", _risk(["log", attained]), many], data=tables(V, many))
    return conjunction(Arithmetic(domain, _of_column(inside)), Arithmetic(Domain({"m": SOME, "v": SEVERAL}), reached))


_L, _G = var("l"), var("g")


def _based(own: Term, others: Term, scale: Term) -> Term:
    """OE with p log(1/p) of one value and those of all others together, in logarithms of which log n is `scale`."""
    return (own + others) / scale


# --- MIC -------------------------------------------------------------------------------------------------------------


def _some_exponent(body: Tree) -> Tree:
    """With N^0.55 or with N^0.6."""
    return some(body, e=EXPONENTS)


def _defined(allowed: Tree, least: Tree) -> Tree:
    """There is a grid, and no quotient of a grid is divided by log 1."""
    grids = {"a": sizes("v", least), "b": sizes("w", least)}
    divided = every(implies(allowed, ["not", ["eq", ["log", ["min", "a", "b"]], 0]]), **grids)
    return both(some(allowed, **grids), divided)


WITHIN, _ALLOWED = is_within(COLUMNS, ROWS, "m"), is_allowed(COLUMNS, ROWS, N, "e")
_FEWER, _NOT_MORE = is_fewer("a", "b", N, "e"), is_allowed("a", "b", N, "e")
_MIC = coefficient(DATA, "v", "w", WITHIN)
_SWAPPED = listed("record", DATA, pair(["at", "record", 1], ["at", "record", 0]))


def _times(factor: Tree, number: Tree) -> Tree:
    return number if factor == 1 else ["mul", factor, number]


def _is_normalized(factor: Tree, most: Tree = 1) -> All:
    """MIC lies between 0 and `most`, and is `most` for some data of every even size; n MIC times a factor."""
    multiple = _times(factor, _MIC)
    inside = both(["le", 0, multiple], ["le", multiple, _times(most, N)])
    binary = _times(factor, coefficient(DATA, 2, 2, is_within(COLUMNS, ROWS, 4)))
    reached = some(["eq", binary, _times(most, EVEN)], data=tables(cells(BOTH, BOTH), EVEN))
    return conjunction(Arithmetic(GRIDS, _of_data(inside)), Arithmetic(Domain({"h": SOME}), reached))


def _itself(values_of_one: Tree) -> Tree:
    """Every record has a value twice: Y = X."""
    return listed("each", values_of_one, pair("each", "each"))


def _varies(values_of_one: Tree) -> Tree:
    """Not all of them are alike."""
    return ["not", ["eq", ["size", ["union", "kept", values_of_one, ["only", "kept"]]], 1]]


_VARYING = those("candidate", tables(V, N), _varies("candidate"))
_EQUAL_ALONE = _some_exponent(["eq", *(coefficient(_itself(x), "v", "v", _ALLOWED) for x in ("one", "other"))])
_FOUR_RECORDS = those("candidate", tables(BOTH, 4), _varies("candidate"))
_DIFFERENT_INFORMATION = ["not", ["eq", *(information(_itself(x), 0, 1, BOTH, BOTH) for x in ("one", "other"))]]

_MADE = listed("each", "column", pair("each", ["at", "function", "each"]))
"""Y is a function of X: a list of its values."""
_MADE_VARIES = _varies(column(_MADE, 1))
_BINARY_MIC = coefficient(DATA, 2, 2, _ALLOWED)
_BITS: Tree = ["div", information(DATA, 0, 1, BOTH, BOTH), LOG_TWO]

# --- chi squared -----------------------------------------------------------------------------------------------------

_CHI = association(DATA, V, W)
_SQUARED_CV: Tree = ["div", _CHI, ["mul", N, ["sub", ["min", "v", "w"], 1]]]
_EXPECTED = those("y", W, less(0, expected(DATA, "x", "y")))
_DEVIATION = distance(["div", ["mul", N, ["count", DATA, pair("x", "y")]], expected(DATA, "x", "y")], 1)
_NEAR = ["le", distance(_INFORMATION, ["div", _CHI, 2]), ["mul", _DEVIATION, ["div", _CHI, 2]]]

FORMAL: dict[str, Formal] = {
    "003.prose.gender@max": Arithmetic(
        Domain({"n": SOME, "v": MANY}),
        every(less(["div", _TWO_VALUED, N], ["div", _MORE_VALUED, "v"]), data=tables(BOTH, N)),
    ),
    "003.prose.gender@empirical": Arithmetic(
        Domain({"n": SOME, "v": MANY}),
        every(
            ["le", entropy(column(DATA, 0), BOTH), entropy(column(DATA, 1), V)],
            data=tables(cells(BOTH, V), N),
        ),
    ),
    "003.sec22.mi-compare": conjunction(
        Arithmetic(Domain({}), some(_DIFFERENT_INFORMATION, one=_FOUR_RECORDS, other=_FOUR_RECORDS)),
        Arithmetic(Domain({"n": SEVERAL, "v": SEVERAL}), every(_EQUAL_ALONE, one=_VARYING, other=_VARYING)),
    ),
    "003.sec22.mi-compare.corrected": Arithmetic(
        Domain({"n": SEVERAL}),
        every(["eq", _BINARY_MIC, _BITS], data=tables(cells(BOTH, BOTH), N), e=EXPONENTS),
    ),
    "003.sec22.mic-detects@zero": Arithmetic(GRIDS, _of_data(_same(["eq", _MIC, 0], _INDEPENDENT))),
    "003.sec22.mic-detects@function": Arithmetic(
        POINTS,
        every(
            implies(_MADE_VARIES, _some_exponent(["eq", coefficient(_MADE, "v", "w", _ALLOWED), N])),
            column=tables(V, N),
            function=["lists", W, "v"],
        ),
    ),
    "003.sec22.mic-detects@function.corrected": Arithmetic(
        Domain({"n": SEVERAL}),
        every(
            ["eq", coefficient(_MADE, 2, 2, _ALLOWED), ["div", entropy(column(_MADE, 1), BOTH), LOG_TWO]],
            column=tables(BOTH, N),
            function=["lists", BOTH, 2],
            e=EXPONENTS,
        ),
    ),
    "003.def5.defined@strict.a1": Arithmetic(POINTS, _some_exponent(_defined(_FEWER, 1))),
    "003.def5.defined@strict.a2": Arithmetic(POINTS, _some_exponent(_defined(_FEWER, 2))),
    "003.def5.defined@mine": Arithmetic(POINTS, every(_defined(_NOT_MORE, 2), e=EXPONENTS)),
    "003.def5.range@log2": _is_normalized(1),
    "003.def5.range@ln": _is_normalized(LOG_TWO),
    "003.def5.range@ln.corrected": _is_normalized(LOG_TWO, LOG_TWO),
    "003.def5.sym": Arithmetic(GRIDS, _of_data(["eq", _MIC, coefficient(_SWAPPED, "w", "v", WITHIN)])),
    "003.eq6.mi": Arithmetic(
        Domain({"n": SOME, "v": SEVERAL, "w": SEVERAL}),
        _of_data(
            both(
                ["eq", _PRINTED, _INFORMATION],
                ["eq", _PRINTED, printed_information(DATA, 1, 0, W, V)],
                ["le", 0, _PRINTED],
                ["le", _PRINTED, _LEAST],
                _same(["eq", _PRINTED, 0], _INDEPENDENT),
            )
        ),
    ),
    "003.eq7.entropy@values": Arithmetic(RECORDS, _of_column(["eq", _weighted(_DISTINCT), _SURPRISE])),
    "003.eq7.entropy@records": Arithmetic(RECORDS, _of_column(["eq", _weighted(DATA), _SURPRISE])),
    "003.sec33.hmax@values": Arithmetic(RECORDS, _most("v")),
    "003.sec33.hmax@records": Arithmetic(RECORDS, _most(N)),
    "003.fig3.values": Arithmetic(
        Domain({"n": SEVERAL}),
        both(["eq", _shannon((1, 0)), 0], ["eq", _shannon((_ONCE, _OTHERS)), _PRINTED_RISE]),
    ),
    "003.eq11.range@values": _normalized(RECORDS, "v", "v"),
    "003.eq11.range@records": _normalized(POINTS.restricted(("n", "v")), N, ["mul", "m", "v"]),
    # p log(1/p) of a value is p x, those of the others are y; in base b they, and log n = l, are divided by log b = g
    "003.eq11.base": formula(
        {"p": ANY_SIZE, "x": ANY_SIZE, "y": ANY_SIZE, "l": POSITIVE, "g": POSITIVE},
        ("eq", _based(P * (X / _G), Y / _G, _L / _G), _based(P * X, Y, _L)),
    ),
    "003.base.privbayes.f-closed": Arithmetic(
        Domain({"n": SOME, "w": SEVERAL}),
        every(["eq", f_score(DATA, "w", half(N)), f_distance(DATA, "w", N)], data=tables(cells(BOTH, W), N)),
    ),
    "003.base.jtree.cv": Arithmetic(
        Domain({"n": SOME, "v": SEVERAL, "w": SEVERAL}),
        _of_data(
            both(
                some(_NEAR, x=V, y=_EXPECTED),
                ["eq", ["div", _CHI, ["mul", 2, N]], ["div", ["mul", _SQUARED_CV, ["sub", ["min", "v", "w"], 1]], 2]],
            )
        ),
    ),
}
