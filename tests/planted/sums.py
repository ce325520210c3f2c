"""False certificates about sums with symbolic ends, induction and limits."""

import json
from typing import Any

from planted.register import planted
from tampered.certificates import Json, certified

REAL: Json = {"min": 0, "strict": False, "integer": False, "unit": False}
NATURAL: Json = {**REAL, "integer": True}
POSITIVE: Json = {**NATURAL, "min": 1}


def about(variables: Json, relation: Any, step: Json, *forms: Any, constraints: Any = ()) -> Json:
    """One relation, shown by one step and forms of sums."""
    domain = {"variables": variables, "constraints": list(constraints)}
    body = {"type": "formula", "domain": domain, "relations": [relation], "values": {}, "of_data": False}
    evidence = {"steps": [step], "sums": list(forms)} if forms else {"steps": [step]}
    return certified(body, "proved", evidence)


def tends(term: Any, value: Any, evidence: Json, variables: Json | None = None, **more: Any) -> Json:
    """A term tends to a value as n grows."""
    domain = {"variables": variables or {"n": POSITIVE}, "constraints": more.pop("constraints", [])}
    body = {"type": "limit", "domain": domain, "grows": "n", "term": term, "value": value, "values": {}}
    verdict = "refuted" if "other" in evidence else "proved"
    return certified({**body, "of_data": False, **more}, verdict, evidence)


ONE_OF_N = ["sub", ["add", "n", 1], "n"]
"""1, in a term that reads what grows."""


def summed(first: Any, last: Any, term: Any, index: str = "s") -> Any:
    return ["sum", index, first, last, term]


# --- names ------------------------------------------------------------------------------------------------------------


@planted("what is enclosed is another at x + 1")
def sums_that_are_called_alike() -> Json:
    """1 + ... + 1 <= 1: what the sum exceeds 0 by is called the same for x and for x + 1 ones."""
    ones = summed(1, "x", 1)
    step = {"induct": "x", "factor": 1, "first": {"multipliers": {"0": 1}}, "next": {}}
    return about({"x": POSITIVE}, ["le", ones, 1], step, [ones, 0, "s"])


@planted("not an identity")
def index_called_as_a_variable() -> Json:
    """(1 + 2 + 3) = 3 (i + 1): the inner sum up to i, from 0 to 2, is known for another i."""
    inner = summed(0, "i", 1, "q")
    outer = ["add", summed(0, 2, inner, "i"), ["mul", 0, inner]]
    return about({"i": NATURAL}, ["eq", outer, ["mul", 3, ["add", "i", 1]]], {}, [inner, "q", "q"])


@planted("not an identity")
def index_called_as_a_sum() -> Json:
    """5 + 4 + 3 + ... = n: the form, a sum over what a sum is called, is 5 where that sum has a value, s where not."""
    known = summed(1, 1, "s", "q")
    total = summed(1, "n", ["add", ["sub", 6, "s"], ["mul", 0, known]])
    form, product = ["sum", json.dumps(known), 5, 5, known], ["mul", "s", "q"]
    return about({"n": POSITIVE}, ["eq", total, "n"], {}, [total, form, form], [known, product, product])


@planted("s means something else")
def index_that_has_a_value() -> Json:
    """1 + 2 + ... + s = s^2: every term is a sum up to s, which is known for the last s."""
    inner = summed(1, "s", 1, "q")
    outer, form = summed(1, "s", inner), ["mul", "s", inner]
    left = ["add", outer, ["mul", 0, inner]]
    return about(
        {"s": POSITIVE},
        ["eq", ["add", ["mul", 0, inner], left], ["mul", "s", "s"]],
        {},
        [inner, "q", "q"],
        [outer, form, form],
    )


# --- sums -------------------------------------------------------------------------------------------------------------


@planted("a sum that may end before it begins")
def sum_of_less_than_nothing() -> Json:
    """The sum of 1 from 1 to x - 5 is x - 5 for x >= 0."""
    total = summed(1, ["sub", "x", 5], 1)
    return about({"x": NATURAL}, ["eq", total, ["sub", "x", 5]], {}, [total, "s", "s"])


@planted("is not an integer")
def sum_of_half_a_term() -> Json:
    """The sum of 1 from 1 to x / 2 is x / 2."""
    total = summed(1, ["div", "x", 2], 1)
    return about({"x": NATURAL}, ["eq", total, ["div", "x", 2]], {}, [total, "s", "s"])


@planted("is not an integer")
def sum_up_to_a_real_number() -> Json:
    """The same up to x >= 0."""
    total = summed(1, "x", 1)
    return about({"x": REAL}, ["eq", total, "x"], {}, [total, "s", "s"])


@planted("s is not shown to differ from 0")
def sum_over_a_pole() -> Json:
    """The sum of s / s from 0 to x is x + 1."""
    total = summed(0, "x", ["div", "s", "s"])
    return about({"x": NATURAL}, ["eq", total, ["add", "x", 1]], {}, [total, "s", "s"])


@planted("['sub', 'n', 's'] is not shown to differ from 0")
def form_with_a_pole() -> Json:
    """A term that is undefined at the last place, by a form that is, too: the sum is undefined."""
    pole = ["div", 1, ["sub", "n", "s"]]
    term = ["sub", pole, ["div", 1, ["sub", ["add", "n", 1], "s"]]]
    total = summed(1, "n", term)
    return about({"n": POSITIVE}, ["eq", total, ["sub", pole, pole]], {}, [total, pole, pole])


@planted("not an identity")
def form_of_another_sum() -> Json:
    """1 + ... + n = n^2."""
    total, square = summed(1, "n", "s"), ["mul", "s", "s"]
    return about({"n": POSITIVE}, ["eq", total, ["mul", "n", "n"]], {}, [total, square, square])


@planted("not an identity")
def form_without_what_comes_before() -> Json:
    """1 + ... + 1 = n + 1 from 1 on: the form s, not less what it is at 0 + 1."""
    total = summed(1, "n", 1)
    return about({"n": POSITIVE}, ["eq", total, ["add", "n", 1]], {}, [total, "s", "s"])


@planted("positivity is not shown")
def enclosure_from_above_that_is_none() -> Json:
    """1 + ... + n <= n, for every term is at most 1."""
    total = summed(1, "n", "s")
    return about({"n": POSITIVE}, ["le", total, "n"], {"multipliers": {"0": 1}}, [total, 0, "s"])


@planted("positivity is not shown")
def enclosure_from_below_that_is_none() -> Json:
    """n <= 1/1 + ... + 1/n, for every term is at least 1."""
    total = summed(1, "n", ["div", 1, "s"])
    return about({"n": POSITIVE}, ["le", "n", total], {}, [total, "s", ["mul", 2, "s"]])


@planted("positivity is not shown")
def enclosure_read_strictly() -> Json:
    """1 + ... + 1 < n."""
    total = summed(1, "n", 1)
    return about({"n": POSITIVE}, ["lt", total, "n"], {"multipliers": {"0": 1}}, [total, 0, "s"])


@planted("no range strictly between 0 and 1")
def share_of_at_least_five() -> Json:
    """5 <= x^n for 0 < x < 1, whose range has a minimum 5 that nobody reads but the bound of powers."""
    unit = {**REAL, "min": 5, "strict": True, "unit": True}
    return about({"x": unit, "n": POSITIVE}, ["le", 5, ["pow", "x", "n"]], {})


@planted("variable (x)^y has no range")
def power_of_less_than_one() -> Json:
    """1 <= x^y for x > 0."""
    return about({"x": {**REAL, "strict": True}, "y": NATURAL}, ["le", 1, ["pow", "x", "y"]], {})


@planted("variable (x)^y has no range")
def power_to_a_negative_number() -> Json:
    """1 / 8 <= x^y for x >= 2 and y >= -3."""
    variables = {"x": {**REAL, "min": 2}, "y": {**NATURAL, "min": -3}}
    return about(variables, ["le", 1, ["mul", 8, ["pow", "x", "y"]]], {})


@planted("positivity is not shown")
def power_of_one_more() -> Json:
    """4 <= 2^x from 1 on."""
    return about({"x": POSITIVE}, ["le", 4, ["pow", 2, "x"]], {})


# --- induction --------------------------------------------------------------------------------------------------------


def induction(factor: Any, first: Json | None = None, after: Json | None = None, name: str = "x") -> Json:
    return {"induct": name, "factor": factor, "first": first or {}, "next": after or {}}


@planted("induction is on an integer")
def induction_on_a_real_number() -> Json:
    """0 <= x (2 x - 1): at 0, and more at x + 1 than at x."""
    right = ["mul", "x", ["sub", ["mul", 2, "x"], 1]]
    return about({"x": REAL}, ["le", 0, right], induction(1))


@planted("list index out of range")
def induction_along_points_outside() -> Json:
    """x <= 0 for x >= 2: true at 0, and -(x + 1) >= 2 (-x) for these x."""
    return about(
        {"x": NATURAL}, ["le", "x", 0], induction(2, {}, {"multipliers": {"0": 1}}), constraints=[["sub", "x", 2]]
    )


@planted("positivity is not shown")
def induction_with_factor_0() -> Json:
    """0 < (x - 1)^2: true at 0; and at x + 1 it is at least 0."""
    return about({"x": NATURAL}, ["lt", 0, ["pow", ["sub", "x", 1], 2]], induction(0))


@planted("positivity is not shown")
def induction_with_a_negative_factor() -> Json:
    """0 <= (-1)^x, which is -1 times what it was."""
    return about({"x": NATURAL}, ["le", 0, ["pow", -1, "x"]], induction(-1))


@planted("positivity is not shown")
def induction_without_a_first_step() -> Json:
    """1 <= x from 0 on."""
    return about({"x": NATURAL}, ["le", 1, "x"], induction(1))


@planted("not an identity")
def induction_for_an_equation_that_is_none() -> Json:
    """x = 0: true at 0, and x + 1 >= x."""
    return about({"x": NATURAL}, ["eq", 0, "x"], induction(1))


@planted("no induction")
def induction_with_another_start() -> Json:
    """2 <= x^2 from 2 on."""
    return about({"x": NATURAL}, ["le", 2, ["mul", "x", "x"]], induction(1) | {"start": 2})


@planted("is not a natural number")
def lemma_about_a_sum_that_stands_still() -> Json:
    """0 <= x (x - S - 1), so that x <= 0, where S = x ones: true for x = 0; and more for x + 1, were S the same."""
    ones = summed(1, "x", 1)
    lemma = ["mul", "x", ["sub", ["sub", "x", ones], 1]]
    found = about(
        {"x": NATURAL}, ["le", ["sub", "x", ["mul", 0, ones]], 0], {"multipliers": {"0": 1}}, [ones, "s", "s"]
    )
    found["evidence"]["lemmas"] = [[lemma, induction(1)]]
    return found


@planted("positivity is not shown")
def lemma_that_is_false() -> Json:
    """1 + x <= x, as -1 >= 0."""
    found = about({"x": NATURAL}, ["le", ["add", 1, "x"], "x"], {"multipliers": {"0": 1}})
    found["evidence"]["lemmas"] = [[-1, {}]]
    return found


@planted("L counts the points of a family")
def bound_of_what_counts_the_points() -> Json:
    """L <= C for all x has no constant C: but what is L?"""
    domain = {"variables": {"x": REAL}, "constraints": []}
    body = {"type": "bounded", "domain": domain, "relations": [["L", 1]], "values": {}, "of_data": False}
    evidence = {"relation": 0, "family": {"x": 1}, "constant": 1}
    return certified({**body, "fixed": [], "grows": []}, "refuted", evidence)


# --- limits -----------------------------------------------------------------------------------------------------------

ONES = summed(1, "n", 1)
RATE: Json = {"rate": "n", "constant": 1, "steps": [{}, {}]}


@planted("a limit moves")
def limit_with_a_constant_that_is_a_sum() -> Json:
    """n / n tends to 0: the constant is called as the sum of n ones is."""
    term = ["div", ONES, "n"]
    return tends(term, 0, {**RATE, "constant": json.dumps(ONES), "sums": [[ONES, "s", "s"]]})


@planted("a limit moves")
def limit_with_a_constant_that_grows() -> Json:
    """1 tends to 0."""
    return tends(ONE_OF_N, 0, {**RATE, "constant": "n"})


@planted("a limit moves")
def limit_that_grows() -> Json:
    """n tends to n."""
    return tends("n", "n", RATE)


@planted("a rate tends to infinity")
def limit_at_no_rate() -> Json:
    """1 tends to 0: |1 - 0| 1 <= 1."""
    return tends(ONE_OF_N, 0, {**RATE, "rate": 1})


@planted("a rate tends to infinity")
def limit_at_the_rate_of_another_variable() -> Json:
    """1 / x tends to 0 as n grows."""
    variables = {"n": POSITIVE, "x": POSITIVE}
    return tends(["div", ONE_OF_N, "x"], 0, {**RATE, "rate": "x"}, variables)


@planted("positivity is not shown")
def limit_from_one_side() -> Json:
    """-1 tends to 0."""
    return tends(["neg", ONE_OF_N], 0, RATE)


@planted("zip()")
def limit_with_one_step() -> Json:
    """-1 is not too far above 0."""
    return tends(["neg", ONE_OF_N], 0, {**RATE, "steps": [{}]})


@planted("a constraint names it")
def limit_where_nothing_grows() -> Json:
    """1 tends to 0 as n grows to at most 5: n <= 5."""
    step = {"multipliers": {"0": 1}}
    return tends(1, 0, {**RATE, "constant": 5, "steps": [step, {}]}, constraints=[["sub", 5, "n"]])


@planted("an integer grows")
def limit_of_a_real_number() -> Json:
    """A limit along real numbers is not what is stated."""
    return tends(["div", 1, "x"], 0, {**RATE, "rate": "x"}, {"x": {**REAL, "min": 1}}, grows="x")


@planted("data sets may bound what grows")
def limit_of_data() -> Json:
    """1 tends to 1 for data sets with n of the frequencies."""
    variables = {"n": POSITIVE, "m": POSITIVE}
    return tends(1, 1, RATE, variables, of_data=True)


@planted("the same limit")
def limit_refuted_by_itself() -> Json:
    """1 / n tends to x - x, not to 0."""
    variables = {"n": POSITIVE, "x": POSITIVE}
    return tends(["div", ["div", "x", "x"], "n"], 0, {**RATE, "other": ["sub", "x", "x"]}, variables)


@planted("the same limit")
def infinite_limit_refuted_by_itself() -> Json:
    """n does not tend to infinity: it does."""
    return tends("n", None, {**RATE, "other": None, "steps": [{}]})


@planted("positivity is not shown")
def infinite_limit_of_what_is_bounded() -> Json:
    """1 tends to infinity."""
    return tends(ONE_OF_N, None, {**RATE, "steps": [{}]})


@planted("is not shown to differ from 0")
def limit_of_what_is_undefined() -> Json:
    """1 / (n - 1) from 1 on."""
    return tends(["div", 1, ["sub", "n", 1]], 0, {**RATE, "constant": 2})


@planted("positivity is not shown")
def infinite_limit_with_a_negative_constant() -> Json:
    """-n tends to infinity."""
    return tends(["neg", "n"], None, {**RATE, "constant": -1, "steps": [{}]})
