"""Formal statements beyond source 001: whose estimates are the best ones, and which strategy is never much worse than
another, on trees of some heights."""

from collections.abc import Callable

from flint import fmpq

from dp_spec.matrix import estimates, mechanisms
from dp_spec.vocabulary.additive import Additive
from dp_spec.vocabulary.claim import Formal
from dp_spec.vocabulary.matrix_statements import BestLinear, Dominates, Matrix
from dp_spec.vocabulary.statement import All, Not, Statement
from dp_spec.vocabulary.term import Term, term

CLOSE = fmpq(1, 1000)
"""How far below a constant the one is that is too small."""


def _at(h: int, *laws: Additive) -> dict[str, Term]:
    """What is put for the variables of the laws: binary trees, epsilon 1."""
    names = {name for law in laws for name in law.variables()}
    return {"h": term(h), **{name: x for name, x in {"b": term(2), "eps": term(1)}.items() if name in names}}


def best(law: Additive, restored: Callable[[int], Matrix], h: int) -> BestLinear:
    """A mechanism's estimates of all ranges are the best ones."""
    return BestLinear(law, _at(h, law), estimates.range_queries(h), restored(h))


def dominates(law: Additive, other: Additive, factor: fmpq, h: int) -> Dominates:
    """For no linear query a law is worse than this factor times another one."""
    number = term(int(factor.p)) if factor.q == 1 else int(factor.p) / term(int(factor.q))
    return Dominates(law, other, number, _at(h, law, other))


def enclosed(law: Additive, other: Additive, factor: fmpq, h: int) -> tuple[Statement, ...]:
    """It is not, and it is for some query with a factor that is slightly smaller."""
    return dominates(law, other, factor, h), Not(dominates(law, other, factor - CLOSE, h))


LOW, PAIR = (1, 2, 3), (2, 3)
FORMAL: dict[str, Formal] = {
    "001.supp.best@privelet": All(tuple(best(mechanisms.PRIVELET, estimates.privelet, h) for h in LOW)),
    "001.supp.best@boost": All(tuple(best(mechanisms.BOOST_ROOT, estimates.boost, h) for h in LOW)),
    "001.supp.best@naive": All(tuple(Not(best(mechanisms.NAIVE_ROOT, estimates.naive, h)) for h in LOW)),
    # A^T A is 2^t on V_t and N on the constant vectors for Privelet, 2^t - 1 and 2 N - 1 for Boost (card `spectra`)
    "001.supp.dominates@boost": All(
        tuple(part for h in PAIR for part in enclosed(mechanisms.PRIVELET, mechanisms.BOOST_ROOT, 2 - fmpq(1, 2**h), h))
    ),
    "001.supp.dominates@privelet": All(
        tuple(part for h in PAIR for part in enclosed(mechanisms.BOOST_ROOT, mechanisms.PRIVELET, fmpq(2), h))
    ),
    # 2^h / (h + 1)^2 is above 1 from h = 6 on
    "001.supp.dominates@identity": All(
        (
            *(
                part
                for h in PAIR
                for part in enclosed(mechanisms.IDENTITY, mechanisms.PRIVELET, fmpq(2**h, (h + 1) ** 2), h)
            ),
            *(
                part
                for h in PAIR
                for part in enclosed(mechanisms.PRIVELET, mechanisms.IDENTITY, fmpq((h + 1) ** 2, 2), h)
            ),
            *(dominates(mechanisms.IDENTITY, mechanisms.PRIVELET, fmpq(1), h) for h in range(6)),
            Not(dominates(mechanisms.IDENTITY, mechanisms.PRIVELET, fmpq(1), 6)),
        )
    ),
}
