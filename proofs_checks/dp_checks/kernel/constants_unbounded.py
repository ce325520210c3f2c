"""Statements that no constant bounds the compared ratios."""

from typing import Any

from dp_checks.kernel.constants_sizes import TWO_SETS, implied
from dp_checks.kernel.exact import rational
from dp_checks.kernel.polynomial import is_nonnegative, lift
from dp_checks.kernel.privacy import maximum
from dp_checks.kernel.rejected import require
from dp_checks.kernel.slotwise import fits, ranges_of, table, variables

SOME = ["sub", "N", 1]
"""N >= 1: there is a non-sensitive item."""


def unbounded(statement: Any, verdict: str, evidence: Any) -> None:
    """Statement: at all sizes of the domain, for all eps > 0, no constant bounds the compared ratios. Refuted by an
    instance with a largest ratio.
    """
    if verdict == "refuted":
        at = evidence["instance"]
        require(fits(statement, at), "the instance lies outside the domain")
        worst = maximum(statement, at)
        require(worst is not None, "no constant bounds the ratios there")
        require(rational(evidence["exact"]) == worst, "the witness shows another number")
        return
    require(verdict == "proved" and evidence["lemma"] == "impossible datum", "no such lemma")
    _impossible_datum(statement)


def _impossible_datum(statement: Any) -> None:
    """A y0 that s shows with positive probability and s' never, by what y0 tells of emitted items (probability r > 0).

    bits, `whole`: y0 shows that a non-sensitive item was emitted; s holds it, s' does not (d > m, N >= 1). items, one
    draw: y0 is empty exactly if a non-sensitive item was emitted; s holds one (N >= 1), s' none (K >= m). items, all,
    `set`: y0 = {} if m non-sensitive items were all emitted (N >= m), never if s' holds a sensitive one. items, all,
    `multiset`: |y0| is m less the number emitted. Let s' hold k = max(0, m - K) non-sensitive items, the fewest
    possible, s one more; it has them where d > m and N >= 1. If s emits all of them, |y0| = m - k - 1; s' shows at
    least m - k. This y0 is not empty where K >= 2 and m >= 2.
    """
    law, where = statement["law"], statement["where"]
    _, q, r = table(law, variables(law))
    require(statement["relation"] == "marginal" and statement["sizes"] == "exactm", "no such lemma")
    require(r is not None and is_nonnegative(lift(r), ranges_of(law), strictly=True), "r is not shown to be positive")
    seen = (law["unit"], law["draw"], statement["view"])
    if seen in (("bits", "all", "whole"), ("bits", "one", "whole")):
        needed: list[Any] = [TWO_SETS, SOME]
    elif seen == ("items", "one", "one"):
        require(statement["counted"] == "all", "the empty y0 is not counted")
        needed = [["sub", "K", "m"], SOME]
    elif seen == ("items", "all", "set"):
        require(statement["counted"] == "all", "the empty y0 is not counted")
        needed = [["sub", "N", "m"]]
    else:
        require(seen == ("items", "all", "multiset"), "no such lemma")
        require(is_nonnegative(lift(q), ranges_of(law), strictly=True), "q is not shown to be positive")
        needed = [TWO_SETS, SOME]
        if statement["counted"] == "nonempty":
            needed += [["sub", "K", 2], ["sub", "m", 2]]
    require(all(implied(tree, where) for tree in needed), "the two sets need not exist on the stated domain")
