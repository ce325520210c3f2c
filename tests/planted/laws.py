"""False certificates about laws and ratios of report probabilities."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from dp_checks.check import cases
from dp_checks.kernel.sizes import split
from dp_spec.frequency import grr, rappor, sugrr, surap
from dp_spec.vocabulary.law import Estimator, F, K, Law, M, N, copies, drawn, each, item, mix, pair, push, row
from dp_spec.vocabulary.statement import (
    BernoulliSum,
    Exceeds,
    Invertible,
    Mse,
    Ratio,
    Smallest,
    Unbiased,
)
from dp_spec.vocabulary.term import term, truncated_exponential, var
from mutants.law_tables import tabled
from planted.register import BITS, CONTRIBUTIONS, EXCHANGED_ITEMS, MATCHED, OWN, SLOTS, SUPPORT, T, W, planted
from tampered.certificates import Json, certified, real

# --- laws -------------------------------------------------------------------------------------------------------------


@planted("the row of sen does not sum to 1")
def table_that_is_no_law() -> Json:
    """Rows of (13) with half of q do not sum to 1: contributions do not add up."""
    q = sugrr.other(grr.E0) / 2
    law = tabled(sugrr.SUGRR, q=q)
    estimator = Estimator(law.p - q, M * q)
    return certified(Unbiased(law, "multiset", "sensitive", estimator), "proved", CONTRIBUTIONS)


@planted("the row of sen does not sum to 1")
def counts_of_a_table_that_is_no_law() -> Json:
    """The same for the law of a count."""
    law = tabled(sugrr.SUGRR, q=sugrr.other(grr.E0) / 2)
    return certified(BernoulliSum(law, "multiset"), "verified", {"instances": [{"m": 1, "K": 2, "N": 0}]})


@planted("the row of non does not sum to 1")
def emission_from_a_table_that_is_no_law() -> Json:
    """r = 1 next to K q > 0: x is not emitted with probability 1."""
    law = tabled(sugrr.SUGRR, r=term(1))
    return certified(Invertible(law, "multiset", probability=term(1)), "proved", SUPPORT)


@planted("e^eps is not shown to exceed 1")
def negative_budget() -> Json:
    """The uniform law violates e^eps = w^(-1) at eps = ln 2: the statement's eps is -ln 2."""
    law = Law("grr-sample", "w", term(-1), drawn(item(1 / K, 1 / K)))
    evidence = {"instance": {"m": 1, "K": 2, "N": 0, "w": "2"}, "s": [0], "other": [1], "output": [0, []]}
    evidence |= {"probability": "1/2", "other_probability": "1/2"}
    return certified(Ratio(law, "one", "ldp"), "refuted", evidence)


@planted("a pair has a larger number")
def separate_reports_as_one_draw() -> Json:
    """m unary encodings with epsilon each satisfy epsilon-LDP together."""
    law = replace(rappor.RAPPOR_SPLIT, power=term(2))
    return certified(Ratio(law, "sen", "ldp"), "proved", BITS)


@planted("sideways of such outcomes")
def view_that_does_not_exist() -> Json:
    """A bit law seen through something undefined."""
    law = replace(surap.SURAP, term=push("sideways", surap.SURAP.term))
    return certified(Ratio(law, "sideways", "joint"), "proved", BITS)  # type: ignore[arg-type]


# --- ratios -----------------------------------------------------------------------------------------------------------


@planted("a quotient is not shown to be at most its power")
def an_exchange_for_a_rarer_result() -> Json:
    """A non-sensitive item is reported as x so rarely (1 / (w^2 + K - 1)) that x against it exceeds w; the other kind
    of exchange, of two sensitive items, does not."""
    rare = 1 / (W**2 + K - 1)
    cells = {"sen": {"own": W / (W + K - 1), "other": 1 / (W + K - 1)}, "non": {"own": 1 - K * rare, "other": rare}}
    law = Law("sugrr", "w", term(1), push("multiset", each("held", row(cells))))
    evidence = {"rule": "product", "powers": {"ss": 1, "sn": 1}}
    return certified(Ratio(law, "multiset", "deniability"), "proved", evidence)


@planted("two items may share a label")
def two_items_under_one_label() -> Json:
    """A family of constant functions: every item has the same label, and no output tells two of them apart."""
    law = Law("olh", "w", term(1), mix("h", K, item(W / (W + K - 1), 1 / (W + K - 1))), (), {"h": term(1)})
    evidence = {"rule": "product", "powers": {"ss": 1}, "cases": cases.SINGLE}
    return certified(Smallest(law, "vector", "ldp", where=(K - 2,), constant=W), "proved", evidence)


@planted("sn does not reach its power")
def attained_by_a_label_that_is_not_there() -> Json:
    """The chance of a third label is w times as large; at K = 1 there is none, and the ratio is (w + 1) / 2."""
    share = 2 / (W + 1)
    scale = K - 1 + share
    kinds = {
        "sen": {"own": share / scale, "other": 1 / scale},
        "non": {"own": 1 - K / (W * scale), "other": 1 / (W * scale)},
    }
    statement = Smallest(Law("x", "w", term(1), row(kinds)), "one", "joint", where=(1 - M, N - 1), constant=W)
    evidence = {"sn": 1, "o": (K - 1).json(), "u": (N - 1).json()}
    return certified(statement, "proved", {**SLOTS, "cases": evidence})


@planted("push sorted of such outcomes")
def attained_by_a_choice_among_the_results() -> Json:
    """A choice is sorted with the label and the dummies: the report does not say which of its numbers is which."""
    label = mix("h", var("b"), item(W / (W + var("b") - 1), 1 / (W + var("b") - 1)))
    report = push("sorted", pair(label, copies(var("c"), row({"*": {"any": 1 / K}}))))
    law = Law("bundle", "w", term(1), report, (), {"h": 1 / var("b")}, {"b": 2, "c": 1})
    evidence = {"rule": "product", "powers": {"ss": 1}, "cases": cases.SINGLE}
    return certified(Smallest(law, "vector", "ldp", where=(K - 2,), constant=W), "proved", evidence)


@planted("a pair has a larger number")
def a_smaller_number_of_exchanges() -> Json:
    """min(m, K, d - m, m - 1) is always one too small where the others are m; the cases reach the others."""
    return _exchanges(DRAWN, lambda forms: [*forms, ["sub", "m", 1]])


@planted("another number is reached")
def a_larger_number_of_exchanges() -> Json:
    """m items are lost only where there are as many others."""
    return _exchanges(DRAWN, lambda forms: forms[:1])


@planted("a pair has a larger number")
def a_smaller_number_of_matched_results() -> Json:
    """The same for results of all held items."""
    return _exchanges(ALL_HELD, lambda forms: [*forms, ["sub", "m", 1]])


@planted("another number is reached")
def a_larger_number_of_matched_results() -> Json:
    """The same for results of all held items."""
    return _exchanges(ALL_HELD, lambda forms: forms[:1])


@planted("a ratio is not shown to be at most the constant")
def one_exchange_is_not_the_most() -> Json:
    """The constant of one lost item, reached by one lost item; but two of m >= 2 can be lost."""
    certificate = _exchanges(DRAWN, lambda forms: [1])
    statement = certificate["statement"]
    statement["constant"] = _put(statement["constant"], ["min", 1], 1)
    statement["where"] = [["sub", "K", ["add", "m", 2]], ["sub", "m", 2]]
    reached = {"ss": 1, "g": ["sub", "m", 1], "o": ["sub", "K", ["add", "m", 1]], "u": "N"}
    return {**certificate, "evidence": {**certificate["evidence"], "cases": reached}}


DRAWN, ALL_HELD = "smallest proved for exchanges of one draw", "smallest proved for matched results"


def _exchanges(name: str, change: Callable[[list[Any]], list[Any]]) -> Json:
    """A real smallest constant with other expressions for the number of exchanged items."""
    certificate = real(name)
    constant = certificate["statement"]["constant"]
    _, forms = split(constant)
    assert len(forms) > 1
    certificate["statement"]["constant"] = _put(constant, ["min", *forms], ["min", *change(forms)])
    return certificate


def _put(tree: Any, part: Any, other: Any) -> Any:
    """The tree with another part."""
    if tree == part:
        return other
    return [_put(child, part, other) for child in tree] if isinstance(tree, list) else tree


@planted("sizes only")
def scope_at_epsilon_zero() -> Json:
    """Ratios (e^eps)^(3/2) are at most e^eps "for every eps", checked where eps = 0."""
    law = Law("grr-sample", "w", term(2), drawn(item(grr.own(W**3), grr.other(W**3))))
    evidence = {"instances": [{"m": 1, "K": 2, "N": 0, "w": 1}]}
    return certified(Ratio(law, "one", "ldp"), "verified", evidence)


@planted("a scope in which nothing is compared")
def scope_without_a_comparison() -> Json:
    """e^eps > 1, but only one set exists: nothing is compared."""
    law = Law("grr-sample", "w", term(2), drawn(item(grr.own(W**3), grr.other(W**3))))
    return certified(Ratio(law, "one", "ldp"), "verified", {"instances": [{"m": 1, "K": 1, "N": 0}]})


@planted("may exceed the bound")
def scope_in_one_order_only() -> Json:
    """Results in their places, for every order of processing, checked in the natural one."""
    statement = Ratio(sugrr.SUGRR, "position", "samenon", any_order=True)
    return certified(statement, "verified", {"instances": [{"m": 2, "K": 2, "N": 1}]})


@planted("the constant is not attained")
def attained_where_nothing_happens() -> Json:
    """The constant 5 of a law whose ratios are all 1, "attained" by an output of probability 0."""
    law = Law("grr-sample", "w", term(1), drawn(item(1 / K, 1 / K, 0 * W)))
    statement = Smallest(law, "one", "joint", constant=term(5))
    return certified(statement, "verified", {"instances": [{"m": 2, "K": 1, "N": 2}]})


@planted("no non-sensitive items")
def own_entry_with_invertible_data() -> Json:
    """epsilon-LDP of reports with invertible data: no constant bounds them."""
    statement = Smallest(sugrr.SUGRR_SAMPLE, "one", "ldp", where=(K + var("N") - M - 1,), constant=(W + M - 1) / M)
    return certified(statement, "proved", OWN)


@planted("no non-sensitive items")
def matched_results_with_invertible_data() -> Json:
    """The same for unordered reports of m results."""
    statement = Smallest(
        sugrr.SUGRR,
        "multiset",
        "ldp",
        where=(K - M, K + var("N") - 2 * M),
        constant=truncated_exponential(M, grr.E0 - 1),
    )
    return certified(statement, "proved", MATCHED)


@planted("the sets do not differ")
def constant_of_a_single_set() -> Json:
    """For m = d there is one set: no ratio is compared, so 1 = t^0 is not the smallest constant of anything."""
    from dp_spec.frequency.claims.baselines import EXCHANGED

    statement = Smallest(rappor.RAPPOR_SET, "sen", "ldp", constant=T ** (2 * EXCHANGED))
    return certified(statement, "proved", EXCHANGED_ITEMS)


@planted("nothing is compared there")
def refuted_by_a_single_set() -> Json:
    """The same instance as a witness against the statement: together they would contradict each other."""
    from dp_spec.frequency.claims.baselines import EXCHANGED

    statement = Smallest(rappor.RAPPOR_SET, "sen", "ldp", constant=T ** (2 * EXCHANGED))
    at = {"m": 1, "K": 1, "N": 0, "t": "2"}
    return certified(statement, "refuted", {"instance": at, "exact": "0", "stated": "1"})


@planted("nonempty: of")
def empties_left_out_of_a_conditional_law() -> Json:
    """`nonempty` is about the marginal and the joint reading; elsewhere nobody reads it."""
    at = {"m": 1, "K": 1, "N": 1, "w": "2"}
    law = replace(sugrr.SUGRR_SAMPLE, power=term(1))
    statement = Exceeds(law, "one", "deniability", "nonempty")
    return certified(statement, "refuted", {"instance": at})


@planted("does not violate")
def ratio_equal_to_the_bound() -> Json:
    """GRR reaches e^eps; that is no violation."""
    evidence = {"instance": {"m": 1, "K": 2, "N": 0, "w": "3"}, "s": [0], "other": [1], "output": [0, []]}
    evidence |= {"probability": "3/4", "other_probability": "1/4"}
    return certified(Ratio(grr.GRR_SAMPLE, "one", "ldp"), "refuted", evidence)


@planted("or not in an output of s")
def output_shown_by_one_set_only() -> Json:
    """The joint reading is about data that both sets hold."""
    at = {"m": 1, "K": 1, "N": 1, "w": "2"}
    evidence = {"instance": at, "s": [1], "other": [0], "output": [None, [1]]}
    evidence |= {"probability": "0", "other_probability": "0"}
    return certified(Ratio(sugrr.SUGRR_SAMPLE, "one", "joint"), "refuted", evidence)


@planted("the pair is not compared")
def exchange_of_a_nonsensitive_item() -> Json:
    """Deniability is about a sensitive item of s."""
    at = {"m": 1, "K": 1, "N": 2, "w": "2"}
    evidence = {"instance": at, "s": [1], "other": [2], "output": [None, [1]]}
    evidence |= {"probability": "1/2", "other_probability": "0"}
    return certified(Ratio(sugrr.SUGRR_SAMPLE, "one", "deniability"), "refuted", evidence)


@planted("the pair is not compared")
def sets_with_other_nonsensitive_items() -> Json:
    """`samenon` compares sets with equal non-sensitive items."""
    at = {"m": 1, "K": 1, "N": 2, "w": "2"}
    evidence = {"instance": at, "s": [1], "other": [2], "output": [None, [1]]}
    evidence |= {"probability": "1/2", "other_probability": "0"}
    return certified(Ratio(sugrr.SUGRR_SAMPLE, "one", "samenon"), "refuted", evidence)


@planted("not those of the law")
def probabilities_of_another_law() -> Json:
    """A witness with probabilities that the table does not give."""
    evidence = {"instance": {"m": 1, "K": 2, "N": 0, "w": "3"}, "s": [0], "other": [1], "output": [0, []]}
    evidence |= {"probability": "7/8", "other_probability": "1/8"}
    return certified(Ratio(grr.GRR_SAMPLE, "one", "ldp"), "refuted", evidence)


@planted("a pair has a larger number")
def bound_of_one_slot() -> Json:
    """m items at e^eps = e0: the factors bound the ratio by e0^m."""
    return certified(Ratio(replace(sugrr.SUGRR, power=term(1)), "multiset", "joint"), "proved", SLOTS)


@planted("another number is reached")
def attained_by_sets_that_do_not_exist() -> Json:
    """RAPPOR for sets reaches e^eps on disjoint sets of m sensitive items: K >= 2m."""
    statement = Smallest(rappor.RAPPOR_SET, "sen", "ldp", where=(K - M - 1,), constant=rappor.RAPPOR_SET.e_eps)
    return certified(statement, "proved", EXCHANGED_ITEMS)


@planted("the moment is another one")
def error_without_the_variance_of_absence() -> Json:
    """(21) for sensitive items without the users who do not hold x."""
    p, q = rappor.stays(T), rappor.appears(T)
    formula = F * p * (1 - p) / (var("n") * (p - q) ** 2)
    statement = Mse(surap.SURAP, "sen", "sensitive", surap.SURAP_SENSITIVE, formula=formula)
    return certified(statement, "proved", CONTRIBUTIONS)


@planted("the pair is not compared")
def exchange_in_the_other_direction() -> Json:
    """Deniability: s holds a sensitive item that s' does not, not the other way round."""
    at = {"m": 1, "K": 1, "N": 1, "w": "2"}
    evidence = {"instance": at, "s": [1], "other": [0], "output": [None, [1]]}
    evidence |= {"probability": "1/2", "other_probability": "0"}
    return certified(Ratio(sugrr.SUGRR_SAMPLE, "one", "deniability"), "refuted", evidence)


@planted("or not in an output of s")
def empty_datum_that_does_not_count() -> Json:
    """The reading `nonempty` violated by the empty y0."""
    at = {"m": 1, "K": 1, "N": 1, "w": "2"}
    evidence: Json = {"instance": at, "s": [1], "other": [0], "output": None}
    evidence |= {"probability": "1/2", "other_probability": "0"}
    return certified(Ratio(sugrr.SUGRR_SAMPLE, "one", "marginal", "nonempty"), "refuted", evidence)


@planted("the instance lies outside the domain")
def witness_excluded_by_the_statement() -> Json:
    """A violation for one sensitive item, of a statement about three or more."""
    at = {"m": 1, "K": 1, "N": 1, "w": "2"}
    evidence: Json = {"instance": at, "s": [1], "other": [0], "output": None}
    evidence |= {"probability": "1/2", "other_probability": "0"}
    return certified(Ratio(sugrr.SUGRR_SAMPLE, "one", "marginal", where=(K - 3,)), "refuted", evidence)


@planted("the instance lies outside the domain")
def larger_sets_than_there_are_items() -> Json:
    """A constant "refuted" for sets of two items out of one."""
    at = {"m": 2, "K": 1, "N": 0, "t": "2"}
    statement = Smallest(rappor.RAPPOR_SET, "sen", "ldp", constant=term(5))
    return certified(statement, "refuted", {"instance": at, "exact": "0", "stated": "5"})


@planted("other fields than this evidence has")
def evidence_with_a_remark() -> Json:
    """What nobody reads may say anything."""
    return certified(Ratio(sugrr.SUGRR, "multiset", "joint"), "proved", {**SLOTS, "attained": "always"})
