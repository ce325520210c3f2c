"""Formal statements: Wheel and suWheel (source 002, sections 2.3.3 and 4.3)."""

from collections.abc import Callable
from functools import reduce
from itertools import product
from operator import mul
from typing import Literal

from dp_spec.frequency import arcs, wheel
from dp_spec.frequency.arcs import Membership
from dp_spec.frequency.claims.one_item import ONE_ITEM
from dp_spec.frequency.grr import W
from dp_spec.frequency.inversion import emission
from dp_spec.frequency.sugrr import SAMPLING
from dp_spec.frequency.wheel import ARC, HIT, KEPT, NONSENSITIVE, OMEGA, SENSITIVE, SUWHEEL, VARIANCE, WHEEL
from dp_spec.vocabulary.claim import Formal
from dp_spec.vocabulary.error_statements import Formula, Variance, formula
from dp_spec.vocabulary.law import USERS, Estimator, F, K, Law, M, N
from dp_spec.vocabulary.ranges import ABOVE_ONE, ANY_SIZE, POSITIVE, SOME, UNIT
from dp_spec.vocabulary.statement import (
    Chance,
    Compared,
    Domain,
    Hashing,
    Item,
    Mse,
    Range,
    Ratio,
    Relation,
    Smallest,
    Unbiased,
    Unbounded,
    conjunction,
    instances,
)
from dp_spec.vocabulary.term import Term, floor, minimum, modulo, summed, term, var

READINGS: tuple[Hashing, ...] = ("ideal", "kwise", "pairwise", "fixed")
MEMBERSHIPS: tuple[Membership, ...] = ("mod1", "printed-open", "printed-closed")
NO_OTHERS = (-N,)
TWO_SETS = (K + N - M - 1,)
FITTING = (3 * M - 1 - K - N,)
"""No non-sensitive items; d > m; d arcs fit on the circle for every epsilon > 0."""

APART = ARC / OMEGA
"""The chance that the point lies in the arc of an item not held, if the arcs of all items are disjoint."""

# --- densities and privacy ----------------------------------------------------------------------------------------


def outside(covered: Term) -> Term:
    """(8) off a cover of the given length."""
    return (OMEGA - covered * W) / ((1 - covered) * OMEGA)


_INSIDE = W / OMEGA
"""(8) on the cover."""
_SHARE, _OWN = M * ARC / (1 + var("u")), M * ARC / (1 + var("v"))
"""l and k: any numbers in (0, m p], with u, v >= 0; lengths of the covers of s' and of s of 1 to m items. The largest
one, u = 0, is the length of disjoint arcs."""
_SIZES = {"m": SOME, "w": ABOVE_ONE}
_LENGTHS = Domain({**_SIZES, "u": ANY_SIZE})
_BOTH = Domain({**_SIZES, "u": ANY_SIZE, "v": ANY_SIZE})


def _density(covered: Term, domain: Domain = _LENGTHS) -> Formula:
    """(8) is a density for a cover of the given length: nonnegative on and off it, of integral 1."""
    integral = covered * _INSIDE + (1 - covered) * outside(covered)
    return formula(
        domain,
        ("le", term(0), _INSIDE),
        ("le", term(0), outside(covered)),
        ("lt", covered, term(1)),
        ("eq", integral, term(1)),
    )


_ANY_LENGTH = Domain({**_SIZES, "l": UNIT}, (var("l") - ARC,))
"""p <= l < 1: the arcs of enough items cover so much, under some hash function, as arcs may overlap."""


def _printed(covered: Term) -> Term:
    """The bound of the proof of Thm 7."""
    return W * (1 - covered) / (OMEGA - covered * W)


_QUOTIENTS = {
    "inout": _INSIDE / outside(_SHARE),
    "inin": _INSIDE / _INSIDE,
    "outin": outside(_OWN) / _INSIDE,
    "outout": outside(_OWN) / outside(_SHARE),
}
"""Of the densities (8) of s and s', by whether the point lies in the covers of s and of s'."""
_RATIOS = {
    "inin": term(1),
    "outin": (OMEGA - _OWN * W) / (W * (1 - _OWN)),
    "outout": (OMEGA - _OWN * W) * (1 - _SHARE) / ((1 - _OWN) * (OMEGA - _SHARE * W)),
}
"""What the quotients are where it is not the printed one."""


def _privacy(row: str, *relations: Compared) -> dict[str, Formal]:
    """Readings of (11) for sets of 1 to m items: the point's density is bounded; what is emitted tells whether a
    non-sensitive item is missing, unless there is none (or s_non is the same)."""
    forms: dict[str, Formal] = {}
    for r in relations:
        forms[f"{row}{r}"] = Ratio(SUWHEEL, "hash", r, sizes="atmost")
        if r in ("joint", "deniability"):
            forms[f"{row}{r}.corrected"] = Ratio(SUWHEEL, "hash", r, sizes="atmost", where=NO_OTHERS)
            forms[f"{row}{r}.corrected2"] = Unbounded(SUWHEEL, "hash", r, sizes="atmost", where=(*TWO_SETS, N - 1))
    return forms


# --- estimates ----------------------------------------------------------------------------------------------------

_DISJOINT = Estimator(HIT - APART, APART)
_DISJOINT_VARIANCE = (HIT * (1 - HIT) * F + (1 - F) * APART * (1 - APART)) / (USERS * (HIT - APART) ** 2)


def _hits(row: str, item: Item, event: Literal["held", "other"], probability: Term) -> dict[str, Formal]:
    return {f"{row}@{view}": Chance(SUWHEEL, view, item, event, probability) for view in READINGS}


def _unbiased(row: str, law: Law) -> dict[str, Formal]:
    """Right for independent hash values; for pairwise ones if m = 1; for one public function with disjoint arcs if the
    offset is that of disjoint arcs."""
    return {
        **{f"{row}@{view}": Unbiased(law, view, "sensitive", SENSITIVE) for view in READINGS},
        f"{row}@pairwise.corrected": Unbiased(law, "pairwise", "sensitive", SENSITIVE, where=ONE_ITEM),
        f"{row}@fixed.corrected": Unbiased(law, "disjoint", "sensitive", _DISJOINT, where=FITTING),
    }


def _variance(view: Hashing, formula: Term = VARIANCE, where: tuple[Term, ...] = ()) -> Variance:
    estimator = _DISJOINT if view == "disjoint" else SENSITIVE
    return Variance(SUWHEEL, view, "sensitive", estimator, where=where, formula=formula)


def _non(formula: Term, *, iid: bool = False) -> Mse:
    return Mse(SUWHEEL, "hash", "nonsensitive", NONSENSITIVE, data="iid" if iid else "fixed", formula=formula)


# --- the length of an arc -----------------------------------------------------------------------------------------

P, A, U = var("p"), var("a"), var("u")
_TRUE = wheel.hit(P)
_ABSENT = P * (1 - P) / (_TRUE - P) ** 2
_PRESENT = _TRUE * (1 - _TRUE) / (_TRUE - P) ** 2
"""n times the variance of a sensitive item's estimate for f_x = 0 and f_x = 1, with arcs of length p."""
_ARCS: dict[str, Range] = {"m": SOME, "w": ABOVE_ONE, "u": POSITIVE}
"""1/p = m + u: every p in (0, 1/m)."""


def _scaled(error: Term) -> Term:
    """An error, times (w - 1)^2, for arcs of length 1 / (m + u)."""
    multiple: Term = (W - 1) ** 2 * error
    return multiple.substitute({"p": 1 / (M + U)})


def _absent(inverse: Term, mw: Term) -> Term:
    """That of an item nobody holds, in 1/p - m and m w."""
    return (M - 1 + inverse) * (inverse + mw) ** 2 / inverse**2


def _present(inverse: Term, others: Term) -> Term:
    """That of an item everybody holds, divided by w, in 1/p - m and (m - 1) w."""
    return (inverse + others) * (M + inverse) ** 2 / inverse**2


def _least(of: Callable[[Term, Term], Term], best: Term, stationary: Term, excess: Term, **more: Range) -> Formula:
    """The error at 1/p = m + u exceeds that at 1/p = m + best by (u - best)^2 times something positive."""
    return formula(
        {"m": SOME, **more, "u": POSITIVE},
        ("eq", of(U, stationary) - of(best, stationary), (U - best) ** 2 * ((U + excess) / U**2)),
        ("lt", term(0), (U + excess) / U**2),
    )


def _best(error: Term, arc: Term, least: Term, **more: Range) -> Formula:
    """Among all arc lengths p with 1/p = least + x, x > 0, the error is least at p = arc."""
    domain = Domain({**more, "w": ABOVE_ONE, "x": POSITIVE})
    return formula(domain, ("le", error.substitute({"p": arc}), error.substitute({"p": 1 / (least + var("x"))})))


_MW = A**2 / (2 * M - 2 + A)
"""m w, where a^2 = m w (2m - 2 + a)."""
_OTHERS = A * (A + M) / (2 * M)
"""(m - 1) w, where b = m + a and b^2 = m b + 2 m (m - 1) w."""


def _covered(cells: int, length: int, items: int) -> Formula:
    """Wherever so many arcs of some of the cells start, one of them at 0, the cells that they cover are no more than
    those of all arcs."""
    relations: list[Relation] = []
    for starts in product(range(cells), repeat=items - 1):
        missed = (minimum(floor(modulo(var("x") - start, cells) / length), 1) for start in (0, *starts))
        covered = summed("x", 0, cells - 1, 1 - reduce(mul, missed))
        relations.append(("le", covered, term(items * length)))
    return formula({}, *relations)


FORMAL: dict[str, Formal] = {
    # Wheel
    "002.base.wheel.eq8.norm": _density(_SHARE),
    **{f"002.base.wheel.cover@{reading}": arcs.almost(reading) for reading in MEMBERSHIPS},
    "002.base.wheel.privacy": Ratio(WHEEL, "hash", "ldp", sizes="atmost"),
    "002.base.wheel.tight": Smallest(WHEEL, "hash", "ldp", sizes="atmost", where=TWO_SETS, constant=W),
    **_unbiased("002.base.wheel.unbiased", WHEEL),
    # Algorithm 1
    **{f"002.alg1.line2@{reading}": arcs.everywhere(reading) for reading in MEMBERSHIPS},
    "002.alg1.line2@printed-closed.corrected": arcs.almost("printed-closed"),
    "002.alg1.line3.norm@atmost": _density(_SHARE),
    "002.alg1.line3.norm@all": _density(var("l"), _ANY_LENGTH),
    "002.alg1.line3.norm@all.corrected": _density(2 * _SHARE),
    **_hits("002.alg1.line7", "nonsensitive", "held", KEPT),
    **_hits("002.alg1.ptrue", "sensitive", "held", HIT),
    **_hits("002.alg1.pfalse", "sensitive", "other", ARC),
    "002.alg1.pfalse@pairwise.corrected": Chance(SUWHEEL, "pairwise", "sensitive", "other", ARC, where=ONE_ITEM),
    "002.alg1.pfalse@fixed.corrected": Chance(SUWHEEL, "disjoint", "sensitive", "other", APART, where=FITTING),
    "002.alg1.popt@f0": _best(_ABSENT, ARC, M, m=SOME),
    "002.alg1.popt@f1": _best(_PRESENT, ARC, M, m=SOME),
    # for any m the best arc has 1/p = m + a, a^2 = m w (2m - 2 + a)
    "002.alg1.popt@f0.corrected": conjunction(
        formula(_ARCS, ("eq", _scaled(_ABSENT), _absent(U, M * W))),
        _least(_absent, A, _MW, (M - 1) * _MW**2 / A**2, a=POSITIVE),
    ),
    "002.alg1.popt@f0.corrected2": _best(_ABSENT.substitute({"m": 1}), ARC.substitute({"m": 1}), term(1)),
    # for any m the best arc has 1/p = m + b, b^2 = m b + 2 m (m - 1) w, b = m + a >= m
    "002.alg1.popt@f1.corrected": conjunction(
        formula(_ARCS, ("eq", _scaled(_PRESENT) / W, _present(U, (M - 1) * W))),
        _least(_present, M + A, _OTHERS, _OTHERS * M**2 / (M + A) ** 2, a=ANY_SIZE),
    ),
    "002.alg1.popt@f1.corrected2": _best(_PRESENT.substitute({"m": 1}), term(1) / 2, term(1)),
    # Algorithm 2
    "002.alg2.line5@closed": arcs.everywhere("server"),
    "002.alg2.line5@halfopen": arcs.everywhere("server", arcs.HALF_OPEN),
    # Theorem 7
    "002.thm7.inv": conjunction(*emission(SUWHEEL, "hash", KEPT)),
    **_privacy("002.thm7.eq11@", "marginal", "joint", "deniability", "samenon"),
    **{
        f"002.thm7.proof.case@{case}": formula(_BOTH, ("eq", quotient, _printed(_SHARE)))
        for case, quotient in _QUOTIENTS.items()
    },
    **{
        f"002.thm7.proof.case@{case}.corrected": formula(_BOTH, ("eq", _QUOTIENTS[case], ratio))
        for case, ratio in _RATIOS.items()
    },
    "002.thm7.eq23": formula(
        _LENGTHS,
        ("le", _printed(_SHARE) / W, _printed(_SHARE)),
        ("le", 1 / W, _printed(_SHARE) / W),
        ("eq", (_printed(_SHARE) / W - 1 / W) * (W * (OMEGA - _SHARE * W)), W * (1 - M * ARC) - (1 - M * ARC)),
        ("lt", term(0), W * (OMEGA - _SHARE * W)),
    ),
    "002.thm7.eq24": formula(
        _LENGTHS,
        ("le", _printed(_SHARE), W),
        ("eq", (W - _printed(_SHARE)) * ((OMEGA - _SHARE * W) / W), M * ARC * (W - 1) - _SHARE * (W - 1)),
        ("lt", term(0), (OMEGA - _SHARE * W) / W),
    ),
    "002.thm7.mp": formula(_SIZES, ("eq", M * ARC, 1 / (2 - 1 / M + W)), ("lt", 1 / (2 - 1 / M + W), term(1))),
    # what several arcs cover is counted once: m arcs cover o less than their lengths together
    # arcs of some of the cells of a circle
    "002.thm7.l": instances(*(_covered(*at) for at in ((5, 2, 2), (7, 3, 2), (4, 1, 3), (5, 2, 3)))),
    "002.thm7.tight": Smallest(SUWHEEL, "hash", "marginal", sizes="atmost", where=TWO_SETS, constant=W),
    # Theorems 8 and 9
    **_unbiased("002.thm8.sens", SUWHEEL),
    **{f"002.thm8.non@{view}": Unbiased(SUWHEEL, view, "nonsensitive", NONSENSITIVE) for view in READINGS},
    **{f"002.thm9.proof.var@{view}": _variance(view) for view in READINGS},
    "002.thm9.proof.var@pairwise.corrected": _variance("pairwise", where=ONE_ITEM),
    "002.thm9.proof.var@fixed.corrected": _variance("disjoint", _DISJOINT_VARIANCE, FITTING),
    "002.thm9.eq25.non@fixed-data": _non(wheel.EQ25_NONSENSITIVE),
    "002.thm9.eq25.non@iid": _non(wheel.EQ25_NONSENSITIVE, iid=True),
    "002.thm9.eq25.non@iid.corrected": _non(wheel.EQ25_NONSENSITIVE + SAMPLING, iid=True),
    # Definition 3 for sets of other sizes
    **_privacy("002.def3.sizes.suwheel@atmost-", "marginal", "joint"),
    "002.def3.sizes.suwheel@all-marginal": Ratio(SUWHEEL, "hash", "marginal", sizes="all"),
    "002.def3.sizes.suwheel@all-joint": Ratio(SUWHEEL, "hash", "joint", sizes="all"),
    "002.def3.sizes.suwheel@all-marginal.corrected": Smallest(
        SUWHEEL, "hash", "marginal", sizes="atmost", where=TWO_SETS, constant=W
    ),
    "002.def3.sizes.suwheel@all-joint.corrected": Unbounded(
        SUWHEEL, "hash", "joint", sizes="all", where=(*TWO_SETS, N - 1)
    ),
}
"""Every id of the sections with its formal statement."""
