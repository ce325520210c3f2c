"""Formal statements of source 003, Sections 2.1 to 3.4, and of PrivBayes: by how much entropies, mutual informations,
MIC and the scores F and R move.

Where nothing else is said both sides are times n, and the base of the logarithm is the same on both.
"""

from dp_spec.synthesis.claims.information import (
    GRIDS,
    LOG_TWO,
    WITHIN,
    N,
    V,
    W,
)
from dp_spec.synthesis.grids import COLUMNS, DEFAULT, ROWS, coefficient, is_allowed
from dp_spec.synthesis.scores import f_score, half, half_rounded_up, r_score
from dp_spec.synthesis.tables import (
    ONE,
    OTHER,
    cells,
    column,
    entropy,
    information,
    neighbors,
    pair,
    second_sensitivity,
    sensitivity,
    tables,
    values,
)
from dp_spec.vocabulary.arithmetic import BOTH, Arithmetic, Tree, both, distance, every, joined, only, repeated, some
from dp_spec.vocabulary.claim import Formal
from dp_spec.vocabulary.error_statements import formula
from dp_spec.vocabulary.ranges import ANY_SIZE, MANY, NATURAL, SEVERAL, SOME
from dp_spec.vocabulary.statement import Domain, Not, conjunction
from dp_spec.vocabulary.term import Term, var

Measure = tuple[Tree, Tree]
"""Of both neighbors."""
REST = "rest"


def _moves(measure: Measure, domain: Tree, most: Tree) -> Tree:
    """Neither direction is told apart: `one` and `other` are any two records."""
    return neighbors(["le", ["sub", *measure], most], domain, N)


def _attained(measure: Measure, domain: Tree, most: Tree) -> Tree:
    """Some neighbors reach it."""
    return some(["eq", ["sub", *measure], most], rest=tables(domain, ["sub", N, 1]), one=domain, other=domain)


def _is(measure: Measure, domain: Tree, most: Tree) -> Tree:
    """It is the largest change, and no more than a bound on it."""
    return both(_moves(measure, domain, most), _attained(measure, domain, most))


def _removed(body: Tree, domain: Tree) -> Tree:
    """For every table of n records and every one of its records: with it, or `rest` alone."""
    return every(body, rest=tables(domain, ["sub", N, 1]), one=domain)


def _apart(measure: Measure, most: Tree) -> Tree:
    """What is times n, and times n - 1 after a removal, is no more than this times 1 / n apart."""
    return ["le", distance(["div", measure[0], N], ["div", measure[1], ["sub", N, 1]]), ["div", most, N]]


def _informations(one: Tree, other: Tree, *data: Tree) -> Measure:
    """n I in both tables. The first attribute has these values, the other one (or a parent set) those."""
    before, after = (information(table, 0, 1, one, other) for table in data or (ONE, OTHER))
    return before, after


def _entropies(domain: Tree, *data: Tree) -> Measure:
    before, after = (entropy(table, domain) for table in data or (ONE, OTHER))
    return before, after


def _in_base(measure: Measure, log_base: Tree) -> Measure:
    return ["div", measure[0], log_base], ["div", measure[1], log_base]


def _informations_move(one: Tree, other: Tree, most: Tree) -> Tree:
    return _moves(_informations(one, other), cells(one, other), most)


# --- entropy and mutual information ----------------------------------------------------------------------------------

_MOST, _SECOND = sensitivity(N), second_sensitivity(N)
_PARENTS = Domain({"n": SOME, "w": SEVERAL})
"""A binary attribute, and a parent set with w values."""
_GENERAL = Domain({"n": SOME, "v": MANY, "w": MANY})
_ATTRIBUTE = Domain({"n": SOME, "v": SEVERAL})
_NETWORK = Domain({"n": SOME, "p": SOME})
"""A binary attribute, and p binary parents."""
_PARENT_VALUES = values(["pow", 2, "p"])
_BITS, _NATS = LOG_TWO, 1
"""log 2 and log e."""


def _in_bases(log_base: Tree, of_sensitivity: Tree) -> Arithmetic:
    """I in the one base, its sensitivity in the other one."""
    measure = _in_base(_informations(BOTH, BOTH), log_base)
    return Arithmetic(Domain({"n": SOME}), _moves(measure, cells(BOTH, BOTH), ["div", _MOST, of_sensitivity]))


def _printed_at(data: Tree) -> Tree:
    """What is printed for the sensitivity at this table."""
    return ["div", sensitivity(["size", data]), ["size", data]]


def _by_printed(after: Tree) -> Tree:
    """It is the same number at both tables, and neither H(X) nor I(X, Y) of the records moves by more."""
    most = _printed_at(ONE)
    bounds: list[Tree] = [["eq", most, _printed_at(after)]]
    tables_of_one = (column(ONE, 0), column(after, 0))
    for measure in (_entropies(BOTH, *tables_of_one), _informations(BOTH, BOTH, ONE, after)):
        shares = (["div", x, ["size", data]] for x, data in zip(measure, (ONE, after), strict=True))
        bounds.append(["le", distance(*shares), most])
    return both(*bounds)


PAIR_MOVES = Arithmetic(Domain({"n": SOME}), _informations_move(BOTH, BOTH, _MOST))
"""The information of two binary attributes, where a record is replaced."""
INFORMATION_MOVES = Arithmetic(_PARENTS, _informations_move(BOTH, W, _MOST))
"""That of a binary attribute and its parents."""
ENTROPY_MOVES = Arithmetic(_ATTRIBUTE, _moves(_entropies(V), V, _MOST))
"""The entropy of an attribute."""

# --- MIC -------------------------------------------------------------------------------------------------------------


def _coefficients(one: Tree, other: Tree, allowed: Tree, *data: Tree) -> Measure:
    before, after = (coefficient(table, one, other, allowed) for table in data or (ONE, OTHER))
    return before, after


_COUNTS = {
    "p": pair(0, 0),
    "q": pair(0, 1),
    "r": pair(0, 2),
    "x": pair(1, 0),
    "y": pair(1, 1),
    "z": pair(1, 2),
}
"""How many records have these values: all tables of an attribute with two values and one with three."""
_COUNTED = joined(*(repeated(record, number) for number, record in _COUNTS.items()))
_LESS: Tree = ["size", _COUNTED]
_SUM = sum(map(var, [*_COUNTS][1:]), var("p"))


def _at_size(n: Tree, data: Tree) -> Tree:
    """MIC of so many records, with grids of at most max(n^0.6, 4) cells."""
    return ["div", coefficient(data, 2, 3, is_allowed(COLUMNS, ROWS, n, DEFAULT)), n]


_MORE: Tree = ["add", _LESS, 1]
_MIC_MOVES = every(
    [
        "le",
        distance(_at_size(_MORE, ["joined", _COUNTED, only("one")]), _at_size(_LESS, _COUNTED)),
        ["div", sensitivity(_MORE), ["mul", _MORE, LOG_TWO]],
    ],
    one=cells(BOTH, values(3)),
)

# --- the scores of PrivBayes -----------------------------------------------------------------------------------------

_WITH_PARENTS = Domain({"n": SEVERAL, "w": SEVERAL})


def _f_is(cap: Tree) -> Arithmetic:
    """n F moves by 1, and by no more."""
    scores = (f_score(ONE, "w", cap), f_score(OTHER, "w", cap))
    return Arithmetic(_WITH_PARENTS, _is(scores, cells(BOTH, W), 1))


_OTHERS, _PAIRED, _S, _T, _X, _Y, _SIZE = (var(name) for name in "abstxyn")
_EVENT = Domain(
    {**dict.fromkeys("abstxy", ANY_SIZE), "n": SOME}, (1 - _S, 1 - _X, 2 * _SIZE - 1 - _T, 2 * _SIZE - 1 - _Y)
)
"""Of n records, a others and s times the one that is replaced are in an event; of n^2 pairs of an attribute's value and
another record's values of the parents, b without this record and t with it. s and t become x and y."""


def _excess(own: Term, paired: Term) -> Term:
    """The chance of the event less that in the product of both marginals: the largest one of all events is R."""
    return (_OTHERS + own) / _SIZE - (_PAIRED + paired) / _SIZE**2


_R_CHANGE = _excess(_S, _T) - _excess(_X, _Y)
_R_PRINTED = 3 / _SIZE + 2 / _SIZE**2


def _antidiagonal(record: Tree) -> Tree:
    """A record, m that are 0 and 1, m that are 1 and 0."""
    return joined(only(record), repeated(pair(0, 1), "m"), repeated(pair(1, 0), "m"))


_ALONE, _AMONG = (information(_antidiagonal(pair(x, x)), 0, 1, values(3), values(3)) for x in (2, 0))

FORMAL: dict[str, Formal] = {
    "003.def2.function@ro": Arithmetic(Domain({"n": SEVERAL}), neighbors(_by_printed(OTHER), cells(BOTH, BOTH), N)),
    "003.def2.function@ar": Arithmetic(Domain({"n": SEVERAL}), _removed(_by_printed(REST), cells(BOTH, BOTH))),
    "003.log.base@base2": _in_bases(_BITS, _BITS),
    "003.log.base@same-e": _in_bases(_NATS, _NATS),
    "003.log.base@mi-bits.sens-nats": _in_bases(_BITS, _NATS),
    "003.log.base@mi-nats.sens-bits": _in_bases(_NATS, _BITS),
    "003.sec32.delta-i@pair.ro": PAIR_MOVES,
    "003.sec32.delta-i@parents.ro": INFORMATION_MOVES,
    "003.sec32.delta-i@general.ro": Arithmetic(_GENERAL, _informations_move(V, W, _MOST)),
    "003.sec32.delta-i@ar": Arithmetic(
        Domain({"n": SEVERAL, "w": SEVERAL}),
        _removed(_apart(_informations(BOTH, W, ONE, REST), _MOST), cells(BOTH, W)),
    ),
    "003.sec32.delta-i.tight": Arithmetic(_PARENTS, _is(_informations(BOTH, W), cells(BOTH, W), _MOST)),
    "003.sec32.delta-m@binary.ro": Arithmetic(
        Domain({"n": SEVERAL, "m": GRIDS.variables["m"]}),
        _moves(_coefficients(2, 2, WITHIN), cells(BOTH, BOTH), ["div", _MOST, LOG_TWO]),
    ),
    "003.sec32.delta-m@ordinal.ro": Arithmetic(
        GRIDS, _moves(_coefficients("v", "w", WITHIN), cells(V, W), ["div", _MOST, LOG_TWO])
    ),
    "003.sec32.delta-m@ar": Arithmetic(
        Domain({"n": SEVERAL, "m": GRIDS.variables["m"]}),
        _removed(_apart(_coefficients(2, 2, WITHIN, ONE, REST), ["div", _MOST, LOG_TWO]), cells(BOTH, BOTH)),
    ),
    "003.sec32.delta-m@ordinal.ar": Arithmetic(Domain(dict.fromkeys(_COUNTS, NATURAL), (_SUM - 1,)), _MIC_MOVES),
    "003.eq8.delta-h@ro": ENTROPY_MOVES,
    "003.eq8.delta-h@ar": Arithmetic(
        Domain({"n": SEVERAL, "v": SEVERAL}), _removed(_apart(_entropies(V, ONE, REST), _MOST), V)
    ),
    "003.eq8.tight": Arithmetic(_ATTRIBUTE, _is(_entropies(V), V, _MOST)),
    "003.sec33.deltau@binary": conjunction(
        Arithmetic(Domain({"n": SOME}), _is(_entropies(BOTH), BOTH, _MOST)),
        Arithmetic(_NETWORK, _is(_informations(BOTH, _PARENT_VALUES), cells(BOTH, _PARENT_VALUES), _MOST)),
    ),
    "003.sec33.deltau@general": conjunction(
        Arithmetic(Domain({"n": SOME, "v": MANY}), _is(_entropies(V), V, _MOST)),
        Arithmetic(_GENERAL, _informations_move(V, W, _MOST)),
        Arithmetic(_GENERAL, _attained(_informations(V, W), cells(V, W), _MOST)),
    ),
    "003.base.privbayes.sens-i@binary": conjunction(
        INFORMATION_MOVES,
        Arithmetic(_PARENTS, _informations_move(W, BOTH, _MOST)),
    ),
    "003.base.privbayes.sens-i@general": Arithmetic(_GENERAL, _informations_move(V, W, _SECOND)),
    "003.base.privbayes.sens-i.tight@binary": Arithmetic(
        _PARENTS, _attained(_informations(BOTH, W), cells(BOTH, W), _MOST)
    ),
    "003.base.privbayes.sens-i.tight@general": Arithmetic(
        Domain({"n": SEVERAL, "v": MANY, "w": MANY}), _attained(_informations(V, W), cells(V, W), _SECOND)
    ),
    "003.base.privbayes.sens-i.tight@general.corrected": Arithmetic(
        Domain({"m": SOME}), ["eq", ["sub", _ALONE, _AMONG], second_sensitivity(["add", ["mul", 2, "m"], 1])]
    ),
    "003.base.privbayes.sens-f@half": _f_is(half(N)),
    "003.base.privbayes.sens-f@ceil": _f_is(half_rounded_up(N)),
    "003.base.privbayes.sens-r": formula(_EVENT, ("le", _R_CHANGE, _R_PRINTED)),
    "003.base.privbayes.sens-r.tight": Not(formula(_EVENT, ("lt", _R_CHANGE, _R_PRINTED))),
    "003.base.privbayes.sens-r.tight.corrected": Arithmetic(
        Domain({"n": SEVERAL}),
        _is((r_score(ONE, BOTH, BOTH), r_score(OTHER, BOTH, BOTH)), cells(BOTH, BOTH), ["mul", 4, ["sub", N, 1]]),
    ),
}
