"""Formal statements: communication costs (source 002, Table 3 and what is said of them elsewhere)."""

from dp_spec.frequency import totals, wheel
from dp_spec.frequency.claims.comparison import DATA, SETS
from dp_spec.frequency.table4 import TABLE4
from dp_spec.vocabulary.claim import Formal
from dp_spec.vocabulary.error_statements import Cost, Formula, Total
from dp_spec.vocabulary.law import K, M, N
from dp_spec.vocabulary.statement import Domain, Range
from dp_spec.vocabulary.term import Term, exp, log, term, var

_C, _HASHES, _EMITTED = M + 1 + var("more"), var("hashes"), var("emitted")
"""m e^epsilon, an integer > m; |H|, the size of the family of hash functions; t, the number of items in I."""
_SIZES = Domain(SETS, (K - M,))
_DATA = Domain({**SETS, "N": DATA["N"]}, (K + N - M,))
_GRID = {"m": SETS["m"], "more": Range(integer=True), "hashes": Range(1, integer=True)}
_CELLS = (2 * M - 1 + _C, term(1))
"""1 / p = 2m - 1 + m e^epsilon cells, an integer."""


def _cost(domain: Domain, total: Total, symbols: tuple[Term, Term], entry: tuple[Term, Term]) -> Cost:
    return Cost(domain, total.law, total.part("sensitive").view, (symbols,), (entry,))


def _wheel_cost(total: Total, output: str) -> Cost:
    """The cell, the hash function, and (suWheel) the t emitted items."""
    emits = total.law.r is not None
    variables = {**_GRID, "K": SETS["K"], **({"emitted": Range(integer=True), "N": DATA["N"]} if emits else {})}
    constraints = (M - _EMITTED, N - _EMITTED, K + N - M) if emits else (K - M,)
    items = ((K + N, _EMITTED),) if emits else ()
    hashes = (_HASHES, term(1))
    return Cost(
        Domain(variables, constraints),
        total.law,
        total.part("sensitive").view,
        (_CELLS, *items, hashes),
        ((_C, term(1)), *items, hashes),
        output,  # type: ignore[arg-type]
    )


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
_SLIGHTLY_HIGHER = Formula(
    _CLOSED, tuple(("le", bits(row)["suwheel"], SLIGHTLY * bits(row)["sugrrsample"]) for row in TABLE4)
)
_MUCH_HIGHER = Formula(
    _CLOSED, tuple(("lt", times * bits(row)["sugrrsample"], bits(row)["suwheel"]) for row, times in _TIMES.items())
)
_CELLS_OF = {row: (1 / wheel.ARC).substitute({"m": sizes.m, "w": exp(term(1))}) for row, sizes in TABLE4.items()}

FORMAL: dict[str, Formal] = {
    "002.table3.grr": _cost(_SIZES, totals.GRR, (K, M), (K, M)),
    "002.table3.grrsample": _cost(_SIZES, totals.GRR_SAMPLE, (K, term(1)), (K, term(1))),
    "002.table3.rappor": _cost(_SIZES, totals.RAPPOR, (term(2), K), (term(2), K)),
    "002.table3.rapporsample": _cost(_SIZES, totals.RAPPOR_SAMPLE, (term(2), K), (term(2), K)),
    "002.table3.sugrr": _cost(_DATA, totals.SUGRR, (K + N, M), (K + N, M)),
    "002.table3.sugrrsample": _cost(_DATA, totals.SUGRR_SAMPLE, (K + N, term(1)), (K + N, term(1))),
    "002.table3.surap": _cost(_DATA, totals.SURAP, (term(2), K + N), (term(2), K + N)),
    "002.table3.surapsample": _cost(_DATA, totals.SURAP_SAMPLE, (term(2), K + N), (term(2), K + N)),
    "002.table3.wheel@real": _wheel_cost(totals.WHEEL, "real"),
    "002.table3.wheel@cell": _wheel_cost(totals.WHEEL, "finite"),
    "002.table3.suwheel@real": _wheel_cost(totals.SUWHEEL, "real"),
    "002.table3.suwheel@cell": _wheel_cost(totals.SUWHEEL, "finite"),
    "002.table3.wheel@real.corrected": _wheel_cost(totals.WHEEL, "finite"),
    "002.table3.suwheel@real.corrected": _wheel_cost(totals.SUWHEEL, "finite"),
    "002.sec44.slightly@table4": _SLIGHTLY_HIGHER,
    "002.sec44.slightly@table4.corrected": _MUCH_HIGHER,
    # as many reports as cells, for each of the hash functions; RAPPOR has 2^d
    "002.base.wheel.comm": Formula(
        Domain(
            {
                "m": SETS["m"],
                "d": Range(1, integer=True),
                "more": Range(integer=True),
                "hashes": Range(1, integer=True),
            },
            (var("d") - M,),
        ),
        (("lt", _CELLS[0] * _HASHES, term(2) ** var("d")),),
    ),
    # d is the smallest number of k-subsets, 1 <= k < d
    "002.base.wheel.comm.corrected": Formula(
        _CLOSED, tuple(("lt", cells, term(TABLE4[row].d)) for row, cells in _CELLS_OF.items())
    ),
}
"""Every id of Table 3, and what is said of costs elsewhere, with its formal statement."""
