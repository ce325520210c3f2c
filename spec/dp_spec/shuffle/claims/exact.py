"""Formal statements of source 000 on delta of few messages, exact: AUE, one user among dummies."""

from dp_spec.shuffle.claims.amplification import DELTA, USERS, C
from dp_spec.shuffle.laws import AUE, PLAIN, REVEALED, RHO
from dp_spec.vocabulary.claim import Formal
from dp_spec.vocabulary.law import K
from dp_spec.vocabulary.shuffle_statements import Divergence
from dp_spec.vocabulary.statement import Domain, Range
from dp_spec.vocabulary.term import Term, binomial, exp, log, minimum, sqrt, summed, term, var

A, B, FIRST, SECOND = (var(name) for name in ("a", "b", "i", "j"))
_COUNTS = {"K": Range(2, integer=True), "n": Range(1, integer=True)}

# --- AUE: bits for all items ----------------------------------------------------------------------------------------

_UNIT = Range(unit=True)


def _published(square: Term) -> Divergence:
    """The setting of r, solved for the square of epsilon."""
    domain = Domain({**_COUNTS, "rho": _UNIT, "delta": _UNIT})
    return Divergence(AUE, domain, USERS, exp(sqrt(square)), DELTA, at={"w": term(2)})


BITS: dict[str, Formal] = {
    "000.base.aue.privacy@r50-any": _published(50 * log(2 / DELTA) / ((1 - RHO) * USERS)),
    # one user: of the two values only one set of messages may come from both, and is as likely for both
    "000.base.aue.privacy@r50-any.corrected": Divergence(
        AUE,
        Domain({"a": Range(1), "K": _COUNTS["K"], "rho": _UNIT}),
        term(1),
        A,
        1 - RHO * (1 - RHO),
        relation="eq",
        at={"w": term(2)},
    ),
    "000.base.aue.privacy@r200-any": _published(200 * log(4 / DELTA) / (RHO * USERS)),
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
_RANGES = {"a": Range(1), "K": Range(2, integer=True), "c": Range(0, integer=True)}
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
