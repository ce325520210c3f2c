"""Formal statements: the LDP count-mean sketch (source 004)."""

from dp_spec.frequency import count_sketch, rappor
from dp_spec.vocabulary.claim import Formal
from dp_spec.vocabulary.error_statements import Formula
from dp_spec.vocabulary.law import USERS, Estimator, M
from dp_spec.vocabulary.statement import All, Definition, Domain, Mse, Range, Ratio, Unbiased
from dp_spec.vocabulary.term import Term, term, var

A, B, W = var("a"), var("b"), var("w")
S, K, COLUMNS = var("s"), var("k"), var("m")
H, ONE_ITEM = rappor.H, (1 - M,)
C = count_sketch.C.substitute({"t": H})
DECODED = Estimator(*(t.substitute({"t": H}) for t in (count_sketch.DECODED.slope, count_sketch.DECODED.offset)))
"""A report given the row is basic RAPPOR of the label, on the columns as items; its root of e^epsilon is called h."""
_ROWS = Range(1, integer=True)
_STAYS, _FLIPPED = S / (S + 1), count_sketch.flipped(S)


def _operations(k: int, m: int) -> Term:
    """Of client, server, initialization and queries for 10^6 records and 2000 items."""
    n, items = 10**6, 2000
    return term(n * m + n * m + k * m + k * items)


FORMAL: dict[str, Formal] = {
    "004.def.ldp": Definition(("ldp", "ldp-events")),
    # two entries of a column, each at most w times the other: so for every larger w, too; equal for w = 1
    "004.def.monotone": All(
        (
            Formula(
                Domain({"w": Range(1), "more": Range(), "a": Range(), "b": Range()}, (W * B - A, W * A - B)),
                (("le", A, (W + var("more")) * B), ("le", B, (W + var("more")) * A)),
            ),
            Formula(Domain({"a": Range(), "b": Range()}, (B - A, A - B)), (("le", A, B), ("le", B, A))),
        )
    ),
    # the sum over all signs of a product of m factors is the product of their sums; k rows
    "004.client.norm": Formula(
        Domain({"s": Range(1), "k": _ROWS, "m": _ROWS}),
        (
            ("eq", K * (1 / K) * (_STAYS + _FLIPPED) ** COLUMNS, term(1)),
            ("le", term(0), _FLIPPED),
            ("le", term(0), _STAYS),
        ),
    ),
    "004.client.ldp": Ratio(count_sketch.CLIENT, "vector", "ldp", where=ONE_ITEM),
    "004.client.bernoulli": Formula(
        Domain({"s": Range(1)}), (("eq", 1 - _FLIPPED, _STAYS), ("eq", 1 - _STAYS, _FLIPPED))
    ),
    "004.server.decode": Unbiased(rappor.RAPPOR_SAMPLE, "sen", "sensitive", DECODED, where=ONE_ITEM),
    "004.server.decode.var": All(
        (
            Mse(
                rappor.RAPPOR_SAMPLE,
                "sen",
                "sensitive",
                DECODED,
                where=ONE_ITEM,
                formula=(C**2 - 1) / (4 * USERS),
            ),
            Formula(Domain({"h": Range(1, strict=True)}), (("eq", (C**2 - 1) / 4, H / (H - 1) ** 2),)),
        )
    ),
    "004.syn.even": Formula(Domain({}), (("eq", term(10**6) / 2000, term(500)), ("eq", term(500) * 2000, term(10**6)))),
    "004.exp.time@m": Formula(
        Domain({}),
        (("lt", _operations(65535, 32) - _operations(256, 32), _operations(256, 1024) - _operations(256, 32)),),
    ),
    "004.exp.time@k": Formula(
        Domain({"k": _ROWS, "n": _ROWS, "m": _ROWS}),
        (("eq", (var("n") * COLUMNS + var("n") * COLUMNS) / var("n"), 2 * COLUMNS),),
    ),
}
"""Every id with its formal statement."""
