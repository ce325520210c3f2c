"""Formal statements of source 000: steps of the proof of Theorem 1; which number of dummies enters (7).

A is the set of the other users who randomize: each of z = n - 1 does with chance gamma. mu = gamma z is the mean of
|A|, lam^2 = 2 ln(2/delta) / mu, so that delta/2 = e^(-lam^2 mu / 2) and b = (1 - lam) mu.
"""

from dataclasses import replace
from itertools import product
from math import prod

from dp_spec.frequency.grr import GRR_SAMPLE
from dp_spec.frequency.local_hashing import B, P, Q, W
from dp_spec.shuffle import messages
from dp_spec.shuffle.claims.algorithm import A, domain, uniform_part
from dp_spec.shuffle.claims.amplification import FRESH, fraction7
from dp_spec.shuffle.claims.definitions import SINGLETONS
from dp_spec.shuffle.claims.tables import LABELS
from dp_spec.shuffle.dummies import gamma
from dp_spec.shuffle.messages import DUMMIES
from dp_spec.vocabulary.claim import Formal
from dp_spec.vocabulary.error_statements import Formula, formula
from dp_spec.vocabulary.law import USERS, K, Law, drawn, mix, row
from dp_spec.vocabulary.ranges import ABOVE_ONE, ANY_SIZE, NATURAL, POSITIVE, SOME, UNIT
from dp_spec.vocabulary.shuffle_statements import Divergence, Shuffled
from dp_spec.vocabulary.statement import All, Domain, Relation, conjunction, instances
from dp_spec.vocabulary.term import Term, binomial, exp, floor, log, minimum, same, sqrt, summed, term, var

GAMMA, LAM, MU, DELTA, R, S, X, Y, Z, J, N = (
    var(name) for name in ("gamma", "lam", "mu", "delta", "r", "s", "x", "y", "z", "j", "N")
)
ONE = term(1)

# --- one user randomizes --------------------------------------------------------------------------------------------

_SHARE = gamma(B, W)
_FITS = dict.fromkeys("xyu", ANY_SIZE)
"""The chances of the other messages that make T with the label of v, with that of v', and (their sum) with others."""


def _view(own: Term, other: Term, more: Term) -> Term:
    """The chance of T given that the user randomizes, and a function, by how the label of the user is called."""
    kept, drawn = (P - (1 - _SHARE)) / _SHARE, Q / _SHARE
    return kept * own + drawn * other + drawn * more


_SPREAD = row({"sen": {"own": 1 - gamma(K, W), "any": gamma(K, W) / K}})
"""The own label, or, with chance gamma, one of all labels, uniformly: a report as a member of A makes it."""
_LABELED = replace(messages.HASHED, term=mix("hash", B, _SPREAD))


def _blanket(law: Law, spread: Law, names: str) -> All:
    """One user's chances; and all messages together: as private as such reports of users without dummies, shuffled
    with as many uniform messages, all of them independent."""
    free, functions = Shuffled(spread, USERS * DUMMIES), "all" if law.families else None
    together = Divergence(law, domain(names), USERS, A, relation="eq", than=free, functions=functions)  # type: ignore[arg-type]
    return conjunction(formula(LABELS, *uniform_part(B, P, Q)), together)


STEPS: dict[str, Formal] = {
    "000.thm1.step.ratio": formula(
        {**LABELS, **_FITS, "x": POSITIVE}, ("eq", _view(X, Y, var("u")) / _view(Y, X, var("u")), ONE)
    ),
    "000.thm1.step.uniform@nohash": _blanket(messages.GRR, replace(GRR_SAMPLE, term=drawn(_SPREAD)), "a w K n c"),
    "000.thm1.step.uniform@fresh": _blanket(messages.FRESH, _LABELED, "a w K b n c"),
    # two dummies of a user carry one function
    "000.thm1.step.uniform@shared": _blanket(messages.SHARED, _LABELED, "a w K b n c"),
}

# --- how many users randomize ---------------------------------------------------------------------------------------

_BINOMIAL = binomial(Z, X) * GAMMA**X * (1 - GAMMA) ** (Z - X)


def _negative(number: Term) -> Term:
    """NBin(z, gamma) of (6)."""
    return binomial(number + Z - 1, Z - 1) * (1 - GAMMA) ** number * GAMMA**Z


_MEAN, _PART, _FALL = GAMMA * Z, 1 - LAM + LAM**2 / 2, 1 - 1 / Y
_BELOW = summed("j", 0, X, _negative(J))
"""|A| <= x, for integers x <= b; b is no integer where delta is rational."""
_TAIL = exp(-(_FALL**2) * _MEAN / 2)
_COUNTS = {"z": SOME, "gamma": UNIT, "y": ABOVE_ONE, "x": NATURAL}
_WHERE = ((1 - _FALL) * _MEAN - X, _FALL**2 * _MEAN / 2 - term(7) / 10)
"""lam = 1 - 1/y. The second one: delta < 1."""

# with lam < 1 (else |A| < b is impossible) and s = e^-lam: the chance of |A| < b is at most the mean of
# e^(lam (b - |A|)), which is e^(lam b) (1 - gamma (1 - s))^z < e^(lam (1 - lam) mu - mu (1 - s)) <= e^(-lam^2 mu / 2)
CHERNOFF = conjunction(
    # |A| = b - y is counted once
    formula({"y": POSITIVE}, ("lt", ONE, exp(Y))),
    # what a user adds to the mean: y = gamma (1 - s)
    formula({"gamma": UNIT, "s": UNIT}, ("eq", GAMMA * S + (1 - GAMMA), 1 - GAMMA * (1 - S))),
    formula({"y": UNIT}, ("lt", (1 - Y) * exp(Y), ONE)),
    # s < 1 - lam + lam^2 / 2
    formula({"lam": UNIT}, ("lt", ONE, exp(LAM) * _PART)),
    # s = 1 - lam + lam^2 / 2 - y
    formula(
        {"lam": UNIT, "mu": POSITIVE, "y": ANY_SIZE},
        ("le", LAM * (1 - LAM) * MU - MU * (1 - (_PART - Y)), -(LAM**2) * MU / 2),
    ),
    # lam = l / t, with l = sqrt(2 ln(2/delta)) and t = sqrt(mu)
    formula(
        {"l": POSITIVE, "t": POSITIVE},
        ("eq", (var("l") / var("t")) ** 2 * var("t") ** 2 / 2, var("l") ** 2 / 2),
        ("eq", (1 - var("l") / var("t")) * var("t") ** 2, var("t") ** 2 - var("l") * var("t")),
    ),
)
EQUATION8 = conjunction(
    CHERNOFF,
    # x with |A| >= b, y with |A| < b, which has a chance y + u, delta/2 = y + u + s
    formula({"x": ANY_SIZE, "y": ANY_SIZE, "u": ANY_SIZE, "s": POSITIVE}, ("le", X + Y, X + (Y + var("u") + S))),
)


def _randomizing(users: int) -> Formula:
    """The chance that some number of so many users randomizes, each by itself: the sum over who does."""
    who = [var(f"i_{user}") for user in range(users)]
    chance = prod((x * GAMMA + (1 - x) * (1 - GAMMA) for x in who), start=ONE)
    relations: list[Relation] = []
    for number in range(users + 1):
        of = chance * same(sum(who, term(0)), term(number))
        for user in range(users):
            of = summed(f"i_{user}", 0, 1, of)
        relations.append(("eq", of, binomial(users, number) * GAMMA**number * (1 - GAMMA) ** (users - number)))
    return formula({"gamma": UNIT}, *relations)


COUNTS: dict[str, Formal] = {
    "000.thm1.step.acount": formula(
        {"z": SOME, "gamma": UNIT, "x": NATURAL}, ("eq", _BINOMIAL, _negative(X)), where=(Z - X,)
    ),
    # one user more: r + 1 of N + r + 1 are r of the others with that one, or r + 1 without; all, and none. That the law
    # of any number of users follows is not shown
    "000.thm1.step.acount.corrected": conjunction(
        formula(
            {"N": NATURAL, "r": NATURAL},
            ("eq", binomial(N + R + 1, R + 1), binomial(N + R, R + 1) + binomial(N + R, R)),
        ),
        formula(
            {"gamma": UNIT, "x": ANY_SIZE, "y": ANY_SIZE, "r": NATURAL, "N": NATURAL},
            (
                "eq",
                GAMMA * (Y * GAMMA**R * (1 - GAMMA) ** (N + 1))
                + (1 - GAMMA) * (X * GAMMA ** (R + 1) * (1 - GAMMA) ** N),
                (X + Y) * GAMMA ** (R + 1) * (1 - GAMMA) ** (N + 1),
            ),
        ),
        instances(*map(_randomizing, (1, 2, 3))),
    ),
    "000.thm1.step.chernoff@mechanism": CHERNOFF,
    "000.thm1.step.chernoff@nbin": formula(_COUNTS, ("lt", _BELOW, _TAIL), where=_WHERE),
    "000.thm1.step.eq8@mechanism": EQUATION8,
    # the event of all outputs
    "000.thm1.step.eq8@nbin": formula(_COUNTS, ("le", ONE, 1 - _BELOW + _TAIL), where=_WHERE),
    "000.thm1.pointwise@single": SINGLETONS,
    "000.thm1.pointwise@event": conjunction(FRESH, EQUATION8),
}

# --- a random number of dummies -------------------------------------------------------------------------------------

_AT = {"w": term(10**6), "K": term(3)}
_OWN, _OTHER = (chance.substitute(_AT) for chance in (messages.OWN, messages.OTHER))
_EACH, _DELTA = 1000, term(1) / 10**7
"""Of each of two users the mean number, 1 / 1001 the chance of none: (6) with r = 1 and p = 1 / 1001."""
_BLANKET = gamma(_AT["K"], _AT["w"])
_SQUARE = 14 * _AT["K"] * log(4 / _DELTA) / (2 * _EACH + _BLANKET - sqrt(2 * _BLANKET * log(2 / _DELTA)) - 1)
"""Of epsilon in (7): below 1."""
_NONE = (ONE / (_EACH + 1)) ** 2
# one user holds 0 or 1, the other one 2: the chance of no dummy, and of the reports 0 and 2
_ZERO, _ONE = _NONE * (_OWN**2 + _OTHER**2), _NONE * (_OTHER * _OWN + _OTHER**2)

_SENT, _OTHERS = var("i"), var("j")


def _among(number: int, chance: Term, labels: int, e_eps: Term) -> Term:
    """A bound of delta where so many messages are sent with a chance, each of them uniform, beside one at x0 or x1.

    Of the former i are at x0 and j at x1: the ratio is (i + 1) / j, and only where it is above e^epsilon something is
    gained. What else is sent may be known, and the one message may be another one: that hides it more.
    """
    each = chance / labels
    ways = binomial(number, _SENT) * binomial(number - _SENT, _OTHERS)
    law = ways * each ** (_SENT + _OTHERS) * (1 - 2 * each) ** (number - _SENT - _OTHERS)
    last = minimum(floor((_SENT + 1) / e_eps), number - _SENT)
    return summed("i", 0, number, summed("j", 0, last, law * (1 - e_eps * _OTHERS / (_SENT + 1))))


def _hidden_among_users(labels: int, users: int, w: int, e_eps: Term) -> Divergence:
    """The bound for all data sets of few users, which are enumerated: another user is uniform with chance gamma."""
    bound = _among(users - 1, gamma(term(labels), term(w)), labels, e_eps)
    at = {"K": term(labels), "w": term(w)}
    return Divergence(GRR_SAMPLE, Domain({}), term(users), e_eps, bound, at=at)


def _mean_number(labels: int, users: int, w: int, dummies: int, delta: Term) -> Formula:
    """epsilon of (7) with |M| = n E[m] is at most 1 and above ln 2, where the bound is at most delta.

    Of so many dummies each user sends any with chance 1/2: beside other users' reports, which are uniform with this
    chance if w = labels + 1, and else known.
    """
    at: dict[str, Term | int] = {"n": users, "w": w, "delta": delta}
    square = fraction7(term(labels), term(users * dummies) / 2).substitute(at)
    number = users * dummies + (users - 1 if w == labels + 1 else 0)
    return formula(
        {},
        ("le", square, ONE),
        ("le", term(2), exp(sqrt(square))),
        ("le", _among(number, ONE / 2, labels, term(2)), delta),
    )


_FEW = product(((2, 1), (2, 2), (2, 4), (3, 3)), ((3, 3 / term(2)), (10, term(2))))
_NEARLY, _TENTH = term(58) / 100, ONE / 10
_BINOMIAL_NUMBER = instances(
    *(_hidden_among_users(*sizes, w, e_eps) for sizes, (w, e_eps) in _FEW),
    _mean_number(2, 10, 10**6, 12, _NEARLY),
    _mean_number(2, 10, 10**6, 22, _TENTH),
    _mean_number(3, 10, 10**6, 18, _NEARLY),
    _mean_number(2, 21, 3, 5, _NEARLY),
    _mean_number(2, 30, 3, 7, _TENTH),
)

# --- four functions, of two items to two labels ---------------------------------------------------------------------

_USERS, _OWN_DUMMIES, _LESS, _MANY = 50, 20, term(1) / 10**13, {"w": term(10**6), "K": term(2)}
_KEPT, _CHANGED = (chance.substitute(_MANY) for chance in (messages.OWN, messages.OTHER))
_SMALL_SQUARE = fraction7(term(2), term(_USERS * _OWN_DUMMIES)).substitute({"w": 10**6, "n": _USERS, "delta": _LESS})
"""Of epsilon in (7): below 1."""
# the others hold the item 1. Of the identity there are 21 messages, those of one user, and all of them are 0: so is the
# report of the user, who holds 0 or 1, or of another one, and so are 20 dummies
_ONE_DRAWS_IT = ONE / 4 * (term(3) / 4) ** (_USERS - 1) * (ONE / 2) ** _OWN_DUMMIES
_SHOWN_BY_0 = _ONE_DRAWS_IT * (_KEPT + (_USERS - 1) * _CHANGED)
_SHOWN_BY_1 = _ONE_DRAWS_IT * (_USERS * _CHANGED)

NUMBERS: dict[str, Formal] = {
    "000.thm1.eq7@sharedsmall-range": formula({}, ("le", _SHOWN_BY_0, exp(sqrt(_SMALL_SQUARE)) * _SHOWN_BY_1 + _LESS)),
    "000.thm1.count@bin-mean": _BINOMIAL_NUMBER,
    "000.thm1.count@nbin-mean": formula({}, ("le", _ZERO, exp(sqrt(_SQUARE)) * _ONE + _DELTA)),
}

FORMAL: dict[str, Formal] = STEPS | COUNTS | NUMBERS
"""Every id with its formal statement."""
