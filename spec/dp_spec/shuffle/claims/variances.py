"""Formal statements of source 000: variances of estimates, Theorem 3 and (12)."""

from dp_spec.frequency import local_hashing
from dp_spec.frequency.claims import one_item
from dp_spec.frequency.local_hashing import B, P, Q, W
from dp_spec.shuffle import messages
from dp_spec.shuffle.claims.tables import LABELS, RHO
from dp_spec.shuffle.messages import COIN, DUMMIES, OTHER, OWN
from dp_spec.vocabulary.claim import Formal
from dp_spec.vocabulary.error_statements import Variance, formula
from dp_spec.vocabulary.law import USERS, Estimator, F, K, Law
from dp_spec.vocabulary.ranges import ABOVE_ONE, ANY_SIZE, NATURAL, POSITIVE, SEVERAL, SOME, UNIT
from dp_spec.vocabulary.statement import All, Mse, Not, Range, Relation, conjunction
from dp_spec.vocabulary.term import Term, term, var

X, Y, Z = (var(name) for name in ("x", "y", "z"))
DATA = {**LABELS, "n": SOME, "c": NATURAL}
"""h = b labels in both models."""


def variance(law: Law, of: Estimator, stated: Term) -> Variance:
    """For every data set."""
    return Variance(law, "vector", "sensitive", of, where=(K - 2,), formula=stated)


def mse(law: Law, of: Estimator, stated: Term) -> Mse:
    """Of an unbiased estimate: its variance."""
    return Mse(law, "vector", "sensitive", of, where=(K - 2,), formula=stated)


def nobody(of: Term) -> Term:
    """At f = 0, h = b labels."""
    return of.substitute({"f": term(0), "K": B})


def _count(law: Law, chance: Term, labels: Term) -> Variance:
    """Of the number of messages that support an item, by n: of reports with this chance for other items; of dummies."""
    reports = F * OWN * (1 - OWN) + (1 - F) * chance * (1 - chance)
    own = {"K": labels}
    stated = (reports.substitute(own) + DUMMIES * (1 / labels * ((labels - 1) / labels))) / USERS
    return variance(law, messages.COUNT, stated)


# --- (11) -----------------------------------------------------------------------------------------------------------


def _dummies(labels: Term) -> Term:
    return USERS * DUMMIES * (1 / labels) * ((labels - 1) / labels)


def _line1(labels: Term) -> Term:
    p, q = OWN.substitute({"K": labels}), OTHER.substitute({"K": labels})
    reports = USERS * F * p * (1 - p) + USERS * (1 - F) * q * (1 - p)
    return 1 / USERS**2 * (1 / (p - q)) ** 2 * (reports + _dummies(labels))


def _line2(labels: Term) -> Term:
    p, q = OWN.substitute({"K": labels}), OTHER.substitute({"K": labels})
    return 1 / USERS**2 * (1 / (p - q)) ** 2 * (USERS * q * (1 - q) + _dummies(labels))


_LINE3 = (
    1
    / USERS**2
    * ((W + B - 1) / (W - 1)) ** 2
    * (USERS * (W + B - 2) / (W + B - 1) ** 2 + (B - 1) / B**2 * USERS * DUMMIES)
)


def _line4(square: Term) -> Term:
    return 1 / USERS * ((W + B - 2) / (W - 1) ** 2) + DUMMIES * (B - 1) / (USERS * B**2) * square


_PRINTED, _PRINTED_PLAIN = ((W + B - 2) / (W - 1)) ** 2, (W + B - 2) / (W - 1) ** 2
_RIGHT = ((W + B - 1) / (W - 1)) ** 2
_T3_OLH = messages.SPREAD_OLH / (USERS * (P - Q) ** 2)
"""The variance of `T3_OLH`, which is biased."""


def _at_nobody(exact: Variance, stated: Term, **values: Term) -> All:
    """An exact variance, which has the stated value at f = 0."""
    assert exact.formula is not None
    error = nobody(exact.formula).substitute(values)
    names = {*error.variables(), *stated.variables()}
    return conjunction(
        exact, formula({name: spec for name, spec in DATA.items() if name in names}, ("eq", error, stated))
    )


_GRR = variance(messages.GRR, messages.T3_GRR, messages.VARIANCE_GRR)
_OLH = variance(messages.SHARED, messages.T3_OLH, _T3_OLH)
_S2 = variance(messages.SHARED, messages.S2, messages.VARIANCE_OLH)
_SHARES = {**LABELS, "n": SOME, "c": NATURAL, "f": ANY_SIZE}

EQ11: dict[str, Formal] = {
    "000.eq11.additive@fresh": _count(messages.FRESH, 1 / B, B),
    "000.eq11.additive@shared": _count(messages.SHARED, 1 / B, B),
    "000.eq11.line1@grr": variance(messages.GRR, messages.T3_GRR, _line1(K)),
    "000.eq11.line1@olh": variance(messages.SHARED, messages.T3_OLH, _line1(B)),
    "000.eq11.line1@grr.corrected": conjunction(_GRR, mse(messages.GRR, messages.T3_GRR, messages.VARIANCE_GRR)),
    "000.eq11.line1@olh.corrected": _OLH,
    "000.eq11.line12@equal": formula(_SHARES, ("eq", _line1(B), _line2(B)), where=(1 - F,)),
    "000.eq11.line12@limit": formula(DATA, ("eq", nobody(_line1(B)), _line2(B))),
    "000.eq11.line2@grr-all": variance(messages.GRR, messages.T3_GRR, _line2(K)),
    "000.eq11.line2@grr-zero": _at_nobody(_GRR, _line2(B)),
    "000.eq11.line2@olh-zero": _at_nobody(_OLH, _line2(B)),
    "000.eq11.line23": formula(DATA, ("eq", _line2(B), _LINE3)),
    "000.eq11.line34": formula(DATA, ("eq", _LINE3, _line4(_PRINTED))),
    "000.eq11.line34.corrected": formula(DATA, ("eq", _LINE3, _line4(_RIGHT))),
    "000.thm3.var@sq-grr": _at_nobody(_GRR, _line4(_PRINTED)),
    "000.thm3.var@sq-olh": _at_nobody(_OLH, _line4(_PRINTED)),
    "000.thm3.var@sq-s2": _at_nobody(_S2, _line4(_PRINTED)),
    "000.thm3.var@nosq-grr": _at_nobody(_GRR, _line4(_PRINTED_PLAIN)),
    "000.thm3.var@nosq-olh": _at_nobody(_OLH, _line4(_PRINTED_PLAIN)),
    "000.thm3.var@sq-grr.corrected": _at_nobody(_GRR, _line4(_RIGHT)),
    "000.thm3.var@sq-olh.corrected": _at_nobody(_OLH, (DUMMIES + 1) * (B - 1) / (USERS * B**2) * _RIGHT),
    "000.thm3.var@sq-s2.corrected": _at_nobody(_S2, (DUMMIES + 1) / (USERS * (B - 1)) * _RIGHT),
    "000.thm3.var-m0@grr": _at_nobody(_GRR, _line4(_PRINTED).substitute({"c": term(0)}), c=term(0)),
    "000.thm3.var-m0@olh": _at_nobody(_OLH, _line4(_PRINTED).substitute({"c": term(0)}), c=term(0)),
}

# --- (12), a random number of dummies -------------------------------------------------------------------------------

_MEAN_OF = Y - Z
"""A number of any sign."""
_EXACT = mse(messages.SHARED, messages.S2, messages.VARIANCE_OLH)


def _at(f: Term) -> Term:
    """The variance of `S2` for an item of frequency f; it is affine in f."""
    return messages.VARIANCE_OLH.substitute({"f": f})


_AFFINE = formula(_SHARES, ("eq", _at(F), _at(term(0)) + F * (_at(term(1)) - _at(term(0)))), where=(1 - F,))
"""So that its average over d items, whose frequencies add up to 1, is what it is at 1/d."""


def _averaged(number: Term, **sizes: Range) -> All:
    """The average over so many items is the variance for every single one, of any frequency."""
    return conjunction(_EXACT, _AFFINE, formula({**_SHARES, **sizes}, ("eq", _at(1 / number), _at(F)), where=(1 - F,)))


EQ12: dict[str, Formal] = {
    # y - z is the mean of an estimate, x that of its square; for every item
    "000.eq12.decomp": formula(
        {"x": ANY_SIZE, "y": ANY_SIZE, "z": ANY_SIZE, "f": ANY_SIZE},
        ("eq", X - 2 * F * _MEAN_OF + F**2, (X - _MEAN_OF**2) + (_MEAN_OF - F) ** 2),
    ),
    # d = h items
    "000.eq12.final@avg-h": _averaged(B),
    "000.eq12.final@avg-d": _averaged(var("d"), d=SEVERAL),
    "000.eq12.final@avg-d-uniform": conjunction(
        _EXACT,
        _AFFINE,
        formula({**DATA, "d": SOME}, ("eq", var("d") * _at(1 / var("d")) / var("d"), _at(1 / var("d")))),
    ),
    "000.eq12.final@avg-d.corrected": conjunction(_EXACT, _AFFINE),
    # r = 1: what a dummy that is sent with chance rho adds, 1/h less where it is sent, or nothing less
    "000.alg1.est-random@samevar": formula(
        {"b": SEVERAL, "rho": UNIT},
        (
            "eq",
            RHO * (1 / B * (1 - 1 / B) ** 2 + (1 - 1 / B) * (1 / B) ** 2),
            RHO / B - (RHO / B) ** 2,
        ),
    ),
    # m dummies, E m = x, E m^2 = z: given m, m / h of them support the item in the mean, with the variance m COIN
    "000.alg1.est-random@samevar.corrected": formula(
        {"b": SEVERAL, "x": ANY_SIZE, "z": ANY_SIZE},
        ("eq", (X * COIN + Z / B**2) - (X / B) ** 2, X * COIN + (Z - X**2) / B**2),
    ),
    "000.prose.olh-domain": conjunction(_EXACT, mse(messages.FRESH, messages.S2, messages.VARIANCE_OLH)),
}

# --- the best number of labels --------------------------------------------------------------------------------------

_LABEL = local_hashing.VARIANCE.substitute({"f": term(0)})
"""Of an item that nobody holds, without dummies."""
_REAL = {"w": ABOVE_ONE, "b": ABOVE_ONE, "n": SOME}
_SLOPE = 1 / (USERS * (B - 1) * (W - 1) ** 2)
_MC = 1 + X + Y
"""M_c, for 1 + x labels and e^epsilon_l = 1 + y."""
MURS = _MC**2 / (USERS * Y**2 * X)
MURS_BEST = 27 * _MC**2 / (4 * USERS * (_MC - 1) ** 3)
MURS_DOMAIN = {"x": POSITIVE, "y": POSITIVE, "n": SOME}
_AT_BEST = {"x": (_MC - 1) / 3, "y": 2 * (_MC - 1) / 3}
"""d' = (M_c + 2) / 3, and e^epsilon_l = M_c - d' + 1."""
_EXCESS = _MC**2 * (4 * Y + X) / (4 * USERS * (X + Y) ** 3 * Y**2 * X)
MURS_RELATIONS: tuple[Relation, ...] = (
    ("eq", _LABEL.substitute({"w": 1 + Y, "b": 1 + X}), MURS),
    ("eq", MURS - MURS_BEST, (Y - 2 * X) ** 2 * _EXCESS),
    ("lt", term(0), _EXCESS),
    ("eq", _LABEL.substitute({"w": 1 + _AT_BEST["y"], "b": 1 + _AT_BEST["x"]}), MURS_BEST),
    ("eq", 1 + _AT_BEST["y"], 2 * (1 + _AT_BEST["x"]) - 1),
    ("eq", _MC - (1 + _AT_BEST["x"]), _AT_BEST["y"]),
)
_OLH_MSE = one_item.mse(local_hashing.OLH, local_hashing.ESTIMATOR, local_hashing.VARIANCE)

BEST: dict[str, Formal] = {
    # the excess over the variance at the stated number is a square, 0 at that number only, times something positive
    "000.def3.optimal@local": conjunction(
        _OLH_MSE,
        formula(
            _REAL,
            ("eq", _LABEL - _LABEL.substitute({"b": W + 1}), (W - (B - 1)) ** 2 * _SLOPE),
            ("lt", term(0), _SLOPE),
        ),
    ),
    "000.def3.optimal@central": conjunction(_OLH_MSE, formula(MURS_DOMAIN, *MURS_RELATIONS)),
    "000.base.olh.var": conjunction(
        _OLH_MSE,
        formula(_REAL, ("eq", _LABEL, (W + B - 1) ** 2 / (USERS * (B - 1) * (W - 1) ** 2))),
        formula({"w": ABOVE_ONE, "n": SOME}, ("eq", _LABEL.substitute({"b": W + 1}), 4 * W / (USERS * (W - 1) ** 2))),
    ),
    "000.base.murs.var": conjunction(_OLH_MSE, formula(MURS_DOMAIN, *MURS_RELATIONS)),
}

# --- what is sent beside dummies ------------------------------------------------------------------------------------

_NOISE = DUMMIES / K * (1 - 1 / K) / USERS
"""Of the dummies' part of the number of messages that support an item, by n."""
_REPORTED = messages.SPREAD_GRR / USERS
_OF_ITEMS = {"K": SEVERAL, "w": ABOVE_ONE, "n": SOME, "c": NATURAL, "f": ANY_SIZE}

PERTURBED: dict[str, Formal] = {
    # "perturbed": the value sent adds to the variance
    "000.prose.dump@pure": Not(variance(messages.PLAIN, messages.COUNT, _NOISE)),
    "000.prose.dump@mix": conjunction(
        variance(messages.GRR, messages.COUNT, _REPORTED),
        formula(_OF_ITEMS, ("lt", _NOISE, _REPORTED), where=(1 - F,)),
    ),
}

FORMAL: dict[str, Formal] = EQ11 | EQ12 | BEST | PERTURBED
"""Every id with its formal statement."""
