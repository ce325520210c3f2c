"""Formal statements: the LDP count-mean sketch and its neighbor with a Hadamard matrix (source 004)."""

from dataclasses import replace

from dp_spec.frequency import count_sketch, grr, hadamard, rappor
from dp_spec.frequency.claims.one_item import ONE_ITEM, exactly, mean, mse, private, unbiased, variance
from dp_spec.frequency.count_sketch import ESTIMATOR, estimator
from dp_spec.vocabulary.claim import Formal
from dp_spec.vocabulary.error_statements import Cost, Formula, Independence, SharedVariance, formula
from dp_spec.vocabulary.law import KAPPA1, KAPPA2, USERS, Estimator, F, K, M
from dp_spec.vocabulary.ranges import ABOVE_ONE, ANY_SIZE, FROM_ONE, NATURAL, POSITIVE, SEVERAL, SOME
from dp_spec.vocabulary.statement import All, Definition, Domain, Ratio, conjunction
from dp_spec.vocabulary.term import Term, minimum, modulo, same, summed, term, var

A, B, W, X, Y, Z = (var(name) for name in ("a", "b", "w", "x", "y", "z"))
S, ROWS, COLUMNS = var("s"), var("k"), var("m")
H = rappor.H
HALF = count_sketch.C.substitute({"t": H})
DECODED = Estimator(*(t.substitute({"t": H}) for t in (count_sketch.DECODED.slope, count_sketch.DECODED.offset)))
"""A report given the row is basic RAPPOR of the label, on the columns as items; its root of e^epsilon is called h."""

_OTHERS = Z ** (COLUMNS - 2)
_STAYS, _FLIPPED, _C = S / (S + 1), count_sketch.flipped(S), count_sketch.constant(S)


# --- definitions, client ------------------------------------------------------------------------------------------

_CHANCES, _LAWS = dict.fromkeys("abxy", ANY_SIZE), (1 - A - X, 1 - B - Y)

CLIENT: dict[str, Formal] = {
    # data sets of two records, of which one is exchanged
    "004.def.dp@discrete": Definition(("eq11-deniability", "eq11-deniability-events")),
    # an event may have any two probabilities a and b although all of its points have 0 <= w 0
    "004.def.dp@continuous": formula(
        {"w": FROM_ONE, "a": ANY_SIZE, "b": ANY_SIZE}, ("le", A, W * B), where=(1 - A, 1 - B)
    ),
    "004.def.ldp": Definition(("ldp", "ldp-events")),
    # two outputs have the chances a and x on one side, b and y on the other, all others together the rest. For every
    # larger w, too. Where w is 1, the first one is not less likely if no other is more likely: equal, as w is for both
    "004.def.monotone": conjunction(
        formula(
            {"w": FROM_ONE, "more": ANY_SIZE, **_CHANCES},
            ("le", A + X, (W + var("more")) * (B + Y)),
            where=(*_LAWS, W * B - A, W * Y - X),
        ),
        formula(_CHANCES, ("le", B, A), where=(*_LAWS, Y - X, (1 - B - Y) - (1 - A - X))),
    ),
    # the sum over all signs of a product of m factors is the product of their sums; k rows
    "004.client.norm": formula(
        {"s": FROM_ONE, "k": SOME, "m": SOME},
        ("eq", ROWS * (1 / ROWS) * (_STAYS + _FLIPPED) ** COLUMNS, term(1)),
        ("le", term(0), _FLIPPED),
        ("le", term(0), _STAYS),
    ),
    "004.client.ldp": private(count_sketch.CLIENT),
    # the chance of the row and those of the other m - 2 signs cancel; two signs are more likely by at most s each
    "004.client.proof": conjunction(
        formula(
            {"s": FROM_ONE, "k": SOME, "m": SEVERAL, "z": POSITIVE},
            ("eq", _STAYS**2 * _OTHERS / ROWS, S**2 * (_FLIPPED**2 * _OTHERS / ROWS)),
            ("le", _STAYS, S * _FLIPPED),
            ("le", _FLIPPED, S * _STAYS),
        ),
        private(count_sketch.CLIENT),
    ),
    "004.client.tight@anyfamily": exactly(count_sketch.CLIENT, constant=count_sketch.T**2),
    "004.client.tight@separating": exactly(count_sketch.SEPARATED, constant=count_sketch.T**2),
    "004.client.tight@anyfamily.corrected": conjunction(
        exactly(count_sketch.SEPARATED, constant=count_sketch.T**2),
        exactly(count_sketch.ALIKE, constant=count_sketch.T ** term(0)),
    ),
    "004.client.bernoulli": formula({"s": FROM_ONE}, ("eq", 1 - _FLIPPED, _STAYS), ("eq", 1 - _STAYS, _FLIPPED)),
    "004.client.user@record": private(count_sketch.CLIENT),
    "004.client.user@user": Ratio(replace(count_sketch.RECORDS, power=term(2)), "vector", "ldp", where=(M - 2,)),
    "004.client.user@user-t": Ratio(count_sketch.RECORDS, "vector", "ldp"),
    "004.sample.privacy": conjunction(private(count_sketch.CLIENT), private(count_sketch.UPLOADED_ANY)),
    "004.sample.estimate@uploaded": unbiased(count_sketch.CMS, ESTIMATOR),
    "004.sample.estimate@all": unbiased(count_sketch.UPLOADED, Estimator(ESTIMATOR.slope, term(0), ESTIMATOR.offset)),
    "004.sample.estimate@all-scaled": unbiased(
        count_sketch.UPLOADED, Estimator(count_sketch.RHO * ESTIMATOR.slope, term(0), ESTIMATOR.offset)
    ),
}

# --- server, aggregation ------------------------------------------------------------------------------------------


def _decoded(plus: Term) -> Term:
    """E[c/2 u + 1/2] of a sign that is + with a chance."""
    return _C / 2 * (plus - (1 - plus)) + term(1) / 2


def _least_of_two_rows() -> Term:
    """The expected minimum over two rows for one record, without collisions: its row's cell has 1 + c or 1 - c, the
    other row's has 0."""
    return _STAYS * minimum(1 + _C, 0) + _FLIPPED * minimum(1 - _C, 0)


def _carter_wegman(prime: int, labels: int, least: int) -> Formula:
    """The expected estimate of an item that nobody holds, for one record of another, under all functions of the family:
    (m kappa - 1) / (m - 1), items at the places 0 and 1."""
    p, m = term(prime), term(labels)
    first, second = (modulo(modulo(A * place + B, p), m) for place in (0, 1))
    shared = summed("a", least, prime - 1, summed("b", 0, prime - 1, same(first, second)))
    kappa = shared / ((prime - least) * p)
    return formula({}, ("eq", (m * kappa - 1) / (m - 1), term(0)))


def _primes(least: int) -> All:
    return conjunction(*(_carter_wegman(p, m, least) for p in (2, 3, 5, 7) for m in range(2, p + 1)))


def _spread(s: Term) -> Term:
    """The variance at e^(epsilon/2) = s."""
    return count_sketch.FIXED_VARIANCE.substitute({"t": s})


def _shared(independence: Independence) -> SharedVariance:
    law = replace(count_sketch.FIXED, integers={"b": 2, "k": 1})
    return SharedVariance(
        law,
        "vector",
        "sensitive",
        ESTIMATOR,
        where=ONE_ITEM,
        formula=count_sketch.DRAWN_VARIANCE,
        rows=ROWS,
        labels=count_sketch.B,
        independence=independence,
    )


def _at(kappa1: Term) -> Term:
    """The mean of the estimate."""
    return count_sketch.MEAN.substitute({"kappa1": kappa1})


_SHARES = {"kappa1": ANY_SIZE, "kappa2": ANY_SIZE}

SERVER: dict[str, Formal] = {
    "004.server.decode": unbiased(rappor.RAPPOR_SAMPLE, DECODED, "sen"),
    "004.server.decode.var": conjunction(
        mse(rappor.RAPPOR_SAMPLE, DECODED, (HALF**2 - 1) / (4 * USERS), "sen"),
        formula({"h": ABOVE_ONE}, ("eq", (HALF**2 - 1) / 4, H / (H - 1) ** 2)),
    ),
    # the record's row is l with chance 1/k, else it adds nothing to row l
    "004.server.k": formula(
        {"s": ABOVE_ONE, "k": SOME},
        ("eq", 1 / ROWS * (ROWS * _decoded(_STAYS)) + (1 - 1 / ROWS) * 0, term(1)),
        ("eq", 1 / ROWS * (ROWS * _decoded(_FLIPPED)) + (1 - 1 / ROWS) * 0, term(0)),
    ),
    # c_epsilon is a quotient by s - 1
    "004.server.eps0": formula({"s": FROM_ONE}, ("lt", term(0), S - 1)),
    "004.server.eps0.corrected": formula({"s": ABOVE_ONE}, ("lt", term(0), S - 1), ("lt", term(1), _C)),
    # a cell after two records more, in both orders: neighbors exchanged make every order
    "004.server.order": formula({"x": ANY_SIZE, "a": ANY_SIZE, "b": ANY_SIZE}, ("eq", X + A + B, X + B + A)),
    # given the other records (of chance z), what the server computes is a function of the report: sums over reports
    "004.server.post": conjunction(
        private(count_sketch.CLIENT),
        formula(
            {"w": FROM_ONE, "a": ANY_SIZE, "b": ANY_SIZE, "x": ANY_SIZE, "y": ANY_SIZE, "z": ANY_SIZE},
            ("le", A + X, W * (B + Y)),
            ("le", Z * A, W * (Z * B)),
            where=(W * B - A, W * Y - X),
        ),
    ),
    "004.agg.unbiased@random": unbiased(count_sketch.CMS, ESTIMATOR),
    # one row of several different ones is any of the m^d functions with the same chance: m^(d - 1) of them agree on two
    "004.agg.unbiased@distinct": conjunction(
        unbiased(count_sketch.CMS, ESTIMATOR),
        formula({"m": SEVERAL, "N": SEVERAL}, ("eq", COLUMNS ** (var("N") - 1) / COLUMNS ** var("N"), 1 / COLUMNS)),
    ),
    "004.agg.unbiased@fixed": unbiased(count_sketch.FIXED, ESTIMATOR),
    "004.agg.unbiased@fixed.corrected": mean(count_sketch.FIXED, ESTIMATOR, count_sketch.MEAN),
    "004.agg.unbiased@cw1": _primes(1),
    "004.agg.unbiased@cw0": _primes(0),
    "004.agg.unbiased@cw0.corrected": unbiased(
        replace(count_sketch.CMS, parameters=("x",), families={"rows": (1 / count_sketch.B) * (1 - X) + X}),
        estimator((1 / count_sketch.B) * (1 - X) + X),
    ),
    # m - 1 is divided by
    "004.agg.m": formula({"m": SOME}, ("lt", term(0), COLUMNS - 1)),
    "004.agg.m.corrected": formula({"m": SEVERAL}, ("lt", term(0), COLUMNS - 1)),
    # f without collisions, where kappa1 = 0
    "004.agg.countmin@mean": mean(count_sketch.FIXED, count_sketch.DECODED, F + KAPPA1),
    "004.agg.countmin@min": formula({"s": ABOVE_ONE}, ("eq", _least_of_two_rows(), term(1))),
    # of one row (a family of one function), where kappa is 0 or 1: nothing varies, and the counter is its mean, f and
    # the share of the other items' records in the cell
    "004.agg.plainmin": conjunction(
        mean(count_sketch.PLAIN, count_sketch.COUNT, F + KAPPA1),
        variance(count_sketch.PLAIN, count_sketch.COUNT, (KAPPA1 - KAPPA2) / USERS),
    ),
    # one in every row for every label, which are as many for all records and all items
    "004.agg.memory": formula(
        {"k": SOME, "m": SEVERAL}, ("eq", summed("i", 1, ROWS, summed("j", 1, COLUMNS, term(1))), ROWS * COLUMNS)
    ),
    # kappa1 and kappa2: what collisions add does not depend on epsilon
    "004.prose.utility": conjunction(
        variance(count_sketch.FIXED, ESTIMATOR, count_sketch.FIXED_VARIANCE),
        formula(
            {"s": ABOVE_ONE, "y": POSITIVE, "n": SOME, "b": SEVERAL, **_SHARES}, ("lt", _spread(S + Y), _spread(S))
        ),
    ),
    "004.supp.var.fixed": variance(count_sketch.FIXED, ESTIMATOR, count_sketch.FIXED_VARIANCE),
    "004.supp.var.random@threewise": _shared("threewise"),
    "004.supp.var.random@pairwise": _shared("pairwise"),
    "004.supp.var.random@distinct": _shared("distinct"),
    # the premise is about one function; nothing is said of several
    "004.supp.rows": unbiased(count_sketch.CMS, ESTIMATOR),
    # the mean under fixed functions, which all records share, is affine in kappa1, whose mean over their draws is
    # (1 - f) / m: the estimate is unbiased. x is the mean of its square
    "004.eval.d.var@random": conjunction(
        mean(count_sketch.FIXED, ESTIMATOR, count_sketch.MEAN),
        formula(
            {"f": ANY_SIZE, "b": SEVERAL, "kappa1": ANY_SIZE},
            ("eq", count_sketch.MEAN, _at(term(0)) + KAPPA1 * (_at(term(1)) - _at(term(0)))),
            ("eq", _at((1 - F) / count_sketch.B), F),
            where=(1 - F,),
        ),
        formula({"f": ANY_SIZE, "x": ANY_SIZE}, ("eq", X - 2 * F * F + F**2, X - F**2)),
        _shared("threewise"),
    ),
    "004.eval.d.var@fixed": mse(count_sketch.FIXED, ESTIMATOR, count_sketch.FIXED_VARIANCE),
    "004.eval.d.var@fixed.corrected": mse(
        count_sketch.FIXED, ESTIMATOR, count_sketch.FIXED_VARIANCE + (count_sketch.MEAN - F) ** 2
    ),
}

# --- the neighbor with a Hadamard matrix --------------------------------------------------------------------------

_TWO = term(2)
_BITS = Domain({"k": SOME, "m": SOME, "a": NATURAL, "b": NATURAL}, (_TWO**A - ROWS, _TWO**B - COLUMNS))
"""a bits are enough for one of k rows, b for one of m columns."""

HCMS: dict[str, Formal] = {
    "004.base.hcms.ldp": conjunction(
        private(hadamard.FIXED),
        exactly(hadamard.SEPARATED, constant=hadamard.W),
        exactly(hadamard.ALIKE, constant=hadamard.W ** term(0)),
    ),
    "004.base.hcms.unbiased@random": unbiased(hadamard.HCMS, hadamard.HCMS_ESTIMATOR),
    "004.base.hcms.unbiased@fixed": unbiased(hadamard.FIXED, hadamard.HCMS_ESTIMATOR),
    "004.base.hcms.sameexp": conjunction(
        mean(count_sketch.FIXED, ESTIMATOR, count_sketch.MEAN),
        mean(hadamard.FIXED, hadamard.HCMS_ESTIMATOR, count_sketch.MEAN),
    ),
    "004.base.hcms.var": variance(hadamard.FIXED, hadamard.HCMS_ESTIMATOR, hadamard.FIXED_VARIANCE),
    # given the row and the coordinate, one of two signs is sent; given the row, one of 2^m vectors
    "004.base.hcms.bits": conjunction(
        Cost(grr.GRR_SAMPLE, "one", _TWO, where=(*ONE_ITEM, 2 - K)),
        Cost(rappor.RAPPOR_SAMPLE, "sen", _TWO**K, where=ONE_ITEM),
        formula(
            _BITS, ("le", 2 * ROWS * COLUMNS, _TWO ** (1 + A + B)), ("le", _TWO**COLUMNS * ROWS, _TWO ** (COLUMNS + A))
        ),
    ),
}
FORMAL: dict[str, Formal] = CLIENT | SERVER | HCMS
"""Every id with its formal statement."""
