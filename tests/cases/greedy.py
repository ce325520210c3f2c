"""Certificates that are small and would keep a checker busy for minutes, or fill its memory."""

from collections.abc import Callable, Sequence
from typing import Any

from corpus.certificates import real, retied
from dp_kernel.certificate.check import FORMAT

Json = dict[str, Any]
HOSTILE: dict[str, Callable[[], Json]] = {}
DIGITS = 10**150 - 1
RANGE = {"min": 1, "strict": False, "integer": False, "unit": False}
AT_ENDS = [{"multipliers": {"0": 1}}, {"multipliers": {"1": 1}}]
"""Steps by which a variable lies between the ends that two constraints state."""
FREE = {**RANGE, "min": 0}
UNIT = {"min": 0, "strict": True, "integer": False, "unit": True}


def hostile(build: Callable[[], Json]) -> Callable[[], Json]:
    HOSTILE[build.__name__] = build
    return build


def of(statement: Json, verdict: str, evidence: Json) -> Json:
    content = {"statement": statement, "verdict": verdict, "evidence": evidence}
    return {"format": FORMAT, "id": "hostile", "cards": [], "ties": [], **content}


def formula(relations: list[Any], variables: str | Sequence[str] = "x", spec: Json = RANGE, **evidence: Any) -> Json:
    """A formula "proved" step by step, or with the evidence that is given; variables of one range."""
    listed = variables.split() if isinstance(variables, str) else variables
    domain = {"variables": dict.fromkeys(listed, spec), "constraints": []}
    proof = {"values": dict.fromkeys(listed, "1/2" if spec["unit"] else "1")} | (
        evidence or {"steps": [{} for _ in relations]}
    )
    verdict = "refuted" if "relation" in proof else "proved"
    statement = {"type": "formula", "domain": domain, "relations": relations, "values": {}, "of_data": False}
    return of(statement, verdict, proof)


def names(number: int, letter: str = "x") -> list[str]:
    """So many variables."""
    return [f"{letter}{i}" for i in range(number)]


def nested(levels: int, tree: Any, exponent: Any) -> Any:
    """A power of a power of a power."""
    return repeated(levels, tree, lambda inner: ["pow", inner, exponent])


def repeated(levels: int, tree: Any, step: Callable[[Any], Any]) -> Any:
    """A step after the other."""
    for _ in range(levels):
        tree = step(tree)
    return tree


def chain(operator: str, parts: Sequence[Any]) -> Any:
    """A balanced tree."""
    while len(parts) > 1:
        parts = [[operator, *parts[i : i + 2]] if i + 1 < len(parts) else parts[i] for i in range(0, len(parts), 2)]
    return parts[0]


def positive(tree: Any, variables: str | Sequence[str] = "x", spec: Json = RANGE, **evidence: Any) -> Json:
    """0 < tree."""
    return formula([["lt", 0, tree]], variables, spec, **evidence)


def constrained(certificate: Json, *constraints: Any) -> Json:
    """The formula on a part of its domain."""
    certificate["statement"]["domain"]["constraints"] = list(constraints)
    return certificate


HOSTILE |= {
    # powers and numbers
    "nested_powers_of_a_number": lambda: positive(nested(190, 9, 9)),
    "nested_powers_at_a_witness": lambda: formula(
        [["lt", nested(8, "x", 9), 0]], relation=0, values={"x": "9" * 150 + "/7"}
    ),
    "nested_powers_of_one": lambda: positive(nested(190, 1, DIGITS)),
    "nested_powers_of_a_variable": lambda: positive(nested(190, "x", 2)),
    "nested_powers_of_a_sum": lambda: positive(nested(9, ["add", "x", 1], 64)),
    "a_power_of_many_variables": lambda: positive(["pow", chain("add", "abcdefgh"), 60], list("abcdefgh")),
    "a_huge_exponent": lambda: positive(["pow", "x", DIGITS]),
    "a_huge_negative_exponent": lambda: positive(["pow", 3, -DIGITS]),
    "a_huge_symbolic_exponent": lambda: formula(
        [["eq", ["pow", ["add", "x", 1], ["mul", DIGITS, "m"]], 0]], "x m", {**RANGE, "integer": True}
    ),
    "a_long_truncated_exponential": lambda: positive(["exptrunc", 10**9, "x"]),
    "a_long_truncated_exponential_of_a_number": lambda: positive(["exptrunc", DIGITS, ["div", DIGITS, DIGITS - 2]]),
    "a_huge_binomial_coefficient": lambda: positive(["binom", DIGITS, DIGITS // 2]),
    "a_large_binomial_coefficient": lambda: positive(["binom", 10**9, 5 * 10**8]),
    "sums_of_fractions_without_common_divisors": lambda: positive(
        chain("add", [["div", 1, DIGITS - 2 * i] for i in range(10_000)])
    ),
    "products_of_long_numbers": lambda: positive(chain("mul", [DIGITS - i for i in range(20_000)])),
    # the largest number that may be computed, once for every relation
    "comparisons_of_one_huge_number": lambda: formula(
        [["lt", 0, ["pow", "x", 200_000]]] * 1000, relation=999, values={"x": "7/5"}
    ),
    # polynomials
    "a_product_of_many_sums": lambda: positive(chain("mul", [["add", name, 1] for name in names(40)]), names(40)),
    "a_product_that_grows_when_it_is_shifted": lambda: positive(chain("mul", names(40)), names(40)),
    "a_high_degree_of_a_unit_variable": lambda: positive(["add", 1, nested(3, "x", 1000)], spec=UNIT),
    "a_shift_of_a_high_degree": lambda: positive(nested(2, "x", 60), spec={**RANGE, "min": DIGITS}),
    "terms_with_many_variables": lambda: positive(
        chain("mul", [["add", chain("mul", names(999)), i] for i in range(1, 500)]), names(1000), FREE
    ),
    # 2^61 and 1 have the same hash: so have all terms of (x^(2^61) + x)^n
    "exponents_with_equal_hashes": lambda: positive(["pow", ["add", nested(61, "x", 2), "x"], 3000]),
    "copies_of_a_long_sum": lambda: formula(
        [["eq", chain("add", names(3000)), chain("add", names(3000)[::-1])]] * 30, names(3000)
    ),
    # domains
    "many_variables": lambda: positive(1, names(100_000)),
    "a_domain_without_points": lambda: constrained(positive(1, names(100)), ["neg", "x99"], *[1] * 1000),
    "a_constraint_with_a_huge_exponent": lambda: constrained(
        positive(1, "v w"), ["sub", ["pow", ["add", "v", "w"], 10**9], DIGITS]
    ),
    # enclosures
    "thousands_of_exponentials": lambda: formula(
        [["lt", ["exp", ["div", -i, 7]], ["exp", ["div", i, 7]]] for i in range(1, 7000)], "", cover=[]
    ),
    "thousands_of_logarithms": lambda: formula(
        [["lt", ["log", 10**100 + i], ["log", 10**140]] for i in range(50_000)], "", cover=[]
    ),
    "a_logarithm_of_a_huge_number": lambda: positive(["log", nested(6, 9, 9)], "", cover=[]),
    "nested_exponentials": lambda: positive(
        repeated(45, 8, lambda tree: ["log", ["exp", ["add", tree, ["exp", 1]]]]), "", cover=[]
    ),
    "a_power_of_an_interval": lambda: positive(["pow", ["exp", 1], DIGITS], "", cover=[]),
    "nested_powers_of_an_interval": lambda: positive(nested(10, ["exp", 1], 9), "", cover=[]),
    "products_of_intervals": lambda: positive(chain("mul", [["exp", i] for i in range(1, 20_000)]), "", cover=[]),
    "many_pieces": lambda: constrained(
        formula([["lt", "x", ["exp", "x"]]], cover=[f"{i}/7" for i in range(7, 40_000)], steps=AT_ENDS),
        ["sub", "x", 2],
        ["sub", 5000, "x"],
    ),
}


@hostile
def coefficients_without_common_divisors() -> Json:
    total = chain("add", [["div", name, DIGITS - 2 * i] for i, name in enumerate(names(4000))])
    return positive(["mul", total, total], names(4000), FREE)


@hostile
def long_sums_one_term_after_the_other() -> Json:
    tree: Any = 1
    for i in range(90):
        tree = ["add", ["mul", tree, ["add", "x", i]], "y"]
    return positive(tree, "x y")


@hostile
def variables_under_many_operators() -> Json:
    tree = repeated(150, chain("add", names(20_000)), lambda inner: ["neg", inner])
    return formula([["eq", tree, tree]], names(20_000))


# --- laws -------------------------------------------------------------------------------------------------------------

LARGEST: list[Json] = [{"m": 8, "K": 7, "N": 1}, {"m": 4, "K": 4, "N": 4}]


def items(push: str, relation: str = "ldp", instances: Sequence[Json] = LARGEST * 50, **fields: Any) -> Json:
    """The bound of reports of items, "verified" at the largest instances or others."""
    statement = {**real("ratio proved")["statement"], "relation": relation, **fields}
    statement["law"]["term"][1] = push
    return of(statement, "verified", {"instances": list(instances)})


def a_refutation(premises: list[str], m: int, outputs: int, rows: int) -> Json:
    law, pairs = [f"1/{outputs}"] * outputs, [[i, []] for i in range(outputs)]
    channel = {"K": 16, "N": 0, "m": m, "e_eps": "2", "outputs": pairs, "rows": [law] * rows}
    fields = {"premises": premises, "conclusions": ["fixed-t"], "inputs": "sets as items"}
    return of({"type": "implies", **fields}, "refuted", {"channel": channel})


HOSTILE |= {
    "all_outcomes": lambda: items("multiset"),
    "all_outcomes_in_two_parts": lambda: items("whole"),
    "all_orders": lambda: items("position", instances=[{"m": 4, "K": 8, "N": 0}], any_order=True),
    "all_sets": lambda: items("set", instances=[{"m": 1, "K": 8, "N": 0}] * 50, sizes="all"),
    "a_channel_with_many_rows": lambda: a_refutation(
        ["ldp", "uldp-protection", "eq11-marginal", "eq11-joint"] * 20, 3, 64, 560
    ),
    "all_events_of_a_channel": lambda: a_refutation(["ldp", "ldp-events"] * 100, 1, 12, 16),
}


@hostile
def bits_of_long_probabilities() -> Json:
    """A witness whose e^eps has 300 digits."""
    certificate = real("ratio refuted")
    law = certificate["statement"]["law"]
    at = {"m": 4, "K": 4, "N": 4, law["base"]: "9" * 150 + "/" + "7" * 149}
    wanted = {"s": [0, 1, 4, 5], "other": [0, 1, 2, 3], "output": [], "probability": "1", "other_probability": "1"}
    return certificate | {"evidence": {**wanted, "instance": at}}


# --- sums and noise ---------------------------------------------------------------------------------------------------


def noise(what: str, which: str, rows: list[Any], h: int, branching: Any = 2) -> Json:
    certificate = formula([["le", 0, "a"]], "", cover=[])
    law = {"mechanism": "", "noise": "laplace", "branching": branching, "rows": rows}
    certificate["statement"]["quantities"] = {"a": {"law": law, "of": [what, which], "at": {"h": h}}}
    return retied(certificate)


LEVELS = ["sums", 0, "h", 1, 1]
HOSTILE |= {
    "a_sum_of_very_many_terms": lambda: positive(["sum", "s", 1, 10**9, 1]),
    "a_very_high_tree": lambda: noise("gram", "diagonal", [LEVELS], 10**12),
    "a_very_wide_tree": lambda: noise("gram", "ranges", [LEVELS], 3000, 10**100),
    "many_rows_of_a_tree": lambda: noise("least squares", "ranges", [LEVELS] * 200, 200),
}


@hostile
def many_sums_that_differ_in_the_end_from_many_forms() -> Json:
    long = chain("add", ["x"] * 100)
    sums = [[["sum", "s", 1, "x", ["add", long, i]] for i in range(first, first + 900)] for first in (0, 900)]
    forms = [[total, 0, 0] for total in sums[1]]
    return positive(chain("add", sums[0]), spec={**RANGE, "integer": True}, steps=[{}], sums=forms)


@hostile
def sums_within_sums() -> Json:
    tree: Any = chain("add", ["x"] * 100_000)
    for i in range(90):
        tree = ["sum", f"s{i}", 1, 1, tree]
    return formula([["lt", tree, 0]])


@hostile
def powers_with_long_ranges() -> Json:
    power = ["pow", 2**500 + 1, "v"]
    certificate = positive(["mul", power, chain("add", names(20_000))], ["v", *names(20_000)], FREE)
    certificate["statement"]["domain"]["variables"]["v"] = {**RANGE, "min": 64, "integer": True}
    return certificate


# --- shapes -----------------------------------------------------------------------------------------------------------


def copied(certificate: Json, verdict: str, times: int) -> Json:
    """All of so many copies of a statement."""
    statement, evidence = certificate["statement"], certificate["evidence"]
    whole = {"type": "all", "parts": [statement] * times}
    return of(whole, verdict, {"parts": [[verdict, evidence]] * times})


HOSTILE |= {
    "many_parts": lambda: copied(formula([["eq", "x", "x"]]), "proved", 1_000_000),
    "parts_that_list_all_channels": lambda: copied(real("implies verified"), "verified", 2000),
    "parts_within_parts": lambda: repeated(
        60, formula([["eq", "x", "x"]]), lambda certificate: copied(certificate, "proved", 1)
    ),
}


@hostile
def a_channel_of_items_with_equal_hashes() -> Json:
    certificate = real("implies refuted")
    certificate["evidence"]["channel"]["outputs"][0][1] = [i * (2**61 - 1) for i in range(100_000)]
    return certificate
