"""False certificates about laws on arcs."""

from fractions import Fraction
from itertools import product
from typing import Any

from certificates import Json, certified
from dp_spec.frequency import wheel
from dp_spec.frequency.wheel import ARC, SUWHEEL, WHEEL
from dp_spec.vocabulary.arc_statements import Density, DensityRatio
from dp_spec.vocabulary.law import K, Law, M, N, interval, push
from dp_spec.vocabulary.statement import (
    Chance,
    Invertible,
    Ratio,
    Smallest,
    Statement,
    Unbounded,
)
from dp_spec.vocabulary.term import Term, term, var
from planted import W, planted

COVER, EMITTED, SUPPORT, CONTRIBUTIONS = ({"rule": name} for name in ("cover", "emitted", "support", "contributions"))
ALONE: Json = {}
AT: Json = {"m": 1, "K": 1, "N": 1, "w": "2"}
"""m = 1, e^eps = 2: arcs of length 1/3, Omega = 4/3, densities 3/2 and 3/4."""
APART = ["0", "1/3"]
TWO_SETS = K + N - M - 1


def affine(g: int, d: int) -> list[Any]:
    """h(x) = ((a x + b) mod g) / g."""
    found: dict[tuple[str, ...], Fraction] = {}
    for a, b in product(range(g), repeat=2):
        values = tuple(str(Fraction((a * x + b) % g, g)) for x in range(d))
        found[values] = found.get(values, Fraction(0)) + Fraction(1, g * g)
    return [[list(values), str(weight)] for values, weight in found.items()]


def pair(**changes: Any) -> Json:
    """A true witness against the joint reading, with something changed."""
    evidence: Json = {"instance": AT, "hash": APART, "s": [0], "other": [1], "point": "0", "invertible": []}
    return evidence | {"density": "3/2", "other_density": "0"} | changes


JOINT = Ratio(SUWHEEL, "hash", "joint")
MARGINAL = Ratio(SUWHEEL, "hash", "marginal", sizes="atmost")


# --- laws ---------------------------------------------------------------------------------------------------------


def other(length: Term, weight: Term = W, *, emits: bool = True) -> Law:
    """suWheel or Wheel with other arcs."""
    point = interval("ideal", length, weight)
    return Law("suwheel" if emits else "wheel", "w", term(1), push("emit", point) if emits else point)


@planted("m arcs are not shown to leave a gap")
def arcs_longer_than_the_circle() -> Json:
    """p = 1 / m leaves no gap outside the cover."""
    return certified(Ratio(other(1 / M), "hash", "marginal", sizes="atmost"), "proved", COVER)


@planted("an arc is not shown to have a length")
def arcs_without_length() -> Json:
    """p = 0."""
    return certified(Ratio(other(term(0)), "hash", "marginal"), "proved", COVER)


@planted("the density on arcs is not shown to be >= 0")
def negative_densities_on_arcs() -> Json:
    """w - 2 < 0 for e^eps < 2."""
    return certified(Density(other(ARC, W - 2), "hash", M), "proved", ALONE)


@planted("the density on arcs is not shown to be at most e^eps / Omega")
def twice_the_density_on_arcs() -> Json:
    """Ratios up to 2 e^eps."""
    return certified(Ratio(other(ARC, 2 * W), "hash", "marginal"), "proved", COVER)


@planted("the density is not shown to be larger on arcs")
def a_smaller_density_on_arcs() -> Json:
    """1 / w on arcs: ratios up to more than e^eps, the other way round."""
    return certified(Ratio(other(ARC, 1 / W), "hash", "marginal"), "proved", COVER)


@planted("the law is not about arcs")
def disjoint_arcs_of_dummies() -> Json:
    """The dummies have arcs, too: nothing says that all of them fit."""
    law = Law("wheel", "w", term(1), ("dummies", "sen", interval("disjoint", ARC, W)))
    body = Chance(WHEEL, "disjoint", "sensitive", "other", ARC / wheel.OMEGA).json() | {"law": law.json()}
    return certified(body, "proved", CONTRIBUTIONS)


@planted("not a law")
def a_point_for_every_item() -> Json:
    """Off the arc of one item the density is not 1 / Omega (for m > 1); disjoint arcs need not even exist."""
    law = Law("wheel", "w", term(1), ("each", "held", interval("disjoint", ARC, W)))
    body = Chance(WHEEL, "disjoint", "sensitive", "other", M * ARC / wheel.OMEGA).json() | {"law": law.json()}
    return certified(body, "proved", CONTRIBUTIONS)


@planted("the probability is another one")
def a_chance_of_another_density() -> Json:
    """P_true = p e^eps without the normaliser."""
    return certified(Chance(SUWHEEL, "fixed", "sensitive", "held", ARC * W), "proved", CONTRIBUTIONS)


@planted("x is emitted with another probability")
def emission_by_another_coin() -> Json:
    """r = 1/2 whatever the point is."""
    return certified(Invertible(SUWHEEL, "hash", probability=term(1) / 2), "proved", SUPPORT)


@planted("no hash functions are called universal")
def an_unknown_family() -> Json:
    """Nothing is known of it."""
    return certified(Chance(other(ARC), "universal", "sensitive", "held", wheel.HIT), "proved", CONTRIBUTIONS)  # type: ignore[arg-type]


# --- densities and ratios -----------------------------------------------------------------------------------------


@planted("the cover of more items is not bounded")
def a_density_for_all_sets() -> Json:
    """Three disjoint arcs of length 1/3 leave no place for the rest of the mass."""
    return certified(Density(SUWHEEL, "hash"), "proved", ALONE)


@planted("a cover is not shown to leave a gap")
def a_density_for_too_many_items() -> Json:
    """2m + 1 arcs may cover everything."""
    return certified(Density(SUWHEEL, "hash", 2 * M + 1), "proved", ALONE)


@planted("the density off the cover is not shown to be >= 0")
def a_density_for_longer_arcs() -> Json:
    """With arcs of length 1 / (3m), 2m of them leave a gap, but no mass for it if e^eps > 2."""
    return certified(Density(other(1 / (3 * M), emits=False), "hash", 2 * M), "proved", ALONE)


@planted("Q is a density at the witness")
def a_density_called_none() -> Json:
    """Two disjoint arcs leave density 0 outside: that is a law."""
    at = {"m": 1, "K": 2, "N": 0, "w": "2"}
    return certified(Density(WHEEL, "hash"), "refuted", {"instance": at, "hash": APART, "s": [0, 1]})


@planted("no set of known items of an admissible size")
def a_larger_set_against_the_density_of_m_items() -> Json:
    """A statement about at most m items."""
    at = {"m": 1, "K": 3, "N": 0, "w": "2"}
    evidence = {"instance": at, "hash": ["0", "1/3", "2/3"], "s": [0, 1, 2]}
    return certified(Density(WHEEL, "hash", M), "refuted", evidence)


@planted("the cover of more than m items is not bounded")
def sets_of_all_sizes() -> Json:
    """Two disjoint arcs and m = 1: density 0 outside."""
    return certified(Ratio(SUWHEEL, "hash", "marginal", sizes="all"), "proved", COVER)


@planted("invertible data are compared")
def the_joint_reading_by_covers() -> Json:
    """What is emitted is compared, too."""
    return certified(JOINT, "proved", COVER)


@planted("invertible data are compared")
def local_privacy_of_what_is_emitted() -> Json:
    """suWheel is not epsilon-LDP."""
    return certified(Ratio(SUWHEEL, "hash", "ldp"), "proved", COVER)


@planted("does not violate")
def a_ratio_equal_to_the_bound() -> Json:
    """Disjoint arcs reach e^eps; that is no violation."""
    evidence = pair(point="0", other_density="3/4")
    return certified(MARGINAL, "refuted", evidence)


@planted("not those of the law")
def densities_of_another_law() -> Json:
    """The density on a cover is 3/2."""
    return certified(JOINT, "refuted", pair(density="2"))


@planted("the marginal law is that of the point alone")
def emitted_items_in_the_marginal_reading() -> Json:
    """I is not part of y0."""
    return certified(MARGINAL, "refuted", pair(invertible=[1]))


@planted("the output is not compared by this reading")
def an_item_that_only_one_set_holds() -> Json:
    """Joint: I is held by both sets."""
    evidence = pair(s=[1], other=[0], invertible=[1], density="3/4")
    return certified(JOINT, "refuted", evidence)


@planted("the pair is not compared")
def sets_with_other_invertible_items() -> Json:
    """`samenon` compares sets with equal non-sensitive items."""
    return certified(Ratio(SUWHEEL, "hash", "samenon"), "refuted", pair())


@planted("nothing is drawn from it")
def a_ratio_of_something_that_is_no_density() -> Json:
    """Three arcs cover everything: the integral is 3/2."""
    at = {"m": 1, "K": 3, "N": 0, "w": "2"}
    evidence = pair(instance=at, hash=["0", "1/3", "2/3"], s=[0], other=[0, 1, 2], density="3/2", other_density="3/2")
    return certified(Ratio(SUWHEEL, "hash", "marginal", sizes="all"), "refuted", evidence)


@planted("one set is not compared with itself")
def a_set_against_itself() -> Json:
    """Every ratio is 1."""
    return certified(MARGINAL, "refuted", pair(other=[0], other_density="3/2"))


@planted("is no point of [0, 1)")
def a_hash_value_beyond_the_circle() -> Json:
    """4/3 would be 1/3 again, if anybody reduced it."""
    return certified(JOINT, "refuted", pair(hash=["0", "4/3"]))


@planted("a hash value for every item")
def a_hash_function_without_an_item() -> Json:
    """x has no arc."""
    return certified(JOINT, "refuted", pair(hash=["0"]))


@planted("is no point of [0, 1)")
def a_point_beyond_the_circle() -> Json:
    """1 is not drawn."""
    return certified(JOINT, "refuted", pair(point="1", density="3/4"))


@planted("the instance lies outside the domain")
def a_witness_outside_the_stated_sizes() -> Json:
    """A statement about domains without non-sensitive items."""
    return certified(Ratio(SUWHEEL, "hash", "joint", where=(-N,)), "refuted", pair())


@planted("w = 1 lies outside the domain")
def a_witness_on_arcs_at_epsilon_zero() -> Json:
    """eps > 0 is stated."""
    at = {"m": 1, "K": 1, "N": 1, "w": "1"}
    return certified(JOINT, "refuted", pair(instance=at, density="1"))


@planted("d > m is not stated")
def a_constant_of_a_single_set() -> Json:
    """For d = m there is one set of m items."""
    return certified(Smallest(WHEEL, "hash", "ldp", constant=W), "proved", COVER)


@planted("the constant is another one")
def a_smaller_constant() -> Json:
    """e^eps - 1/2 is reached and exceeded."""
    statement = Smallest(WHEEL, "hash", "ldp", where=(TWO_SETS,), constant=W - term(1) / 2)
    return certified(statement, "proved", COVER)


@planted("d > m, N >= 1 are not stated")
def unbounded_without_invertible_items() -> Json:
    """Without X_non the joint ratio is at most e^eps."""
    statement = Unbounded(SUWHEEL, "hash", "joint", where=(TWO_SETS,))
    return certified(statement, "proved", EMITTED)


@planted("the pair is not compared by this reading")
def unbounded_marginal_law() -> Json:
    """The point alone has bounded ratios."""
    statement = Unbounded(SUWHEEL, "hash", "marginal", where=(TWO_SETS, N - 1))
    return certified(statement, "proved", EMITTED)


@planted("whatever it is")
def privacy_on_average_over_hash_functions() -> Json:
    """The hash function is published: an average over it is another statement."""
    return certified(Ratio(SUWHEEL, "ideal", "marginal"), "proved", COVER)


@planted("the ratio is another one")
def a_ratio_of_the_wrong_cover() -> Json:
    """l is the length of the cover of s', k that of s."""
    ratio = (wheel.OMEGA - var("k") * W) / ((1 - var("k")) * wheel.OMEGA)
    statement = DensityRatio(SUWHEEL, "hash", "inout", (W / wheel.OMEGA) / ratio)
    return certified(statement, "proved", ALONE)


@planted("the point is in another case")
def a_point_of_another_case() -> Json:
    """The point 0 is in the cover of s."""
    statement = DensityRatio(SUWHEEL, "hash", "outout", term(5))
    evidence = {"instance": AT, "hash": APART, "s": [0], "other": [1], "point": "0", "exact": "2", "stated": "5"}
    return certified(statement, "refuted", evidence)


# --- kinds of evidence that no claim of the project needs ---------------------------------------------------------

OTHERS_ON_ARCS: list[tuple[Statement, str, Json]] = [(Invertible(SUWHEEL, "hash"), "proved", SUPPORT)]
"""True certificates of these kinds."""
