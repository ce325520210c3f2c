"""False certificates about PrivSet: tables, constants, best subset sizes, comparisons."""

from dataclasses import replace
from typing import Any

from certificates import Json, certified
from dp_checks.check.subset_errors import CONDITION, FACTOR, QUADRATIC
from dp_spec.frequency.claims.privset import LIMIT, RIVAL
from dp_spec.frequency.privset import (
    CHOSEN,
    ESTIMATOR,
    HELD,
    OMEGA,
    OTHER,
    OUTPUTS,
    PADDED,
    PLAIN,
    RADICAND,
    SCALE,
    SET_WEIGHTS,
    SHIFT,
    SINGLE_WEIGHTS,
    P,
    Q,
)
from dp_spec.vocabulary.law import Estimator, M
from dp_spec.vocabulary.statement import Domain, Range
from dp_spec.vocabulary.subset_statements import (
    SubsetBest,
    SubsetBetter,
    SubsetConvex,
    SubsetErrorAbove,
    SubsetLaw,
    SubsetNoFormula,
    SubsetRatio,
    SubsetSameChoice,
    SubsetSmallest,
    SubsetUnbiased,
)
from dp_spec.vocabulary.term import Term, binomial, term, var
from planted import T, W, planted

COUNTING, TWO, SAME = {"lemma": "counting"}, {"lemma": "two probabilities"}, {"lemma": "same expression"}
TAYLOR = {"lemma": "Taylor coefficients"}
STEP = {"condition": CONDITION.json(), "factor": FACTOR.json()}
ROOT = {"radicand": RADICAND.json(), "shift": SHIFT.json(), "scale": SCALE.json()}
FOUND: Json = {name: part.json() for name, part in QUADRATIC.items()}
ONE, BOTH = (1 - M,), (SET_WEIGHTS, SINGLE_WEIGHTS)
MISSING, ALL = binomial(OUTPUTS - M, CHOSEN), binomial(OUTPUTS, CHOSEN)
DOUBLED = replace(PLAIN, hit=PLAIN.hit.substitute({"w": W**2}), miss=PLAIN.miss.substitute({"w": W**2}))
SIZES = {"d": Range(1, integer=True), "m": Range(2, integer=True), "t": Range(1, strict=True)}


def at(**numbers: Any) -> Json:
    return {"instance": numbers}


# --- tables -----------------------------------------------------------------------------------------------------------


@planted("do not sum to 1")
def weights_that_are_no_law() -> Json:
    """2 / Omega for subsets that miss the set."""
    return certified(SubsetLaw(replace(PLAIN, miss=2 / OMEGA), HELD, OTHER), "proved", COUNTING)


@planted("not shown to be >= 0")
def negative_probabilities() -> Json:
    """2 for all that meet the set, -1 for all that miss it."""
    table = replace(PLAIN, hit=2 / (ALL - MISSING), miss=-1 / MISSING)
    return certified(SubsetSmallest(table, W), "proved", TWO)


@planted("a binomial coefficient that the lemma does not have")
def another_binomial_coefficient() -> Json:
    """binom(D + 1, k)."""
    omega = MISSING + W * (binomial(OUTPUTS + 1, CHOSEN) - MISSING)
    return certified(SubsetRatio(replace(PLAIN, hit=W / omega, miss=1 / omega)), "proved", TWO)


@planted("unbound symbol d")
def items_for_outputs() -> Json:
    """d in the place of D, where they differ."""
    table = replace(PADDED, hit=PADDED.hit.substitute({"D": var("d") + M}))
    return certified(SubsetRatio(table), "proved", TWO)


@planted("not the chance of a other item")
def chances_exchanged() -> Json:
    """P_k for items that are not held."""
    return certified(SubsetLaw(PLAIN, HELD, HELD), "proved", COUNTING)


@planted("the table is as stated at the witness")
def right_table_refuted() -> Json:
    """The true P_k and Q_k."""
    return certified(SubsetLaw(PLAIN, HELD, OTHER), "refuted", at(d=3, m=1, k=1, w="2"))


@planted("2 is not in 1..1")
def subsets_that_always_meet_the_set() -> Json:
    """k > D - m: every subset meets the set, and the constant is 1."""
    return certified(SubsetSmallest(PLAIN, W), "refuted", at(d=3, m=2, k=2, w="2"))


@planted("no such set size")
def a_set_of_all_items() -> Json:
    """m = d without dummies: nothing is compared."""
    return certified(SubsetSmallest(PLAIN, W), "refuted", at(d=3, m=3, k=1, w="2"))


@planted("e^epsilon > 1")
def no_budget() -> Json:
    """At epsilon = 0 the constant is 1, but not w^2."""
    return certified(SubsetSmallest(PLAIN, W + 1), "refuted", at(d=3, m=1, k=1, w="1"))


@planted("at most 10 outputs")
def endless_enumeration() -> Json:
    """An instance of thirty items."""
    return certified(SubsetSmallest(PLAIN, W**2), "refuted", at(d=30, m=1, k=15, w="2"))


@planted("an instance names")
def unread_number() -> Json:
    """An instance with a number that nobody reads."""
    return certified(SubsetSmallest(PLAIN, W**2), "refuted", at(d=3, m=1, k=1, w="2", n=1))


# --- privacy and estimator --------------------------------------------------------------------------------------------


@planted("do not differ by e^epsilon")
def twice_the_budget() -> Json:
    """Weights w^2 and 1."""
    return certified(SubsetRatio(DOUBLED), "proved", TWO)


@planted("no ratio is larger than e^epsilon")
def private_table_refuted() -> Json:
    """The true table."""
    return certified(SubsetRatio(PLAIN), "refuted", at(d=3, m=1, k=1, w="2"))


@planted("the lemma's constant is e^epsilon")
def larger_constant() -> Json:
    """e^(2 epsilon) bounds the ratios, but is not the smallest such number."""
    return certified(SubsetSmallest(PADDED, W**2), "proved", TWO)


@planted("the constant is right there")
def right_constant_refuted() -> Json:
    """e^epsilon."""
    return certified(SubsetSmallest(PADDED, W), "refuted", at(d=1, m=1, k=1, w="2"))


@planted("the expectation is not f_x")
def estimator_without_offset() -> Json:
    """F_x / n / (P_k - Q_k)."""
    return certified(SubsetUnbiased(PLAIN, Estimator(HELD - OTHER, term(0))), "proved", COUNTING)


@planted("is not shown to differ from 0")
def estimator_with_a_pole() -> Json:
    """A slope times (D - 3) / (D - 3)."""
    slope = ESTIMATOR.slope * ((OUTPUTS - 3) / (OUTPUTS - 3))
    return certified(SubsetUnbiased(PLAIN, Estimator(slope, OTHER)), "proved", COUNTING)


@planted("the estimator is unbiased at the witness")
def right_estimator_refuted() -> Json:
    """The true one."""
    return certified(SubsetUnbiased(PADDED, ESTIMATOR), "refuted", at(d=2, m=1, k=1, w="2"))


# --- the best k -------------------------------------------------------------------------------------------------------


@planted("m = 1 is not stated")
def same_choice_for_all_sizes() -> Json:
    """False at d = 8, m = 2."""
    return certified(SubsetSameChoice(PADDED, BOTH), "proved", SAME)


@planted("the objectives differ")
def different_objectives_of_one_item() -> Json:
    """The second one counts D other outputs."""
    second = (P * (1 - P) + OUTPUTS * Q * (1 - Q)) / (P - Q) ** 2
    return certified(SubsetSameChoice(PADDED, (SET_WEIGHTS, second), ONE), "proved", SAME)


@planted("is not shown to differ from 0")
def objectives_with_a_pole() -> Json:
    """Both divide by 2 P - 1, which is 0 for some k."""
    pole = SET_WEIGHTS * ((2 * P - 1) / (2 * P - 1))
    return certified(SubsetSameChoice(PADDED, (pole, pole), ONE), "proved", SAME)


@planted("the instance lies outside the domain")
def witness_outside_the_domain() -> Json:
    """m = 2, where m = 1 is stated."""
    evidence = at(d=8, m=2, w="2") | {"best": [[2], [1]]}
    return certified(SubsetSameChoice(PADDED, BOTH, ONE), "refuted", evidence)


@planted("the witness shows other subset sizes")
def invented_best_sizes() -> Json:
    """At d = 7 both objectives choose the same k."""
    return certified(SubsetSameChoice(PADDED, BOTH), "refuted", at(d=7, m=2, w="2") | {"best": [[2], [1]]})


@planted("the objectives agree at the witness")
def agreement_called_a_refutation() -> Json:
    """d = 1: there is one k only."""
    return certified(SubsetSameChoice(PADDED, BOTH), "refuted", at(d=1, m=1, w="2") | {"best": [[1], [1]]})


@planted("a statement about no sizes at all")
def same_choice_of_no_sets() -> Json:
    """m = 1 and m = 0."""
    return certified(SubsetSameChoice(PADDED, BOTH, (1 - M, -1 * M)), "proved", SAME)


@planted("not the root of the condition")
def formula_one_too_large() -> Json:
    """The root plus 1."""
    return certified(SubsetBest(PLAIN, SET_WEIGHTS, RADICAND, SHIFT - SCALE, SCALE), "proved", STEP)


@planted("the factor is not shown to be positive")
def largest_for_smallest() -> Json:
    """Everything with the other sign: a root of the condition for the largest error."""
    step = {"condition": (-CONDITION).json(), "factor": (-FACTOR).json()}
    return certified(SubsetBest(PLAIN, SET_WEIGHTS, RADICAND, -SHIFT, -SCALE), "proved", step)


@planted("not the first difference of the objective")
def formula_of_another_objective() -> Json:
    """The formula denied of the variance of items that nobody holds; shown for set weights."""
    return certified(SubsetNoFormula(PADDED, Q * (1 - Q) / (P - Q) ** 2), "refuted", STEP | ROOT)


@planted("the shift depends on k")
def formula_that_knows_the_answer() -> Json:
    """A "formula" with k in it."""
    return certified(SubsetNoFormula(PADDED, SET_WEIGHTS), "refuted", STEP | ROOT | {"shift": ["add", "k", 1]})


@planted("the formula is right at the witness")
def right_formula_refuted() -> Json:
    """The true one."""
    statement = SubsetBest(PLAIN, SET_WEIGHTS, RADICAND, SHIFT, SCALE)
    return certified(statement, "refuted", at(d=9, m=1, w="2"))


@planted("the statement is about m = 1")
def formula_for_more_items_refuted() -> Json:
    """At m = 2 it is wrong, but nobody said it was right."""
    statement = SubsetBest(PLAIN, SET_WEIGHTS, RADICAND, SHIFT, SCALE)
    return certified(statement, "refuted", at(d=9, m=2, w="2"))


@planted("not the objective of the lemma")
def convexity_of_single_weights() -> Json:
    """Other weights have another decomposition."""
    return certified(SubsetConvex(PADDED, SINGLE_WEIGHTS), "proved", TAYLOR)


@planted("is not shown to differ from 0")
def convexity_with_a_pole() -> Json:
    """Set weights times (2 P - 1) / (2 P - 1)."""
    return certified(SubsetConvex(PADDED, SET_WEIGHTS * ((2 * P - 1) / (2 * P - 1))), "proved", TAYLOR)


@planted("the objective is convex at the witness")
def convexity_refuted() -> Json:
    """Any instance."""
    return certified(SubsetConvex(PADDED, SET_WEIGHTS), "refuted", at(d=5, m=2, k=3, w="2"))


@planted("is not in 2..")
def convexity_beyond_the_last_k() -> Json:
    """k = D - m has no right neighbour."""
    return certified(SubsetConvex(PLAIN, -SET_WEIGHTS), "refuted", at(d=5, m=2, k=3, w="2"))


# --- comparisons ------------------------------------------------------------------------------------------------------


@planted("unknown evidence")
def better_for_all_sets() -> Json:
    """False at d = 3, m = 2."""
    return certified(SubsetBetter(PLAIN, RIVAL), "proved", FOUND)


@planted("the lemma has D = d outputs")
def better_with_dummies() -> Json:
    """The proof is about the plain mechanism."""
    return certified(SubsetBetter(PADDED, RIVAL, ONE), "proved", FOUND)


@planted("not the quadratic")
def half_the_rival() -> Json:
    """Twice as good as RAPPOR."""
    return certified(SubsetBetter(PLAIN, RIVAL / 2, ONE), "proved", FOUND)


@planted("the multiple is not shown to be positive")
def worse_for_better() -> Json:
    """All signs exchanged."""
    negated = {name: (-part).json() for name, part in QUADRATIC.items()}
    return certified(SubsetBetter(PLAIN, RIVAL, ONE), "proved", negated)


@planted("the roots are not shown to be more than 1 apart")
def better_than_a_hundredth_more() -> Json:
    """A rival that is smaller than the error for d = 2: m (d - 1) w / (w - 1)^2 times 2 is the error itself."""
    rival = 2 * T**2 / (T**2 - 1) ** 2 * (var("d") / 2)
    shift = {"constant": QUADRATIC["constant"]}
    square = (OUTPUTS - 1) * (T**2 - 1) ** 2 + OUTPUTS * T**2
    found: dict[str, Term] = QUADRATIC | shift | {"square": square}
    found |= {"slope": (OUTPUTS - 1) ** 2 * (T**4 - 1) - square * OUTPUTS}
    return certified(SubsetBetter(PLAIN, rival, ONE), "proved", {name: part.json() for name, part in found.items()})


@planted("the witness shows other errors")
def invented_errors() -> Json:
    """An error of 2 at d = 3, m = 2."""
    evidence = at(d=3, m=2, t="5") | {"errors": ["2"], "rival": "15/16"}
    return certified(SubsetBetter(PLAIN, RIVAL), "refuted", evidence)


@planted("the witness shows another rival")
def invented_rival() -> Json:
    """RAPPOR without error."""
    evidence = at(d=3, m=2, t="5") | {"errors": ["130625/64896"], "rival": "0"}
    return certified(SubsetBetter(PLAIN, RIVAL), "refuted", evidence)


@planted("some k is better than the rival")
def better_called_worse() -> Json:
    """d = 2, m = 1."""
    evidence = at(d=2, m=1, t="2") | {"errors": ["8/9"], "rival": "4"}
    return certified(SubsetBetter(PLAIN, RIVAL), "refuted", evidence)


def above(bound: Term, domain: Domain, step: Json) -> Json:
    statement = SubsetErrorAbove(PLAIN, bound, domain)
    return certified(statement, "proved", {"lemma": "positive limit", "step": step})


@planted("positivity is not shown")
def a_larger_limit() -> Json:
    """m^2 for m (m - 1)."""
    return above(M**2, Domain(SIZES), {})


@planted("t > 1")
def a_limit_without_budget() -> Json:
    """t >= 0."""
    return above(LIMIT, Domain(SIZES | {"t": Range(0)}), {})


@planted("sizes from 1")
def half_an_item_in_a_set() -> Json:
    """Real m >= 1."""
    return above(LIMIT, Domain(SIZES | {"m": Range(1)}), {})


@planted("a statement about nothing")
def a_limit_on_an_empty_domain() -> Json:
    """m <= 1 and m >= 2."""
    return above(LIMIT, Domain(SIZES, (1 - M,)), {})


@planted("a domain of d, m and t")
def a_limit_over_subset_sizes() -> Json:
    """k as a variable of the domain."""
    return above(LIMIT, Domain(SIZES | {"k": Range(1, integer=True)}), {})


@planted("violates the constraint")
def error_below_outside_the_domain() -> Json:
    """A witness that the constraint excludes."""
    domain = Domain(SIZES, (2 - M,))
    return certified(SubsetErrorAbove(PLAIN, 3 * LIMIT, domain), "refuted", at(d=5, m=3, k=1, t="2"))
