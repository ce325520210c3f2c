"""Formal statements of source 003 about tables of counts: sensitivity, noise on all cells, binary codes of values."""

from dp_spec.matrix.mechanisms import IDENTITY
from dp_spec.synthesis.budgets import D, N
from dp_spec.synthesis.claims.budgets import L
from dp_spec.synthesis.claims.definitions import NORMALIZED
from dp_spec.vocabulary.additive import Quantity
from dp_spec.vocabulary.claim import Formal
from dp_spec.vocabulary.error_statements import Formula, formula
from dp_spec.vocabulary.ranges import SEVERAL, SOME
from dp_spec.vocabulary.statement import Domain, Range, conjunction
from dp_spec.vocabulary.term import Term, term, var

V, BITS, COUNTED, OTHERS, H, DELTA = (var(name) for name in ("v", "b", "c", "u", "h", "delta"))


def cells(**at: Term) -> Quantity:
    """The L1 sensitivity of the counts of 2^h cells between tables that differ in a replaced record."""
    return Quantity(IDENTITY, ("sensitivity", "replace"), {"eps": term(1), **at})


_TWO_CELLS = Domain({"h": SOME, "n": SOME})
_FREQUENCIES = formula(_TWO_CELLS, ("eq", DELTA / N, 2 / N), quantities={"delta": cells()})
"""Frequencies are counts by n."""


def _code(bits: Term) -> tuple[Term, Term]:
    """2^(bits - 1) < v <= 2^bits: so many bits code v values."""
    return 2 * V - term(2) ** bits - 2, term(2) ** bits - V


def _networks(joints: Term) -> Term:
    """n epsilon / 2 times the expected L1 norm of the noise on so many joint tables of l + 1 binary attributes."""
    return joints * term(2) ** (L + 1) * joints


_BEFORE, _AFTER = COUNTED / (COUNTED + OTHERS), (COUNTED - 1) / (COUNTED + OTHERS - 1)


def _removed(counted: int, others: int) -> Formula:
    """What changes, where there are at least so many records in the cell and elsewhere."""
    return formula(
        {"c": Range(counted, integer=True), "u": Range(others, integer=True)},
        ("eq", _BEFORE - _AFTER, OTHERS / (COUNTED + OTHERS - 1) - OTHERS / (COUNTED + OTHERS)),
        ("le", term(0), _BEFORE - _AFTER),
        ("le", 2 * (_BEFORE - _AFTER), 2 / (COUNTED + OTHERS)),
    )


_EMPTIED = formula(
    {"u": SOME}, ("eq", 2 * (_BEFORE - _AFTER).substitute({"c": 1}), 2 / (COUNTED + OTHERS).substitute({"c": 1}))
)
"""2/n is reached where the only record of a cell goes."""

FORMAL: dict[str, Formal] = {
    # 2^h and 2^(h + 1) cells
    "003.sec1.direct@sensitivity": formula(
        _TWO_CELLS, ("lt", var("less") / N, var("more") / N), quantities={"less": cells(), "more": cells(h=H + 1)}
    ),
    "003.sec1.direct@sensitivity.corrected": _FREQUENCIES,
    "003.sec1.direct@noise": formula(
        {"d": SEVERAL, "l": SOME}, ("le", _networks(D - L), term(2) ** D), where=(D - L - 1,)
    ),
    "003.sec1.direct@noise.corrected": formula(
        {"l": SOME, "j": Range(7, integer=True)}, ("le", _networks(var("j")), term(2) ** (L + var("j")))
    ),
    "003.sec34.jointsens@ro": _FREQUENCIES,
    # a record of a cell with c records goes, u are elsewhere: this cell falls by as much as the others rise together
    "003.sec34.jointsens@ar": conjunction(_removed(2, 0), _removed(1, 1), _EMPTIED),
    "003.sec31.inverse@all": formula({"v": SEVERAL, "b": SOME}, ("eq", term(2) ** BITS, V), where=_code(BITS)),
    # the patterns of values have positive mass in all
    "003.sec31.inverse@reject": NORMALIZED,
}
