"""Formal statements: communication costs (source 002, Table 3 and what is said of them elsewhere)."""

from dp_spec.frequency import total_errors, wheel
from dp_spec.frequency.claims.comparison import SETS
from dp_spec.frequency.experiment_sizes import TABLE4
from dp_spec.vocabulary.claim import Formal
from dp_spec.vocabulary.error_statements import Bounded, Cost, Total, formula
from dp_spec.vocabulary.law import K, M, N
from dp_spec.vocabulary.ranges import ABOVE_ONE, NATURAL, SOME
from dp_spec.vocabulary.statement import Domain
from dp_spec.vocabulary.term import Term, exp, log, term, var

_W, _HASHES = var("w"), var("hashes")
"""e^epsilon; |H|, the size of the family of hash functions."""
_ON_CELLS = Bounded(Domain({"m": SETS["m"], "w": ABOVE_ONE}), ((1 / wheel.ARC, M * _W),))
"""A report is one of 1 / p cells (where that is an integer), one of |H| hash functions and (suWheel) t of d items. Its
length is O(log(m e^epsilon) + t log d + log |H|), as the number of cells is O(m e^epsilon)."""
_CELLS = 2 * M - 1 + (M + 1 + var("more"))
"""1 / p for m e^epsilon = m + 1 + more, an integer."""
_AS_CELLS = ("wheel@cell", "suwheel@cell", "wheel@real.corrected", "suwheel@real.corrected")


def _cost(total: Total, most: Term) -> Cost:
    """At most log2(most) bits, rounded up."""
    return Cost(total.law, total.part("sensitive").view, most)


def bits(row: str) -> dict[str, Term]:
    """Expected bits of a report at epsilon = 1 at a row of Table 4, hash function left out, times ln 2.

    A user of suWheel holds m |X_non| / d non-sensitive items, each of which is emitted with probability r.
    """
    d, k, m = TABLE4[row].d, TABLE4[row].k, TABLE4[row].m
    item, cells = log(term(d)), log((1 / wheel.ARC).substitute({"m": m, "w": exp(term(1))}))
    emitted = wheel.KEPT.substitute({"m": m, "w": exp(term(1))}) * m * (d - k) / d
    vector = d * log(term(2))
    return {
        "sugrr": m * item,
        "sugrrsample": item,
        "surap": vector,
        "surapsample": vector,
        "suwheel": cells + emitted * item,
    }


_CLOSED = Domain({})
SLIGHTLY = 2
"""At most twice as many bits are "slightly" more: the reading that the row names."""
_TIMES = {"sales": 50, "anime": 199, "movie": 238, "simulated": 6}
_SLIGHTLY_HIGHER = formula(
    _CLOSED, *(("le", bits(row)["suwheel"], SLIGHTLY * bits(row)["sugrrsample"]) for row in TABLE4)
)
_MUCH_HIGHER = formula(
    _CLOSED, *(("lt", times * bits(row)["sugrrsample"], bits(row)["suwheel"]) for row, times in _TIMES.items())
)
_CELLS_OF = {row: (1 / wheel.ARC).substitute({"m": sizes.m, "w": exp(term(1))}) for row, sizes in TABLE4.items()}

FORMAL: dict[str, Formal] = {
    "002.table3.grr": _cost(total_errors.GRR, K**M),
    "002.table3.grrsample": _cost(total_errors.GRR_SAMPLE, K),
    "002.table3.rappor": _cost(total_errors.RAPPOR, term(2) ** K),
    "002.table3.rapporsample": _cost(total_errors.RAPPOR_SAMPLE, term(2) ** K),
    "002.table3.sugrr": _cost(total_errors.SUGRR, (K + N) ** M),
    "002.table3.sugrrsample": _cost(total_errors.SUGRR_SAMPLE, K + N),
    "002.table3.surap": _cost(total_errors.SURAP, term(2) ** (K + N)),
    "002.table3.surapsample": _cost(total_errors.SURAP_SAMPLE, term(2) ** (K + N)),
    # a cell and a function of the items to cells are that many; so is no point that is sent as it is
    "002.table3.wheel@real": _cost(total_errors.WHEEL, (1 / wheel.ARC) ** (K + 1)),
    "002.table3.suwheel@real": _cost(total_errors.SUWHEEL, (1 / wheel.ARC) ** (K + N + 1) * term(2) ** N),
    **{f"002.table3.{name}": _ON_CELLS for name in _AS_CELLS},
    "002.sec44.slightly@table4": _SLIGHTLY_HIGHER,
    "002.sec44.slightly@table4.corrected": _MUCH_HIGHER,
    # as many reports as cells, for each of the hash functions; RAPPOR has 2^d
    "002.base.wheel.comm": formula(
        {"m": SETS["m"], "d": SOME, "more": NATURAL, "hashes": SOME},
        ("lt", _CELLS * _HASHES, term(2) ** var("d")),
        where=(var("d") - M,),
    ),
    # d is the smallest number of k-subsets, 1 <= k < d
    "002.base.wheel.comm.corrected": formula(
        _CLOSED, *(("lt", cells, term(TABLE4[row].d)) for row, cells in _CELLS_OF.items())
    ),
}
"""Every id of Table 3, and what is said of costs elsewhere, with its formal statement."""
