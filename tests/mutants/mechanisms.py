"""Plausible faults: what an implementer gets wrong. Each is an override of a few members of a mechanism."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from dp_refimpl.coins import bernoulli, uniform
from dp_refimpl.frequency.grr import GRR, GRRSample, GRRSplit, perturb
from dp_refimpl.frequency.parameters import affine_estimate, ordered
from dp_refimpl.frequency.rappor import RAPPOR, RAPPORSample, RAPPORSet, perturb_bits
from dp_refimpl.frequency.sugrr import SuGRR, SuGRRSample
from dp_refimpl.frequency.surap import SuRAP, SuRAPSample, perturb_protected_bits
from dp_refimpl.frequency.urap import URAP
from dp_refimpl.frequency.urr import URR, perturb_protected
from dp_spec.vocabulary.items import Report

Formula = Callable[[Any], Any]
Members = dict[str, Any]


def values(**formulas: Formula) -> Members:
    """Properties replaced by formulas in the mechanism."""
    return {name: property(formula) for name, formula in formulas.items()}


def mutant(cls: type[Any], members: Members) -> type[Any]:
    """The mechanism with the fault."""
    return type("Mutant" + cls.__name__, (cls,), members)


def share(numerator: int, denominator: Callable[[int], int]) -> Formula:
    """e^(eps * numerator / denominator(m))."""
    return lambda s: s.budget.exp(Fraction(numerator, denominator(getattr(s, "m", 1))))


def d(s: Any) -> int:
    return len(s.domain.items)


def k(s: Any) -> int:
    return len(s.domain.sensitive)


whole, half = share(1, lambda m: 1), share(1, lambda m: 2)
split, half_split = share(1, lambda m: m), share(1, lambda m: 2 * m)


def response(e: Formula, size: Formula) -> Members:
    """p and q of randomized response on `size` outcomes with the number e."""
    return values(p=lambda s: e(s) / (e(s) + size(s) - 1), q=lambda s: 1 / (e(s) + size(s) - 1))


def flips(e: Formula) -> Members:
    """p and q of symmetric unary encoding with the number e."""
    return values(p=lambda s: e(s) / (e(s) + 1), q=lambda s: 1 / (e(s) + 1))


def counts(s: Any, reports: Any, x: Any) -> int:
    """F_x: how often x occurs in the reports, whatever they look like."""
    total = 0
    for y in reports:
        if isinstance(y, Report):
            if x in s.domain.nonsensitive:
                total += x in y.invertible
            elif isinstance(y.protected, tuple) and isinstance(s, SuGRR):
                total += y.protected.count(x)
            elif isinstance(y.protected, tuple):
                total += y.protected[s.domain.sensitive.index(x)]
            else:
                total += y.protected == x
        elif isinstance(y, tuple):
            total += y.count(x) if isinstance(s, GRRSplit) else y[s.domain.items.index(x)]
        else:
            total += y == x
    return total


def counting(counted: Callable[[Any, Any, Any], Any], offset: Formula, slope: Formula) -> Members:
    """The debiased share of the reports that are counted for an item, by mechanism, item and report."""

    def estimate(s: Any, reports: Any) -> Any:
        counts = {x: sum(bool(counted(s, x, y)) for y in reports) for x in s.domain.items}
        return {x: affine_estimate(count, len(reports), offset(s), slope(s)) for x, count in counts.items()}

    return {"estimate": estimate}


def following(s: Any, item: Any) -> Any:
    """The next item of the domain."""
    items = s.domain.items
    return items[(items.index(item) + 1) % len(items)]


def estimator(offset: Formula, slope: Formula, scale: Formula = lambda s: 1, other: Formula | None = None) -> Members:
    """scale (F_x / n - offset) / slope; for non-sensitive items F_x / (n other), if given."""

    def estimate(s: Any, reports: Any) -> Any:
        n = len(reports)
        estimates = {
            x: affine_estimate(counts(s, reports, x), n, offset(s), slope(s), scale(s)) for x in s.domain.items
        }
        if other is not None:
            zero = offset(s) * 0
            for x in s.domain.nonsensitive:
                estimates[x] = affine_estimate(counts(s, reports, x), n, zero, other(s), scale(s))
        return estimates

    return {"estimate": estimate}


def draw(s: Any, items: Any, coins: Any) -> Any:
    return uniform(coins, s.require_set(items), s.budget.exp() * 0 + 1)


def own_or_any(item: Any, outcomes: Any, p: Any, coins: Any) -> Any:
    """Keeps with probability p, otherwise draws among all outcomes, the item itself included."""
    return item if bernoulli(coins, p) else uniform(coins, outcomes, p * 0 + 1)


def excluded(item: Any, domain: Any, own: Any, other: Any, kept: Any, coins: Any) -> Any:
    """A non-sensitive item's sensitive results exclude one item more than they should."""
    if item in domain.sensitive or len(domain.sensitive) == 1:
        return perturb_protected(item, domain, own, other, kept, coins)
    return (*domain.sensitive[1:], item)[coins.choose([*(other for _ in domain.sensitive[1:]), kept + other])]


def always_first(randomize: Callable[[Any, Any, Any], Any]) -> Members:
    """The first item of the set instead of a drawn one; the empty set stays an error."""
    return {"randomize": lambda s, items, coins: randomize(s, s.require_set(items)[0], coins)}


def with_replacement(randomize: Callable[[Any, Any, Any], Any]) -> Members:
    """One item of the whole domain, held or not."""

    def run(s: Any, items: Any, coins: Any) -> Any:
        s.require_set(items)
        return randomize(s, uniform(coins, s.domain.items, s.budget.exp() * 0 + 1), coins)

    return {"randomize": run}


def grr_item(s: Any, x: Any, coins: Any) -> Any:
    return perturb(x, s.domain, s.p, s.q, coins)


def bits_item(s: Any, x: Any, coins: Any) -> Any:
    return perturb_bits(frozenset([x]), s.domain, s.p, s.q, coins)


def sugrr_item(s: Any, x: Any, coins: Any) -> Any:
    z = s.item_randomizer.randomize(x, coins)
    return Report(z) if z in s.domain.sensitive else Report(None, frozenset([z]))


def surap_item(s: Any, x: Any, coins: Any) -> Any:
    return perturb_protected_bits(frozenset([x]), s.domain, s.bit_laws, coins)


def sugrr_with(perturbation: Any) -> Members:
    """suGRR (multiset view) with another item perturbation."""

    def run(s: Any, items: Any, coins: Any) -> Any:
        slots = [perturbation(x, s.domain, s.p, s.q, s.r, coins) for x in s.require_set(items)]
        sensitive = [z for z in slots if z in s.domain.sensitive]
        return Report(ordered(sensitive, s.domain.sensitive), frozenset(slots) - frozenset(sensitive))

    return {"randomize": run}


def sugrr_once(s: Any, items: Any, coins: Any) -> Any:
    """One perturbation shared by all sensitive items of the set."""
    held = s.require_set(items)
    slots = [perturb_protected(x, s.domain, s.p, s.q, s.r, coins) for x in held[:1]] * len(held)
    sensitive = [z for z in slots if z in s.domain.sensitive]
    return Report(ordered(sensitive, s.domain.sensitive), frozenset(slots) - frozenset(sensitive))


def flipped(s: Any, items: Any, coins: Any) -> Any:
    """Held and not held mixed up."""
    held = frozenset([items]) if items in s.domain.items else frozenset(s.require_set(items))
    return perturb_bits(frozenset(s.domain.items) - held, s.domain, s.p, s.q, coins)


def leaking(s: Any, items: Any, coins: Any) -> Any:
    """Non-sensitive bits that are not held are flipped on like sensitive ones."""
    held = frozenset(s.require_set(items))
    laws = [
        (1 - one, one)
        for x in s.domain.items
        for one in [s.r if x in held and x in s.domain.nonsensitive else s.p if x in held else s.q]
    ]
    b = coins.choose_each(laws)
    return Report(b[: k(s)], frozenset(x for x, bit in zip(s.domain.nonsensitive, b[k(s) :], strict=True) if bit))


ONE: Formula = lambda s: s.budget.exp() * 0 + 1  # noqa: E731
M: Formula = lambda s: s.m  # noqa: E731
Q: Formula = lambda s: s.q  # noqa: E731
GAP: Formula = lambda s: s.p - s.q  # noqa: E731

MUTANTS: dict[type[Any], dict[str, Members]] = {
    GRR: {
        "p and q swapped": values(p=lambda s: 1 / (whole(s) + d(s) - 1), q=lambda s: whole(s) / (whole(s) + d(s) - 1)),
        "e^(eps/2) instead of e^eps": response(half, d),
        "d instead of d - 1": response(whole, lambda s: d(s) + 1),
        "own item among the others": {"randomize": lambda s, x, coins: own_or_any(x, s.domain.items, s.p, coins)},
        "no noise": {"randomize": lambda s, x, coins: x},
        "estimator divides by p": estimator(Q, lambda s: s.p),
        "estimator without q": estimator(lambda s: s.q * 0, GAP),
    },
    GRRSplit: {
        "e^eps instead of e^(eps/m)": response(whole, d),
        "d instead of d - 1": response(split, lambda s: d(s) + 1),
        "own item among the others": {
            "randomize": lambda s, items, coins: tuple(
                own_or_any(x, s.domain.items, s.p, coins) for x in s.require_set(items)
            )
        },
        "the first item only": {
            "randomize": lambda s, items, coins: tuple(grr_item(s, x, coins) for x in s.require_set(items)[:1])
        },
        "sorted vector": {
            "randomize": lambda s, items, coins: ordered(
                [grr_item(s, x, coins) for x in s.require_set(items)], s.domain.items[::-1]
            )
        },
        "estimator with q instead of m q": estimator(Q, GAP),
        "estimator times m": estimator(lambda s: s.m * s.q, GAP, M),
    },
    GRRSample: {
        "e^(eps/m) instead of e^eps": response(split, d),
        "always the first item": always_first(grr_item),
        "an item of the whole domain": with_replacement(grr_item),
        "p and q swapped": values(p=lambda s: 1 / (whole(s) + d(s) - 1), q=lambda s: whole(s) / (whole(s) + d(s) - 1)),
        "own item among the others": {
            "randomize": lambda s, items, coins: own_or_any(draw(s, items, coins), s.domain.items, s.p, coins)
        },
        "estimator without m": estimator(Q, GAP),
        "estimator with m q": estimator(lambda s: s.m * s.q, GAP, M),
    },
    RAPPOR: {
        "e^eps instead of e^(eps/2)": flips(whole),
        "p and q swapped": values(p=lambda s: 1 / (half(s) + 1), q=lambda s: half(s) / (half(s) + 1)),
        "bits flipped the wrong way": {"randomize": flipped},
        "zeros never flipped": values(q=lambda s: half(s) * 0),
        "OUE instead of RAPPOR": values(p=lambda s: ONE(s) / 2, q=lambda s: 1 / (whole(s) + 1)),
        "estimator divides by p": estimator(Q, lambda s: s.p),
        "estimator subtracts p": estimator(lambda s: s.p, GAP),
    },
    RAPPORSet: {
        "e^(eps/2) instead of e^(eps/2m)": flips(half),
        "e^(eps/m) instead of e^(eps/2m)": flips(split),
        "bits flipped the wrong way": {"randomize": flipped},
        "the first item only": {
            "randomize": lambda s, items, coins: perturb_bits(
                frozenset(s.require_set(items)[:1]), s.domain, s.p, s.q, coins
            )
        },
        "estimator with m q": estimator(lambda s: s.m * s.q, GAP),
        "estimator times m": estimator(Q, GAP, M),
    },
    RAPPORSample: {
        "e^(eps/2m) instead of e^(eps/2)": flips(half_split),
        "e^eps instead of e^(eps/2)": flips(whole),
        "always the first item": always_first(bits_item),
        "an item of the whole domain": with_replacement(bits_item),
        "all items instead of one": {
            "randomize": lambda s, items, coins: perturb_bits(
                frozenset(s.require_set(items)), s.domain, s.p, s.q, coins
            )
        },
        "estimator without m": estimator(Q, GAP),
    },
    URR: {
        "d instead of K": values(
            c1=lambda s: whole(s) / (whole(s) + d(s) - 1),
            c2=lambda s: 1 / (whole(s) + d(s) - 1),
        ),
        "K instead of K - 1": values(c1=lambda s: whole(s) / (whole(s) + k(s)), c2=lambda s: 1 / (whole(s) + k(s))),
        "c3 = c1": values(c3=lambda s: s.c1),
        "c3 = 1": {"randomize": lambda s, x, coins: x if x in s.domain.nonsensitive else URR.randomize(s, x, coins)},
        "one sensitive item excluded": {
            "randomize": lambda s, x, coins: excluded(x, s.domain, s.c1, s.c2, s.c3, coins)
        },
        "non-sensitive items estimated as sensitive ones": estimator(lambda s: s.c2, lambda s: s.c1 - s.c2),
        "estimator divides by c1": estimator(lambda s: s.c2, lambda s: s.c1 - s.c2, other=lambda s: s.c1),
    },
    URAP: {
        "d1 = 1 - theta": values(d1=lambda s: (1 - s.theta) / 2),
        "d2 = d1": values(d2=lambda s: s.d1),
        "d2 and 1 - d2 swapped": values(d2=lambda s: 1 - ((1 - s.theta) * whole(s) + s.theta) / whole(s)),
        "theta from e^eps": values(theta=lambda s: whole(s) / (whole(s) + 2)),
        "d1 without theta": values(d1=lambda s: s.theta / ((1 - s.theta) * whole(s) + 1)),
        "estimator divides by theta": estimator(lambda s: s.d1, lambda s: s.theta, other=lambda s: 1 - s.d2),
        "estimator divides by d2": estimator(lambda s: s.d1, lambda s: s.theta - s.d1, other=lambda s: s.d2),
    },
    SuGRR: {
        "e^eps instead of e^(eps/m)": response(whole, k) | values(r=lambda s: (whole(s) - 1) / (whole(s) + k(s) - 1)),
        "K instead of K - 1": response(split, lambda s: k(s) + 1)
        | values(r=lambda s: (split(s) - 1) / (split(s) + k(s))),
        "d instead of K": response(split, d) | values(r=lambda s: (split(s) - 1) / (split(s) + d(s) - 1)),
        "r = 1": sugrr_with(
            lambda x, dom, p, q, r, c: x if x in dom.nonsensitive else perturb_protected(x, dom, p, q, r, c)
        ),
        "one sensitive item excluded": sugrr_with(excluded),
        "the first item for all": {"randomize": sugrr_once},
        "estimator with q instead of m q": estimator(Q, GAP, other=lambda s: s.r),
        "estimator divides by p instead of r": estimator(lambda s: s.m * s.q, GAP, other=lambda s: s.p),
    },
    SuGRRSample: {
        "e^(eps/m) instead of e^eps": values(
            item_randomizer=lambda s: type(
                "U",
                (URR,),
                values(
                    c1=lambda u: split(s) / (split(s) + k(s) - 1),
                    c2=lambda u: 1 / (split(s) + k(s) - 1),
                ),
            )(s.domain, s.budget)
        ),
        "always the first item": always_first(sugrr_item),
        "an item of the whole domain": with_replacement(sugrr_item),
        "invertible datum in the protected part": {
            "randomize": lambda s, items, coins: Report(s.item_randomizer.randomize(draw(s, items, coins), coins))
        },
        "non-sensitive items always shown": {
            "randomize": lambda s, items, coins: (
                lambda x: Report(None, frozenset([x])) if x in s.domain.nonsensitive else sugrr_item(s, x, coins)
            )(draw(s, items, coins))
        },
        "estimator without m": estimator(
            lambda s: s.item_randomizer.c2,
            lambda s: s.item_randomizer.c3,
            other=lambda s: s.item_randomizer.c3,
        ),
        "estimator with m q": estimator(
            lambda s: s.m * s.item_randomizer.c2,
            lambda s: s.item_randomizer.c3,
            M,
            lambda s: s.item_randomizer.c3,
        ),
    },
    SuRAP: {
        "e^(eps/m) instead of e^(eps/2m)": flips(split) | values(r=lambda s: (split(s) - 1) / split(s)),
        "e^(eps/2) instead of e^(eps/2m)": flips(half) | values(r=lambda s: (half(s) - 1) / half(s)),
        "r = p": values(r=lambda s: s.p),
        "r = 1": values(r=ONE),
        "non-sensitive zeros flipped on": {"randomize": leaking},
        "p and q swapped": values(p=lambda s: 1 / (half_split(s) + 1), q=lambda s: half_split(s) / (half_split(s) + 1)),
        "estimator with m q": estimator(lambda s: s.m * s.q, GAP, other=lambda s: s.r),
        "estimator divides by p instead of r": estimator(Q, GAP, other=lambda s: s.p),
    },
    SuRAPSample: {
        "e^(eps/2m) instead of e^(eps/2)": flips(half_split) | values(r=lambda s: (half_split(s) - 1) / half_split(s)),
        "always the first item": always_first(surap_item),
        "an item of the whole domain": with_replacement(surap_item),
        "r = (h - 1) / (h + 1)": values(r=lambda s: (half(s) - 1) / (half(s) + 1)),
        "all items instead of one": {
            "randomize": lambda s, items, coins: perturb_protected_bits(
                frozenset(s.require_set(items)), s.domain, s.bit_laws, coins
            )
        },
        "estimator without m": estimator(Q, GAP, other=lambda s: s.r),
        "non-sensitive items without m": estimator(Q, GAP, M, lambda s: s.m * s.r),
    },
}
"""Faults by mechanism; every one must show in the law of a report or in the expectation of an estimate."""
