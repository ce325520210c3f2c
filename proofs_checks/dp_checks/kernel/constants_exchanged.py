"""Smallest constants that depend on how many sensitive items two sets exchange: bits, one draw, unordered reports."""

from collections.abc import Callable
from typing import Any

from dp_checks.kernel.constants_sizes import TWO_SENSITIVE, TWO_SETS, exchanged, implied
from dp_checks.kernel.polynomial import is_nonnegative, lift
from dp_checks.kernel.rejected import require
from dp_checks.kernel.slotwise import ranges_of, table, variables
from dp_checks.kernel.terms import evaluate


def own_entry(statement: Any, evidence: Any) -> None:
    """One drawn item of an m-set: P(z|s) = (own + (m - 1) other) / m if z in s, else other; z in s, z not in s' needs
    d > m (samenon: a sensitive z, K >= 2; deniability: z is the exchanged item).

    An invertible datum of both sets has probability r / m under both. For the marginal law reports without a
    sensitive result are left out (`nonempty`).
    """
    law, values = statement["law"], variables(statement["law"])
    p, q, _ = table(law, values)
    require(
        (law["unit"], law["draw"], statement["view"]) == ("items", "one", "one")
        and (statement["relation"] != "marginal" or statement["counted"] == "nonempty")
        and statement["sizes"] == "exactm",
        "no such lemma",
    )
    require(statement["relation"] != "ldp" or law["r"] is None, "epsilon-LDP lemma: no non-sensitive items")
    require(is_nonnegative(lift(p - q), ranges_of(law)), "own is not shown to be at least other")
    reached = (p + (values["m"] - 1) * q) / (values["m"] * q)
    require(
        lift(evaluate(statement["constant"], values)) == reached, "the constant is not (own + (m-1) other) / (m other)"
    )
    require(implied(TWO_SETS, statement["where"]), "d > m is not stated")
    if statement["relation"] == "samenon":
        require(implied(TWO_SENSITIVE, statement["where"]), "K >= 2 is not stated")


def exchanged_items(statement: Any, evidence: Any) -> None:
    """Bit tables with own / other = (1 - other) / (1 - own) = x and, where non-sensitive bits are compared, 1 - r = 1
    / x.

    "all": s and s' differ in a, b sensitive and c, e non-sensitive items (held by s only, by s' only), a + c = b + e.
    The largest ratio is x^(a + b - c + e) = x^(2a), or x^(a + b) for the marginal law of the sensitive bits. "one":
    with a ones on items of s only and k on common items the ratio is ((a+k) X + m-a-k) / (k X + m-k), X = x^2, largest
    for k = 0: (m + a (X - 1)) / m; a common datum shown has probability r / m times the same bits under both. The
    largest a is `exchanged`, the largest a + b is min(2m, K, 2(d - m)). For the marginal law items weigh x, 1/x or
    (non-sensitive) 1: with j ones among K bits, m <= N, the ratio is at most (m + j (x - 1)) / (m - (K - j)(1 - 1/x)),
    which grows with j where K <= m and falls where K >= m: largest for j = K, (m + K (x - 1)) / m, and (m <= K <= 2m)
    for j = K - m, when s' has m zeros: x (m + (K - m)(x - 1)) / m.
    """
    law, values = statement["law"], variables(statement["law"])
    p, q, r = table(law, values)
    relation, x = statement["relation"], values[law["base"]]
    require(law["unit"] == "bits" and statement["view"] == "sen" and statement["sizes"] == "exactm", "no such lemma")
    require(statement["counted"] == "all" and law["draw"] in ("all", "one"), "no such lemma")
    require(relation != "ldp" or r is None, "epsilon-LDP lemma: no non-sensitive bits")
    require(lift(p / q) == x and lift((1 - q) / (1 - p)) == x, "the bits do not have likelihood ratios x and 1/x")
    if relation == "marginal":
        require(statement["constant"] == _marginal(law, statement["where"]), "the lemma's constant is another one")
        return
    require(r is None or lift((1 - r) * x) == 1, "1 - r is not 1/x")

    def all_bits(a: Any) -> Any:
        return ["pow", law["base"], ["mul", 2, a]]

    def one_item(a: Any) -> Any:
        return ["div", ["add", "m", ["mul", a, ["sub", ["pow", law["base"], 2], 1]]], "m"]

    _require_constant(statement, all_bits if law["draw"] == "all" else one_item)


def _marginal(law: Any, where: list[Any]) -> Any:
    """The constant for the law of the sensitive bits."""
    require(implied(TWO_SETS, where), "d > m is not stated")
    if law["draw"] == "all":
        spread = ["min", ["mul", 2, "m"], "K", ["mul", 2, ["sub", ["add", "K", "N"], "m"]]]
        return ["pow", law["base"], spread]
    require(implied(["sub", "N", "m"], where), "m <= N is not stated")
    step = ["sub", law["base"], 1]
    if implied(["sub", "m", "K"], where):
        return ["div", ["add", "m", ["mul", "K", step]], "m"]
    between = (["sub", "K", "m"], ["sub", ["mul", 2, "m"], "K"])
    require(all(implied(needed, where) for needed in between), "m <= K <= 2m is not stated")
    return ["div", ["mul", law["base"], ["add", "m", ["mul", ["sub", "K", "m"], step]]], "m"]


def matched_results(statement: Any, evidence: Any) -> None:
    """Unordered reports of m results (own entry p, other q, p / q = x): the smallest constant is sum_{i <= a} (x -
    1)^i / i!, a the largest number of exchanged sensitive items.

    Fix I. A slot is a held item that is not in I. P(y|s) is a sum over the assignments z of y's elements to the slots
    of s of q^k x^(matches of z with s). Pair the slots of s and s' so that common items share a slot: c slots are not
    common, at most a of them sensitive in s. Weigh z by x^(matches in common slots); then P(y|s) / P(y|s') is at most
    the mean of x^(matches of s in the c slots) = sum over sets A of these slots of (x - 1)^|A| Pr[A matches]. The
    weight does not change when the results of the c slots are permuted, so given the multiset of these results their
    order is uniform (for `set`: given the results of the common slots, and the multiset, which must complete the
    set). Slots hold different items: with multiplicities mu the A of size i sum up to at most e_i(mu) / (c)_i; e_i
    (elementary symmetric) counts some of the i-subsets of c results, so this is at most 1 / i!; and A has at most a
    slots. Reached: s has a sensitive items A and s' does not; the other m - a items are common, not sensitive and all
    in I (each with probability r = 1 - K q > 0, as p > q), y0 = A. Then the c = a slots of s see every order of A
    alike. There are m - a non-sensitive items where K + 2N >= 2m: for a = m nothing is needed; for a = K, N >= m by K
    <= d - m; a = d - m gives N >= 2m - d = m - a; for a = floor(K / 2), N >= m - K / 2, and K + 2N is even if K is.
    For a = 1: y0 is the exchanged item m times, I = {}. (A law without non-sensitive items has N = 0.)
    """
    law, values = statement["law"], variables(statement["law"])
    p, q, _ = table(law, values)
    require(
        (law["unit"], law["draw"], statement["sizes"]) == ("items", "all", "exactm")
        and statement["view"] in ("set", "multiset")
        and statement["counted"] == "all",
        "no such lemma",
    )
    require(statement["relation"] != "ldp" or law["r"] is None, "epsilon-LDP lemma: no non-sensitive items")
    require(lift(p / q) == values[law["base"]], "own / other is not the root of e^eps")
    _require_constant(statement, lambda a: ["exptrunc", a, ["sub", law["base"], 1]])
    if statement["relation"] != "deniability":
        spare = ["sub", ["add", "K", ["mul", 2, "N"]], ["mul", 2, "m"]]
        require(implied(spare, statement["where"]), "K + 2N >= 2m is not stated")


def _require_constant(statement: Any, expected: Callable[[Any], Any]) -> None:
    """The stated constant is the expected one for one of the expressions of a: the same tree, or for a = 1 the same
    value.
    """
    stated, values = statement["constant"], variables(statement["law"])
    for a in exchanged(statement):
        if stated == expected(a):
            return
        if a == 1:
            same = lift(evaluate(stated, values)) == lift(evaluate(expected(a), values))
            require(same, f"the lemma's constant is {expected(a)}")
            return
    require(False, f"the lemma's constant is one of {[expected(a) for a in exchanged(statement)]}")
