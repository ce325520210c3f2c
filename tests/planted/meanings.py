"""False certificates about words and their numbers, terms that are undefined somewhere, names that nothing reads and
families that do not exist."""

from typing import Any

from dp_spec.frequency import totals
from dp_spec.vocabulary.error_statements import Value
from dp_spec.vocabulary.law import F
from dp_spec.vocabulary.statement import Range
from dp_spec.vocabulary.term import term
from planted.additive import ALL as TREES
from planted.additive import law as additive
from planted.additive import named
from planted.errors import AT, ITEM, SENSITIVE, SETS, A, T, errors, refuted
from planted.matrices import COUNTS, ONE, best, compared, squares
from planted.register import CONTRIBUTIONS, SLOTS, planted
from planted.shuffle_statements import ALL, BLANKET, ONE_BY_ONE, THIRD, anything, mixed, of_data, row, shown, stated
from planted.shuffle_statements import refuted as shuffle_refuted
from planted.sums import POSITIVE, REAL, about, summed, tends
from tampered.certificates import Json, certified

DEN: Any = ["sub", ["add", "w", "K"], 1]
OWN, OTHER = ["div", "w", DEN], ["div", 1, DEN]
REPORT: Any = row(OWN, OTHER)
UNIFORM: Any = ["row", {"*": {"any": ["div", 1, "K"]}}]
UNARY: Any = ["row", {"sen1": {"1": ["div", "w", ["add", "w", 1]], "0": ["div", 1, ["add", "w", 1]]},
                      "sen0": {"1": ["div", 1, ["add", "w", 1]], "0": ["div", "w", ["add", "w", 1]]}}]  # fmt: skip


def of(term: Any, power: Any = 1, **more: Any) -> Json:
    return {"mechanism": "planted", "base": "w", "power": power, "parameters": [], "term": term, **more}


def sorted_(*laws: Any) -> Any:
    return ["push", "sorted", ["pair", *laws] if len(laws) == 2 else laws[0]]


# --- a chance, and the mean of a count --------------------------------------------------------------------------------


def chance(term: Any, probability: Any, event: str = "held", evidence: Json = CONTRIBUTIONS, **more: Any) -> Json:
    body = {"type": "chance", "law": of(term, **more), "item": "sensitive", "event": event, "sizes": "exactm"}
    verdict = "refuted" if "exact" in evidence else "proved"
    return certified({**body, "where": [], "probability": probability}, verdict, evidence)


@planted("the probability is another one")
def a_chance_of_two_copies() -> Json:
    """2 w / (w + K - 1): 9/5 at w = 9, K = 2."""
    return chance(sorted_(["copies", 2, REPORT]), ["mul", 2, OWN])


@planted("the probability is another one")
def a_chance_of_results_that_may_be_alike() -> Json:
    """p + (m - 1) q: two results of a user may be the item that one of them holds."""
    term = ["push", "multiset", ["each", "held", REPORT]]
    return chance(term, ["add", OWN, ["mul", ["sub", "m", 1], OTHER]], power="m")


@planted("the probability is another one")
def a_chance_of_an_item_that_nobody_holds() -> Json:
    """m q."""
    return chance(["push", "multiset", ["each", "held", REPORT]], ["mul", "m", OTHER], "other", power="m")


@planted("the probability is another one")
def a_chance_of_a_report_and_dummies() -> Json:
    """p + c / K."""
    term = sorted_(REPORT, ["copies", "c", UNIFORM])
    return chance(term, ["add", OWN, ["div", "c", "K"]], integers={"c": 0})


@planted("the probability is another one")
def a_chance_of_a_label_and_dummies() -> Json:
    """The same, of labels under a public function, which another item shares with chance 1/b."""
    inner = sorted_(row(["div", "w", ["add", "w", 1]], ["div", 1, ["add", "w", 1]]), ["copies", "c", UNIFORM])
    mean = ["add", ["div", 1, 2], ["div", "c", 2]]
    return chance(["mix", "hash", 2, inner], mean, "other", integers={"c": 0}, families={"hash": ["div", 1, 2]})


@planted("the probability is another one")
def a_chance_of_several_vectors() -> Json:
    """A vector of bits for every held item."""
    term = ["push", "vectors", ["each", "held", ["each", "items", UNARY]]]
    inner = {"1": ["div", "w", ["add", "w", 1]], "0": ["div", 1, ["add", "w", 1]]}
    return chance(term, ["add", inner["1"], ["mul", ["sub", "m", 1], inner["0"]]], power=["mul", 2, "m"])


@planted("the statement is right at the witness")
def a_true_chance_refuted_by_a_mean() -> Json:
    """1 - (1 - p)(1 - q) for two results: 17/25 at p = 3/5, q = 1/5, where they are 4/5 of the item in the mean."""
    missed = ["mul", ["sub", 1, OWN], ["pow", ["sub", 1, OTHER], ["sub", "m", 1]]]
    at = {"m": 2, "K": 3, "N": 0, "w": "3"}
    evidence = {"instance": at, "item": 0, "s": [0, 1], "exact": "4/5", "stated": "17/25"}
    return chance(["push", "multiset", ["each", "held", REPORT]], ["sub", 1, missed], evidence=evidence, power="m")


@planted("the statement is right at the witness")
def a_true_chance_of_copies_refuted_by_a_mean() -> Json:
    """1 - (1 - p)^2: 99/100 at p = 9/10."""
    at = {"m": 1, "K": 2, "N": 0, "w": "9"}
    evidence = {"instance": at, "item": 0, "s": [0], "exact": "9/5", "stated": "99/100"}
    probability = ["sub", 1, ["pow", ["sub", 1, OWN], 2]]
    return chance(sorted_(["copies", 2, REPORT]), probability, evidence=evidence)


# --- what is undefined somewhere --------------------------------------------------------------------------------------

SELF: Any = ["div", "x", "x"]
"""1, and nothing at 0."""
NOWHERE: Any = ["div", ["sub", "N", 1], ["sub", "N", 1]]


@planted("x is not shown to differ from 0")
def sum_up_to_an_undefined_end() -> Json:
    """1 = 1 for all x >= 0, that is at 0, too."""
    return about({"x": REAL}, ["eq", summed(1, SELF, "s"), 1], {})


@planted("x is not shown to differ from 0")
def sum_from_an_undefined_end() -> Json:
    return about({"x": REAL}, ["eq", summed(SELF, 1, "s"), 1], {})


@planted("x is not shown to differ from 0")
def sum_in_a_sum_up_to_an_undefined_end() -> Json:
    """1 + 1 = 2."""
    return about({"x": REAL}, ["eq", summed(1, 2, summed(1, SELF, 1, "q")), 2], {})


@planted("x is not shown to differ from 0")
def limit_of_a_sum_up_to_an_undefined_end() -> Json:
    """1/n -> 0, for all x >= 0."""
    evidence = {"rate": "n", "constant": 1, "steps": [{}, {}]}
    return tends(["div", summed(1, SELF, 1), "n"], 0, evidence, {"n": POSITIVE, "x": REAL})


@planted("x is not shown to differ from 0")
def undefined_limit_that_is_another() -> Json:
    """1/n -> 0, not x/x."""
    evidence = {"rate": "n", "constant": 1, "steps": [{}, {}], "other": 0}
    return tends(["div", 1, "n"], SELF, evidence, {"n": POSITIVE, "x": REAL})


@planted("x is not shown to differ from 0")
def bound_of_a_sum_up_to_an_undefined_end() -> Json:
    """1 <= C for all x >= 0."""
    domain = {"variables": {"x": REAL}, "constraints": []}
    body = {"type": "bounded", "domain": domain, "relations": [[summed(1, SELF, 1), 1]], "fixed": [], "grows": []}
    return certified({**body, "values": {}, "of_data": False}, "proved", {"constants": [1], "steps": [{}]})


def bundle(**more: Any) -> Json:
    """Every held item is reported."""
    body: Json = {"type": "ratio", "law": of(["push", "multiset", ["each", "held", REPORT]], "m"), "relation": "ldp"}
    return {**body, "counted": "all", "sizes": "exactm", "where": [], "any_order": False, **more}


@planted("is not shown to differ from 0")
def sizes_by_an_undefined_constraint() -> Json:
    """(N - 1)/(N - 1) >= 1 holds for no N = 1, and fails for none."""
    return certified(bundle(where=[["sub", NOWHERE, 1]]), "proved", SLOTS)


@planted("is not shown to differ from 0")
def refuted_estimate_that_is_undefined() -> Json:
    """At w = 3 it is biased, at w = 2 there is none."""
    estimator = {"slope": ["div", ["sub", "w", 2], ["sub", "w", 2]], "offset": 0}
    body = {"type": "unbiased", "law": of(REPORT), "item": "sensitive", "sizes": "exactm", "where": []}
    at = {"m": 1, "K": 2, "N": 0, "w": "3", "n": 1}
    evidence = {"instance": at, "item": 0, "users": [[0]], "exact": "3/4", "stated": "1"}
    return certified({**body, "estimator": estimator}, "refuted", evidence)


# --- names that nothing reads -----------------------------------------------------------------------------------------


@planted("nothing reads ['K']")
def third_value_of_two() -> Json:
    """Every randomizer of two values, by data sets with three."""
    return shuffle_refuted(anything(at={"x": 3, "K": 2}), {**THIRD, "data": [3]})


@planted("nothing reads ['K']")
def neighbors_of_one_value() -> Json:
    """With K = 1 no data sets are neighbors."""
    return shuffle_refuted(anything(at={"x": 3, "K": 1}), {**ONE_BY_ONE, "data": [1]})


@planted("nothing reads ['K']")
def values_of_every_randomizer() -> Json:
    """K is a variable, which the bound does not know."""
    statement = anything(delta=1, domain={"variables": {"K": POSITIVE}, "constraints": []})
    return shown(statement, BLANKET, "verified", K=2)


@planted("nothing reads ['y']")
def place_of_no_law() -> Json:
    return shown(stated(delta=1, at={"x": 3, "K": 3, "y": 1}), ALL)


@planted("unbound symbol N")
def number_of_other_items_that_has_no_value() -> Json:
    return shown(stated(delta=["add", "N", 1]), ALL)


@planted("unbound symbol m")
def size_of_sets_that_has_no_value() -> Json:
    return shuffle_refuted(stated(delta=["sub", "m", 1]), of_data(0, 1, 0, 0))


@planted("nothing reads ['y']")
def variable_of_shuffled_reports() -> Json:
    domain = {"variables": {"y": POSITIVE}, "constraints": []}
    return shown(stated(delta=1, domain=domain), ALL, "verified", y=1)


@planted("no functions are drawn")
def functions_of_a_law_without_any() -> Json:
    return shown(stated(delta=1, functions="all"), ALL)


@planted("no functions are drawn")
def functions_of_every_randomizer() -> Json:
    return shown(anything(delta=1, functions="all"), BLANKET)


@planted("nothing reads ['c']")
def integer_of_no_law() -> Json:
    return certified(bundle(law=of(bundle()["law"]["term"], "m", integers={"c": 0})), "proved", SLOTS)


@planted("nothing reads ['theta']")
def parameter_of_no_law() -> Json:
    law_ = {**bundle()["law"], "parameters": ["theta"]}
    return certified(bundle(law=law_), "proved", SLOTS)


@planted("nothing reads ['hash']")
def integer_that_is_called_as_a_family() -> Json:
    """A family of functions is no number."""
    found = mixed(labels=2)
    return shown(stated({**found, "integers": {"hash": 1}}, delta=1, at={"x": 3, "K": 3, "hash": 1}), BLANKET)


@planted("nothing reads ['y']")
def variable_of_no_relation() -> Json:
    return about({"x": REAL, "y": REAL}, ["le", "x", "x"], {})


@planted("nothing reads ['n']")
def limit_of_what_does_not_move() -> Json:
    return tends(1, 1, {"rate": "n", "constant": 1, "steps": [{}, {}]})


@planted("nothing reads ['y']")
def variable_of_no_bound() -> Json:
    domain = {"variables": {"x": REAL, "y": REAL}, "constraints": []}
    body = {"type": "bounded", "domain": domain, "relations": [["x", "x"]], "fixed": [], "grows": ["y"]}
    return certified({**body, "values": {}, "of_data": False}, "proved", {"constants": [1], "steps": [{}]})


@planted("nothing reads ['a']")
def error_of_no_relation() -> Json:
    return refuted(errors(ITEM, {"a": Value(SENSITIVE, T)}, ("lt", F, F)), AT)


@planted("nothing reads ['f']")
def frequency_of_a_total() -> Json:
    """A sum over all items is of none."""
    total = Value(totals.SURAP, T, {"f": term(0)})
    domain = {"t": Range(1, strict=True), **SETS, "n": Range(1, integer=True), "g": Range()}
    witness = {"t": "2", "m": "1", "K": "2", "N": "0", "n": "1", "g": "0"}
    return refuted(errors(domain, {"a": total}, ("lt", A, A)), witness)


@planted("a budget that nothing spends")
def budget_of_no_error() -> Json:
    found = about({"x": REAL}, ["le", "x", "x"], {})
    return certified({**found["statement"], "budget": 2}, "proved", found["evidence"])


def of_trees(relation: Any, variables: Json | None = None, **at: Any) -> Json:
    """About the diagonal of A^T A, A the sums of all heights."""
    body = {"type": "formula", "domain": {"variables": variables or {}, "constraints": []}, "relations": [relation]}
    quantity = named(additive(TREES), "gram", "diagonal", **at)
    return certified({**body, "values": {}, "of_data": False, "quantities": {"a": quantity}}, "proved", {"steps": [{}]})


@planted("nothing reads ['a']")
def quantity_of_no_relation() -> Json:
    return of_trees(["eq", 1, 1], h=1)


@planted("nothing reads ['y']")
def place_of_no_tree() -> Json:
    return of_trees(["eq", "a", 2], h=1, y=1)


@planted("nothing reads ['h']")
def variable_that_is_replaced() -> Json:
    """The height of the tree is 1, that of the domain another one."""
    return of_trees(["eq", "a", 2], {"h": POSITIVE}, h=1)


@planted("nothing reads ['y']")
def place_of_no_strategy() -> Json:
    return best(COUNTS, ONE, {"multipliers": ONE}, y=1)


@planted("nothing reads ['y']")
def place_of_two_strategies() -> Json:
    return compared(COUNTS, COUNTS, 1, squares([0, 0], [[], [0]]), y=1)


# --- families that do not exist ---------------------------------------------------------------------------------------

TWO: Any = row(["div", "w", ["add", "w", 1]], ["div", 1, ["add", "w", 1]])
APART: Any = ["mix", "inner", 2, TWO]
KEPT: Json = {"inner": "separating"}


def published(term: Any, **more: Any) -> Json:
    return bundle(law=of(term, families=KEPT), **more)


@planted("a statement about no sizes at all")
def functions_that_separate_one_label() -> Json:
    """The outer functions leave one label, of which the inner ones keep two apart."""
    return certified(published(["mix", "outer", 1, APART]), "proved", {"rule": "product", "powers": {"ss": 1}})


@planted("a statement about no sizes at all")
def smallest_constant_under_such_functions() -> Json:
    evidence = {"rule": "product", "powers": {"ss": 0}, "cases": {"ss": 1, "o": ["sub", "K", 2]}}
    body = published(["mix", "outer", 1, APART], type="smallest", constant=["pow", "w", 0], where=[["sub", "K", 2]])
    return certified(body, "proved", evidence)


@planted("a statement about no sizes at all")
def thinned_reports_under_such_functions() -> Json:
    term = ["mix", "outer", 1, ["thinned", ["div", 1, 2], APART]]
    return certified(published(term), "proved", {"rule": "product", "powers": {"ss": 1}})


@planted("a statement about no sizes at all")
def functions_that_separate_the_only_item() -> Json:
    """K = 1."""
    body = published(APART, where=[["sub", 1, "K"]])
    return certified(body, "proved", {"rule": "product", "powers": {"ss": 1}})
