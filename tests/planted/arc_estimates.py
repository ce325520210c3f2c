"""False certificates about arcs themselves, about hit probabilities and about estimates."""

from typing import Any

from dp_spec.frequency import wheel
from dp_spec.frequency.wheel import ARC, HIT, KEPT, SUWHEEL, VARIANCE, WHEEL
from dp_spec.vocabulary.arc_statements import Cover
from dp_spec.vocabulary.error_statements import Formula, Variance
from dp_spec.vocabulary.law import Estimator, K, M, N
from dp_spec.vocabulary.statement import Chance, Domain, Invertible, Mse, Range, Unbiased
from dp_spec.vocabulary.term import term, var
from planted.arcs import ALONE, APART, AT, CONTRIBUTIONS, SIZES, SUPPORT, affine
from planted.register import planted
from tampered.certificates import Json, certified

FITTING = (3 * M - 1 - K - N,)
FIXED = Chance(SUWHEEL, "fixed", "sensitive", "other", ARC)


def hit(**changes: Any) -> Json:
    """A true witness against P_false = p under one public function, with something changed."""
    evidence: Json = {"instance": AT, "hashes": [[APART, "1"]], "s": [1], "item": 0, "exact": "1/4", "stated": "1/3"}
    return evidence | changes


# --- covers -------------------------------------------------------------------------------------------------------


@planted("they differ at")
def the_closed_end_belongs_to_the_arc() -> Json:
    """`printed-closed` has one point more where an arc wraps."""
    return certified(Cover(SUWHEEL, "hash", "printed-closed"), "proved", ALONE)


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


@planted("positivity is not shown")
def a_cover_of_overlapping_arcs() -> Json:
    """Arcs need not overlap."""
    statement = Formula(Domain({**SIZES, "o": Range()}), (("le", M * ARC - var("o"), ARC),))
    return certified(statement, "proved", {"steps": [{}]})


# --- probabilities and estimates ----------------------------------------------------------------------------------


@planted("no rule for another item's arc")
def another_arc_under_pairwise_hashing() -> Json:
    """The values of three items are not independent."""
    return certified(Chance(SUWHEEL, "pairwise", "sensitive", "other", ARC), "proved", CONTRIBUTIONS)


@planted("no rule for another item's arc")
def another_arc_under_a_fixed_function() -> Json:
    """Nothing is random there but the point."""
    return certified(FIXED, "proved", CONTRIBUTIONS)


@planted("the probability is another one")
def another_arc_among_disjoint_ones() -> Json:
    """p / Omega, not p."""
    return certified(Chance(SUWHEEL, "disjoint", "sensitive", "other", ARC, where=FITTING), "proved", CONTRIBUTIONS)


@planted("not independent and uniform")
def dependent_values_called_independent() -> Json:
    """The affine family modulo 7 on three items, called (m + 1)-wise independent for m = 2."""
    at = {"m": 2, "K": 3, "N": 0, "w": "2"}
    evidence = hit(instance=at, hashes=affine(7, 3), s=[0, 1], item=2, exact="8/63", stated="1/7")
    return certified(Chance(WHEEL, "kwise", "sensitive", "other", ARC), "refuted", evidence)


@planted("not independent and uniform")
def equal_values_called_pairwise() -> Json:
    """Every value is uniform, all are equal."""
    at = {"m": 2, "K": 3, "N": 0, "w": "2"}
    evidence = hit(instance=at, hashes=[[[f"{j}/7"] * 3, "1/7"] for j in range(7)], s=[0, 1], item=2)
    return certified(Chance(WHEEL, "pairwise", "sensitive", "other", ARC), "refuted", evidence)


@planted("no multiple of the grid's step")
def a_grid_that_does_not_fit() -> Json:
    """Values on multiples of 1/2, arcs of length 1/3: not uniform as far as arcs can see."""
    evidence = hit(hashes=affine(2, 2), exact="1/2")
    return certified(Chance(SUWHEEL, "pairwise", "sensitive", "other", ARC), "refuted", evidence)


@planted("not a law on functions")
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
    return certified(
        Chance(SUWHEEL, "disjoint", "sensitive", "other", ARC / wheel.OMEGA, where=FITTING), "refuted", evidence
    )


@planted("the item is held, or it is not")
def a_held_item_called_another() -> Json:
    """P_false is about x outside s."""
    return certified(FIXED, "refuted", hit(s=[0], exact="1/2"))


@planted("not of the stated class")
def an_emitted_item_called_hit() -> Json:
    """Item 1 is not sensitive: what is counted for it is that it is emitted."""
    statement = Chance(SUWHEEL, "fixed", "sensitive", "held", HIT)
    return certified(statement, "refuted", hit(item=1, exact="1/2", stated="1/2"))


@planted("not of the stated class")
def emission_of_a_sensitive_item() -> Json:
    """Item 0 is sensitive."""
    statement = Chance(SUWHEEL, "fixed", "nonsensitive", "held", KEPT)
    return certified(statement, "refuted", hit(s=[0], exact="0", stated="1/2"))


@planted("the law shows no non-sensitive items")
def emission_by_wheel() -> Json:
    """Wheel emits nothing."""
    return certified(Chance(WHEEL, "fixed", "nonsensitive", "held", 1 - HIT), "proved", CONTRIBUTIONS)


@planted("other numbers are shown")
def a_witness_that_shows_other_numbers() -> Json:
    """1/4 is exact, 1/3 stated."""
    return certified(FIXED, "refuted", hit(exact="1/5"))


@planted("the moment is another one")
def the_printed_estimator_under_disjoint_arcs() -> Json:
    """P_false is p / Omega there."""
    statement = Unbiased(SUWHEEL, "disjoint", "sensitive", wheel.SENSITIVE, where=FITTING)
    return certified(statement, "proved", CONTRIBUTIONS)


@planted("the arcs of all items are not shown to fit")
def disjoint_arcs_of_any_number_of_items() -> Json:
    """No hash function makes 1 + 1/p arcs disjoint."""
    statement = Chance(SUWHEEL, "disjoint", "sensitive", "other", ARC / wheel.OMEGA)
    return certified(statement, "proved", CONTRIBUTIONS)


@planted("the arcs of all items are not shown to fit")
def disjoint_arcs_of_one_item_too_many() -> Json:
    """3m arcs are longer than the circle for e^eps < 1 + 1/m."""
    statement = Invertible(SUWHEEL, "disjoint", where=(3 * M - K - N,))
    return certified(statement, "proved", SUPPORT)


@planted("no rule for another item's arc")
def an_estimate_under_pairwise_hashing() -> Json:
    """Refuted for m = 2."""
    statement = Unbiased(SUWHEEL, "pairwise", "sensitive", wheel.SENSITIVE)
    return certified(statement, "proved", CONTRIBUTIONS)


@planted("the moment is another one")
def a_variance_without_absent_users() -> Json:
    """The users who do not hold x contribute P_false (1 - P_false)."""
    formula = VARIANCE - (1 - var("f")) * ARC * (1 - ARC) / (var("n") * (HIT - ARC) ** 2)
    statement = Variance(SUWHEEL, "ideal", "sensitive", wheel.SENSITIVE, formula=formula)
    return certified(statement, "proved", CONTRIBUTIONS)


@planted("'iid' is none of ('fixed',)")
def a_variance_of_random_data() -> Json:
    """The statement is about fixed data."""
    statement = Variance(SUWHEEL, "ideal", "sensitive", wheel.SENSITIVE, data="iid", formula=VARIANCE)
    return certified(statement, "proved", CONTRIBUTIONS)


@planted("the statement is right at the witness")
def a_bias_counted_as_variance() -> Json:
    """A biased estimator with the right variance: only its MSE is another one."""
    shifted = Estimator(KEPT, term(1))
    statement = Variance(SUWHEEL, "hash", "nonsensitive", shifted, formula=wheel.EQ25_NONSENSITIVE)
    evidence = {"instance": AT | {"n": 1}, "hashes": [[APART, "1"]], "users": [[1]], "item": 1}
    return certified(statement, "refuted", evidence | {"exact": "2", "stated": "1"})


@planted("a population for i.i.d. users, and only for them")
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
    return certified(Invertible(SUWHEEL, "hash", probability=term(1)), "proved", SUPPORT)


@planted("the law shows no items")
def wheel_with_invertible_data() -> Json:
    """Wheel has none."""
    return certified(Invertible(WHEEL, "hash"), "proved", SUPPORT)
