"""Exact divergences of small settings from the reference implementation, which shares no code with the kernel."""

from collections.abc import Sequence
from fractions import Fraction

from flint import fmpq

from dp_kernel.formulas.terms import exp
from dp_refimpl.frequency.hash_families import AllFunctions, LabelFunction, PublicFunctions
from dp_refimpl.shuffle.blanket import SH
from dp_refimpl.shuffle.channel import ShuffledLaws, multinomial_law, shuffled_laws
from dp_refimpl.shuffle.dummies import Constant
from dp_refimpl.shuffle.dump import PureDUMP
from dp_refimpl.shuffle.murs import SOLH
from dp_refimpl.shuffle.protocol_parts import Randomizer
from dp_spec.vocabulary.budget import rational_budget
from dp_spec.vocabulary.items import ItemDomain
from dp_studies.comparisons.amplification.query import Setting
from dp_studies.comparisons.amplification.solve import Enclosure

BITS = 200
ITEMS = (0, 1, 2)


def exact(setting: Setting) -> list[ShuffledLaws[fmpq]]:
    """The laws of a setting with rational e^epsilon0: of local hashing with all functions of three items, and with one
    that keeps as many apart as it can; of `ldp` the randomized responses on two and on three labels."""
    sizes = (2, 3) if setting.mechanism == "ldp" else (setting.labels,)
    if setting.mechanism == "olh":
        public = LabelFunction(ITEMS, tuple(min(x, setting.labels - 1) for x in ITEMS), setting.labels)
        families: tuple[AllFunctions | PublicFunctions, ...] = (
            AllFunctions(ITEMS, setting.labels),
            PublicFunctions((public,)),
        )
        budget = rational_budget(setting.epsilon0 or "0")
        randomizers: Sequence[Randomizer[fmpq]] = [SOLH(ItemDomain(ITEMS), budget, family) for family in families]
        return [_laws(one, setting, _hashed(family)) for one, family in zip(randomizers, families, strict=True)]
    domains = [ItemDomain(tuple(range(size))) for size in sizes]
    if setting.mechanism == "dump":
        randomizers = [PureDUMP(domain, Constant(0)) for domain in domains]
    else:
        randomizers = [SH.of_budget(domain, rational_budget(setting.epsilon0 or "0")) for domain in domains]
    return [_laws(one, setting, {x: fmpq(1, len(one.inputs)) for x in one.inputs}) for one in randomizers]


def _hashed(family: AllFunctions | PublicFunctions) -> dict[object, fmpq]:
    return {(h, y): weight / family.labels for h, weight in family.law().items() for y in range(family.labels)}


def _laws(randomizer: Randomizer[fmpq], setting: Setting, uniform: dict[object, fmpq]) -> ShuffledLaws[fmpq]:
    return shuffled_laws(randomizer, setting.users, fakes=multinomial_law(setting.dummies, uniform))


def contains_epsilon(enclosure: Enclosure, laws: Sequence[ShuffledLaws[fmpq]], delta: Fraction) -> bool:
    """Whether the upper end holds for all laws, and the lower one is shown by some."""
    smallest = [law.worst_profile().smallest(fmpq(delta.numerator, delta.denominator)) for law in laws]
    roots = [Fraction(int(e.p), int(e.q)) for e in smallest if e is not None]
    low, high = (exp(Fraction(end.value), BITS) for end in (enclosure.lower, enclosure.upper))
    return len(roots) == len(laws) and low.low <= max(roots) <= high.high


def contains_delta(enclosure: Enclosure, laws: Sequence[ShuffledLaws[fmpq]], eps: Fraction) -> bool:
    """The same, of delta at an epsilon: delta falls in it."""
    e = exp(eps, BITS)
    most, least = (max(_delta(law, a) for law in laws) for a in (e.low, e.high))
    return Fraction(enclosure.lower.value) <= most and least <= Fraction(enclosure.upper.value)


def _delta(law: ShuffledLaws[fmpq], a: Fraction) -> Fraction:
    value = law.delta(fmpq(a.numerator, a.denominator)).value
    return Fraction(int(value.p), int(value.q))
