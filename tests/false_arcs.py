"""False certificates about laws on arcs."""

from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

from certificates import Json, certified
from dp_spec.frequency import wheel
from dp_spec.frequency.wheel import ARC, HIT, KEPT, SUWHEEL, VARIANCE, WHEEL
from dp_spec.vocabulary.arc_statements import BestArc, Cover, CoverLength, Density, DensityRatio, Hit, Variance
from dp_spec.vocabulary.law import Estimator, K, M, N
from dp_spec.vocabulary.statement import (
    Invertible,
    InvertibleWithin,
    Mse,
    Ratio,
    Smallest,
    Statement,
    Unbiased,
    Unbounded,
)
from dp_spec.vocabulary.term import term, var
from planted import CONTRIBUTIONS, W, planted
from planted import KEPT as KEPT_LEMMA

COVER, CASES, ARCS, ORDER = ({"lemma": name} for name in ("cover", "cases", "arcs", "order types"))
AT: Json = {"m": 1, "K": 1, "N": 1, "w": "2"}
"""m = 1, e^eps = 2: arcs of length 1/3, Omega = 4/3, densities 3/2 and 3/4."""
APART = ["0", "1/3"]
TWO_SETS = K + N - M - 1


def affine(g: int, d: int) -> list[Json]:
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


def hit(**changes: Any) -> Json:
    """A true witness against P_false = p under one public function, with something changed."""
    evidence: Json = {"instance": AT, "hashes": [[APART, "1"]], "s": [0], "item": 1, "exact": "1/4", "stated": "1/3"}
    return evidence | changes


JOINT = Ratio(SUWHEEL, "hash", "joint")
MARGINAL = Ratio(SUWHEEL, "hash", "marginal", sizes="atmost")
FIXED = Hit(SUWHEEL, "fixed", "other", ARC)


# --- laws ---------------------------------------------------------------------------------------------------------


@planted("m arcs are not shown to")
def arcs_longer_than_the_circle() -> Json:
    """p = 1 / m leaves no gap outside the cover."""
    arc = 1 / M
    law = replace(SUWHEEL, q=arc, p=wheel.hit(arc), r=1 - wheel.hit(arc))
    return certified(Ratio(law, "hash", "marginal", sizes="atmost"), "proved", COVER)


@planted("not the chance of a held item's arc")
def a_table_of_another_density() -> Json:
    """P_true = p e^eps without the normaliser."""
    law = replace(SUWHEEL, p=ARC * W, r=1 - ARC * W)
    return certified(Hit(law, "fixed", "held", ARC * W), "proved", ARCS)


@planted("an item is emitted when its arc is avoided")
def emission_by_another_coin() -> Json:
    """r = 1/2 whatever the point is."""
    return certified(Invertible(replace(SUWHEEL, r=term(1) / 2), "hash"), "proved", KEPT_LEMMA)


# --- densities and ratios -----------------------------------------------------------------------------------------


@planted("the cover of more items is not bounded")
def a_density_for_all_sets() -> Json:
    """Three disjoint arcs of length 1/3 leave no place for the rest of the mass."""
    return certified(Density(SUWHEEL, "hash"), "proved", COVER)


@planted("a cover is not shown to leave a gap")
def a_density_for_too_many_items() -> Json:
    """2m + 1 arcs may cover everything."""
    return certified(Density(SUWHEEL, "hash", 2 * M + 1), "proved", COVER)


@planted("the density off the cover is not shown to be >= 0")
def a_density_for_longer_arcs() -> Json:
    """With arcs of length 1 / (3m), 2m of them leave a gap, but no mass for it if e^eps > 2."""
    arc = 1 / (3 * M)
    law = replace(WHEEL, q=arc, p=wheel.hit(arc))
    return certified(Density(law, "hash", 2 * M), "proved", COVER)


@planted("Q is a density at the witness")
def a_density_called_none() -> Json:
    """Two disjoint arcs leave density 0 outside: that is a law."""
    at = {"m": 1, "K": 2, "N": 0, "w": "2"}
    return certified(Density(WHEEL, "hash"), "refuted", {"instance": at, "hash": APART, "s": [0, 1]})


@planted("has an inadmissible size")
def a_larger_set_against_the_density_of_m_items() -> Json:
    """A statement about at most m items."""
    at = {"m": 1, "K": 3, "N": 0, "w": "2"}
    evidence = {"instance": at, "hash": ["0", "1/3", "2/3"], "s": [0, 1, 2]}
    return certified(Density(WHEEL, "hash", M), "refuted", evidence)


@planted("the cover of more than m items is not bounded")
def sets_of_all_sizes() -> Json:
    """Two disjoint arcs and m = 1: density 0 outside."""
    return certified(Ratio(SUWHEEL, "hash", "marginal", sizes="all"), "proved", COVER)


@planted("invertible data are not compared by the lemma")
def the_joint_reading_by_covers() -> Json:
    """What is emitted is compared, too."""
    return certified(JOINT, "proved", COVER)


@planted("invertible data are not compared by the lemma")
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
    statement = Smallest(SUWHEEL, "hash", "marginal", constant=term(1) / 2)
    return certified(statement, "refuted", pair(other=[0], other_density="3/2"))


@planted("hash values lie in [0, 1)")
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
    return certified(JOINT, "refuted", pair(point="1"))


@planted("the instance lies outside the domain")
def a_witness_outside_the_stated_sizes() -> Json:
    """A statement about domains without non-sensitive items."""
    return certified(Ratio(SUWHEEL, "hash", "joint", where=(-N,)), "refuted", pair())


@planted("w = 1 lies outside the domain")
def a_witness_at_epsilon_zero() -> Json:
    """eps > 0 is stated."""
    at = {"m": 1, "K": 1, "N": 1, "w": "1"}
    return certified(JOINT, "refuted", pair(instance=at, density="1"))


@planted("d > m is not stated")
def a_constant_of_a_single_set() -> Json:
    """For d = m there is one set of m items."""
    return certified(Smallest(WHEEL, "hash", "ldp", constant=W), "proved", {"lemma": "disjoint covers"})


@planted("the constant is not e^eps")
def a_smaller_constant() -> Json:
    """e^eps - 1/2 is reached and exceeded."""
    statement = Smallest(WHEEL, "hash", "ldp", where=(TWO_SETS,), constant=W - term(1) / 2)
    return certified(statement, "proved", {"lemma": "disjoint covers"})


@planted("does not exceed the constant")
def a_constant_that_is_reached() -> Json:
    """w is not larger than w."""
    statement = Smallest(SUWHEEL, "hash", "marginal", where=(TWO_SETS,), constant=W)
    return certified(statement, "refuted", pair(other_density="3/4"))


@planted("d > m, N >= 1 are not stated")
def unbounded_without_invertible_items() -> Json:
    """Without X_non the joint ratio is at most e^eps."""
    statement = Unbounded(SUWHEEL, "hash", "joint", where=(TWO_SETS,))
    return certified(statement, "proved", {"lemma": "emitted item"})


@planted("the pair is not compared by this reading")
def unbounded_marginal_law() -> Json:
    """The point alone has bounded ratios."""
    statement = Unbounded(SUWHEEL, "hash", "marginal", where=(TWO_SETS, N - 1))
    return certified(statement, "proved", {"lemma": "emitted item"})


@planted("whatever it is")
def privacy_on_average_over_hash_functions() -> Json:
    """The hash function is published: an average over it is another statement."""
    return certified(Ratio(SUWHEEL, "ideal", "marginal"), "proved", COVER)


@planted("the ratio is another one")
def a_ratio_of_the_wrong_cover() -> Json:
    """l is the length of the cover of s', k that of s."""
    ratio = (wheel.OMEGA - var("k") * W) / ((1 - var("k")) * wheel.OMEGA)
    statement = DensityRatio(SUWHEEL, "hash", "inout", (W / wheel.OMEGA) / ratio)
    return certified(statement, "proved", CASES)


@planted("the point is in another case")
def a_point_of_another_case() -> Json:
    """The point 0 is in the cover of s."""
    statement = DensityRatio(SUWHEEL, "hash", "outout", term(5))
    evidence = {"instance": AT, "hash": APART, "s": [0], "other": [1], "point": "0", "exact": "2", "stated": "5"}
    return certified(statement, "refuted", evidence)


# --- covers -------------------------------------------------------------------------------------------------------


@planted("they differ at")
def the_closed_end_belongs_to_the_arc() -> Json:
    """`printed-closed` has one point more where an arc wraps."""
    return certified(Cover(SUWHEEL, "hash", "printed-closed"), "proved", ORDER)


@planted("one point shows nothing")
def one_point_against_almost_everywhere() -> Json:
    """A point has length 0."""
    evidence = {"instance": {"m": 1, "K": 1, "N": 0, "w": "2"}, "value": "2/3", "point": "0"}
    return certified(Cover(SUWHEEL, "hash", "printed-closed", "almost"), "refuted", evidence)


@planted("the reading is right at the witness")
def a_point_that_both_have() -> Json:
    """0 is in the arc that starts at 3/4, closed or not."""
    evidence = {"instance": {"m": 1, "K": 1, "N": 0, "w": "2"}, "value": "3/4", "point": "0"}
    return certified(Cover(SUWHEEL, "hash", "printed-closed"), "refuted", evidence)


@planted("a hash value lies in the stated range")
def the_value_one_among_half_open_values() -> Json:
    """[0, 1) is stated."""
    evidence = {"instance": {"m": 1, "K": 1, "N": 0, "w": "2"}, "value": "1", "point": "1/3"}
    return certified(Cover(SUWHEEL, "hash", "printed-closed", values="halfopen"), "refuted", evidence)


@planted("the bound is not shown to be at least m arcs long")
def a_cover_of_overlapping_arcs() -> Json:
    """Arcs need not overlap."""
    return certified(CoverLength(SUWHEEL, "hash", ARC), "proved", {"lemma": "union of arcs"})


@planted("the cover is not longer")
def a_cover_as_long_as_stated() -> Json:
    """l = m p is no violation of l <= m p."""
    at = {"m": 2, "K": 2, "N": 0, "w": "2"}
    evidence = {"instance": at, "hash": ["0", "1/7"], "s": [0, 1], "exact": "2/7", "stated": "2/7"}
    return certified(CoverLength(SUWHEEL, "hash", M * ARC), "refuted", evidence)


# --- probabilities and estimates ----------------------------------------------------------------------------------


@planted("no lemma about another item's arc")
def another_arc_under_pairwise_hashing() -> Json:
    """The values of three items are not independent."""
    return certified(Hit(SUWHEEL, "pairwise", "other", ARC), "proved", ARCS)


@planted("no lemma about another item's arc")
def another_arc_under_a_fixed_function() -> Json:
    """Nothing is random there but the point."""
    return certified(FIXED, "proved", ARCS)


@planted("the probability is another one")
def another_arc_among_disjoint_ones() -> Json:
    """p / Omega, not p."""
    return certified(Hit(SUWHEEL, "disjoint", "other", ARC), "proved", ARCS)


@planted("not independent and uniform")
def dependent_values_called_independent() -> Json:
    """The affine family modulo 7 on three items, called (m + 1)-wise independent for m = 2."""
    at = {"m": 2, "K": 3, "N": 0, "w": "2"}
    evidence = hit(instance=at, hashes=affine(7, 3), s=[0, 1], item=2, exact="8/63", stated="1/7")
    return certified(Hit(WHEEL, "kwise", "other", ARC), "refuted", evidence)


@planted("not independent and uniform")
def equal_values_called_pairwise() -> Json:
    """Every value is uniform, all are equal."""
    at = {"m": 2, "K": 3, "N": 0, "w": "2"}
    evidence = hit(instance=at, hashes=[[[f"{j}/7"] * 3, "1/7"] for j in range(7)], s=[0, 1], item=2)
    return certified(Hit(WHEEL, "pairwise", "other", ARC), "refuted", evidence)


@planted("no multiple of the grid's step")
def a_grid_that_does_not_fit() -> Json:
    """Values on multiples of 1/2, arcs of length 1/3: not uniform as far as arcs can see."""
    evidence = hit(hashes=affine(2, 2), exact="1/2")
    return certified(Hit(SUWHEEL, "pairwise", "other", ARC), "refuted", evidence)


@planted("not a law on hash functions")
def weights_that_are_no_law() -> Json:
    """Weights of sum 1/2."""
    return certified(FIXED, "refuted", hit(hashes=[[APART, "1/2"]]))


@planted("one public hash function")
def two_public_functions() -> Json:
    """One function is shared by all users."""
    evidence = hit(hashes=[[APART, "1/2"], [["1/3", "0"], "1/2"]])
    return certified(FIXED, "refuted", evidence)


@planted("arcs that overlap")
def overlapping_arcs_called_disjoint() -> Json:
    """p / Omega is wrong there, but nobody said otherwise."""
    evidence = hit(hashes=[[["0", "0"], "1"]], exact="1/2", stated="1/4")
    return certified(Hit(SUWHEEL, "disjoint", "other", ARC / wheel.OMEGA), "refuted", evidence)


@planted("the event is about items of s")
def a_held_item_called_another() -> Json:
    """P_false is about x outside s."""
    return certified(FIXED, "refuted", hit(item=0, exact="1/2"))


@planted("sensitive items are not emitted")
def emission_of_a_sensitive_item() -> Json:
    """Item 0 is sensitive."""
    statement = Hit(SUWHEEL, "fixed", "emitted", KEPT)
    return certified(statement, "refuted", hit(item=0, exact="0", stated="1/2"))


@planted("the law has no invertible data")
def emission_by_wheel() -> Json:
    """Wheel emits nothing."""
    return certified(Hit(WHEEL, "fixed", "emitted", 1 - HIT), "proved", ARCS)


@planted("the witness shows other numbers")
def a_witness_that_shows_other_numbers() -> Json:
    """1/4 is exact, 1/3 stated."""
    return certified(FIXED, "refuted", hit(exact="1/5"))


@planted("the expectation is not f_x")
def the_printed_estimator_under_disjoint_arcs() -> Json:
    """P_false is p / Omega there."""
    statement = Unbiased(SUWHEEL, "disjoint", "sensitive", wheel.SENSITIVE)
    return certified(statement, "proved", CONTRIBUTIONS)


@planted("no lemma about another item's arc")
def an_estimate_under_pairwise_hashing() -> Json:
    """Refuted for m = 2."""
    statement = Unbiased(SUWHEEL, "pairwise", "sensitive", wheel.SENSITIVE)
    return certified(statement, "proved", CONTRIBUTIONS)


@planted("the formula is not the variance")
def a_variance_without_absent_users() -> Json:
    """The users who do not hold x contribute P_false (1 - P_false)."""
    formula = VARIANCE - (1 - var("f")) * ARC * (1 - ARC) / (var("n") * (HIT - ARC) ** 2)
    statement = Variance(SUWHEEL, "ideal", "sensitive", wheel.SENSITIVE, formula=formula)
    return certified(statement, "proved", CONTRIBUTIONS)


@planted("the variance is over the mechanism's randomness")
def a_variance_of_random_data() -> Json:
    """The statement is about fixed data."""
    statement = Variance(SUWHEEL, "ideal", "sensitive", wheel.SENSITIVE, data="iid", formula=VARIANCE)
    return certified(statement, "proved", CONTRIBUTIONS)


@planted("the formula is right at the witness")
def a_bias_counted_as_variance() -> Json:
    """A biased estimator with the right variance: only its MSE is another one."""
    shifted = Estimator(KEPT, term(1))
    statement = Variance(SUWHEEL, "hash", "nonsensitive", shifted, formula=wheel.EQ25_NONSENSITIVE)
    evidence = {"instance": AT | {"n": 1}, "hashes": [[APART, "1"]], "users": [[1]], "item": 1}
    return certified(statement, "refuted", evidence | {"exact": "2", "stated": "1"})


@planted("data of another kind")
def users_for_random_data() -> Json:
    """i.i.d. users need a population."""
    statement = Mse(SUWHEEL, "hash", "nonsensitive", wheel.NONSENSITIVE, data="iid", formula=wheel.EQ25_NONSENSITIVE)
    evidence = {"instance": AT | {"n": 1}, "hashes": [[APART, "1"]], "users": [[1]], "item": 1}
    return certified(statement, "refuted", evidence | {"exact": "2", "stated": "1"})


@planted("not of the stated class")
def a_sensitive_item_for_another_class() -> Json:
    """Item 0 is sensitive."""
    statement = Unbiased(SUWHEEL, "fixed", "nonsensitive", wheel.NONSENSITIVE)
    evidence = {"instance": AT | {"n": 1}, "hashes": [[APART, "1"]], "users": [[1]], "item": 0}
    return certified(statement, "refuted", evidence | {"exact": "0", "stated": "1"})


@planted("x is emitted with another probability")
def emission_with_probability_one() -> Json:
    """r = 1 - P_true."""
    return certified(Invertible(SUWHEEL, "hash", probability=term(1)), "proved", KEPT_LEMMA)


@planted("unknown evidence")
def wheel_with_invertible_data() -> Json:
    """Wheel has none."""
    return certified(InvertibleWithin(WHEEL, "hash"), "proved", KEPT_LEMMA)


# --- the best arc -------------------------------------------------------------------------------------------------

P = var("p")
SQUARE = (P - term(1) / 4) ** 2


@planted("not shown to be larger")
def the_printed_arc_is_the_best() -> Json:
    """Only for m = 1."""
    from dp_spec.frequency.claims.wheel import FORMAL

    statement = FORMAL["002.alg1.popt@f0"]
    assert isinstance(statement, BestArc)
    return certified(statement, "proved", {"lemma": "either side"})


@planted("arc lengths outside the domain")
def a_better_arc_that_does_not_fit() -> Json:
    """p < 1 / m is stated."""
    evidence = {"instance": {"m": 2, "w": "2"}, "better": "3/4", "exact": "-3/4", "stated": "-1/4"}
    return certified(BestArc("w", -P, term(1) / 4, 1 / M), "refuted", evidence)


@planted("the error is not smaller")
def an_arc_as_good_as_the_best() -> Json:
    """(p - 1/4)^2 is least at 1/4."""
    evidence = {"instance": {"m": 1, "w": "2"}, "better": "1/4", "exact": "0", "stated": "0"}
    return certified(BestArc("w", SQUARE, term(1) / 4, 1 / M), "refuted", evidence)


@planted("not shown: 0 < arc < most")
def a_best_arc_that_does_not_fit() -> Json:
    """1/2 is not below 1/m."""
    return certified(BestArc("w", SQUARE, term(1) / 2, 1 / M), "proved", {"lemma": "either side"})


# --- kinds of evidence that no claim of the project needs ---------------------------------------------------------

_COVERED = {"instance": {"m": 2, "K": 2, "N": 0, "w": "2"}, "hash": ["0", "1/7"], "s": [0, 1]}
OTHERS_ON_ARCS: list[tuple[Statement, str, Json]] = [
    (CoverLength(SUWHEEL, "hash", ARC), "refuted", _COVERED | {"exact": "2/7", "stated": "1/7"}),
    (Smallest(SUWHEEL, "hash", "marginal", constant=term(1)), "refuted", pair(other_density="3/4")),
    (InvertibleWithin(SUWHEEL, "hash"), "proved", KEPT_LEMMA),
]
"""True certificates of these kinds."""
