"""False certificates about sketches: public functions, variances over their draw, thinned reports, sums."""

from dataclasses import replace
from typing import Any

from dp_spec.frequency import count_sketch, hadamard
from dp_spec.frequency.count_sketch import ALIKE, CMS, DRAWN_VARIANCE, ESTIMATOR, FIXED, RECORDS, SEPARATED, UPLOADED, B
from dp_spec.frequency.grr import other, own
from dp_spec.frequency.wheel import WHEEL
from dp_spec.vocabulary.error_statements import Formula, Mean, SharedVariance, Variance
from dp_spec.vocabulary.law import (
    KAPPA1,
    KAPPA2,
    SEPARATING,
    Estimator,
    F,
    G,
    K,
    Law,
    M,
    drawn,
    each,
    item,
    mix,
    push,
    row,
    thinned,
)
from dp_spec.vocabulary.statement import Chance, Domain, Mse, Range, Smallest, Unbiased
from dp_spec.vocabulary.term import Term, exp, floor, minimum, summed, term, var
from planted.arcs import AT as AT_ARCS
from planted.register import CONTRIBUTIONS, IDENTITY, W, X, Y, changed, planted
from tampered.certificates import Json, certified

ONE, TWO = (1 - M,), (1 - M, K - 2)
ROWS, SQUARED = var("k"), var("squared")
TOTAL: Json = {"rule": "total"}
GRR = Law("grr", "w", term(1), item(own(W), other(W)))
DRAWN = replace(FIXED, integers={"b": 2, "k": 1})
EXCHANGED: Json = {"ss": 1, "o": ["sub", "K", 2]}
AT: Json = {"m": 1, "K": 2, "N": 0, "n": 1, "b": 2, "t": "3"}
EITHER = [["1/2", [0, 1]], ["1/2", [0, 0]]]
"""Two items share a label with chance 1/2, under two functions."""
COIN = [["1/4", [a, b]] for a in range(2) for b in range(2)]
"""All functions from two items to two labels."""


def estimated(law: Law, estimator: Estimator = ESTIMATOR) -> Unbiased:
    return Unbiased(law, "vector", "sensitive", estimator, where=ONE)


def witness(hashes: Any, at: Json = AT, **changes: Any) -> Json:
    """One user who holds item 1; the estimate of item 0."""
    evidence: Json = {"instance": at, "hashes": hashes, "users": [[1]], "item": 0, "exact": "1", "stated": "0"}
    return evidence | changes


def shared(formula: Term = DRAWN_VARIANCE, law: Law = DRAWN, **changes: Any) -> SharedVariance:
    fields = {"rows": ROWS, "labels": B, "independence": "threewise", "where": ONE, **changes}
    estimator = fields.pop("estimator", ESTIMATOR)
    return SharedVariance(law, "vector", "sensitive", estimator, formula=formula, **fields)


def largest(law: Law, constant: Term, where: tuple[Term, ...] = TWO) -> Smallest:
    return Smallest(law, "vector", "ldp", where=where, constant=constant)


def powers(power: int, **cases: Any) -> Json:
    return {"rule": "product", "powers": {"ss": power}, "cases": cases or EXCHANGED}


def of_numbers(*relations: Any, **variables: Range) -> Formula:
    return Formula(Domain(variables), relations)


# --- families at a witness ----------------------------------------------------------------------------------------


@planted("two items share a label with another chance")
def a_family_without_its_premise() -> Json:
    """The two always share a label, where 1/b is assumed."""
    return certified(estimated(CMS), "refuted", witness({"rows": [["1", [0, 0]]]}))


@planted("two items share a label with another chance")
def a_premise_of_some_items_only() -> Json:
    """Items 0 and 1 share a label with chance 1/2, item 2 shares one with item 0 always."""
    functions = [[p, [*image, image[0]]] for p, image in EITHER]
    return certified(estimated(CMS), "refuted", witness({"rows": functions}, AT | {"K": 3}, users=[[2]]))


@planted("no two items have different labels")
def a_family_that_separates_nothing() -> Json:
    """One function does, it is assumed."""
    at = {name: AT[name] for name in ("m", "K", "N", "b", "t")}
    evidence = {"instance": at, "hashes": {"rows": [["1", [1, 1]]]}, "exact": "1", "stated": "9"}
    return certified(largest(SEPARATED, count_sketch.T**2), "refuted", evidence)


@planted("a function has a value for every item")
def a_function_of_fewer_items() -> Json:
    """The instance has two."""
    return certified(estimated(FIXED), "refuted", witness({"rows": [["1", [0]]]}))


@planted("not a law on functions")
def chances_that_do_not_sum_to_one() -> Json:
    """1/2 is missing."""
    return certified(estimated(FIXED), "refuted", witness({"rows": [["1/2", [0, 0]]]}))


@planted("not a law on functions")
def a_negative_chance() -> Json:
    """-1 + 2."""
    return certified(estimated(FIXED), "refuted", witness({"rows": [["-1", [0, 1]], ["2", [0, 0]]]}, exact="3"))


@planted("is not in 0..1")
def a_label_that_the_world_does_not_have() -> Json:
    """Labels are 0 and 1 for b = 2."""
    return certified(estimated(FIXED), "refuted", witness({"rows": [["1", [0, 2]]]}))


@planted("other families than the law has")
def a_family_that_the_law_does_not_have() -> Json:
    """There is one choice."""
    return certified(estimated(FIXED), "refuted", witness({"rows": EITHER, "columns": EITHER}))


@planted("the statement is right at the witness")
def a_right_mean_refuted() -> Json:
    """One function, no collision."""
    statement = Mean(FIXED, "vector", "sensitive", ESTIMATOR, where=ONE, formula=count_sketch.MEAN)
    return certified(statement, "refuted", witness({"rows": [["1", [0, 1]]]}, exact="-1", stated="-1"))


# --- what is assumed of families ----------------------------------------------------------------------------------


@planted("the moment is another one")
def unbiased_under_any_functions() -> Json:
    """kappa1 is what it is."""
    return certified(estimated(FIXED), "proved", CONTRIBUTIONS)


@planted("the moment is another one")
def the_square_of_a_sum() -> Json:
    """kappa2 is no square of kappa1."""
    formula = count_sketch.FIXED_VARIANCE + (B / (B - 1)) ** 2 * (KAPPA2 - KAPPA1**2) / var("n")
    statement = Variance(FIXED, "vector", "sensitive", ESTIMATOR, where=ONE, formula=formula)
    return certified(statement, "proved", CONTRIBUTIONS)


@planted("varies with g or kappa")
def users_drawn_under_listed_functions() -> Json:
    """The users' kappa varies, too."""
    bias = (B * KAPPA1 - (1 - F)) / (B - 1)
    formula = count_sketch.FIXED_VARIANCE + bias**2 + F * (1 - F) * (B / (B - 1)) ** 2 / var("n")
    statement = Mse(FIXED, "vector", "sensitive", ESTIMATOR, where=ONE, data="iid", formula=formula)
    return certified(statement, "proved", CONTRIBUTIONS)


@planted("unbound symbol separating")
def a_mean_under_separating_functions() -> Json:
    """How often they separate is not assumed."""
    return certified(estimated(SEPARATED), "proved", CONTRIBUTIONS)


@planted("one label separates nothing")
def one_label_that_separates() -> Json:
    """There are no two."""
    law = replace(ALIKE, families={"rows": SEPARATING})
    return certified(largest(law, count_sketch.T**0), "proved", powers(0))


@planted("no family has such collisions")
def fewer_collisions_than_there_can_be() -> Json:
    """1/(2b) with b labels."""
    law, estimator = replace(CMS, families={"rows": 1 / (2 * B)}), count_sketch.estimator(1 / (2 * B))
    return certified(estimated(law, estimator), "proved", CONTRIBUTIONS)


@planted("every choice has a family of its own")
def a_premise_that_names_a_number() -> Json:
    """e^1 is called [e^1]: a family e^1 would give it another value."""
    law = {**GRR.json(), "families": {"e^1": 2}}
    domain_free = Chance(GRR, "vector", "sensitive", "held", own(W) * exp(term(1)) / 2)
    return certified(changed(domain_free, law=law), "proved", CONTRIBUTIONS)


@planted("is no name")
def an_integer_that_names_a_number() -> Json:
    """An integer called [e^1] that is at least 5 makes more than 1 of a chance."""
    chance = 1 - 1 / (exp(term(1)) - 4)
    law = replace(GRR, term=thinned(chance, GRR.term))
    statement = Chance(law, "vector", "sensitive", "held", chance * own(W))
    return certified(changed(statement, law={**law.json(), "integers": {"[e^1]": 5}}), "proved", CONTRIBUTIONS)


TWICE = Law("twice", "w", term(1), mix("rows", B, mix("rows", B, item(W / (W + B - 1), 1 / (W + B - 1)))))
"""The labels of items, and of labels, by functions of one name."""


@planted("every choice has a family of its own")
def one_family_for_items_and_labels() -> Json:
    """How often two items share a label does not say how often two labels do."""
    law, p, q = replace(TWICE, integers={"b": 2}), W / (W + B - 1), 1 / (W + B - 1)
    formula = F * p + (1 - F) * q + (2 * KAPPA1 - KAPPA2) * (p - q)
    statement = Mean(law, "vector", "sensitive", Estimator(term(1), term(0)), where=ONE, formula=formula)
    return certified(statement, "proved", CONTRIBUTIONS)


@planted("malformed: KeyError")
def a_second_family_called_none() -> Json:
    """No family is not a family called None."""
    inner = mix("None", B, item(W / (W + B - 1), 1 / (W + B - 1)))
    law = Law("none", "w", term(1), mix("rows", B, inner), (), {"rows": 1 / B}, {"b": 2})
    p, q = W / (W + B - 1), 1 / (W + B - 1)
    formula = F * p + (1 - F) * q + ((1 - F) + KAPPA1 * (B - 1)) * (p - q) / B
    statement = Mean(law, "vector", "sensitive", Estimator(term(1), term(0)), where=ONE, formula=formula)
    return certified(statement, "proved", CONTRIBUTIONS)


# --- one draw for all users ---------------------------------------------------------------------------------------


def _witness(functions: Any, at: Json | None = None, **changes: Any) -> Json:
    """The same under functions that are drawn for all users (`distinct`: None)."""
    evidence = witness([], AT | {"k": 1} | (at or {}), **changes)
    del evidence["hashes"]
    return evidence if functions is None else {**evidence, "functions": functions}


@planted("the variance needs three independent values")
def a_shared_draw_of_pairwise_functions() -> Json:
    """kappa of two items may be dependent."""
    return certified(shared(independence="pairwise"), "proved", TOTAL)


@planted("the variance is another one")
def a_shared_draw_counted_for_every_user() -> Json:
    """The users' functions are the same."""
    return certified(shared(count_sketch.VARIANCE), "proved", TOTAL)


@planted("not the labels of the functions that are drawn")
def a_shared_draw_of_a_known_family() -> Json:
    """The variance of users who draw for themselves, called one of a shared draw."""
    law = replace(CMS, integers={"b": 2, "k": 1})
    return certified(shared(count_sketch.VARIANCE, law), "proved", TOTAL)


def _of_labels(labels: Term, rows: Term = ROWS) -> Term:
    """The variance with functions to so many labels."""
    chance = 1 / labels
    spread, n = chance * (1 - chance) / rows, var("n")
    kappas = (1 - F) * chance - (1 - F) * (chance**2 + spread)
    return (B / (B - 1)) ** 2 * ((count_sketch.C**2 - 1) / (4 * n) + kappas / n + SQUARED * spread)


@planted("not the labels of the functions that are drawn")
def functions_to_more_labels() -> Json:
    """Twice as many as there are."""
    return certified(shared(_of_labels(2 * B), labels=2 * B), "proved", TOTAL)


@planted("a number that is no integer")
def half_a_row() -> Json:
    """k/2 functions."""
    return certified(shared(_of_labels(B, ROWS / 2), rows=ROWS / 2), "proved", TOTAL)


@planted("a number that is no integer")
def two_rows_and_a_half_at_a_witness() -> Json:
    """5/2 is no 2."""
    rows = term(5) / 2
    evidence = _witness(COIN, {"n": 2}, users=[[1], [1]], exact="9/4", stated="11/5")
    return certified(shared(DRAWN_VARIANCE.substitute({"k": rows}), rows=rows), "refuted", evidence)


@planted("the variance needs the covariance of F_x and T")
def a_shared_draw_and_thinned_reports() -> Json:
    """What it is if F_x and T are called independent, and T certain."""
    law = replace(UPLOADED, families={}, integers={"b": 2, "k": 1})
    rho, n, chance = count_sketch.RHO, var("n"), 1 / B
    low, gap = count_sketch.flipped(count_sketch.T), 1 / count_sketch.C
    spread = chance * (1 - chance) / ROWS
    mean, square = low + chance * gap, low**2 + 2 * low * gap * chance + gap**2 * (chance**2 + spread)
    within = F * (1 - low) * (1 - rho * (1 - low)) + (1 - F) * (mean - rho * square)
    formula = within / (n * rho * ESTIMATOR.slope**2) + (gap / ESTIMATOR.slope) ** 2 * SQUARED * spread
    estimator = Estimator(rho * ESTIMATOR.slope, term(0), ESTIMATOR.offset)
    return certified(shared(formula, law, estimator=estimator), "proved", TOTAL)


@planted("kappa is drawn")
def kappa_of_functions_that_are_drawn() -> Json:
    """The last draw's, at a witness."""
    evidence = _witness(COIN, exact="4", stated="5")
    return certified(shared(DRAWN_VARIANCE + KAPPA1), "refuted", evidence)


@planted("2 values are not independent and uniform")
def dependent_values_called_pairwise() -> Json:
    """Two items always have different labels."""
    evidence = _witness([["1/2", [0, 1]], ["1/2", [1, 0]]], exact="3", stated="4")
    return certified(shared(independence="pairwise"), "refuted", evidence)


@planted("3 values are not independent and uniform")
def pairwise_values_called_threewise() -> Json:
    """Labels on a line modulo 3: two of them say what the third one is."""
    lines = [["1/9", [(a + b * x) % 3 for x in range(3)]] for a in range(3) for b in range(3)]
    at = {"K": 3, "b": 3, "n": 2, "t": "2"}
    return certified(shared(), "refuted", _witness(lines, at, users=[[1], [2]], exact="11/4", stated="5/2"))


@planted("2 values are not independent and uniform")
def values_that_are_independent_but_not_uniform() -> Json:
    """1 has the chance 1/3."""
    functions = [[f"{(2 - a) * (2 - b)}/9", [a, b]] for a in range(2) for b in range(2)]
    return certified(shared(independence="pairwise"), "refuted", _witness(functions, exact="323/81", stated="4"))


@planted("too many functions")
def listed_functions_called_distinct() -> Json:
    """All lists of different functions are the draws."""
    return certified(shared(independence="distinct"), "refuted", _witness(COIN))


@planted("not so many different functions")
def more_different_functions_than_there_are() -> Json:
    """There are two functions of one item to two labels."""
    evidence = _witness(None, {"K": 1, "k": 3}, users=[[0]])
    return certified(shared(independence="distinct"), "refuted", evidence)


@planted("too many draws")
def too_many_draws_of_rows() -> Json:
    """4^5 of them."""
    return certified(shared(independence="pairwise"), "refuted", _witness(COIN, {"k": 5}))


@planted("the statement is right at the witness")
def a_right_variance_refuted() -> Json:
    """The formula holds for threewise functions."""
    return certified(shared(), "refuted", _witness(COIN))


@planted("instances have at most 8 items")
def different_functions_of_many_items() -> Json:
    """They are not even counted."""
    evidence = _witness(None, {"K": 10**30})
    return certified(shared(independence="distinct"), "refuted", evidence)


# --- smallest constants -------------------------------------------------------------------------------------------


@planted("two items may share a label")
def two_items_of_each_set_that_are_separated() -> Json:
    """Some two items are: not two of s and two of s'."""
    law, where = replace(RECORDS, families={"rows": SEPARATING}, integers={"b": 2}), (M - 2, 2 - M, K - 4)
    evidence = powers(2, ss="m", o=["sub", ["sub", "K", "m"], "m"])
    return certified(largest(law, count_sketch.T ** (2 * M), where), "proved", evidence)


@planted("two items may share a label")
def two_labels_that_no_item_has() -> Json:
    """Rows separate some items, coordinates some labels: not those."""
    law = replace(hadamard.SEPARATED, families={"rows": SEPARATING, "coordinates": SEPARATING})
    return certified(largest(law, hadamard.W), "proved", powers(1))


@planted("malformed: KeyError")
def any_functions_that_separate() -> Json:
    """Nothing is assumed of them."""
    return certified(largest(FIXED, count_sketch.T**2), "proved", powers(2))


@planted("does not reach its power")
def one_label_that_reaches_a_ratio() -> Json:
    """Any two items are alike."""
    return certified(largest(ALIKE, count_sketch.T**2), "proved", powers(2))


@planted("two items may share a label")
def reports_that_are_seldom_sent() -> Json:
    """What is reached by a report that is sent: no rule says so."""
    return certified(largest(UPLOADED, count_sketch.T**2), "proved", powers(2))


@planted("the constant is the smallest one over all functions")
def one_function_against_all_on_arcs() -> Json:
    """All arcs of the one function are alike; the constant is about all functions."""
    statement = Smallest(WHEEL, "hash", "ldp", where=TWO, constant=W)
    evidence = {"instance": AT_ARCS | {"K": 2, "N": 0}, "hashes": [[["0", "0"], "1"]], "exact": "1", "stated": "2"}
    return certified(statement, "refuted", evidence)


# --- thinned reports ----------------------------------------------------------------------------------------------


def _sent(chance: Term) -> Json:
    """The estimate that is unbiased for reports that are sent with this chance."""
    law = replace(UPLOADED, term=thinned(chance, UPLOADED.term[2]))
    return certified(
        estimated(law, Estimator(chance * ESTIMATOR.slope, term(0), ESTIMATOR.offset)), "proved", CONTRIBUTIONS
    )


@planted("no chance")
def a_report_sent_more_than_always() -> Json:
    """The chance 2."""
    return _sent(term(2))


@planted("no chance")
def a_report_sent_with_a_negative_chance() -> Json:
    """rho - 1."""
    return _sent(count_sketch.RHO - 1)


@planted("the moment is another one")
def all_reports_counted_as_sent() -> Json:
    """Only rho of them are."""
    return certified(estimated(UPLOADED), "proved", CONTRIBUTIONS)


@planted("the variance needs the covariance of F_x and T")
def the_variance_of_a_count_less_a_count() -> Json:
    """F_x and the number of reports that are sent are dependent."""
    estimator = Estimator(count_sketch.RHO * ESTIMATOR.slope, term(0), ESTIMATOR.offset)
    statement = Variance(UPLOADED, "vector", "sensitive", estimator, where=ONE, formula=count_sketch.VARIANCE)
    return certified(statement, "proved", CONTRIBUTIONS)


@planted("no instances for this estimator")
def reports_sent_of_a_law_that_sends_all() -> Json:
    """T is counted where reports are thinned."""
    estimator = Estimator(ESTIMATOR.slope, term(0), ESTIMATOR.offset)
    return certified(estimated(FIXED, estimator), "refuted", witness({"rows": EITHER}))


@planted("push sorted of such outcomes")
def a_sorted_report_with_its_function() -> Json:
    """Sorted, the number of the function cannot be told from a label."""
    law = Law("sorted", "w", term(1), push("sorted", mix("rows", term(2), item(W / (W + 1), 1 / (W + 1)))))
    law = replace(law, families={"rows": term(1) / 2})
    p, q = W / (W + 1), term(1) / 2
    return certified(Unbiased(law, "vector", "sensitive", Estimator(p - q, q), where=ONE), "proved", CONTRIBUTIONS)


@planted("no count of a label beside an item")
def labels_beside_items_that_nobody_counts() -> Json:
    """A function of the outcome says that they count."""
    p, q = own(W), other(W)
    law = Law("padded", "w", term(1), each("held", row({"sen": {"own": p, "other": q}, "non": {"pad": 1 / K}})))
    formula = F * p + (1 - F - G) * q + G / K
    statement = Mean(law, "vector", "sensitive", Estimator(term(1), term(0)), where=ONE, formula=formula)
    return certified(statement, "proved", CONTRIBUTIONS)


# --- sums ---------------------------------------------------------------------------------------------------------


@planted("e^x in a sum may vary with what it runs over")
def an_exponential_that_a_sum_runs_over() -> Json:
    """e + e^2 + e^3 called 3 e^x."""
    sides = summed("x", 1, 3, exp(X)), 3 * exp(X)
    return certified(of_numbers(("eq", *sides), x=Range(1)), "proved", IDENTITY)


@planted("is not shown to differ from 0")
def a_sum_with_an_undefined_term() -> Json:
    """0/0 at y = 1: there y - x vanishes for x = 1, which is not the variable called x."""
    sides = summed("x", 1, 2, (Y - X) / (Y - X)), term(2)
    return certified(of_numbers(("eq", *sides), x=Range(unit=True), y=Range(1)), "proved", IDENTITY)


@planted("not an identity")
def a_sum_of_one_term_too_few() -> Json:
    """x + 2x + 3x."""
    sides = summed("j", 1, 3, var("j") * X), 3 * X
    return certified(of_numbers(("eq", *sides), x=Range()), "proved", IDENTITY)


@planted("is not a natural number")
def a_sum_with_a_variable_end() -> Json:
    """So many terms that nobody knows how many."""
    sides = summed("j", 1, X, term(1)), X
    return certified(of_numbers(("eq", *sides), x=Range(1, integer=True)), "proved", IDENTITY)


@planted("K means something else")
def a_sum_over_sizes() -> Json:
    """K is |X_sen|."""
    sides = summed("K", 1, 2, K), term(3)
    return certified(of_numbers(("eq", *sides)), "proved", IDENTITY)


@planted("what is put into a sum may mean what it runs over")
def a_budget_with_a_sum() -> Json:
    """The budget of m = j records is spent j times, not 1 + 2 times."""
    law, p, q = replace(GRR, power=summed("j", 1, 2, M)), own(W), other(W)
    variance = (F * p * (1 - p) + (1 - F) * q * (1 - q)) / (var("n") * (p - q) ** 2)
    error = Mse(law, "vector", "sensitive", Estimator(p - q, q), formula=variance)
    value = {"error": error.json(), "root": "w", "at": {"m": "j", "n": 1, "f": 0, "K": 2}}
    statement = changed(
        of_numbers(
            ("le", var("a") - var("a") + var("j") - var("j"), W), w=Range(1, strict=True), j=Range(1, integer=True)
        ),
        values={"a": value},
        budget=["pow", "w", 3],
    )
    return certified(statement, "proved", IDENTITY)


@planted("malformed: ValueError")
def the_smallest_of_what_a_sum_runs_over() -> Json:
    """min(m, b) is 0 there, where b is 0; nobody asks for the law's own b."""
    law = Law("drawn", "w", term(1), drawn(item(own(W), other(W))), integers={"b": 1})
    constant = summed("b", 0, 0, W * minimum(M, B))
    return certified(largest(law, constant), "proved", {"rule": "linear", "multipliers": {}, "cases": EXCHANGED})


@planted("the relation is not shown to fail")
def the_floor_of_an_enclosed_number() -> Json:
    """floor(e^1) is 2, not 3."""
    evidence = {"relation": 0, "values": {}}
    return certified(of_numbers(("eq", floor(exp(term(1))), term(2))), "refuted", evidence)


@planted("not shown on []")
def the_floor_of_a_number_too_near_to_an_integer() -> Json:
    """A quotient of enclosures lies around 1: the floor is 1, and may look like 0."""
    sides = floor(exp(term(1)) / exp(term(1))), term(0)
    return certified(of_numbers(("eq", *sides)), "proved", {"cover": []})
