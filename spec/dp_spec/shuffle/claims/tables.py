"""Formal statements of source 000: tables, identities, normalization; the hash family."""

from dp_spec.frequency import grr
from dp_spec.frequency.claims.one_item import exactly, private
from dp_spec.frequency.local_hashing import ANY, SEPARATED, B, P, Q, W
from dp_spec.shuffle import messages
from dp_spec.shuffle.dummies import gamma
from dp_spec.shuffle.messages import DUMMIES, OTHER, OWN
from dp_spec.vocabulary.claim import Formal, Unchecked
from dp_spec.vocabulary.error_statements import Limit, formula
from dp_spec.vocabulary.law import USERS, F, K
from dp_spec.vocabulary.ranges import ABOVE_ONE, ANY_SIZE, FROM_ONE, NATURAL, POSITIVE, SEVERAL, SOME, UNIT
from dp_spec.vocabulary.statement import Domain, Relation, Smallest, conjunction
from dp_spec.vocabulary.term import Term, binomial, summed, term, var

LABELS = {"b": SEVERAL, "w": ABOVE_ONE}
X, Y, R, RHO = (var(name) for name in ("x", "y", "r", "rho"))


# --- definitions ----------------------------------------------------------------------------------------------------

_ERRORS = {"b": SOME, "u": SOME, "x": ANY_SIZE, "y": ANY_SIZE}
"""d = b + u items; x and y are sums of squared errors, of b of them and of the others."""

DEFINITIONS: dict[str, Formal] = {
    "000.def3.source@ref6": Unchecked("what reference [6] contains is not in the text that we have"),
    "000.def3.source@ref7": Unchecked("what reference [7] contains is not in the text that we have"),
    "000.def3.eq3.norm": formula(
        {"b": SOME, "w": FROM_ONE},
        ("eq", P + (B - 1) * Q, term(1)),
        ("le", term(0), P),
        ("le", term(0), Q),
    ),
    "000.def3.eq3.ldp": private(ANY),
    "000.def3.eq3.tight@anyfamily": exactly(ANY),
    "000.def3.eq3.tight@separating": exactly(SEPARATED),
    # if the estimate of every item were right, the counts would be those of h users
    "000.sec15.raw": formula({"n": SOME, "b": SOME, "f": ANY_SIZE}, ("eq", USERS * F / B, F), where=(1 - F,)),
    "000.sec15.raw.corrected": formula({"n": SOME, "f": ANY_SIZE}, ("eq", USERS * F / USERS, F), where=(1 - F,)),
    # a mean of squared errors is 0 only if all are: none is larger than their number times the mean
    "000.eq5.mse@hashdomain": formula(_ERRORS, ("le", X, B * (X / B)), ("le", Y, B * (X / B))),
    "000.eq5.mse@datadomain": formula(
        _ERRORS,
        ("le", X, (B + var("u")) * ((X + Y) / (B + var("u")))),
        ("le", Y, (B + var("u")) * ((X + Y) / (B + var("u")))),
    ),
    # one user who draws x dummies
    "000.sec15.count@bin": formula({"r": SOME, "x": NATURAL, "rho": UNIT}, ("eq", 1 + X, 1 + R * RHO), where=(R - X,)),
    "000.sec15.count@nbin": formula({"r": SOME, "x": NATURAL, "rho": UNIT}, ("eq", 1 + X, 1 + R * (1 - RHO) / RHO)),
}

# --- the decomposition, p and q -------------------------------------------------------------------------------------

_G1, _G2 = B / (B - 1) * Q, B * Q
"""The two expressions of gamma."""


def _decomposed(share: Term) -> tuple[Relation, Relation]:
    return ("eq", P, 1 - share + share / B), ("eq", Q, share / B)


def _t2b(count: Term) -> Term:
    return 1 / USERS * ((count - USERS * Q - USERS * DUMMIES / B) / (1 - 2 * Q))


def _t2a(count: Term, times: Term | int) -> Term:
    """The constant is subtracted so many times."""
    randomized = _G1 * (1 - 1 / B)
    top = count - times * (USERS * randomized) - USERS * DUMMIES / B
    return top / (USERS * (1 - 2 * randomized))


_ESTIMATES = {**LABELS, "n": SOME, "c": NATURAL, "x": ANY_SIZE}
"""x messages support the item."""


def _last_steps(q: Term) -> Relation:
    """Of (10)."""
    mean = USERS * F * (1 - q) + USERS * (1 - F) * q + USERS * DUMMIES / B
    return "eq", 1 / USERS * (1 / (1 - 2 * q)) * (mean - USERS * q - USERS * DUMMIES / B), F


def _dummies(r: Term, p: Term) -> Term:
    """NBin(r, p) of (6): the chance of x."""
    return binomial(X + r - 1, r - 1) * (1 - p) ** X * p**r


_MEANS = R * (1 - RHO) * Y - var("k") * (1 - Y) * RHO
"""The difference of the means r (1 - p) / p, times both p."""

_ALGEBRA = {"x": POSITIVE, "n": SOME, "b": SOME, "c": NATURAL, "f": ANY_SIZE}

IDENTITIES: dict[str, Formal] = {
    "000.sec2.decomp": formula({"b": SOME, "w": FROM_ONE}, *_decomposed(_G2), ("eq", _G2, gamma(B, W))),
    "000.sec2.gamma": formula({"b": SOME, "w": FROM_ONE}, ("lt", term(0), gamma(B, W)), ("le", gamma(B, W), term(1))),
    "000.sec2.pq@each": formula(
        {"b": SEVERAL, "w": ABOVE_ONE}, ("eq", (1 - P) / (B - 1), Q), ("eq", P + (B - 1) * Q, term(1))
    ),
    "000.sec2.pq@total": formula(LABELS, ("eq", P + Q, term(1))),
    "000.sec2.pq@total.corrected": formula(LABELS, ("eq", P + (B - 1) * Q, term(1))),
    # x dummies under two laws (6), with r and p = rho, and with k and p = y, even if their means are the same
    "000.sec2.mrule": formula(
        {"r": SOME, "k": SOME, "rho": UNIT, "y": UNIT, "x": NATURAL},
        ("eq", _dummies(R, RHO), _dummies(var("k"), Y)),
        where=(_MEANS, -_MEANS),
    ),
    "000.thm2.gamma": formula(LABELS, *_decomposed(_G1)),
    "000.thm2.simplify@outer": formula(_ESTIMATES, ("eq", _t2a(X, 1), _t2b(X))),
    "000.thm2.simplify@inner": formula(_ESTIMATES, ("eq", _t2a(X, USERS * (DUMMIES + 1)), _t2b(X))),
    "000.thm2.keepprob": formula(LABELS, ("eq", P, 1 - Q)),
    "000.thm2.keepprob.corrected": formula(LABELS, ("eq", P, 1 - (B - 1) * Q)),
    # q = (1 - x) / 2 and (1 + x) / 2: every number but 1/2
    "000.eq10.algebra": formula(_ALGEBRA, _last_steps((1 - X) / 2), _last_steps((1 + X) / 2)),
    "000.thm3.gamma": formula(LABELS, *_decomposed(_G2)),
    "000.thm3.sameest": formula(
        _ESTIMATES, ("eq", _t2b(X), 1 / USERS * ((X - USERS * DUMMIES / B - USERS * Q) / (P - Q)))
    ),
    "000.sec24.gamma": formula(LABELS, ("eq", _G2, gamma(B, W)), ("eq", 1 / (1 - gamma(B, W)), 1 + B / (W - 1))),
    "000.prose.ddps": formula(
        {"w": FROM_ONE},
        ("eq", W / (W + 1), 1 - 2 / (W + 1) + 2 / (W + 1) * (term(1) / 2)),
        ("eq", 1 / (W + 1), 2 / (W + 1) * (term(1) / 2)),
    ),
    "000.prose.murs": Unchecked("what MURS specifies is said in its own source, which the text does not repeat"),
}

# --- the number of dummies ------------------------------------------------------------------------------------------


_N, _J = var("N"), var("j")
_GEOMETRIC = Limit(
    Domain({"y": ABOVE_ONE, "z": SOME}),
    "z",
    summed("j", 0, var("z"), (1 - 1 / Y) / Y**_J),
    term(1),
)
"""The partial sums of (6) for r = 1, with y = 1 / (1 - p)."""
_CONVOLVED = formula(
    {"N": NATURAL, "r": NATURAL},
    ("eq", binomial(R, R), term(1)),
    ("eq", binomial(_N + R + 1, R + 1), binomial(_N + R, R + 1) + binomial(_N + R, R)),
)
"""The sum of binom(k + r, r) over k <= N is binom(N + r + 1, r + 1), by Pascal's rule: (6) for r + 1 is the law of a
sum of two independent numbers, (6) for r and for 1; so that it sums to 1 if these do."""
_ODDS = (1 - RHO) / RHO

BUNDLE = grr.other(W) * (DUMMIES + 1) + (OWN - OTHER) * X
"""The last factor of a bundle's chance; x is the number of its own label."""

COUNTS: dict[str, Formal] = {
    "000.eq6.norm@rpos": conjunction(_GEOMETRIC, _CONVOLVED),
    # r = 0: binom(m - 1, -1) = 0 in every term
    "000.eq6.norm@rzero": formula({"rho": UNIT}, ("eq", 0 * RHO ** term(0), term(1))),
    # (m + 1) times the chance of m + 1 is r (1 - p) / p times the chance of m for r + 1, by absorption; these sum to 1.
    # So E m = r (1 - p) / p and E m (m - 1) = r (r + 1) ((1 - p) / p)^2
    "000.supp.nbin.mean": conjunction(
        _GEOMETRIC,
        _CONVOLVED,
        formula(
            {"N": NATURAL, "k": SOME},
            ("eq", (_N + 1) * binomial(_N + var("k"), var("k") - 1), var("k") * binomial(_N + var("k"), var("k"))),
        ),
        formula(
            {"r": SOME, "rho": UNIT},
            ("eq", R * (R + 1) * _ODDS**2 + R * _ODDS - (R * _ODDS) ** 2, R * (1 - RHO) / RHO**2),
        ),
    ),
    # the report is one of the c + 1 messages: m! / prod (c_y - [y is reported])! = c_y m! / prod c_y!
    "000.supp.bundle": conjunction(
        formula(
            {"K": SOME, "w": ABOVE_ONE, "c": NATURAL, "x": ANY_SIZE},
            ("eq", OWN * X + OTHER * (DUMMIES + 1 - X), BUNDLE),
            where=(DUMMIES + 1 - X,),
        ),
        formula(
            {"N": NATURAL, "k": SOME},
            (
                "eq",
                (_N + var("k")) * binomial(_N + var("k") - 1, var("k") - 1),
                var("k") * binomial(_N + var("k"), var("k")),
            ),
        ),
    ),
    "000.supp.bundle.ratio": Smallest(messages.GRR, "vector", "ldp", where=(K - 2,), constant=W),
}

FORMAL: dict[str, Formal] = DEFINITIONS | IDENTITIES | COUNTS
"""Every id with its formal statement."""
