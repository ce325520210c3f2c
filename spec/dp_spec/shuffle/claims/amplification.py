"""Formal statements of source 000: bounds on what shuffling and dummies make of a local budget.

A stated pair (epsilon, delta) holds if delta(epsilon) <= delta. The source writes h for the number of labels, which is
K without functions, b with them; w is e^epsilon_l, c the number of dummies of a user.
"""

from collections.abc import Mapping
from math import prod
from typing import Literal

from dp_spec.frequency.grr import GRR_SAMPLE
from dp_spec.shuffle.messages import BUNDLE, HASHED, PLAIN
from dp_spec.vocabulary.claim import Formal
from dp_spec.vocabulary.error_statements import formula
from dp_spec.vocabulary.law import Law
from dp_spec.vocabulary.ranges import ABOVE_ONE, ANY_SIZE, NATURAL, POSITIVE, SEVERAL, UNIT
from dp_spec.vocabulary.shuffle_statements import Divergence
from dp_spec.vocabulary.statement import All, Domain, conjunction
from dp_spec.vocabulary.term import Term, exp, log, sqrt, term, var

W, K, B, USERS, C, DELTA, EPS, N = (var(x) for x in ("w", "K", "b", "n", "c", "delta", "eps", "total"))
LAMBDA, RHO = var("lam"), var("rho")


_INTEGERS = {"K": SEVERAL, "b": SEVERAL, "n": SEVERAL}
_RANGES = {
    **_INTEGERS,
    "c": NATURAL,
    "total": SEVERAL,
    "w": ABOVE_ONE,
    "delta": UNIT,
    "eps": POSITIVE,
    "lam": POSITIVE,
    "rho": UNIT,
}
MIX = term(5814) / 10_000
"""Up to this delta mixDUMP states its range, where ln(4 / delta) occurs; half of it where ln(2 / delta) does."""
PURE = term(2907) / 10_000


def domain(names: str, *constraints: Term) -> Domain:
    """The variables with these names, all of them as the source has them."""
    return Domain({name: _RANGES[name] for name in names.split()}, constraints)


def blanket(labels: Term) -> Term:
    """gamma = h q."""
    return labels / (W + labels - 1)


def hidden(labels: Term, dummies: Term) -> Term:
    """The denominator of (7): |M| + gamma (n - 1) - sqrt(2 gamma (n - 1) ln(2 / delta)) - 1."""
    mean = blanket(labels) * (USERS - 1)
    return dummies + mean - sqrt(2 * mean * log(2 / DELTA)) - 1


def fraction7(labels: Term, dummies: Term) -> Term:
    """The square of the right-hand side of (7)."""
    return 14 * labels * log(4 / DELTA) / hidden(labels, dummies)


def within(square: Term, most: Term) -> tuple[Term, ...]:
    """epsilon <= 1, and delta in the stated range."""
    return (1 - square, most - DELTA)


def equation7(law: Law, labels: Term, *, inside: bool, users: Term = USERS, dummies: Term = USERS * C) -> Divergence:
    """The pair (epsilon, delta) of (7)."""
    square = fraction7(labels, USERS * C)
    constraints = (hidden(labels, USERS * C), *(within(square, MIX) if inside else ()))
    names = f"w {'K' if labels is K else 'b'} n c delta"
    at = {} if labels is K else {"K": term(2)}
    return Divergence(law, domain(names, *constraints), users, exp(sqrt(square)), DELTA, dummies=dummies, at=at)


def _shared(*, inside: bool) -> Divergence:
    return equation7(BUNDLE, B, inside=inside, users=term(1), dummies=term(0))


NOHASH = equation7(GRR_SAMPLE, K, inside=True)
FRESH = equation7(HASHED, B, inside=True)


def pure(labels: Term, total: Term) -> Term:
    """The square of the bound of pureDUMP: `total` dummies."""
    return 14 * labels * log(2 / DELTA) / (total - 1)


def conditional(
    law: Law, labels: Term, total: Term, *, inside: bool, dummies: Term, at: Mapping[str, Term]
) -> Divergence:
    """Given |A|: the other users' uniform reports and all dummies are `total` messages, delta / 2 is left."""
    square = 14 * labels * log(4 / DELTA) / (total - 1)
    constraints = (*(within(square, MIX) if inside else ()),)
    names = "total delta" + (" w" if law is not PLAIN else "") + (" K" if labels is K else " b")
    names += " c" if law is BUNDLE else ""
    more = (total - C,) if law is BUNDLE else ()
    return Divergence(
        law, domain(names, *constraints, *more), term(1), exp(sqrt(square)), DELTA / 2, dummies=dummies, at=at
    )


_U, _V, _Z = var("u"), var("v"), var("z")
"""sqrt(gamma (n - 1)), sqrt(ln(2 / delta) / 2), |M| - 1 - v^2."""
_PLAIN_AT = {"c": term(0), "w": term(2)}


def _alone(parts: int) -> Divergence:
    """One user among c dummies of her own, with delta / parts."""
    square = 14 * K * log(4 / DELTA) / (C - 1)
    constraints = (C - 2, *within(square, MIX))
    return Divergence(
        GRR_SAMPLE, domain("c delta w K", *constraints), term(1), exp(sqrt(square)), DELTA / parts, dummies=C
    )


def _among(relation: Literal["le", "eq"]) -> Divergence:
    """One value among uniform messages: the largest delta, or a bound of it."""
    square = 14 * K * log(4 / DELTA) / (N - 1)
    where = domain("total K delta", *within(square, MIX))
    return Divergence(PLAIN, where, term(1), exp(sqrt(square)), DELTA, relation=relation, dummies=N, at=_PLAIN_AT)


def blanketed(law: Law, labels: Term, *, inside: bool) -> All:
    """gamma is the larger one of 14 k ln(2 / delta) / ((n - 1) eps^2) and 27 k / ((n - 1) eps), and below 1."""
    first = 14 * labels * log(2 / DELTA) / ((USERS - 1) * EPS**2)
    second = 27 * labels / ((USERS - 1) * EPS)
    parts = []
    for gamma, other in ((first, second), (second, first)):
        constraints = (gamma - other, 1 - gamma, *((1 - EPS,) if inside else ()))
        budget = 1 + labels * (1 - gamma) / gamma
        at = {"w": budget} | ({} if labels is K else {"K": term(3)})
        names = f"{'K' if labels is K else 'b'} n eps delta"
        parts.append(Divergence(law, domain(names, *constraints), USERS, exp(EPS), DELTA, at=at))
    return conjunction(*parts)


def single(law: Law, labels: Term, square: Term, *, inside: bool, dummies: Term | None = None) -> Divergence:
    """One message each, and a bound whose square is given."""
    names = f"w {'K' if labels is K else 'b'} n delta" + (" c" if dummies is not None else "")
    constraints = within(square, PURE) if inside else ()
    at = {} if labels is K else {"K": term(3)}
    extra = term(0) if dummies is None else dummies
    return Divergence(law, domain(names, *constraints), USERS, exp(sqrt(square)), DELTA, dummies=extra, at=at)


def _murs(labels: Term) -> Term:
    return 14 * log(2 / DELTA) * (W + labels - 1) / (USERS - 1)


def _peos() -> Term:
    return 14 * log(2 / DELTA) / ((USERS - 1) / (W + B - 1) + C / B)


def dump(*constraints: Term) -> Divergence:
    """pureDUMP: the total of n s dummies hides one item; the other users' items are known and change nothing."""
    square = pure(K, N)
    at = {"c": term(0), "w": term(2)}
    return Divergence(PLAIN, domain("total K delta", *constraints), term(1), exp(sqrt(square)), DELTA, dummies=N, at=at)


def _one_of(x: Term, *values: Term) -> Term:
    """At least 0 where x is one of the values, and nowhere else."""
    return -(prod((x - value for value in values), start=term(1)) ** 2)


def _ddps() -> Divergence:
    """lambda / n is gamma for k = 2."""
    xi = LAMBDA - sqrt(2 * LAMBDA * log(2 / DELTA))
    bound = sqrt(32 * log(4 / DELTA) / xi) * (1 - xi / USERS)
    constraints = (LAMBDA - 14 * log(4 / DELTA), USERS - LAMBDA)
    at = {"K": term(2), "w": 1 + 2 * (1 - LAMBDA / USERS) / (LAMBDA / USERS)}
    return Divergence(GRR_SAMPLE, domain("lam n delta", *constraints), USERS, exp(bound), DELTA, at=at)


FORMAL: Mapping[str, Formal] = {
    "000.thm1.eq7@nohash-any": equation7(GRR_SAMPLE, K, inside=False),
    "000.thm1.eq7@nohash-range": NOHASH,
    "000.thm1.eq7@fresh-any": equation7(HASHED, B, inside=False),
    "000.thm1.eq7@fresh-range": FRESH,
    "000.thm1.eq7@shared-any": _shared(inside=False),
    "000.thm1.eq7@shared-range": _shared(inside=True),
    # under a function labels are those of randomized response, and of a user with c dummies nothing else is seen
    "000.thm1.eq7@shared-range.corrected": _alone(1),
    "000.thm1.eq7@sharedsmall-any": equation7(BUNDLE, B, inside=False, dummies=term(0)),
    "000.thm1.form@root": NOHASH,
    "000.thm1.form@noroot": Divergence(
        GRR_SAMPLE,
        domain("w K n c delta", hidden(K, USERS * C), *within(fraction7(K, USERS * C), MIX)),
        USERS,
        exp(fraction7(K, USERS * C)),
        DELTA,
        dummies=USERS * C,
    ),
    "000.thm1.domain.corrected": formula(
        {"u": ANY_SIZE, "v": ANY_SIZE, "z": POSITIVE}, ("lt", term(0), (1 + _V**2 + _Z) + _U**2 - 2 * _U * _V - 1)
    ),
    "000.thm1.domain": formula(domain("w K n c delta"), ("lt", term(0), hidden(K, USERS * C))),
    "000.thm1.step.cond@nohash-range": conditional(PLAIN, K, N, inside=True, dummies=N, at=_PLAIN_AT),
    "000.thm1.step.cond@nohash-any": conditional(PLAIN, K, N, inside=False, dummies=N, at=_PLAIN_AT),
    "000.thm1.step.cond@fresh-range": conditional(HASHED, B, N, inside=True, dummies=N, at={"K": term(2)}),
    "000.thm1.step.cond@shared-range": conditional(BUNDLE, B, N, inside=True, dummies=term(0), at={"K": term(2)}),
    "000.thm1.step.cond@shared-range.corrected": _alone(2),
    "000.thm1.step.eq9@fresh-range": FRESH,
    "000.thm1.step.eq9@shared-range": _shared(inside=True),
    "000.thm1.count@realised": Divergence(
        GRR_SAMPLE,
        domain("w K n total delta", hidden(K, N), *within(fraction7(K, N), MIX)),
        USERS,
        exp(sqrt(fraction7(K, N))),
        DELTA,
        dummies=N,
    ),
    "000.supp.thm1.attained": _among("eq"),
    "000.supp.thm1.attained.corrected": _among("le"),
    "000.prose.amplify@root-range": single(GRR_SAMPLE, K, _murs(K), inside=True),
    "000.prose.amplify@root-any": single(GRR_SAMPLE, K, _murs(K), inside=False),
    "000.prose.amplify@noroot-range": Divergence(
        GRR_SAMPLE, domain("w K n delta", *within(_murs(K), PURE)), USERS, exp(_murs(K)), DELTA
    ),
    "000.base.sh.privacy@range": blanketed(GRR_SAMPLE, K, inside=True),
    "000.base.sh.privacy@any": blanketed(GRR_SAMPLE, K, inside=False),
    "000.base.ddps.privacy": _ddps(),
    "000.base.murs.privacy@range": single(HASHED, B, _murs(B), inside=True),
    "000.base.murs.privacy@any": single(HASHED, B, _murs(B), inside=False),
    "000.base.peos.privacy@range": single(HASHED, B, _peos(), inside=True, dummies=C),
    "000.base.peos.privacy@any": single(HASHED, B, _peos(), inside=False, dummies=C),
    "000.base.hpsdp.privacy@range": blanketed(HASHED, B, inside=True),
    "000.base.hpsdp.privacy@any": blanketed(HASHED, B, inside=False),
    "000.base.puredump.privacy@range": dump(*within(pure(K, N), PURE)),
    "000.base.puredump.privacy@upto4": dump(
        pure(K, N) - 1,
        16 - pure(K, N),
        _one_of(K, term(2), term(3), term(5)),
        _one_of(DELTA, *(1 / term(x) for x in (2, 10, 100, 10**6))),
    ),
    "000.base.puredump.privacy@any": dump(),
    "000.base.mixdump.privacy@range": NOHASH,
    "000.base.mixdump.privacy@any": equation7(GRR_SAMPLE, K, inside=False),
}
