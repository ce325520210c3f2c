"""Statements about laws on arcs (Wheel, suWheel): densities, ratios of densities, invertible data."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from dp_checks.kernel import arcs_cover, arcs_estimates
from dp_checks.kernel.arcs_law import (
    Hash,
    Numbers,
    covered,
    density,
    emitted,
    hash_function,
    is_density,
    length,
    numbers,
    point_of,
    set_of,
)
from dp_checks.kernel.arcs_lemmas import (
    SHRUNK,
    cover_length,
    outside,
    require_attained,
    require_cover_bounds,
    require_density,
    symbols,
    without_invertible,
)
from dp_checks.kernel.constants_sizes import TWO_SENSITIVE, TWO_SETS, implied
from dp_checks.kernel.constants_unbounded import SOME
from dp_checks.kernel.defined import require_defined
from dp_checks.kernel.exact import items, rational
from dp_checks.kernel.laws import Items, related
from dp_checks.kernel.polynomial import is_nonnegative, lift
from dp_checks.kernel.rejected import Rejected, require
from dp_checks.kernel.slotwise import point_values, ranges_of, table, variables
from dp_checks.kernel.terms import evaluate


def density_law(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement: Q is a probability density for every hash function and every set of at most `items` items (all sets if
    there is no such field). Proved from the length of covers; refuted by a set and a hash function.
    """
    if verdict == "refuted":
        n = numbers(statement, evidence["instance"])
        most = n.d
        if "items" in statement:
            bound = Fraction(evaluate(statement["items"], point_values(statement, evidence["instance"])))
            most = min(n.d, int(bound // 1))
        s, h = set_of(evidence["s"], n, 0, most), hash_function(evidence["hash"], n.d)
        require(not is_density(s, h, n), "Q is a density at the witness")
        return
    require(verdict == "proved" and evidence == {"lemma": "cover"}, "unknown evidence")
    require("items" in statement, "the cover of more items is not bounded")
    require_defined(statement["items"], variables(statement["law"]), ranges_of(statement["law"]))
    require_density(statement["law"], evaluate(statement["items"], variables(statement["law"])))


def ratio(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement: given any published hash function, every compared ratio of densities is at most e^eps, for all eps > 0
    and sizes.
    """
    _require_any_hash(statement)
    if verdict == "refuted":
        first, second, n = _densities(statement, evidence)
        require(first > n.w * second, "the witness does not violate the bound")
        return
    require(verdict == "proved" and evidence == {"lemma": "cover"}, "unknown evidence")
    require(statement["sizes"] in ("exactm", "atmost"), "the cover of more than m items is not bounded")
    require(without_invertible(statement), "invertible data are not compared by the lemma")
    require_cover_bounds(statement["law"])


def smallest(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement: the smallest constant that bounds every compared ratio of densities, for all hash functions, is
    `constant`. Proved with the hash functions that reach it; refuted by a larger ratio.
    """
    _require_any_hash(statement)
    if verdict == "refuted":
        first, second, _ = _densities(statement, evidence)
        claimed = evaluate(statement["constant"], point_values(statement, evidence["instance"]))
        require(first > claimed * second, "the witness does not exceed the constant")
        return
    require(verdict == "proved" and evidence == {"lemma": "disjoint covers"}, "unknown evidence")
    law = statement["law"]
    require(statement["sizes"] in ("exactm", "atmost"), "the cover of more than m items is not bounded")
    require(statement["relation"] != "joint", "no attainment lemma")
    if statement["relation"] == "samenon":
        require(implied(TWO_SENSITIVE, statement["where"]), "K >= 2 is not stated")
    require(without_invertible(statement), "invertible data are not compared by the lemma")
    require(implied(TWO_SETS, statement["where"]), "d > m is not stated")
    require(lift(evaluate(statement["constant"], variables(law))) == symbols(law).w, "the constant is not e^eps")
    require_cover_bounds(law)
    require_attained(law)


def unbounded(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement: at all sizes of the domain, for all eps > 0 and every hash function, no constant bounds the compared
    ratios.

    Lemma "emitted item": d > m and N >= 1 give m-sets s = A + {a} with a sensitive and s' = A + {x} with x not. At a
    point outside all arcs of s' (m arcs leave a gap) s' emits x; s, whose density is at least 1 / Omega everywhere,
    does not: the output (y0, emitted items of A) is possible for s only.
    """
    _require_any_hash(statement)
    require(verdict == "proved" and evidence == {"lemma": "emitted item"}, "unknown evidence")
    require(statement["relation"] in ("joint", "deniability"), "the pair is not compared by this reading")
    require(statement["law"]["r"] is not None, "the law has no invertible data")
    require(implied(TWO_SETS, statement["where"]) and implied(SOME, statement["where"]), "d > m, N >= 1 are not stated")
    require_cover_bounds(statement["law"])


def density_ratio(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement: Q(y0 | s) / Q(y0 | s') is `ratio` wherever y0 lies in (out of) the covers of s and s' as `case` says,
    for s != s' of 1 to m items and every hash function. In `ratio` l and k are the lengths of the covers of s' and s.
    """
    law, case = statement["law"], statement["case"]
    if verdict == "refuted":
        n = numbers(statement, evidence["instance"])
        s, other, h, tau = _pair(evidence, n, 1, n.m)
        inside = {True: "in", False: "out"}
        found = inside[covered(tau, s, h, n.arc)] + inside[covered(tau, other, h, n.arc)]
        require(found == case, "the point is in another case")
        lengths = {"l": length(other, h, n.arc), "k": length(s, h, n.arc)}
        stated = evaluate(statement["ratio"], point_values(statement, evidence["instance"]) | lengths)
        exact = density(tau, s, h, n) / density(tau, other, h, n)
        require(exact != stated, "the ratio is right at the witness")
        require(
            (rational(evidence["exact"]), rational(evidence["stated"])) == (exact, stated),
            "the witness shows other numbers",
        )
        return
    require(verdict == "proved" and evidence == {"lemma": "cases"}, "unknown evidence")
    require_cover_bounds(law)
    own = symbols(law)
    other_length, own_length = (cover_length(own, own.m, share) for share in SHRUNK)
    values = variables(law) | {"l": other_length, "k": own_length}
    require_defined(statement["ratio"], values, own.ranges)
    top = own.w / own.omega if case.startswith("in") else outside(own, own_length)
    bottom = own.w / own.omega if case.endswith("in") else outside(own, other_length)
    require(lift(evaluate(statement["ratio"], values)) == top / bottom, "the ratio is another one")


def invertible(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement: (9) and (10): x in X_non is emitted with probability > 0 iff x in s (eps > 0, or eps = 0), given any
    hash function.

    (10): only items of s are ever added (Algorithm 1, lines 5-11). (9): the point avoids a held item's arc with
    probability 1 - p = r, since Q = w / Omega all over that arc; at eps = 0 too, where Q = 1.
    """
    _require_any_hash(statement)
    law = statement["law"]
    require(verdict == "proved" and evidence == {"lemma": "kept"} and law["r"] is not None, "unknown evidence")
    symbols(law)
    values, ranges = variables(law), dict(ranges_of(law))
    if statement["epsilon"] == "zero":
        values |= {law["base"]: lift(1)}
        del ranges[law["base"]]
    for entry in (law["p"], law["q"], law["r"]):
        require_defined(entry, values, ranges)
    p, q, r = (lift(entry) for entry in table(law, values))
    covers = values["m"] * q
    require(is_nonnegative(1 - covers, ranges, strictly=True), "m arcs are not shown to leave a gap")
    require(p * (covers * values[law["base"]] + 1 - covers) == q * values[law["base"]] and p + r == 1, "another law")
    require(
        is_nonnegative(r, ranges, strictly=True) and is_nonnegative(1 - r, ranges), "r is not shown to be in (0, 1]"
    )
    if "probability" in statement:
        require(lift(evaluate(statement["probability"], values)) == r, "x is emitted with another probability")


def invertible_within(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement: I is a set of non-sensitive items of s (so t <= |s_non|), and the report determines I.

    Algorithm 1, lines 4-11: the report contains z1, to which only items of s outside X_sen are added.
    """
    _require_any_hash(statement)
    require(
        verdict == "proved" and evidence == {"lemma": "kept"} and statement["law"]["r"] is not None, "unknown evidence"
    )
    n = Numbers(
        2, Fraction(2), Fraction(1, 7), Fraction(9, 7), 4, 2
    )  # any numbers: only which outputs there are matters
    h = (Fraction(0), Fraction(1, 14), Fraction(1, 2), Fraction(13, 14))
    for s in [(x,) for x in range(4)] + [(0, 2), (2, 3)]:
        for tau in (Fraction(0), Fraction(1, 10), Fraction(5, 9)):
            require(set(emitted(tau, s, h, n)) <= {x for x in s if x >= 2}, "an item outside s_non is emitted")


# --- exact instances ----------------------------------------------------------------------------------------------


def _densities(statement: Any, evidence: Any) -> tuple[Fraction, Fraction, Numbers]:
    """The two densities of a witness: of the reported point (and of the invertible data, if they are compared), from s
    and from s'.
    """
    n, relation = numbers(statement, evidence["instance"]), statement["relation"]
    least, most = {"exactm": (n.m, n.m), "atmost": (1, n.m), "all": (0, n.d)}[statement["sizes"]]
    s, other, h, tau = _pair(evidence, n, least, most)
    require(related(relation, s, other, n.k), "the pair is not compared by this reading")
    kept = items(evidence["invertible"])
    if relation == "marginal":
        require(kept == (), "the marginal law is that of the point alone")
    require(relation != "joint" or set(kept) <= set(s) & set(other), "the output is not compared by this reading")
    found = []
    for held in (s, other):
        require(is_density(held, h, n), "Q is no density there: nothing is drawn from it")
        same = relation == "marginal" or emitted(tau, held, h, n) == kept
        found.append(density(tau, held, h, n) if same else Fraction(0))
    shown = [rational(evidence[name]) for name in ("density", "other_density")]
    require(found == shown, "the densities of the witness are not those of the law")
    return found[0], found[1], n


def _pair(evidence: Any, n: Numbers, least: int, most: int) -> tuple[Items, Items, Hash, Fraction]:
    """Two different sets, a hash function and a point."""
    s, other = (set_of(evidence[name], n, least, most) for name in ("s", "other"))
    require(s != other, "one set is not compared with itself")
    return s, other, hash_function(evidence["hash"], n.d), point_of(evidence["point"])


def _require_any_hash(statement: Any) -> None:
    if statement["view"] != "hash":
        raise Rejected("a statement conditional on the published hash function, whatever it is")


CHECKS: dict[str, Callable[[Any, str, Any], None]] = {
    "arcs-density": density_law,
    "arcs-ratio": ratio,
    "arcs-smallest": smallest,
    "arcs-unbounded": unbounded,
    "arcs-density-ratio": density_ratio,
    "arcs-invertible": invertible,
    "arcs-invertible-within": invertible_within,
    **arcs_cover.CHECKS,
    **arcs_estimates.CHECKS,
}
