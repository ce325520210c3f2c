"""Formal statements of source 000 on delta of few messages, exact: AUE, one user among dummies."""

from itertools import product

from dp_spec.shuffle.claims.amplification import DELTA, USERS, C
from dp_spec.shuffle.messages import AUE, PLAIN, REVEALED, RHO
from dp_spec.vocabulary.claim import Formal
from dp_spec.vocabulary.error_statements import formula
from dp_spec.vocabulary.law import K
from dp_spec.vocabulary.ranges import FROM_ONE, NATURAL, SEVERAL, SOME, UNIT
from dp_spec.vocabulary.shuffle_statements import Divergence
from dp_spec.vocabulary.statement import Domain, Instances, Statement, instances
from dp_spec.vocabulary.term import Term, binomial, exp, log, minimum, sqrt, summed, term, var

A, B, S, FIRST, SECOND = (var(name) for name in ("a", "b", "s", "i", "j"))
_COUNTS = {"K": SEVERAL, "n": SOME}

# --- AUE: bits for all items ----------------------------------------------------------------------------------------


def _published(square: Term) -> Divergence:
    """The setting of r, solved for the square of epsilon."""
    domain = Domain({**_COUNTS, "rho": UNIT, "delta": UNIT})
    return Divergence(AUE, domain, USERS, exp(sqrt(square)), DELTA, at={"w": term(2)})


R50, R200 = 50 * log(2 / DELTA) / ((1 - RHO) * USERS), 200 * log(4 / DELTA) / (RHO * USERS)


def _noise(number: Term) -> Term:
    """So many of n bits, each with the chance rho."""
    return binomial(USERS, number) * RHO**number * (1 - RHO) ** (USERS - number)


def _moments(shrunk: Term) -> Term:
    """A bound of delta for every data set and s = 1, 2, ..., where `shrunk` is e^(-s epsilon).

    Bits are independent of the data, and of the items of the one user who differs there are 1 + i and j messages more
    than other users hold, or i and 1 + j: the ratio is z = (i + 1) (n - j + 1) / ((n - i) j), and 1 - x <= c x^-s for
    x = e^epsilon / z, with the c that makes both sides touch. i = n and j = 0 are taken as certain.
    """
    raised = summed("i", 0, USERS - 1, _noise(FIRST) * ((FIRST + 1) / (USERS - FIRST)) ** S)
    lowered = summed("j", 1, USERS, _noise(SECOND) * ((USERS - SECOND + 1) / SECOND) ** S)
    return RHO**USERS + (1 - RHO) ** USERS + S**S / (S + 1) ** (S + 1) * shrunk * raised * lowered


def _of_few(items: int, users: int, rho: Term, e_eps: Term, s: int) -> Divergence:
    """The bound for all data sets of few users, which are enumerated."""
    bound = _moments(1 / e_eps**S).substitute({"n": users, "rho": rho, "s": s})
    at = {"w": term(2), "K": term(items), "rho": rho}
    return Divergence(AUE, Domain({}), term(users), e_eps, bound, at=at)


def within_range(square: Term, *points: tuple[int, Term, Term, int]) -> Instances:
    """The bound, and that it is at most delta at numbers of users in the stated range, epsilon <= 1."""
    few = product(((2, 1), (2, 2), (2, 3), (3, 2)), ((_HALF, 1), (1 / term(3), 3)))
    listed: list[Statement] = [_of_few(*sizes, rho, 3 * _HALF, s) for sizes, (rho, s) in few]
    for users, rho, delta, s in points:
        at: dict[str, Term | int] = {"n": users, "rho": rho, "delta": delta, "s": s}
        stated, bound = square.substitute(at), _moments(exp(-S * sqrt(square))).substitute(at)
        listed.append(formula({}, ("le", stated, term(1)), ("le", bound, delta)))
    return instances(*listed)


_HALF, _TENTH = 1 / term(2), 1 / term(10)


BITS: dict[str, Formal] = {
    # r = rho, in the first setting at least 1/2, in the second one at most: from the fewest users on
    "000.base.aue.privacy@r50-range": within_range(
        R50,
        (71, _HALF, 99 * _TENTH**2, 3),
        (139, _HALF, _HALF, 3),
        (300, _HALF, _TENTH, 3),
        (280, 3 * _HALF**2, _HALF, 3),
        (700, 9 * _TENTH, _HALF, 3),
        (1451, _HALF, _TENTH**6, 20),
    ),
    "000.base.aue.privacy@r200-range": within_range(
        R200,
        (559, _HALF, 99 * _TENTH**2, 3),
        (832, _HALF, _HALF, 3),
        (1500, _HALF, _TENTH, 4),
        (1700, _HALF**2, _HALF, 4),
    ),
    "000.base.aue.privacy@r50-any": _published(R50),
    # one user: of the two values only one set of messages may come from both, and is as likely for both
    "000.base.aue.privacy@r50-any.corrected": Divergence(
        AUE,
        Domain({"a": FROM_ONE, "K": _COUNTS["K"], "rho": UNIT}),
        term(1),
        A,
        1 - RHO * (1 - RHO),
        relation="eq",
        at={"w": term(2)},
    ),
    "000.base.aue.privacy@r200-any": _published(R200),
}

# --- one user, c dummies --------------------------------------------------------------------------------------------

_DRAWN = C + 1


def _expected(labels: Term, chance: Term, last: Term) -> Term:
    """h / (N + 1) times the mean of (S0 - e^epsilon S1)_+ where S0 = i, S1 = j has this chance and j <= last."""
    larger = (FIRST - A * SECOND) - minimum(FIRST - A * SECOND, 0)
    return labels / _DRAWN * summed("i", 0, _DRAWN, summed("j", 0, last, chance * larger))


def _cells(labels: Term) -> Term:
    """A multinomial law."""
    ways = binomial(_DRAWN, FIRST) * binomial(_DRAWN - FIRST, SECOND)
    return ways * (1 / labels) ** (FIRST + SECOND) * (1 - 2 / labels) ** (_DRAWN - FIRST - SECOND)


def _one(number: Term, labels: Term) -> Term:
    return binomial(_DRAWN, number) * (1 / labels) ** number * (1 - 1 / labels) ** (_DRAWN - number)


_INDEPENDENT = {labels.head: _expected(labels, _one(FIRST, labels) * _one(SECOND, labels), _DRAWN) for labels in (K, B)}
_RANGES = {"a": FROM_ONE, "K": SEVERAL, "c": NATURAL}
_AT = {"w": term(2)}


def _dumped(delta: Term) -> Divergence:
    return Divergence(PLAIN, Domain(_RANGES), term(1), A, delta, relation="eq", at=_AT)


MIXED: dict[str, Formal] = {
    "000.supp.blanket.exact@nohash-multi": _dumped(_expected(K, _cells(K), _DRAWN - FIRST)),
    "000.supp.blanket.exact@fresh-indep": Divergence(
        REVEALED,
        Domain({**_RANGES, "b": _RANGES["K"]}),
        term(1),
        A,
        _INDEPENDENT["b"],
        relation="eq",
        at=_AT,
        functions="all",
    ),
    "000.supp.blanket.exact@nohash-indep": _dumped(_INDEPENDENT["K"]),
}

FORMAL: dict[str, Formal] = BITS | MIXED
"""Every id with its formal statement."""
