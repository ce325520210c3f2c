"""Certificates that are small and would keep a checker busy for minutes, or fill its memory."""

from collections.abc import Callable
from typing import Any

from corpus.certificates import real, retied
from dp_kernel.certificate.check import FORMAT

Json = dict[str, Any]
HOSTILE: dict[str, Callable[[], Json]] = {}
DIGITS = 10**150 - 1
RANGE = {"min": 1, "strict": False, "integer": False, "unit": False}
UNIT = {"min": 0, "strict": True, "integer": False, "unit": True}


def hostile(build: Callable[[], Json]) -> Callable[[], Json]:
    HOSTILE[build.__name__] = build
    return build


def of(statement: Json, verdict: str, evidence: Json) -> Json:
    found = {"statement": statement, "verdict": verdict, "evidence": evidence}
    return {"format": FORMAT, "id": "hostile", "cards": [], "ties": [], **found}


def formula(relations: list[Any], names: str = "x", spec: Json = RANGE, **evidence: Any) -> Json:
    """A formula "proved" step by step, or with the evidence that is given."""
    domain = {"variables": dict.fromkeys(names.split(), spec), "constraints": []}
    found = evidence or {"steps": [{} for _ in relations]}
    verdict = "refuted" if "relation" in found else "proved"
    statement = {"type": "formula", "domain": domain, "relations": relations, "values": {}, "of_data": False}
    return of(statement, verdict, found)


def nested(levels: int, tree: Any, exponent: Any) -> Any:
    for _ in range(levels):
        tree = ["pow", tree, exponent]
    return tree


def chain(operator: str, parts: list[Any]) -> Any:
    """A balanced tree."""
    while len(parts) > 1:
        parts = [[operator, *parts[i : i + 2]] if i + 1 < len(parts) else parts[i] for i in range(0, len(parts), 2)]
    return parts[0]


# --- powers and numbers -----------------------------------------------------------------------------------------------


@hostile
def nested_powers_of_a_number() -> Json:
    return formula([["lt", 0, nested(190, 9, 9)]])


@hostile
def nested_powers_at_a_witness() -> Json:
    return formula([["lt", nested(8, "x", 9), 0]], relation=0, values={"x": "9" * 150 + "/7"})


@hostile
def nested_powers_of_one() -> Json:
    return formula([["lt", 0, nested(190, 1, DIGITS)]])


@hostile
def nested_powers_of_a_variable() -> Json:
    return formula([["lt", 0, nested(190, "x", 2)]])


@hostile
def nested_powers_of_a_sum() -> Json:
    return formula([["lt", 0, nested(9, ["add", "x", 1], 64)]])


@hostile
def a_power_of_many_variables() -> Json:
    names = "a b c d e f g h"
    return formula([["lt", 0, ["pow", chain("add", names.split()), 60]]], names)


@hostile
def a_huge_exponent() -> Json:
    return formula([["lt", 0, ["pow", "x", DIGITS]]])


@hostile
def a_huge_negative_exponent() -> Json:
    return formula([["lt", 0, ["pow", 3, -DIGITS]]])


@hostile
def a_huge_symbolic_exponent() -> Json:
    return formula([["eq", ["pow", ["add", "x", 1], ["mul", DIGITS, "m"]], 0]], "x m", {**RANGE, "integer": True})


@hostile
def a_long_truncated_exponential() -> Json:
    return formula([["lt", 0, ["exptrunc", 10**9, "x"]]])


@hostile
def a_long_truncated_exponential_of_a_number() -> Json:
    return formula([["lt", 0, ["exptrunc", DIGITS, ["div", DIGITS, DIGITS - 2]]]])


@hostile
def a_huge_binomial_coefficient() -> Json:
    return formula([["lt", 0, ["binom", DIGITS, DIGITS // 2]]])


@hostile
def a_large_binomial_coefficient() -> Json:
    return formula([["lt", 0, ["binom", 10**9, 5 * 10**8]]])


@hostile
def sums_of_fractions_without_common_divisors() -> Json:
    return formula([["lt", 0, chain("add", [["div", 1, DIGITS - 2 * i] for i in range(10_000)])]])


@hostile
def products_of_long_numbers() -> Json:
    return formula([["lt", 0, chain("mul", [DIGITS - i for i in range(20_000)])]])


@hostile
def comparisons_of_one_huge_number() -> Json:
    """The largest number that may be computed, once for every relation."""
    return formula([["lt", 0, ["pow", "x", 200_000]]] * 1000, relation=999, values={"x": "7/5"})


# --- polynomials ------------------------------------------------------------------------------------------------------


@hostile
def a_product_of_many_sums() -> Json:
    names = [f"x{i}" for i in range(40)]
    return formula([["lt", 0, chain("mul", [["add", name, 1] for name in names])]], " ".join(names))


@hostile
def a_product_that_grows_when_it_is_shifted() -> Json:
    names = [f"x{i}" for i in range(40)]
    return formula([["lt", 0, chain("mul", names)]], " ".join(names))


@hostile
def a_high_degree_of_a_unit_variable() -> Json:
    return formula([["lt", 0, ["add", 1, nested(3, "x", 1000)]]], spec=UNIT)


@hostile
def a_shift_of_a_high_degree() -> Json:
    return formula([["lt", 0, nested(2, "x", 60)]], spec={**RANGE, "min": DIGITS})


@hostile
def terms_with_many_variables() -> Json:
    names = [f"x{i}" for i in range(1000)]
    sums = [["add", chain("mul", names[:-1]), i] for i in range(1, 500)]
    return formula([["lt", 0, chain("mul", sums)]], " ".join(names), {**RANGE, "min": 0})


@hostile
def coefficients_without_common_divisors() -> Json:
    names = [f"x{i}" for i in range(4000)]
    total = chain("add", [["div", name, DIGITS - 2 * i] for i, name in enumerate(names)])
    return formula([["lt", 0, ["mul", total, total]]], " ".join(names), {**RANGE, "min": 0})


@hostile
def exponents_with_equal_hashes() -> Json:
    """2^61 and 1 have the same hash: so have all terms of (x^(2^61) + x)^n."""
    return formula([["lt", 0, ["pow", ["add", nested(61, "x", 2), "x"], 3000]]])


@hostile
def copies_of_a_long_sum() -> Json:
    names = [f"x{i}" for i in range(3000)]
    return formula([["eq", chain("add", names), chain("add", names[::-1])]] * 30, " ".join(names))


@hostile
def long_sums_one_term_after_the_other() -> Json:
    tree: Any = 1
    for i in range(90):
        tree = ["add", ["mul", tree, ["add", "x", i]], "y"]
    return formula([["lt", 0, tree]], "x y")


# --- domains ----------------------------------------------------------------------------------------------------------


@hostile
def many_variables() -> Json:
    return formula([["lt", 0, 1]], " ".join(f"x{i}" for i in range(100_000)))


@hostile
def a_domain_without_points() -> Json:
    certificate = formula([["lt", 0, 1]], " ".join(f"x{i}" for i in range(100)))
    certificate["statement"]["domain"]["constraints"] = [["neg", "x99"]] + [1] * 1000
    return certificate


@hostile
def a_constraint_with_a_huge_exponent() -> Json:
    certificate = formula([["lt", 0, 1]], "v w")
    certificate["statement"]["domain"]["constraints"] = [["sub", ["pow", ["add", "v", "w"], 10**9], DIGITS]]
    return certificate


@hostile
def variables_under_many_operators() -> Json:
    names = [f"x{i}" for i in range(20_000)]
    tree: Any = chain("add", names)
    for _ in range(150):
        tree = ["neg", tree]
    return formula([["eq", tree, tree]], " ".join(names))


# --- enclosures -------------------------------------------------------------------------------------------------------


@hostile
def thousands_of_exponentials() -> Json:
    return formula([["lt", ["exp", ["div", -i, 7]], ["exp", ["div", i, 7]]] for i in range(1, 7000)], "", cover=[])


@hostile
def thousands_of_logarithms() -> Json:
    return formula([["lt", ["log", 10**100 + i], ["log", 10**140]] for i in range(50_000)], "", cover=[])


@hostile
def a_logarithm_of_a_huge_number() -> Json:
    return formula([["lt", 0, ["log", nested(6, 9, 9)]]], "", cover=[])


@hostile
def nested_exponentials() -> Json:
    tree: Any = 8
    for _ in range(45):
        tree = ["log", ["exp", ["add", tree, ["exp", 1]]]]
    return formula([["lt", 0, tree]], "", cover=[])


@hostile
def a_power_of_an_interval() -> Json:
    return formula([["lt", 0, ["pow", ["exp", 1], DIGITS]]], "", cover=[])


@hostile
def nested_powers_of_an_interval() -> Json:
    return formula([["lt", 0, nested(10, ["exp", 1], 9)]], "", cover=[])


@hostile
def products_of_intervals() -> Json:
    return formula([["lt", 0, chain("mul", [["exp", i] for i in range(1, 20_000)])]], "", cover=[])


@hostile
def many_pieces() -> Json:
    certificate = formula([["lt", "x", ["exp", "x"]]], cover=[f"{i}/7" for i in range(7, 40_000)])
    certificate["statement"]["domain"]["constraints"] = [["sub", "x", 2], ["sub", 5000, "x"]]
    return certificate


# --- laws -------------------------------------------------------------------------------------------------------------


def items(push: str, relation: str = "ldp", **fields: Any) -> Json:
    """The bound of reports of items, "verified" at the largest instances."""
    statement = {**real("ratio proved")["statement"], "relation": relation, **fields}
    statement["law"]["term"][1] = push
    return of(statement, "verified", {"instances": [{"m": 8, "K": 7, "N": 1}, {"m": 4, "K": 4, "N": 4}] * 50})


@hostile
def all_outcomes() -> Json:
    return items("multiset")


@hostile
def all_outcomes_in_two_parts() -> Json:
    return items("whole")


@hostile
def all_orders() -> Json:
    certificate = items("position", any_order=True)
    certificate["evidence"]["instances"] = [{"m": 4, "K": 8, "N": 0}]
    return certificate


@hostile
def all_sets() -> Json:
    certificate = items("set", sizes="all")
    certificate["evidence"]["instances"] = [{"m": 1, "K": 8, "N": 0}] * 50
    return certificate


@hostile
def bits_of_long_probabilities() -> Json:
    """A witness whose e^eps has 300 digits."""
    certificate = real("ratio refuted")
    law = certificate["statement"]["law"]
    at = {"m": 4, "K": 4, "N": 4, law["base"]: "9" * 150 + "/" + "7" * 149}
    wanted = {"s": [0, 1, 4, 5], "other": [0, 1, 2, 3], "output": [], "probability": "1", "other_probability": "1"}
    return certificate | {"evidence": {**wanted, "instance": at}}


def a_refutation(premises: list[str], m: int, outputs: int, rows: int) -> Json:
    law, shown = [f"1/{outputs}"] * outputs, [[i, []] for i in range(outputs)]
    channel = {"K": 16, "N": 0, "m": m, "e_eps": "2", "outputs": shown, "rows": [law] * rows}
    fields = {"premises": premises, "conclusions": ["fixed-t"], "inputs": "sets as items"}
    return of({"type": "implies", **fields}, "refuted", {"channel": channel})


@hostile
def a_channel_with_many_rows() -> Json:
    return a_refutation(["ldp", "uldp-protection", "eq11-marginal", "eq11-joint"] * 20, 3, 64, 560)


@hostile
def all_events_of_a_channel() -> Json:
    return a_refutation(["ldp", "ldp-events"] * 100, 1, 12, 16)


# --- sums and noise ---------------------------------------------------------------------------------------------------


@hostile
def a_sum_of_very_many_terms() -> Json:
    return formula([["lt", 0, ["sum", "s", 1, 10**9, 1]]])


@hostile
def many_sums_that_differ_in_the_end_from_many_forms() -> Json:
    long = chain("add", ["x"] * 100)
    sums = [[["sum", "s", 1, "x", ["add", long, i]] for i in range(first, first + 900)] for first in (0, 900)]
    forms = [[total, 0, 0] for total in sums[1]]
    relation = ["lt", 0, chain("add", sums[0])]
    return formula([relation], spec={**RANGE, "integer": True}, steps=[{}], sums=forms)


@hostile
def sums_within_sums() -> Json:
    tree: Any = chain("add", ["x"] * 100_000)
    for i in range(90):
        tree = ["sum", f"s{i}", 1, 1, tree]
    return formula([["lt", tree, 0]])


@hostile
def powers_with_long_ranges() -> Json:
    names = [f"x{i}" for i in range(20_000)]
    power = ["pow", 2**500 + 1, "v"]
    certificate = formula(
        [["lt", 0, ["mul", power, chain("add", names)]]], " ".join(["v", *names]), {**RANGE, "min": 0}
    )
    certificate["statement"]["domain"]["variables"]["v"] = {**RANGE, "min": 64, "integer": True}
    return certificate


def noise(what: str, which: str, rows: list[Any], h: int, branching: Any = 2) -> Json:
    certificate = formula([["le", 0, "a"]], "", cover=[])
    law = {"mechanism": "", "noise": "laplace", "branching": branching, "rows": rows}
    certificate["statement"]["quantities"] = {"a": {"law": law, "of": [what, which], "at": {"h": h}}}
    return retied(certificate)


@hostile
def a_very_high_tree() -> Json:
    return noise("gram", "diagonal", [["sums", 0, "h", 1, 1]], 10**12)


@hostile
def a_very_wide_tree() -> Json:
    return noise("gram", "ranges", [["sums", 0, "h", 1, 1]], 3000, 10**100)


@hostile
def many_rows_of_a_tree() -> Json:
    return noise("least squares", "ranges", [["sums", 0, "h", 1, 1]] * 200, 200)


# --- shapes -----------------------------------------------------------------------------------------------------------


@hostile
def many_parts() -> Json:
    part = formula([["eq", "x", "x"]])
    parts = [part["statement"]] * 1_000_000
    return of({"type": "all", "parts": parts}, "proved", {"parts": [["proved", part["evidence"]]] * 1_000_000})


@hostile
def parts_that_list_all_channels() -> Json:
    part = real("implies verified")
    parts = [part["statement"]] * 2000
    return of({"type": "all", "parts": parts}, "verified", {"parts": [["verified", part["evidence"]]] * 2000})


@hostile
def a_channel_of_items_with_equal_hashes() -> Json:
    certificate = real("implies refuted")
    certificate["evidence"]["channel"]["outputs"][0][1] = [i * (2**61 - 1) for i in range(100_000)]
    return certificate


@hostile
def parts_within_parts() -> Json:
    certificate = formula([["eq", "x", "x"]])
    statement, evidence = certificate["statement"], certificate["evidence"]
    for _ in range(60):
        statement = {"type": "all", "parts": [statement]}
        evidence = {"parts": [["proved", evidence]]}
    return of(statement, "proved", evidence)
