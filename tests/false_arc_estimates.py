"""False certificates about arcs themselves, about hit probabilities and about estimates."""

from typing import Any

from certificates import Json, certified
from dp_spec.frequency import wheel
from dp_spec.frequency.wheel import ARC, HIT, KEPT, SUWHEEL, VARIANCE, WHEEL
from dp_spec.vocabulary.arc_statements import BestArc, Cover, CoverLength, Hit, Variance
from dp_spec.vocabulary.law import Estimator, M
from dp_spec.vocabulary.statement import Invertible, InvertibleWithin, Mse, Unbiased
from dp_spec.vocabulary.term import term, var
from false_arcs import APART, ARCS, AT, affine
from planted import CONTRIBUTIONS, planted
from planted import KEPT as KEPT_LEMMA

ORDER = {"lemma": "order types"}
FIXED = Hit(SUWHEEL, "fixed", "other", ARC)


def hit(**changes: Any) -> Json:
    """A true witness against P_false = p under one public function, with something changed."""
    evidence: Json = {"instance": AT, "hashes": [[APART, "1"]], "s": [0], "item": 1, "exact": "1/4", "stated": "1/3"}
    return evidence | changes


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
